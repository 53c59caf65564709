"""The table of the circular n-way paper in its columns, on our models of its case studies.

    python -m scripts.lts.circular_table [--cases gas,client_server,mer] [--k 3,4] [--timeout 60] [--memory MIB]
        [--record FILE] [--certify]

K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, "Automated Circular Assume-Guarantee Reasoning with N-way
Decomposition and Alphabet Refinement" (CAV 2016). Its Table 1 is lost, as are the authors' models, so there are no
printed figures to compare with; below the table the claims of the prose are compared with our figures. 2W has
two parts (customers or clients or users against the station, server or arbiter: the authors' best decompositions are
lost too), NW every component as a part of its own; +AR is with alphabet refinement. |g| are states of the final
assumptions (those of 2W without alphabet refinement, largest and smallest of NW, and of NW+AR; a + marks the last
ones that were tried, without an answer), |Sys || P| the states of the monolithic check. Further columns are those of
NW+AR: actions of the largest assumption's alphabet, iterations, counterexamples, calls and CPU seconds of the SAT
solver, states of the largest product, MiB.

Times are CPU seconds of the whole command, start included; ``>60`` is out of time, ``memory`` out of memory, * not
certified (with --certify; answers are not re-checked without it). Rows are printed as they end; --record FILE
keeps each cell, and a later run with this file continues. Exit status 20 for a wrong verdict.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scripts.measuring.lts_tables import Case, Cells, Lines, Pairs, add_limits, answered, compared, figure, measured
from scripts.measuring.measure import Decision


@dataclass(frozen=True)
class Study:
    """Our model of a case study: its constants for each size, and the two parts of a size."""

    file: str
    target: str
    names: tuple[str, ...]
    sizes: tuple[tuple[int, ...], ...]
    groups: Callable[[tuple[int, ...]], tuple[str, str]]

    def case(self, size: tuple[int, ...]) -> Case:
        """The model of a size."""
        pairs = zip(self.names, size, strict=True)
        return Case(self.file, self.target, tuple(f"{name}={value}" for name, value in pairs))


STUDIES = {
    "gas": Study(
        "gas_station.lts", "GAS_STATION", ("Customers",), ((3,), (4,), (5,)), lambda size: ("CUSTOMERS", "STATION")
    ),
    "client_server": Study(
        "client_server.lts",
        "CLIENT_SERVER",
        ("Clients",),
        ((3,), (5,), (9,), (10,), (11,), (12,)),
        lambda size: (",".join(f"client.{k}:CLIENT" for k in range(1, size[0] + 1)), "SERVER"),
    ),
    "mer": Study(
        "mer.lts",
        "MER",
        ("Users", "Resources"),
        ((2, 3), (3, 3), (4, 4), (5, 4), (6, 5), (7, 5), (8, 5)),
        lambda size: ("USERS", "ARBITER"),
    ),
}
METHODS = {
    "2W": (True, "--no-alphabet-refinement"),
    "2W+AR": (True, "--alphabet-refinement"),
    "NW": (False, "--no-alphabet-refinement"),
    "NW+AR": (False, "--alphabet-refinement"),
}
#: Header and statistic of the columns about NW+AR.
FURTHER = (
    ("|alphabet|", "assumption_alphabet"),
    ("iterations", "iterations"),
    ("cex", "counterexamples"),
    ("SAT calls", "sat_calls"),
    ("SAT s", "sat_seconds"),
    ("largest LTS", "largest_lts_states"),
    ("MiB", "memory_mib"),
)
HEADER = ("case", "k", "2W", "2W+AR", "|g1|/|g2|", "NW", "NW+AR", "|gmax|/|gmin|", "same, +AR", "Mon", "|Sys || P|")
WIDEST = ("client_server", "8 x 5", "memory", "memory", "", "memory", "memory", "", "", "memory", "12345678")
PROSE = """The prose of the paper on its lost table (1800 s, 2.3 GHz, LTSA and MiniSat): NW is better than 2W, with
smaller assumptions; alphabet refinement always improves time and sizes; the monolithic check is better on small
systems, NW+AR on large ones: on large MER the monolithic check runs out of resources, NW+AR takes less than 2 minutes.
"""


@dataclass(frozen=True)
class Row:
    """The answers of one size by column, ``Mon`` among them."""

    name: str
    size: tuple[int, ...]
    cells: Mapping[str, Decision]


def row(cells: Cells, lines: Lines, name: str, size: tuple[int, ...]) -> Row:
    """Runs the cells of a row and prints it."""
    study = STUDIES[name]
    case = study.case(size)
    first, second = study.groups(size)
    figures = {}
    for column, (two, option) in METHODS.items():
        groups = ["--group", first, "--group", second] if two else []
        figures[column] = cells.decided(case, "--method", "circular", option, *groups)
    figures["Mon"] = cells.decided(case, "--method", "monolithic")
    lines.show(
        [
            name,
            " x ".join(map(str, size)),
            cells.seconds(figures["2W"]),
            cells.seconds(figures["2W+AR"]),
            _sizes(figures["2W"]),
            cells.seconds(figures["NW"]),
            cells.seconds(figures["NW+AR"]),
            _sizes(figures["NW"]),
            _sizes(figures["NW+AR"]),
            cells.seconds(figures["Mon"]),
            figure(figures["Mon"], "states"),
            *(figure(figures["NW+AR"], statistic) for _, statistic in FURTHER),
        ]
    )
    return Row(name, size, figures)


def _sizes(decision: Decision) -> str:
    return "/".join(figure(decision, name) for name in ("assumption_states_max", "assumption_states_min"))


def trend(rows: Sequence[Row]) -> list[str]:
    """Lines that compare our figures with the paper's prose."""

    def pairs(first: str, second: str, statistic: str | None = None) -> Pairs:
        figures = [
            (measured(entry.cells[first], statistic), measured(entry.cells[second], statistic)) for entry in rows
        ]
        return figures if statistic is None else answered(figures)

    largest = {entry.name: entry for entry in rows}
    sentences = [
        f"{name} {' x '.join(map(str, entry.size))}: NW+AR {_outcome(entry.cells['NW+AR'])}, monolithic "
        f"{_outcome(entry.cells['Mon'])}"
        for name, entry in largest.items()
    ]
    size = "assumption_states_max"
    return [
        "Ours. Seconds:",
        *(
            f"  {compared(first, second, pairs(first, second))}"
            for first, second in (("NW", "2W"), ("NW+AR", "2W+AR"), ("2W+AR", "2W"), ("NW+AR", "NW"), ("NW+AR", "Mon"))
        ),
        "Largest assumption, where both have an answer:",
        *(
            f"  {compared(first, second, pairs(first, second, size))}"
            for first, second in (("NW", "2W"), ("NW+AR", "2W+AR"), ("2W+AR", "2W"), ("NW+AR", "NW"))
        ),
        f"On the largest systems: {'; '.join(sentences)}.",
    ]


def _outcome(decision: Decision) -> str:
    return f"{decision.seconds:.1f} s" if decision.known else "no answer"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(STUDIES))
    parser.add_argument("--k", help="only these numbers of customers, clients or users")
    add_limits(parser, 60)
    parser.add_argument("--certify", action="store_true", help="re-check the answers, within the same limits again")
    given = parser.parse_args()
    cells = Cells(given, given.certify)
    chosen_sizes = None if given.k is None else [int(k) for k in given.k.split(",")]
    print(f"CPU seconds, limit {given.timeout:g}.\n")
    further = tuple(name for name, _ in FURTHER)
    lines = Lines((*HEADER, *further), [(*WIDEST, *further)])
    rows = [
        row(cells, lines, name, size)
        for name in given.cases.split(",")
        for size in STUDIES[name].sizes
        if chosen_sizes is None or size[0] in chosen_sizes
    ]
    print(f"\n{PROSE}", *trend(rows), sep="\n")
    return cells.ended()


if __name__ == "__main__":
    sys.exit(main())
