"""The figures of the quotient paper's section 7 with ours, and the curve of its Fig. 7.

    python -m scripts.lts.quotient_table [--timeout 60] [--repeat 3] [--targets A,B,C,D] [--no-curve] [--record FILE]

B. Finkbeiner, S. Schewe, M. Brill, "Automatic Synthesis of Assumptions for Compositional Model Checking" (FORTE
2006). The authors' models are lost. Ours, models/lts/sliding_window.lts and mutual_exclusion.lts, are written from
the prose, so the table compares figures of different models. Their seconds are model checking with SPIN on
an Athlon XP 2600+, with the assumption in place of the receiver and without. Fig. 7 is lost too: about its
curves the prose only says that they drop early, so all numbers of the curve are ours. Rows are printed as they
end; --record FILE keeps each cell, and a later run with this file continues. Exit status 20 if a verdict is not the
published one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from scripts.measuring.lts_tables import Case, Cells, Lines, add_limits, compared, figure, measured
from scripts.measuring.measure import Decision


@dataclass(frozen=True)
class PrintedRow:
    """One property of the sliding window protocol as the paper has it."""

    verdict: str
    steps: int
    states: int
    with_assumption: float
    without: float


PRINTED = {
    "A": PrintedRow("holds", 169, 8, 4, 19),
    "B": PrintedRow("holds", 18, 1, 3, 19),
    "C": PrintedRow("holds", 168, 8, 4, 18),
    "D": PrintedRow("violated", 15, 1, 3, 18),
}
#: The numbers of steps at which the curve is shown.
CURVE = (0, 1, 2, 3, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120, 140, 160, 180)


HEADER = ("property", "verdict", "steps (paper)", "steps", "|A| (paper)", "|A|", "must/may", "M||A||P", "M||N||P")
SECONDS = ("quotient s", "no abstraction s", "monolithic s", "SPIN with A (paper)", "SPIN (paper)")
COLUMNS = {
    "quotient": ("--method", "quotient", "--abstraction"),
    "direct": ("--method", "quotient", "--no-abstraction"),
    "monolithic": ("--method", "monolithic"),
}


@dataclass(frozen=True)
class Row:
    """The three answers about one property."""

    target: str
    quotient: Decision
    direct: Decision
    monolithic: Decision


def number(decision: Decision, name: str) -> str:
    """A statistic of an answer."""
    return figure(decision, name) if decision.known else "-"


def row(cells: Cells, lines: Lines, target: str) -> Row:
    """Runs the cells of a row and prints it."""
    printed = PRINTED[target]
    case = Case("sliding_window.lts", target)
    quotient, direct, alone = (cells.decided(case, *item, expected=printed.verdict) for item in COLUMNS.values())
    lines.show(
        [
            target,
            quotient.verdict,
            *(str(printed.steps), number(quotient, "steps")),
            *(str(printed.states), number(quotient, "assumption_states")),
            f"{number(quotient, 'must_edges')}/{number(quotient, 'may_edges')}",
            *(number(quotient, "product_states"), number(alone, "states")),
            *(cells.seconds(item) for item in (quotient, direct, alone)),
            *(f"{printed.with_assumption:g}", f"{printed.without:g}"),
        ]
    )
    return Row(target, quotient, direct, alone)


def trend(rows: Sequence[Row]) -> list[str]:
    """Lines that compare our figures with the printed ones, and with the claim that assumptions are small and help."""
    known = [item for item in rows if item.quotient.known]
    sentences = []
    for what, statistic in (("steps", "steps"), ("|A|", "assumption_states")):
        met = [
            item.target
            for item in known
            if item.quotient.statistics[statistic] == getattr(PRINTED[item.target], "states" if what == "|A|" else what)
        ]
        sentences.append(
            f"Printed {what} met for {', '.join(met) or 'none'} of {', '.join(item.target for item in rows)}."
        )
    smaller = [
        item.target
        for item in known
        if item.monolithic.known and item.quotient.statistics["product_states"] < item.monolithic.statistics["states"]
    ]
    sentences.append(f"M || A || P is smaller than M || N || P for {', '.join(smaller) or 'none'}.")
    alone = [measured(item.monolithic) for item in rows]
    for shown, decisions in (
        ("with abstraction", [item.quotient for item in rows]),
        ("without abstraction", [item.direct for item in rows]),
    ):
        pairs = list(zip(map(measured, decisions), alone, strict=True))
        sentences.append(f"Seconds: {compared(f'the quotient {shown}', 'the monolithic check', pairs)}.")
    return sentences


def curve(cells: Cells, target: str) -> list[str]:
    """The states of the quotient after this many steps; a dash where refinement has ended before, or at the limit."""
    sentences: list[str] = []
    for steps in CURVE:
        decision = cells.decided(
            Case("sliding_window.lts", target),
            *(*COLUMNS["quotient"], "--steps", str(steps)),
            expected=PRINTED[target].verdict,
        )
        sentences.append(number(decision, "assumption_states"))
        if decision.statistics.get("exact") == 1:
            break
    return [target, *sentences, *["-"] * (len(CURVE) - len(sentences))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_limits(parser, 60)
    parser.set_defaults(repeat=3)
    parser.add_argument("--targets", default="A,B,C,D", help="only these properties (default: A,B,C,D)")
    parser.add_argument("--no-curve", action="store_true", help="leave the curve out")
    given = parser.parse_args()
    cells = Cells(given, certify=True)
    targets = [target for target in PRINTED if target in given.targets.split(",")]
    print(f"Sliding window; CPU seconds of the whole command, re-check included; limit {given.timeout:g}.\n")
    lines = Lines((*HEADER, *SECONDS), [("", "violated", *[""] * (len(HEADER) + len(SECONDS) - 2))])
    rows = [row(cells, lines, target) for target in targets]
    print("", *trend(rows), sep="\n", flush=True)
    mutex = cells.decided(Case("mutual_exclusion.lts", "SYSTEM"), "--method", "quotient")
    print(f"\nMutual exclusion: |A| (paper) 3, |A| {number(mutex, 'assumption_states')} of 9 states.")
    if not given.no_curve:
        print("\nStates of the quotient after this many steps (Fig. 7; the paper's numbers are lost).\n")
        lines = Lines(("property", *map(str, CURVE)), [("", *["9999"] * len(CURVE))])
        for target in targets:
            lines.show(curve(cells, target))
    return cells.ended()


if __name__ == "__main__":
    sys.exit(main())
