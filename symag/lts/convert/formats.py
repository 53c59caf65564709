"""The formats that labelled transition systems are written in. Adding one is one module and one line here.

A writer is ``writer(process)``, of a ``symag.lts.convert.conversion.WrittenProcess``: the text, and warnings about what
it leaves out.
"""

from __future__ import annotations

from collections.abc import Mapping

from symag.core.reports import WrittenFormat

FORMATS: Mapping[str, WrittenFormat] = {
    "aut": WrittenFormat("symag.lts.convert.conversion:aldebaran_text", (".aut",)),
    "dot": WrittenFormat("symag.lts.convert.conversion:dot_text", (".dot",)),
    "fsp": WrittenFormat("symag.lts.convert.conversion:process_text", (".lts", ".fsp")),
}
