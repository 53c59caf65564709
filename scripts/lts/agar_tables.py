"""Tables 1 and 2 of the AGAR paper with our figures under the printed ones, on our models of its case studies.

    python -m scripts.lts.agar_tables [--tables 1,2,n] [--cases gas,mer] [--k 2,3] [--larger] [--timeout 30]
        [--long 120]
        [--memory MIB] [--record FILE] [--certify] [--into models/lts/TABLES.md]

The authors' models are lost. Ours, in models/lts, are written from the prose: the table compares figures of different
models, and their sizes show how different they are. Table 1 has the two parts of each model (customers against the
station, handlers against the dispatcher, users against the arbiter, executive against monitor), Table 2 the most
balanced two parts (as ``--balance`` finds them, searched once for a row and not counted; with ``--larger`` not all cuts
are tried), table n every component as a
part of its own (Rule 3, not printed in the paper; |M2| is the second part).

A cell is |A| (the largest assumption reached, also by a method that did not finish), MiB of the deciding process and
CPU seconds of the whole command, start included; ``>30`` is out of time and ``memory`` out of memory, * is not
certified (with --certify; answers are not re-checked without it). The limit of time is in CPU seconds of each process;
cells that the paper could not finish ("-") have the limit of --long. Rows are printed as they end; --record FILE
keeps each cell, and a later run with this file continues. Lines below each table compare its figures with the
paper's claim, and say where each method takes the least seconds. ``--larger`` continues each table with more customers,
handlers or users than the paper has, until a method does not answer or exploring everything is not the fastest. Exit
status 20 for a wrong verdict.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scripts.lts.printed_agar import TABLE_1, TABLE_2, PrintedRow
from scripts.measuring.lts_tables import (
    MODELS,
    Case,
    Cells,
    Lines,
    add_limits,
    answered,
    compared,
    copied,
    figure,
    measured,
)
from scripts.measuring.measure import Decision, say
from symag.core.limits import no_progress
from symag.lts import read
from symag.lts.methods.groupings import MOST_COMPONENTS, balanced
from symag.lts.safety_problem import safety_problem


@dataclass(frozen=True)
class Study:
    """Our model of a case study: file, composite, the constant that k is, and the two parts."""

    file: str
    target: str
    constant: str | None
    groups: tuple[str, str]
    further: tuple[str, ...] = ()

    def case(self, k: int) -> Case:
        """The model with k customers, handlers or users."""
        return Case(
            self.file,
            self.target,
            (*self.further, *([f"{self.constant}={k}"] if self.constant else [])),
        )


#: Three resources bring the arbiter nearest to the printed sizes.
STUDIES = {
    "gas": Study("gas_station.lts", "GAS_STATION", "Customers", ("CUSTOMERS", "STATION")),
    "chiron2": Study("chiron.lts", "CHIRON_P2", "Handlers", ("HANDLERS", "DISPATCHING")),
    "chiron3": Study("chiron.lts", "CHIRON_P3", "Handlers", ("HANDLERS", "DISPATCHING")),
    "mer": Study("mer.lts", "MER", "Users", ("USERS", "ARBITER"), ("Resources=3",)),
    "rover": Study("rover.lts", "ROVER", None, ("EXECUTING", "MONITORING")),
}
#: Method and option of the four columns, as the tables have them.
COLUMNS = (
    ("agar", "--no-alphabet-refinement"),
    ("lstar", "--no-alphabet-refinement"),
    ("agar", "--alphabet-refinement"),
    ("lstar", "--alphabet-refinement"),
)
NAMES = ("AGAR", "L*", "AGAR, alphabet ref.", "L*, alphabet ref.")
#: Beside them, on all components.
WHOLE = ("monolithic", "reduce")
HEADER = ("case", "k", "", *NAMES, *WHOLE, "|M1 || P|", "|M2|")
#: How wide a row gets.
WIDEST = (
    "chiron2",
    "5",
    "printed",
    "160 8.71 152.34",
    "294 367.13 120.55",
    "",
    "",
    "",
    "",
    "307623",
    "",
)
#: The sizes of ``--larger``. Two parts of the gas station or of MER alone have more states than the composition.
LARGER = {
    "1": {"gas": (6, 7), "chiron2": (6,), "chiron3": (6,), "mer": (5, 6)},
    "2": {"gas": (6, 8), "chiron2": (6,), "chiron3": (6,), "mer": (5, 6, 7)},
    "n": {
        "gas": (8, 12, 16, 24),
        "chiron2": (6,),
        "chiron3": (6,),
        "mer": (5, 6, 7, 8),
    },
}
TITLES = {
    "1": "Table 1. Two parts: the components that ask against those that serve",
    "2": "Table 2. Balanced parts",
    "n": "Every component a part of its own (Rule 3; the printed lines are those of Table 1)",
}


@dataclass(frozen=True)
class Row:
    """What was printed, if anything, and what was found, by column; ``whole`` by the methods on all components."""

    name: str
    printed: PrintedRow | None
    cells: tuple[Decision, ...]
    whole: tuple[Decision, ...]

    def theirs(self, column: int, place: int) -> float | None:
        """|A| (0) or seconds (2) as printed; None where the paper has no answer."""
        assert self.printed is not None
        figures = (*self.printed.plain, *self.printed.refined)[column].split()
        return None if figures[2] == "-" else float(figures[place])


def row(cells: Cells, lines: Lines, name: str, k: int, table: str, printed: PrintedRow | None) -> Row:
    """Runs the cells of a row and prints it, and the printed one above it."""
    study = STUDIES[name]
    case = study.case(k)
    long = [printed is None] * len(COLUMNS)
    if printed is not None:
        theirs = (*printed.plain, *printed.refined)
        lines.show(
            [
                name,
                str(k),
                "printed",
                *theirs,
                *[""] * len(WHOLE),
                *map(str, printed.sizes),
            ]
        )
        long = [text.endswith("-") for text in theirs]
    options = {"1": [*_grouped(study.groups)], "2": [], "n": []}[table]
    if table == "2":
        # Of larger systems not all cuts are tried: that takes 8 minutes and more.
        most = 0 if printed is None else MOST_COMPONENTS
        first, second = cells.kept(f"balance {case} {most}", partial(balance, case, most))
        options = [*_grouped((first, second)), "--order", first]
    decisions = tuple(
        cells.decided(case, "--method", *column, *options, long=more)
        for column, more in zip(COLUMNS, long, strict=True)
    )
    whole = tuple(cells.decided(case, "--method", method, long=printed is None) for method in WHOLE)
    ours = [_text(cells, decision, more) for decision, more in zip(decisions, long, strict=True)]
    ours += [_seconds(cells, decision, printed is None) for decision in whole]
    sizes = [_size(decisions, figure) for figure in ("first_part_states", "second_part_states")]
    lines.show([*(("", "") if printed is not None else (name, str(k))), "ours", *ours, *sizes])
    return Row(f"{name} {k}", printed, decisions, whole)


def _grouped(groups: tuple[str, str]) -> list[str]:
    return ["--group", groups[0], "--group", groups[1]]


def balance(case: Case, most: int) -> tuple[str, str]:
    """The numbers of the components in balanced parts, searched once for a row; of all cuts of up to ``most``."""
    started = time.process_time()
    constants = dict(constant.split("=") for constant in case.constants)
    model = read(
        str(MODELS / case.file),
        (),
        {name: int(value) for name, value in constants.items()},
    )
    first, second = balanced(safety_problem(model.composite(case.target)), no_progress, most)
    say(f"{case}: balanced parts {first} and {second}, found in {time.process_time() - started:.1f} s")
    return ",".join(map(str, first)), ",".join(map(str, second))


def _seconds(cells: Cells, decision: Decision, long: bool) -> str:
    """MiB and seconds."""
    return f"{figure(decision, 'memory_mib').rstrip('+')} {cells.seconds(decision, long)}"


def _text(cells: Cells, decision: Decision, long: bool) -> str:
    states = figure(decision, "assumption_states_max").rstrip("+")
    return f"{states} {figure(decision, 'memory_mib').rstrip('+')} {cells.seconds(decision, long)}"


def _size(decisions: Sequence[Decision], name: str) -> str:
    return next(
        (str(cell.statistics[name]) for cell in decisions if cell.statistics.get(name)),
        "-",
    )


def trend(rows: Sequence[Row]) -> list[str]:
    """What the figures say, printed and ours, of the paper's claim that AGAR compares favourably with learning."""
    decisions = []
    for name, agar, learning in (
        ("without alphabet refinement", 0, 1),
        ("with it", 2, 3),
    ):
        for what, place, statistic in (
            ("|A|", 0, "assumption_states_max"),
            ("seconds", 2, None),
        ):
            theirs = [(entry.theirs(agar, place), entry.theirs(learning, place)) for entry in rows]
            ours = [
                (
                    measured(entry.cells[agar], statistic),
                    measured(entry.cells[learning], statistic),
                )
                for entry in rows
            ]
            if statistic is not None:
                theirs, ours = list(answered(theirs)), list(answered(ours))
            decisions.append(
                f"{what}, {name}: printed: {compared('AGAR', 'L*', theirs)}; ours: {compared('AGAR', 'L*', ours)}."
            )
    open_cells = [(entry, k) for entry in rows for k in range(len(COLUMNS)) if entry.theirs(k, 2) is None]
    finished = sum(entry.cells[k].known for entry, k in open_cells)
    lost = sum(
        not entry.cells[k].known for entry in rows for k in range(len(COLUMNS)) if entry.theirs(k, 2) is not None
    )
    decisions.append(
        f"Of the {len(open_cells)} cells that the paper could not finish {finished} are decided here; of the others"
        f" {lost} are not."
    )
    alone = [
        (
            measured(entry.whole[0]),
            min(filter(None, map(measured, entry.cells)), default=None),
        )
        for entry in rows
    ]
    decisions.append(f"Seconds: {compared('the monolithic check', 'the best of the four', alone)}.")
    return decisions


