"""The formats that SMV models are written in. Adding one is one module and one line here.

A writer is a function ``writer(system, properties, output)``. It returns the content of the file ``output``, and
warnings about what it leaves out.
"""

from __future__ import annotations

from collections.abc import Mapping

from symag.core.tables import WrittenFormat

FORMATS: Mapping[str, WrittenFormat] = {
    "smv": WrittenFormat("symag.smv.convert.conversion:smv_content", (".smv",)),
    "aiger": WrittenFormat("symag.smv.convert.conversion:aiger_content", (".aig", ".aag", ".aiger")),
    "json": WrittenFormat("symag.smv.convert.conversion:json_content", (".json",)),
    "dot": WrittenFormat("symag.smv.convert.conversion:dot_content", (".dot",)),
}
