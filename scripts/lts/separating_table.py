"""Smallest assumptions (separating automata by SAT) beside those of L* and of the circular rule.

    python -m scripts.lts.separating_table [--cases gas,mer] [--k 2,3] [--timeout 10] [--memory MIB] [--record FILE]

The systems and their two parts are those of Table 1 of the AGAR paper (scripts/lts/agar_tables.py), for all methods. A
cell is the states of the assumption (of the circular rule: of both, summed) and CPU seconds of the whole command,
start included; ``>10`` is out of time. The first three columns have the whole interface as letters, the others refine
the alphabet. Exit status 20 for a wrong verdict, or for an assumption of L* that is smaller than the smallest one
over as many letters.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from scripts.lts.agar_tables import STUDIES
from scripts.measuring.lts_tables import Cells, Lines, add_limits, answered, compared, figure, measured
from scripts.measuring.measure import Decision

#: Options of each column, and the statistic that is its size.
METHODS = {
    "L*": (("lstar", "--learner", "lstar"), "assumption_states"),
    "separating": (("lstar", "--learner", "separating"), "assumption_states"),
    "circular": (("circular",), "assumption_states"),
}
ALPHABETS = {"": "--no-alphabet-refinement", ", AR": "--alphabet-refinement"}
SIZES = {"gas": (3, 4, 5), "chiron2": (2, 3, 4, 5), "chiron3": (2, 3, 4, 5), "mer": (2, 3, 4), "rover": (2,)}
COLUMNS = tuple(f"{method}{alphabet}" for alphabet in ALPHABETS for method in METHODS)

Row = Mapping[str, Decision]


def row(cells: Cells, lines: Lines, name: str, k: int) -> Row:
    """Runs the cells of a row and prints it."""
    study = STUDIES[name]
    groups = ("--group", study.groups[0], "--group", study.groups[1])
    decisions = {
        f"{method}{alphabet}": cells.decided(study.case(k), "--method", *options, refinement, *groups)
        for alphabet, refinement in ALPHABETS.items()
        for method, (options, _) in METHODS.items()
    }
    decisions["monolithic"] = cells.decided(study.case(k), "--method", "monolithic")
    texts = [f"{_size(decisions[column])} {cells.seconds(decisions[column])}" for column in COLUMNS]
    letters = figure(decisions["separating, AR"], "assumption_alphabet")
    interface = figure(decisions["separating"], "assumption_alphabet")
    lines.show([name, str(k), *texts, cells.seconds(decisions["monolithic"]), f"{interface}/{letters}"])
    return decisions


def _size(decision: Decision) -> str:
    return figure(decision, "assumption_states") if decision.known else "-"


def larger(rows: Sequence[Row]) -> list[str]:
    """Columns in which a smallest assumption is larger than that of L* over as many letters."""
    wrong = []
    for decisions in rows:
        for alphabet in ALPHABETS:
            mine, theirs = decisions[f"separating{alphabet}"], decisions[f"L*{alphabet}"]
            if not (mine.known and theirs.known):
                continue
            same = mine.statistics["assumption_alphabet"] == theirs.statistics["assumption_alphabet"]
            if same and float(mine.statistics["assumption_states"]) > float(theirs.statistics["assumption_states"]):
                wrong.append(f"separating{alphabet}")
    return wrong


def trend(rows: Sequence[Row]) -> list[str]:
    """How the columns compare in states and in seconds."""
    sentences = []
    for alphabet in ALPHABETS:
        for other in ("L*", "circular"):
            pair = (f"separating{alphabet}", f"{other}{alphabet}")
            for what, statistic in (("|A|", "assumption_states"), ("seconds", None)):
                both = [tuple(measured(entry[column], statistic) for column in pair) for entry in rows]
                figures = [(first, second) for first, second in both]
                kept = answered(figures) if statistic is not None else figures
                sentences.append(f"{what}: {compared(*pair, kept)}.")
    alone = [
        (measured(entry["monolithic"]), min(filter(None, (measured(entry[c]) for c in COLUMNS)), default=None))
        for entry in rows
    ]
    return [*sentences, f"seconds: {compared('monolithic', 'the best of the six', alone)}."]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(SIZES))
    parser.add_argument("--k", help="only these numbers of customers, handlers or users")
    add_limits(parser, 10)
    parser.add_argument("--certify", action="store_true", help="re-check the answers, within the same limits again")
    given = parser.parse_args()
    cells = Cells(given, given.certify)
    chosen = None if given.k is None else [int(k) for k in given.k.split(",")]
    lines = Lines(
        ("case", "k", *COLUMNS, "monolithic", "letters"), [("chiron2", "5", *["11298 12.34"] * len(COLUMNS), "", "")]
    )
    rows = [
        row(cells, lines, name, k)
        for name in given.cases.split(",")
        for k in SIZES[name]
        if chosen is None or k in chosen
    ]
    print("", *trend(rows), sep="\n")
    for column in larger(rows):
        print(f"WRONG: {column} is not the smallest")
    return 20 if larger(rows) else cells.ended()


if __name__ == "__main__":
    sys.exit(main())
