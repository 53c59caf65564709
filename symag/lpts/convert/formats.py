"""The formats that probabilistic systems are written in. Adding one is one module and one line here.

A writer is a function ``writer(named, decimals)``: the text of a ``symag.lpts.state_values.NamedStates``.
"""

from __future__ import annotations

from collections.abc import Mapping

from symag.core.tables import WrittenFormat

FORMATS: Mapping[str, WrittenFormat] = {
    "tra": WrittenFormat("symag.lpts.convert.conversion:transitions_text", (".tra",)),
    "lab": WrittenFormat("symag.lpts.convert.conversion:labels_text", (".lab",)),
    "sta": WrittenFormat("symag.lpts.convert.conversion:states_text", (".sta",)),
    "drn": WrittenFormat("symag.lpts.convert.conversion:drn_text", (".drn",)),
    "dot": WrittenFormat("symag.lpts.convert.conversion:picture", (".dot",)),
}
