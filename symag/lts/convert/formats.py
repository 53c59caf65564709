"""The formats that labelled transition systems are written in. Adding one is one module and one line here.

A writer maps a ``symag.lts.convert.conversion.WrittenProcess`` to the text, and warnings about what the text lacks.
"""

from __future__ import annotations

from collections.abc import Mapping

from symag.core.tables import WrittenFormat

FORMATS: Mapping[str, WrittenFormat] = {
    "aut": WrittenFormat("symag.lts.convert.conversion:aldebaran_text", (".aut",)),
    "dot": WrittenFormat("symag.lts.convert.conversion:dot_text", (".dot",)),
    "fsp": WrittenFormat("symag.lts.convert.conversion:process_text", (".lts", ".fsp")),
}
