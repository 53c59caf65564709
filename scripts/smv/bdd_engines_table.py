"""Both packages of decision diagrams on the public SMV suites: verdicts and CPU seconds, a line for each model.

    python -m scripts.smv.bdd_engines_table [--suites nusmv,paper,coupled,elastic] [--models simple8] [--method auto]
    python -m scripts.smv.bdd_engines_table --record engines.jsonl           # again: continues where it was stopped
    python -m scripts.smv.bdd_engines_table --record engines.jsonl --print-only --into models/TABLES.md

CPU seconds of ``symag check --bdd ENGINE --method METHOD``, all properties of the model, start and certification
included; ``auto`` is dd if it has CUDD. The last column is ``--bdd auto`` without ``dd.cudd``, as on platforms
other than x86-64 Linux. Exit status 20 if two engines contradict each other.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.measuring.measure import Decision, check, say, suites, table
from scripts.measuring.measurements import filled, put_into, show, stop_with_children

SUITES = ("nusmv", "paper", "coupled", "elastic")
#: Columns: what --bdd says, and whether CUDD can be imported.
COLUMNS: Mapping[str, tuple[str, bool]] = {
    "dd": ("dd", True),
    "oxidd": ("oxidd", True),
    "auto": ("auto", True),
    "no CUDD": ("auto", False),
}
#: How far apart two engines are for one to be the faster.
FASTER = 1.5
#: How much slower an engine may be and still count as equally fast.
SLOWER = 1.1


@dataclass(frozen=True)
class Cell:
    """One engine on one model: verdicts in the properties' order (one letter each), CPU seconds, certified answers."""

    verdicts: str
    seconds: float
    certified: int
    reason: str = ""

    @property
    def decided(self) -> int:
        return sum(letter not in "u" for letter in self.verdicts)


def measured(path: Path, engine: str, method: str, timeout: float, repeat: int) -> Cell:
    """One engine on one model."""
    options = ("--bdd", engine, "--method", method)
    decisions: list[Decision] = [one for _, one in check(path, options, timeout, repeat, processor=True)]
    letters = "".join(decision.verdict[0] for decision in decisions)
    reasons = {decision.reason for decision in decisions if decision.reason}
    seconds = decisions[0].seconds if decisions else 0.0
    return Cell(
        letters, round(seconds, 2), sum(decision.certified for decision in decisions), ", ".join(sorted(reasons))
    )


class Record:
    """Cells by model and column; in a file too, a line each, if there is one."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.known: dict[tuple[str, str], Cell] = {}
        if file is not None and file.exists():
            for line in file.read_text().splitlines():
                entry = json.loads(line)
                self.known[entry["model"], entry["column"]] = Cell(**entry["cell"])

    def keep(self, model: str, column: str, cell: Cell) -> None:
        self.known[model, column] = cell
        if self._file is not None:
            with self._file.open("a") as file:
                file.write(json.dumps({"model": model, "column": column, "cell": vars(cell)}) + "\n")


def models(chosen: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    names = chosen.models.split(",") if chosen.models else None
    for suite in chosen.suites.split(","):
        folder = suites() / suite
        for path in sorted(folder.rglob("*.smv")):
            name = f"{suite}/{path.relative_to(folder).with_suffix('')}"
            if names is None or path.stem in names or name in names:
                yield name, path


def contradictions(cells: Mapping[str, Cell]) -> bool:
    """Whether two engines decide a property differently."""
    rows = [cell.verdicts for cell in cells.values()]
    return any(len(set(letters) - {"u"}) > 1 for letters in zip(*rows, strict=False))


def summary(rows: Mapping[str, Mapping[str, Cell]], timeout: float) -> list[str]:
    """Totals over the models that every column has, and how often auto is with the faster engine."""
    columns = [column for column in COLUMNS if any(column in cells for cells in rows.values())]
    complete = [cells for cells in rows.values() if all(column in cells for column in columns)]
    equal = [cells for cells in complete if len({cell.verdicts for cell in cells.values()}) == 1]
    totals = ", ".join(f"{column} {sum(cells[column].seconds for cells in equal):.1f} s" for column in columns)
    decided = ", ".join(f"{column} {sum(cells[column].decided for cells in complete)}" for column in columns)
    lines = [
        f"All columns decide the same on {len(equal)} of {len(complete)} models; CPU seconds on these: {totals}.",
        f"Properties decided in {timeout:g} s of CPU: {decided}.",
    ]
    apart = [
        (cells["dd"].seconds, cells["oxidd"].seconds)
        for cells in equal
        if max(cells["dd"].seconds, cells["oxidd"].seconds) > FASTER * min(cells["dd"].seconds, cells["oxidd"].seconds)
    ]
    slower = sum(cells["oxidd"].seconds > SLOWER * cells["dd"].seconds for cells in equal)
    return [
        *lines,
        f"Of the models that both decide, dd and OxiDD differ by more than {FASTER:g}x on {len(apart)};"
        f" OxiDD is the faster on {sum(oxidd < dd for dd, oxidd in apart)} of them."
        f" OxiDD is more than 10% slower than dd on {slower} of {len(equal)}.",
    ]


def text_of(cell: Cell | None) -> str:
    if cell is None:
        return "?"
    return f"{cell.seconds:.2f}" + (f" ({cell.decided}/{len(cell.verdicts)})" if "u" in cell.verdicts else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suites", default=",".join(SUITES))
    parser.add_argument("--models", help="only these, separated by commas")
    parser.add_argument("--columns", default=",".join(COLUMNS), help="measure only these")
    parser.add_argument("--timeout", type=float, default=10.0, help="CPU seconds of each process")
    parser.add_argument("--method", default="monolithic", help="which method of symag check (default: monolithic)")
    parser.add_argument("--repeat", type=int, default=1, help="the median of this many short runs")
    parser.add_argument("--record", type=Path, metavar="FILE")
    parser.add_argument("--print-only", action="store_true")
    parser.add_argument("--into", type=Path, metavar="FILE.md")
    given = parser.parse_args()
    stop_with_children()
    record = Record(given.record)
    chosen = list(models(given))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text('import sys\nsys.modules["dd.cudd"] = None\n')
        for name, path in () if given.print_only else chosen:
            for column in given.columns.split(","):
                if (name, column) in record.known:
                    continue
                engine, cudd = COLUMNS[column]
                os.environ["PYTHONPATH"] = "" if cudd else folder
                record.keep(name, column, measured(path, engine, given.method, given.timeout, given.repeat))
            say(f"{name} {' '.join(text_of(record.known.get((name, column))) for column in COLUMNS)}")
    rows = {
        name: {column: record.known[name, column] for column in COLUMNS if (name, column) in record.known}
        for name, _ in chosen
    }
    wrong = [name for name, cells in rows.items() if contradictions(cells)]
    columns = [column for column in COLUMNS if any(column in cells for cells in rows.values())]
    lines = [[name, *(text_of(cells.get(column)) for column in columns)] for name, cells in rows.items()]
    paragraphs = [
        filled(
            f"CPU seconds of the whole command ({given.method}) for all properties of the model, certification incl.;"
            " in brackets how many of the properties were decided where not all were,"
            f" in {given.timeout:g} s of CPU for a process."
        ),
        *(filled(line) for line in summary(rows, given.timeout)),
        f"```\n{table(['model', *columns], lines)}\n```",
    ]
    for paragraph in paragraphs:
        show(paragraph)
    for name in wrong:
        print(f"CONTRADICTION on {name}: {rows[name]}", file=sys.stderr)
    if given.into is not None:
        put_into(given.into, "bdd_engines_table.py", paragraphs)
    return 20 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
