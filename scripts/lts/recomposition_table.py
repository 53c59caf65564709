"""Reuse of hypotheses and recomposition in ``lstar``, beside ``lstar`` without them and the monolithic check.

    python -m scripts.lts.recomposition_table [--cases gas,mer] [--timeout 10] [--memory MIB] [--record FILE]
        [--certify]

Only safety is asked, and every component is a part at first. A cell is the CPU seconds of the whole command, start
included, and the conjectures of the last attempt; ``>10`` is out of time. ``attempts`` and ``parts`` are those of
recomposition. Exit status 20 for a wrong verdict.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from scripts.lts.lts_sizes import STUDIES
from scripts.measuring.lts_tables import Case, Cells, Lines, add_limits, compared, figure, measured
from scripts.measuring.measure import Decision

METHODS: Mapping[str, tuple[str, ...]] = {
    "lstar, no reuse": ("lstar", "--no-reuse-hypotheses"),
    "lstar": ("lstar",),
    "recomposition": ("lstar", "--recomposition"),
    "monolithic": ("monolithic",),
}
SIZES: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "gas": ((8,), (12,)),
    "mer": ((8, 5),),
    "client_server": ((12,), (14,)),
    "chiron2": ((4,),),
    "chiron3": ((4,),),
    "rover": ((),),
}


def row(cells: Cells, lines: Lines, name: str, size: tuple[int, ...]) -> Mapping[str, Decision]:
    """Runs the cells of a row and prints it."""
    file, target, constants, _ = STUDIES[name]
    case = Case(file, target, tuple(f"{key}={value}" for key, value in zip(constants, size, strict=True)))
    decisions = {column: cells.decided(case, "--method", *options) for column, options in METHODS.items()}
    texts = []
    for column, decision in decisions.items():
        shown = f" {figure(decision, 'iterations')}" if decision.known and column != "monolithic" else ""
        texts.append(f"{cells.seconds(decision)}{shown}")
    grouped = [figure(decisions["recomposition"], name) for name in ("attempts", "parts")]
    lines.show([name, " x ".join(map(str, size)), *texts, *grouped])
    return decisions


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(SIZES))
    add_limits(parser, 10)
    parser.add_argument("--certify", action="store_true", help="re-check the answers, within the same limits again")
    given = parser.parse_args()
    cells = Cells(given, given.certify)
    lines = Lines(
        ("case", "k", *METHODS, "attempts", "parts"), [("client_server", "8 x 5", "", "12.34 1234", *[""] * 4)]
    )
    rows = [row(cells, lines, name, size) for name in given.cases.split(",") for size in SIZES[name]]
    print()
    for first, second in (("lstar", "lstar, no reuse"), ("recomposition", "lstar"), ("recomposition", "monolithic")):
        print(f"seconds: {compared(first, second, [(measured(r[first]), measured(r[second])) for r in rows])}.")
    return cells.ended()


if __name__ == "__main__":
    sys.exit(main())