def winners(rows: Sequence[Row]) -> list[str]:
    """Where each method takes the least seconds, and the least memory."""
    sentences = []
    for what, statistic, last in (
        ("Least seconds", None, None),
        ("Least memory", "memory_mib", None),
        ("Least seconds of the four by parts", None, len(NAMES)),
    ):
        best: dict[str, list[str]] = {}
        for entry in rows:
            cells = zip((*entry.cells, *entry.whole), (*NAMES, *WHOLE), strict=True)
            known = [(measured(cell, statistic), column) for cell, column in list(cells)[:last] if cell.known]
            best.setdefault(min(known)[1] if known else "none", []).append(entry.name)
        sentences += [f"{what}, {column}: {', '.join(names)}." for column, names in best.items()]
    return sentences


def printed_tables(given: argparse.Namespace) -> int:
    """Measures and prints; the exit status."""
    cells = Cells(given, given.certify)
    chosen_sizes = None if given.k is None else [int(k) for k in given.k.split(",")]
    for name in given.tables.split(","):
        printed = TABLE_2 if name == "2" else TABLE_1
        chosen = [
            entry
            for entry in printed
            if entry.case in given.cases.split(",") and (chosen_sizes is None or entry.k in chosen_sizes)
        ]
        print(f"{TITLES[name]}\n")
        lines = Lines(HEADER, [WIDEST])
        if given.larger:
            sizes = [
                (case, k) for case, numbers in LARGER[name].items() for k in numbers if case in given.cases.split(",")
            ]
            selected = [(case, k) for case, k in sizes if chosen_sizes is None or k in chosen_sizes]
            rows = [row(cells, lines, case, k, name, None) for case, k in selected]
            print("", *winners(rows), "", sep="\n", flush=True)
        else:
            rows = [row(cells, lines, entry.case, entry.k, name, entry) for entry in chosen]
            print("", *trend(rows), *winners(rows), "", sep="\n", flush=True)
    return cells.ended()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="1,2")
    parser.add_argument("--cases", default=",".join(STUDIES))
    parser.add_argument("--k", help="only these numbers of customers, handlers or users")
    parser.add_argument(
        "--larger",
        action="store_true",
        help="larger systems than the paper has, with the limit --long",
    )
    add_limits(parser, 30, 120)
    parser.add_argument(
        "--certify",
        action="store_true",
        help="re-check the answers, within the same limits again",
    )
    parser.add_argument("--into", type=Path, metavar="FILE.md", help="put the tables between this file's marks too")
    given = parser.parse_args()
    with copied(given.into, "agar_tables.py"):
        return printed_tables(given)


if __name__ == "__main__":
    sys.exit(main())
