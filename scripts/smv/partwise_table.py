"""Facts compared with part-wise reachability, the two ways of ``--method parts``, on models of several formats.

python -m scripts.smv.partwise_table FOLDER|FILE... [--compare facts|splits] [--limit 20] [--record FILE.jsonl]
    [--print-only]
    [--into models/TABLES.md]

With ``--compare splits`` the columns are sets of parts that may be split at wires, and sets that are not.
A row is a file with all its invariants; a cell is the number that is proved, with the CPU seconds of the whole command,
the re-check included. Violations do not count: random runs and bounded search find them before. ``--limit`` is CPU
seconds of a process. A later run with the same ``--record`` continues. Exit status 20 if two ways contradict each
other.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.measuring.measure import check, say, table
from scripts.measuring.measurements import filled, put_into, show, stop_with_children

#: The columns: what proves, with the options.
WAYS: dict[str, tuple[str, ...]] = {
    "facts": ("--invariants", "facts"),
    "together": ("--invariants", "sets"),
    "separate": ("--invariants", "sets", "--fixpoints", "separate"),
}
SPLITS: dict[str, tuple[str, ...]] = {
    "split": ("--invariants", "sets"),
    "whole": ("--invariants", "sets", "--no-splits"),
}
SUFFIXES = (".smv", ".aig", ".aag", ".btor2")


@dataclass(frozen=True)
class Cell:
    """One run over one file: CPU seconds, and the verdicts of decided properties by index, with all there are."""

    model: str
    way: str
    seconds: float
    verdicts: Mapping[str, str]
    properties: int

    @property
    def proved(self) -> set[str]:
        """The properties that hold."""
        return {index for index, verdict in self.verdicts.items() if verdict == "holds"}


def main() -> int:
    """Measure what is not on record, print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="models, or folders of them")
    parser.add_argument("--compare", choices=("facts", "splits"), default="facts", help="what the columns are")
    parser.add_argument("--limit", type=float, default=20.0, help="CPU seconds for each process (default 20)")
    parser.add_argument("--record", type=Path, help="keep the cells in this file, and take them from it")
    parser.add_argument("--print-only", action="store_true", help="print from the record, measure nothing")
    parser.add_argument("--into", type=Path, help="put the table into this file, between its marks")
    given = parser.parse_args()
    stop_with_children()
    known = _known(given.record)
    ways = WAYS if given.compare == "facts" else SPLITS
    rows: list[dict[str, Cell]] = []
    for path in _models(given.files):
        cells: dict[str, Cell] = {}
        for way, options in ways.items():
            cell = known.get((path.stem, way))
            if cell is None and not given.print_only:
                cell = _measured(path, way, options, given.limit)
                say(f"{cell.model} {way}: {len(cell.proved)} of {cell.properties} proved in {cell.seconds:.2f} s")
                if given.record is not None:
                    with given.record.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(cell)) + "\n")
            if cell is not None:
                cells[way] = cell
        if cells.keys() == ways.keys() and next(iter(cells.values())).properties:
            rows.append(cells)
    paragraphs = list(_report(rows, ways, given.limit))
    for paragraph in paragraphs:
        show(paragraph)
    if given.into is not None:
        mark = "partwise_table.py" if ways is WAYS else "partwise_table.py --compare splits"
        put_into(given.into, mark, paragraphs)
    wrong = [line for cells in rows for line in _contradictions(cells)]
    for line in wrong:
        print(f"CONTRADICTION {line}")
    return 20 if wrong else 0


def _models(files: Sequence[Path]) -> Iterator[Path]:
    for path in files:
        if path.is_dir():
            yield from sorted(item for item in path.rglob("*") if item.suffix in SUFFIXES)
        else:
            yield path


def _known(record: Path | None) -> dict[tuple[str, str], Cell]:
    if record is None or not record.is_file():
        return {}
    cells = [Cell(**json.loads(line)) for line in record.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {(cell.model, cell.way): cell for cell in cells}


def _measured(path: Path, way: str, options: Sequence[str], limit: float) -> Cell:
    entries = check(path, ["--method", "parts", *options], limit, processor=True)
    verdicts = {str(entry["index"]): decision.verdict for entry, decision in entries if decision.known}
    seconds = max((decision.seconds for _, decision in entries), default=0.0)
    return Cell(path.stem, way, seconds, verdicts, len(entries))


def _report(rows: Sequence[Mapping[str, Cell]], ways: Mapping[str, Sequence[str]], limit: float) -> Iterator[str]:
    body, gained, lost = [], [], []
    for cells in rows:
        first, *others = cells.values()
        proved = frozenset[str]().union(*(cell.proved for cell in others))
        texts = [f"{len(cell.proved)} {cell.seconds:.2f}" for cell in cells.values()]
        body.append([first.model[-40:], str(first.properties), *texts])
        more, fewer = len(proved - first.proved), len(first.proved - proved)
        if more:
            gained.append(f"{first.model} ({more})")
        if fewer:
            lost.append(f"{first.model} ({fewer})")
    names = ("part-wise reachability", "facts") if ways is WAYS else ("sets that are not split", "sets that are")
    yield filled(
        "Properties of the file, and how many of them each way proves with CPU seconds of the whole command, certified;"
        f" one run each, {limit:g} s of CPU for a process. {_ABOUT[ways is WAYS]}"
    )
    yield "```\n" + table(["model", "properties", *ways], body) + "\n```"
    yield filled(
        f"Proved by {names[0]} and not by {names[1]}: {', '.join(gained) or 'none'}. Proved by {names[1]} and not by"
        f" {names[0]}: {', '.join(lost) or 'none'}."
    )


_ABOUT = {
    True: "together and separate are part-wise reachability.",
    False: "Sets of parts, split at wires or not (--no-splits).",
}


def _contradictions(cells: Mapping[str, Cell]) -> Iterator[str]:
    verdicts: dict[str, str] = {}
    for way, cell in cells.items():
        for index, verdict in cell.verdicts.items():
            if verdicts.setdefault(index, verdict) != verdict:
                yield f"{cell.model} {index}: {way} says {verdict}, another way {verdicts[index]}"


if __name__ == "__main__":
    sys.exit(main())
