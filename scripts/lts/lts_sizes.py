"""Every method for labelled systems on case studies at growing sizes, and ``auto`` beside the fastest one.

    python -m scripts.lts.lts_sizes [--cases gas,mer,right,wrong] [--timeout 20] [--memory MIB] [--record FILE]
        [--certify] [--into models/lts/TABLES.md]
    python -m scripts.lts.lts_sizes --suite [--record FILE]

The papers' case studies begin with the papers' largest sizes and go on until exploring everything is not the fastest;
``right`` and ``wrong`` are parallel systems of ``models/lts/parallel.py`` with a property that holds and one that is
violated, and their size is the number of components. Only safety is
asked; methods by parts have the default parts (every component one, alphabet refinement). A cell is the CPU seconds of
the whole command, start included, and MiB of the largest process; ``>20`` is out of time, ``memory`` out of memory;
``-`` is not run, as it did not decide a smaller system of this kind.
``best`` is the fastest single method; the last column is the ratio of ``auto`` to it. The goal is at most 1.5 times
its seconds and 0.5 s, the time of a start; what is slower is listed below the table.

``--suite`` takes the examples of LTSA instead (SYMAG_SUITES): ``auto`` and ``monolithic`` on each file, and the others
where one of the two needs more than 1.5 seconds, as no method is faster than its start. Exit status 20 for a wrong
verdict.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.measuring.lts_tables import MODELS, Case, Cells, Lines, add_limits, copied, figure
from scripts.measuring.measure import Decision, check, say, suites

METHODS = ("monolithic", "reduce", "lstar", "agar", "circular", "quotient")
#: The goal for auto: this many times the fastest method's seconds, and this many more.
FACTOR, MORE = 1.5, 0.5
#: A file of the suite on which a method needs less is not given to the others.
_START = 1.5
#: Model, composite, the constants' names, and their values for each size.
STUDIES: Mapping[str, tuple[str, str, tuple[str, ...], tuple[tuple[int, ...], ...]]] = {
    "gas": ("gas_station.lts", "GAS_STATION", ("Customers",), ((5,), (8,), (12,), (16,), (24,), (32,))),
    "chiron2": ("chiron.lts", "CHIRON_P2", ("Handlers",), ((4,), (5,), (6,))),
    "chiron3": ("chiron.lts", "CHIRON_P3", ("Handlers",), ((4,), (5,), (6,))),
    "mer": (
        "mer.lts",
        "MER",
        ("Users", "Resources"),
        ((4, 3), (5, 3), (6, 3), (7, 3), (8, 3), (8, 5), (12, 5), (16, 5)),
    ),
    "client_server": ("client_server.lts", "CLIENT_SERVER", ("Clients",), ((10,), (12,), (13,), (14,), (16,), (20,))),
    "rover": ("rover.lts", "ROVER", (), ((),)),
    "mesh": ("mesh.lts", "MESH", ("Rows", "Columns"), ((2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7))),
    "right": ("parallel.py", "HOLDS", (), ((6,), (8,), (10,), (12,))),
    "wrong": ("parallel.py", "VIOLATED", (), ((6,), (8,), (10,), (12,))),
}
#: Besides the number of components.
_PARALLEL = ("--states", "12", "--actions", "8", "--depth", "6")


@dataclass(frozen=True)
class Row:
    """The answers about one system by method, ``auto`` among them."""

    name: str
    cells: Mapping[str, Decision]

    @property
    def best(self) -> tuple[str, Decision] | None:
        """The fastest single method, None if none decides."""
        decided = [(method, cell) for method, cell in self.cells.items() if method != "auto" and cell.known]
        return min(decided, key=lambda entry: entry[1].seconds, default=None)

    @property
    def leanest(self) -> str | None:
        """The single method that decides with the least memory."""
        known = [(cell.statistics["memory_mib"], name) for name, cell in self.cells.items() if cell.known]
        return min((entry for entry in known if entry[1] != "auto"), default=(0.0, None))[1]

    @property
    def over(self) -> bool:
        """Whether auto misses the goal."""
        auto, best = self.cells["auto"], self.best
        if best is None:
            return False
        return not auto.known or auto.seconds > FACTOR * best[1].seconds + MORE


def case_of(name: str, size: tuple[int, ...], folder: Path) -> Case:
    """The system of a case study; one that is generated is written to the folder."""
    file, target, constants, _ = STUDIES[name]
    if not file.endswith(".py"):
        return Case(file, target, tuple(f"{key}={value}" for key, value in zip(constants, size, strict=True)))
    path = folder / f"parallel{size[0]}.lts"
    command = [sys.executable, str(MODELS / file), str(size[0]), *_PARALLEL]
    path.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return Case(str(path), target)


def studied(given: argparse.Namespace, cells: Cells, folder: Path) -> Iterator[Row]:
    """The rows of the case studies, printed as they end; ``folder`` is for what is generated."""
    lines = Lines(
        ("case", "k", *METHODS, "auto", "best", "auto / best"),
        [("client_server", "12 x 5", *["12.34 1234"] * 7, "monolithic", "")],
    )
    for name in given.cases.split(","):
        sizes, expected = STUDIES[name][3], "violated" if STUDIES[name][1] == "VIOLATED" else "holds"
        tried = list(METHODS)
        for size in sizes:
            case = case_of(name, size, folder)
            row = Row(
                f"{name} {' x '.join(map(str, size))}".strip(),
                {method: cells.decided(case, "--method", method, expected=expected) for method in (*tried, "auto")},
            )
            tried = [method for method in tried if row.cells[method].known]
            best = row.best
            lines.show(
                [
                    name,
                    " x ".join(map(str, size)),
                    *(_text(cells, row.cells.get(method)) for method in (*METHODS, "auto")),
                    "-" if best is None else best[0],
                    "-" if best is None else _ratio(row.cells["auto"], best[1]),
                ]
            )
            yield row


def _text(cells: Cells, decision: Decision | None) -> str:
    if decision is None:
        return "-"
    memory = figure(decision, "memory_mib").rstrip("+")
    return f"{cells.seconds(decision)} {memory}" if decision.known else cells.seconds(decision)


def _ratio(auto: Decision, best: Decision) -> str:
    return f"{auto.seconds / best.seconds:.2f}" if auto.known else "none"


def examples(given: argparse.Namespace) -> Iterator[Row]:
    """The rows of LTSA's examples; those on which only a start is measured are not printed."""
    folder = suites().parent / "fsp" / "ltsa"
    record: Path | None = given.record
    known: dict[tuple[str, str], Decision] = {}
    if record is not None and record.exists():
        for entry in map(json.loads, record.read_text().splitlines()):
            known[entry["file"], entry["method"]] = Decision(**entry["decision"])
    lines = Lines(("file", *METHODS, "auto"), [("a" * 44, *["12.34"] * 7)])
    for path in sorted(folder.rglob("*.lts")):
        name = path.relative_to(folder).as_posix()
        cells: dict[str, Decision] = {}
        for method in ("auto", *METHODS):
            if method not in ("auto", "monolithic") and max(cell.seconds for cell in cells.values()) < _START:
                break
            if (name, method) not in known:
                known[name, method] = _whole(path, method, given)
                if record is not None:
                    with record.open("a") as file:
                        entry = {"file": name, "method": method, "decision": known[name, method].__dict__}
                        file.write(json.dumps(entry) + "\n")
            cells[method] = known[name, method]
        if not cells["auto"].verdict:
            continue
        row = Row(name, cells)
        if len(cells) > 2:
            lines.show([name, *(f"{cells[m].seconds:.2f}" if cells[m].known else "-" for m in (*METHODS, "auto"))])
        yield row


