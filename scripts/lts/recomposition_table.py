"""Reuse of hypotheses and recomposition in ``lstar``, beside ``lstar`` without them and the monolithic check.

    python -m scripts.lts.recomposition_table [--cases gas,mer] [--timeout 10] [--memory MIB] [--record FILE]
        [--certify]
    python -m scripts.lts.recomposition_table --suite [--timeout 10] ..

Only safety is asked, and every component is a part at first. A cell is the CPU seconds of the whole command, start
included, and the conjectures of the last attempt; ``>10`` is out of time. ``attempts`` and ``parts`` are those of
recomposition. ``--suite`` takes LTSA's examples (SYMAG_SUITES) instead: the composites of two components or more in
which something is forbidden, of at least 300 states, without priorities; on smaller ones only a start is measured. Exit
status 20 for a wrong verdict.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from scripts.lts.lts_sizes import STUDIES
from scripts.measuring.lts_tables import Case, Cells, Lines, add_limits, compared, figure, measured
from scripts.measuring.measure import Decision, suites
from symag.core.errors import UnsupportedError
from symag.lts import System, read
from symag.lts.composition import TooManyStates, composed
from symag.lts.safety_problem import safety_problem

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


#: A composite of the suite with fewer states is left out.
_LEAST = 300


def row(cells: Cells, lines: Lines, name: str, size: tuple[int, ...]) -> Mapping[str, Decision]:
    """Runs the cells of a row and prints it."""
    file, target, constants, _ = STUDIES[name]
    case = Case(file, target, tuple(f"{key}={value}" for key, value in zip(constants, size, strict=True)))
    return measured_row(cells, lines, (name, " x ".join(map(str, size))), case, "holds")


def measured_row(
    cells: Cells, lines: Lines, title: tuple[str, str], case: Case, expected: str | None
) -> Mapping[str, Decision]:
    """Runs the cells of a row; ``expected``: the verdict, None: that of the monolithic check, if it has one."""
    decisions: dict[str, Decision] = {}
    for column in reversed(tuple(METHODS)):
        decisions[column] = cells.decided(case, "--method", *METHODS[column], expected=expected)
        if expected is None and decisions[column].known:
            expected = decisions[column].verdict
    texts = []
    for column in METHODS:
        decision = decisions[column]
        shown = f" {figure(decision, 'iterations')}" if decision.known and column != "monolithic" else ""
        texts.append(f"{cells.seconds(decision)}{shown}")
    grouped = [figure(decisions["recomposition"], name) for name in ("attempts", "parts")]
    lines.show([*title, *texts, *grouped])
    return decisions


def examples(cells: Cells) -> list[Mapping[str, Decision]]:
    """The rows of LTSA's examples."""
    lines = Lines(
        ("file", "composite", *METHODS, "attempts", "parts"), [("a" * 28, "b" * 20, *["12.34 1234"] * 4, "", "")]
    )
    rows = []
    for path in sorted((suites().parent / "fsp" / "ltsa").rglob("*.lts")):
        model = read(str(path))
        for target in model.targets:
            if is_large(model.composite(target)):
                rows.append(measured_row(cells, lines, (path.name, target), Case(str(path), target), None))
    return rows


def is_large(system: System) -> bool:
    """Whether the system is one of ``--suite``."""
    try:
        problem = safety_problem(system)
        if len(problem.components) > 1 and problem.property.has_error:
            composed(system.components, system.name, most=_LEAST)
    except UnsupportedError:
        return False
    except TooManyStates:
        return True
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(SIZES))
    parser.add_argument("--suite", action="store_true", help="the examples of LTSA")
    add_limits(parser, 10)
    parser.add_argument("--certify", action="store_true", help="re-check the answers, within the same limits again")
    given = parser.parse_args()
    cells = Cells(given, given.certify)
    if given.suite:
        rows = examples(cells)
    else:
        heads = ("case", "k", *METHODS, "attempts", "parts")
        lines = Lines(heads, [("client_server", "8 x 5", "", "12.34 1234", *[""] * 4)])
        rows = [row(cells, lines, name, size) for name in given.cases.split(",") for size in SIZES[name]]
    print()
    for first, second in (("lstar", "lstar, no reuse"), ("recomposition", "lstar"), ("recomposition", "monolithic")):
        print(f"seconds: {compared(first, second, [(measured(r[first]), measured(r[second])) for r in rows])}.")
    return cells.ended()


if __name__ == "__main__":
    sys.exit(main())
