#!/usr/bin/env python
"""Print Table 1 of agar-lpts-2012 beside what symag does with models/lpts.

    PYTHONPATH=. python scripts/simulation_table.py [--timeout SECONDS] [--memory MIB] [--row NAME]... [--wrong]

Every cell is one ``symag check``, its answer re-checked by separate code; "Textbook" is the greatest fixed point over
all pairs, the algorithm that the paper describes. Seconds are wall-clock seconds of the decision without its re-check,
memory in MiB, both of the child process that decides; the paper's are of a machine of 2008, as printed. ``-`` is no
answer in time or memory. ``--wrong`` asks for the specifications that do not hold: every answer must be a tree.
The exit status is 1 if an answer is not certified or has the wrong verdict.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODELS = Path(__file__).parent.parent / "models" / "lpts"


@dataclass(frozen=True)
class Row:
    """A model, how its components are ordered, and the printed cells.

    ``printed``: |L|, |P|, |L1|, |L2|; then time, memory, |LM| and |AM| of ASym and of ASym-N; time and memory of Mono.
    """

    name: str
    model: tuple[str, ...]
    first: tuple[str, ...]  # the components of L1, for ASym
    order: str  # of the components, for ASym-N
    printed: str


def _clients(n: int) -> tuple[str, ...]:
    return tuple(f"client{k}" for k in range(1, n + 1))


def _row(name: str, n: int, printed: str) -> Row:
    match name:
        case "CS1":
            return Row(f"CS1({n})", ("client_server.py", str(n), "--failing", "one"), ("server",), "server", printed)
        case "CSN":
            model = ("client_server.py", str(n), "--failing", "all")
            return Row(f"CSN({n})", model, _clients(n), ",".join(_clients(n)), printed)
        case "MER":
            return Row(f"MER({n})", ("arbiter.py", str(n)), ("arbiter",), "arbiter", printed)
        case _:
            first = ("channel", *(f"sensor{k}" for k in range(1, n + 1)))
            return Row(f"SN({n})", ("sensors.py", str(n)), first, ",".join(first), printed)


ROWS = (
    _row("CS1", 5, "94 16 36 405 7.2 15.6 182 33 74.0 15.1 182 34 0.2 8.8"),
    _row("CS1", 6, "136 19 49 1215 11.6 22.7 324 41 810.7 21.4 324 40 0.5 12.2"),
    _row("CS1", 7, "186 22 64 3645 37.7 49.4 538 56 out - - - 0.8 17.9"),
    _row("CSN", 2, "34 15 25 9 0.7 7.1 51 7 2.4 6.8 40 25 0.1 5.9"),
    _row("CSN", 3, "184 54 125 16 43.0 63.0 324 12 1.6k 109.6 372 125 14.8 37.9"),
    _row("CSN", 4, "960 189 625 25 out - - - out - - - 1.8k 667.5"),
    _row("MER", 3, "16k 12 278 1728 2.6 19.7 706 7 3.6 14.6 706 7 193.8 458.5"),
    _row("MER", 4, "120k 15 465 21k 15.0 53.9 2k 11 34.7 37.8 2k 11 out -"),
    _row("MER", 5, "841k 18 700 250k out - - - 257.8 65.5 3.3k 16 out -"),
    _row("SN", 1, "462 18 43 32 0.2 6.2 43 3 1.7 8.5 165 6 1.5 27.7"),
    _row("SN", 2, "7860 54 796 32 79.5 112.9 796 3 694.4 171.7 1.4k 21 4.7k 1.3k"),
    _row("SN", 3, "78k 162 7545 32 out - - - 7.2k 528.8 1.4k 21 out -"),
)
#: Sizes without the bars, which are Markdown's.
SIZES = ("L", "P", "L1", "L2")
#: Per method of ours: the arguments, and the statistics of its cells.
METHODS = ("ASym", "ASym-N", "Mono", "Textbook")
_COSTS = ("seconds", "memory_mib")
_SIZES = ("largest_composition_states", "assumption_states_max", "refinements")


def arguments(row: Row, method: str) -> list[str]:
    """What ``symag check`` is told for a cell."""
    match method:
        case "ASym":
            return ["--method", "agar", "--group", ",".join(row.first), "--order", row.first[0]]
        case "ASym-N":
            return ["--method", "agar-n", "--order", row.order]
        case "Mono":
            return ["--method", "monolithic"]
        case _:
            return ["--method", "monolithic", "--engine", "textbook"]


def asked(row: Row, method: str, folder: Path, timeout: float, memory: int, wrong: bool) -> dict[str, Any]:
    """The result of one ``symag check`` (design.md), its verdict ``unknown`` if there was none."""
    system, wanted = folder / "system.nm", folder / "specification.nm"
    script, *parameters = row.model
    for path, more in ((system, []), (wanted, ["--wrong" if wrong else "--specification"])):
        made = subprocess.run(
            [sys.executable, MODELS / script, *parameters, *more], stdout=subprocess.PIPE, text=True, check=True
        )
        path.write_text(made.stdout)
    limits = ["--timeout", str(timeout), "--memory", str(memory)]
    command = [sys.executable, "-m", "symag", "check", str(system), "--specification", str(wanted), "--json", "-q"]
    ran = subprocess.run([*command, *limits, *arguments(row, method)], stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(ran.stdout)["results"][0]
    return found


def cells(result: dict[str, Any], method: str) -> list[str]:
    """Seconds and MiB, and for methods by parts |LM|, |AM| and the refinements."""
    names = _COSTS + (_SIZES if method.startswith("ASym") else ())
    if result["verdict"] == "unknown":
        return [result["reason"], *("-" for _ in names[1:])]
    return [f"{result['statistics'][name]:.4g}" for name in names]


def main(arguments_given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=600.0)
    parser.add_argument("--memory", type=int, default=8192)
    parser.add_argument("--row", action="append", choices=[row.name for row in ROWS])
    parser.add_argument("--method", action="append", choices=METHODS)
    parser.add_argument("--wrong", action="store_true")
    told = parser.parse_args(arguments_given)
    methods = told.method or METHODS
    header = ["model", "", *SIZES]
    for method in methods:
        count = 5 if method.startswith("ASym") else 2
        header += [f"{method} {name}" for name in ("time", "MiB", "LM", "AM", "refinements")[:count]]
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    status = 0
    expected = "violated" if told.wrong else "holds"
    for row in ROWS:
        if told.row and row.name not in told.row:
            continue
        printed = row.printed.split()
        by_method = {"ASym": [*printed[4:8], ""], "ASym-N": [*printed[8:12], ""], "Mono": printed[12:]}
        shown = [cell for method in methods for cell in by_method.get(method, ["", ""])]
        print("| " + " | ".join([row.name, "paper", *printed[:4], *shown]) + " |")
        sizes: dict[str, int] = {}
        ours: list[str] = []
        for method in methods:
            with tempfile.TemporaryDirectory() as folder:
                result = asked(row, method, Path(folder), told.timeout, told.memory, told.wrong)
            sizes |= result["statistics"]
            ours += cells(result, method)
            if result["verdict"] not in (expected, "unknown") or result["certified"] != (result["verdict"] == expected):
                print(f"{row.name}, {method}: {result['verdict']}, certified: {result['certified']}", file=sys.stderr)
                status = 1
        names = ("system_states", "specification_states", "first_states", "second_states")
        known = [str(sizes.get(name, "-")) for name in names]
        print("| " + " | ".join(["", "symag", *known, *ours]) + " |", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