def _whole(path: Path, method: str, given: argparse.Namespace) -> Decision:
    """All questions about safety in a file; the verdict is the list of theirs, unknown if one of them is."""
    options = ["--property", "safety", "--method", method, "--memory", str(given.memory), "--no-certify"]
    entries = check(path, options, given.timeout, processor=True)
    verdicts = [decision.verdict for entry, decision in entries if entry["text"]]
    first = entries[0][1]
    say(f"{path.name} {method}: {' '.join(verdicts) or first.reason} {first.seconds:.2f} s")
    whole = "unknown" if "unknown" in verdicts else "violated" if "violated" in verdicts else "holds"
    memory = max(float(decision.statistics.get("memory_mib", 0)) for _, decision in entries)
    return Decision(whole if verdicts else "", first.seconds, first.reason, statistics={"memory_mib": memory})


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """Where each method wins, and where auto misses the goal."""
    winners = {
        "seconds": [row.best and row.best[0] for row in rows],
        "memory": [row.leanest for row in rows],
    }
    for what, best in winners.items():
        for method in METHODS:
            names = [row.name for row, winner in zip(rows, best, strict=True) if winner == method]
            if names:
                shown = ", ".join(names) if len(names) <= 30 else f"{len(names)} rows"
                yield f"Least {what}, {method}: {shown}."
    over = [row.name for row in rows if row.over]
    within = len(rows) - len(over)
    yield f"auto is within {FACTOR} x + {MORE} s of the fastest method in {within} of {len(rows)} rows."
    yield f"Not so: {', '.join(over) or 'none'}."


def contradictions(rows: Sequence[Row]) -> list[str]:
    """The rows in which methods disagree."""
    return [row.name for row in rows if len({cell.verdict for cell in row.cells.values() if cell.known}) > 1]


def printed_tables(given: argparse.Namespace) -> int:
    """Measures and prints; the exit status."""
    if given.suite:
        rows, status = list(examples(given)), 0
    else:
        cells = Cells(given, given.certify)
        with tempfile.TemporaryDirectory(prefix="lts-sizes-") as folder:
            rows = list(studied(given, cells, Path(folder)))
        status = cells.ended()
    print("", *summary(rows), sep="\n")
    for name in contradictions(rows):
        print(f"CONTRADICTION: {name}")
        status = 20
    return status


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(STUDIES))
    parser.add_argument("--suite", action="store_true", help="the examples of LTSA")
    add_limits(parser, 20)
    parser.add_argument("--certify", action="store_true", help="re-check the answers, within the same limits again")
    parser.add_argument("--into", type=Path, metavar="FILE.md", help="put the tables between this file's marks too")
    given = parser.parse_args()
    with copied(given.into, "lts_sizes.py"):
        return printed_tables(given)


if __name__ == "__main__":
    sys.exit(main())
