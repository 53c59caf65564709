"""The table of the circular n-way paper in its columns, on our models of its case studies.

    python scripts/circular_table.py [--cases gas,client_server,mer] [--k 3,4] [--timeout 60] [--memory MIB] [--certify]

K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, "Automated Circular Assume-Guarantee Reasoning with N-way
Decomposition and Alphabet Refinement" (CAV 2016). Its Table 1 is lost, as are the authors' models, so no printed
figure stands beside ours; what its prose says of the table is printed below ours. 2W has two parts (customers or
clients or users against the station, server or arbiter: the authors' best decompositions are lost too), NW every
component as a part of its own; +AR is with alphabet refinement. |g| are states of the assumptions in the end (those
of 2W without alphabet refinement, largest and smallest of NW, and of NW+AR), |Sys || P| the states of the monolithic
check. Further columns are those of NW+AR: actions of the largest assumption's alphabet, iterations,
counterexamples, calls and CPU seconds of the SAT solver, states of the largest product, MiB.

Times are CPU seconds of the whole command, start included; ``>60`` is out of time, ``memory`` out of memory, * not
certified (with --certify; answers are not re-checked without it). Exit status 20 for a wrong verdict.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from measure import ROOT, Decision, check, say, seconds_text, table

MODELS = ROOT / "models" / "lts"


@dataclass(frozen=True)
class Case:
    """Our model of a case study: file, composite, constants for each size, and the first of two parts."""

    file: str
    target: str
    sizes: tuple[tuple[tuple[str, int], ...], ...]
    groups: tuple[str, str]


CASES = {
    "gas": Case(
        "gas_station.lts",
        "GAS_STATION",
        tuple((("Customers", k),) for k in (3, 4, 5)),
        ("CUSTOMERS", "STATION"),
    ),
    "client_server": Case(
        "client_server.lts",
        "CLIENT_SERVER",
        tuple((("Clients", k),) for k in (3, 5, 9, 10, 11, 12)),
        ("CLIENTS", "SERVER"),
    ),
    "mer": Case(
        "mer.lts",
        "MER",
        tuple((("Users", u), ("Resources", r)) for u, r in ((2, 3), (3, 3), (4, 4), (5, 4), (6, 5), (7, 5), (8, 5))),
        ("USERS", "ARBITER"),
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
PROSE = """The prose of the paper on its lost table (1800 s, 2.3 GHz, LTSA and MiniSat): NW is better than 2W, with
smaller assumptions; alphabet refinement always improves time and sizes; the monolithic check is better on small
systems, NW+AR on large ones: on large MER the monolithic check runs out of resources, NW+AR takes less than 2 minutes.
"""


class Measuring:
    """Runs the cells. ``wrong`` gathers verdicts other than holds."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self.wrong: list[str] = []

    def cell(self, case: Case, size: tuple[tuple[str, int], ...], *options: str) -> Decision:
        given = self._given
        arguments = ["--target", case.target, "--property", "safety", "--memory", str(given.memory), *options]
        arguments += [argument for name, value in size for argument in ("--const", f"{name}={value}")]
        if not given.certify:
            arguments.append("--no-certify")
        ((_, decision),) = check(MODELS / case.file, arguments, given.timeout, processor=True)
        what = f"{case.target} {' '.join(f'{name}={value}' for name, value in size)} {' '.join(options)}"
        say(f"{what}: {decision.verdict} {decision.seconds:.1f} s {decision.reason or ''}")
        if decision.verdict == "violated":
            self.wrong.append(what)
        return decision

    def seconds(self, decision: Decision) -> str:
        """CPU seconds, or the limit that was hit."""
        if decision.reason in ("outer limit", "timeout"):
            return f">{self._given.timeout:g}"
        text = seconds_text(decision, self._given.timeout)
        return text if self._given.certify else text.rstrip("*")

    def row(self, name: str, size: tuple[tuple[str, int], ...]) -> list[str]:
        case = CASES[name]
        cells = {}
        for column, (two, option) in METHODS.items():
            groups = self._two_parts(case, size) if two else []
            cells[column] = self.cell(case, size, "--method", "circular", option, *groups)
        alone = self.cell(case, size, "--method", "monolithic")
        return [
            name,
            " x ".join(str(value) for _, value in size),
            self.seconds(cells["2W"]),
            self.seconds(cells["2W+AR"]),
            _sizes(cells["2W"]),
            self.seconds(cells["NW"]),
            self.seconds(cells["NW+AR"]),
            _sizes(cells["NW"]),
            _sizes(cells["NW+AR"]),
            self.seconds(alone),
            str(alone.statistics.get("states", "-")),
            *(_number(cells["NW+AR"], statistic) for _, statistic in FURTHER),
        ]

    def _two_parts(self, case: Case, size: tuple[tuple[str, int], ...]) -> list[str]:
        first, second = case.groups
        if first == "CLIENTS":
            first = ",".join(f"client.{k}:CLIENT" for k in range(1, size[0][1] + 1))
        return ["--group", first, "--group", second]


def _sizes(decision: Decision) -> str:
    names = ("assumption_states_max", "assumption_states_min")
    return "/".join(str(decision.statistics.get(name, "-")) for name in names) if decision.known else "-"


def _number(decision: Decision, name: str) -> str:
    value = decision.statistics.get(name)
    if value is None or not decision.known:
        return "-"
    return f"{value:.2f}" if name.endswith("seconds") else f"{value:.0f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--k", help="only these numbers of customers, clients or users")
    parser.add_argument("--timeout", type=float, default=60.0, help="CPU seconds for each process of a cell")
    parser.add_argument("--memory", type=int, default=2000, help="MiB for each cell")
    parser.add_argument("--certify", action="store_true", help="re-check the answers, within the same limits again")
    given = parser.parse_args()
    measuring = Measuring(given)
    wanted = None if given.k is None else [int(k) for k in given.k.split(",")]
    header = ["case", "k", "2W", "2W+AR", "|g1|/|g2|", "NW", "NW+AR", "|gmax|/|gmin|", "same, +AR", "Mon", "|Sys || P|"]
    rows = [
        measuring.row(name, size)
        for name in given.cases.split(",")
        for size in CASES[name].sizes
        if wanted is None or size[0][1] in wanted
    ]
    print(
        f"CPU seconds, limit {given.timeout:g}.\n\n{table([*header, *(name for name, _ in FURTHER)], rows)}\n\n{PROSE}"
    )
    for each in measuring.wrong:
        print(f"WRONG: {each} is violated")
    return 20 if measuring.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
