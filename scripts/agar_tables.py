"""Tables 1 and 2 of the AGAR paper with our figures under the printed ones, on our models of its case studies.

    python scripts/agar_tables.py [--tables 1,2,n] [--cases gas,mer] [--k 2,3] [--timeout 60] [--memory MIB] [--certify]

The authors' models are lost: ours, in models/lts, are written from the prose, so figures of different models stand
beside each other, and the sizes say how different. Table 1 has the two parts of each model (customers against the
station, handlers against the dispatcher, users against the arbiter, executive against monitor), Table 2 the most
balanced two parts (``--balance``), table n every component as a part of its own (Rule 3, not printed in the paper;
|M2| is the second part).

A cell is |A| (the largest assumption reached), MiB of the deciding process and CPU seconds of the whole command, start
included; ``>60`` is out of time and ``memory`` out of memory, * is not certified (with --certify; answers are not
re-checked without it). The limit of time is one of CPU for each process. Exit status 20 for a wrong verdict.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from measure import ROOT, Decision, check, say, seconds_text, table
from printed_agar import TABLE_1, TABLE_2, Printed

MODELS = ROOT / "models" / "lts"


@dataclass(frozen=True)
class Case:
    """Our model of a case study: file, composite, the constant that k is, and the two parts."""

    file: str
    target: str
    constant: str | None
    groups: tuple[str, str]
    further: tuple[str, ...] = ()

    def arguments(self, k: int) -> list[str]:
        """What ``symag check`` has to be told besides the method."""
        constants = [*self.further, *([f"{self.constant}={k}"] if self.constant else [])]
        given = [argument for each in constants for argument in ("--const", each)]
        return ["--target", self.target, "--property", "safety", *given]


#: Three resources bring the arbiter nearest to the printed sizes.
CASES = {
    "gas": Case("gas_station.lts", "GAS_STATION", "Customers", ("CUSTOMERS", "STATION")),
    "chiron2": Case("chiron.lts", "CHIRON_P2", "Handlers", ("HANDLERS", "DISPATCHING")),
    "chiron3": Case("chiron.lts", "CHIRON_P3", "Handlers", ("HANDLERS", "DISPATCHING")),
    "mer": Case("mer.lts", "MER", "Users", ("USERS", "ARBITER"), ("Resources=3",)),
    "rover": Case("rover.lts", "ROVER", None, ("EXECUTING", "MONITORING")),
}
#: Method and option of the four columns, as the tables have them.
COLUMNS = (
    ("agar", "--no-alphabet-refinement"),
    ("lstar", "--no-alphabet-refinement"),
    ("agar", "--alphabet-refinement"),
    ("lstar", "--alphabet-refinement"),
)
HEADER = ("case", "k", "", "AGAR", "L*", "AGAR, alphabet ref.", "L*, alphabet ref.", "monolithic", "|M1 || P|", "|M2|")


class Measuring:
    """Runs the cells. ``wrong`` gathers verdicts other than holds."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self.wrong: list[str] = []

    def cell(self, case: Case, k: int, *options: str) -> Decision:
        given = self._given
        arguments = [*case.arguments(k), "--memory", str(given.memory), *options]
        if not given.certify:
            arguments.append("--no-certify")
        ((_, decision),) = check(MODELS / case.file, arguments, given.timeout, processor=True)
        said = f"{decision.verdict} {decision.seconds:.1f} s {decision.reason or ''}"
        say(f"{case.target} {k} {' '.join(options)}: {said}")
        if decision.verdict == "violated":
            self.wrong.append(f"{case.target} {k} {' '.join(options)}")
        return decision

    def text(self, decision: Decision) -> str:
        """|A|, memory, time of one cell."""
        figures = decision.statistics
        memory = f"{figures['memory_mib']:.0f}" if "memory_mib" in figures else "-"
        return f"{figures.get('assumption_states_max', '-')} {memory} {self.seconds(decision)}"

    def seconds(self, decision: Decision) -> str:
        """CPU seconds, or the limit that was hit."""
        if decision.reason in ("outer limit", "timeout"):
            return f">{self._given.timeout:g}"
        text = seconds_text(decision, self._given.timeout)
        return text if self._given.certify else text.rstrip("*")

    def row(self, printed: Printed, parts: list[str]) -> list[list[str]]:
        case = CASES[printed.case]
        cells = [self.cell(case, printed.k, "--method", method, option, *parts) for method, option in COLUMNS]
        alone = self.cell(case, printed.k, "--method", "monolithic")
        sizes = [_size(cells, name) for name in ("first_part_states", "second_part_states")]
        theirs = (*printed.plain, *printed.refined)
        return [
            [printed.case, str(printed.k), "printed", *theirs, "", *map(str, printed.sizes)],
            ["", "", "ours", *map(self.text, cells), self.seconds(alone), *sizes],
        ]


def _size(cells: list[Decision], name: str) -> str:
    return next((str(cell.statistics[name]) for cell in cells if name in cell.statistics), "-")


def _two_parts(name: str, printed: Printed) -> list[str]:
    if name == "2":
        return ["--balance"]
    if name == "n":
        return []
    first, second = CASES[printed.case].groups
    return ["--group", first, "--group", second]


TITLES = {
    "1": "Table 1. Two parts: the components that ask against those that serve",
    "2": "Table 2. Balanced parts",
    "n": "Every component a part of its own (Rule 3; the printed lines are those of Table 1)",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default="1,2")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--k", help="only these numbers of customers, handlers or users")
    parser.add_argument("--timeout", type=float, default=60.0, help="CPU seconds for each process of a cell")
    parser.add_argument("--memory", type=int, default=2000, help="MiB for each cell")
    parser.add_argument("--certify", action="store_true", help="re-check the answers, within the same limits again")
    given = parser.parse_args()
    measuring = Measuring(given)
    wanted = None if given.k is None else [int(k) for k in given.k.split(",")]
    for name in given.tables.split(","):
        printed = TABLE_2 if name == "2" else TABLE_1
        chosen = [row for row in printed if row.case in given.cases.split(",") and (wanted is None or row.k in wanted)]
        rows = [line for row in chosen for line in measuring.row(row, _two_parts(name, row))]
        print(f"{TITLES[name]}\n\n{table(HEADER, rows)}\n", flush=True)
    for each in measuring.wrong:
        print(f"WRONG: {each} is violated")
    return 20 if measuring.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
