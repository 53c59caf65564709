"""``parts`` alone compared with the other engines of symag, NuSMV and ABC, one property for each model.

    python -m scripts.smv.parts_table FOLDER|FILE.smv... [--timeout 20] [--repeat 3] [--models a,b] [--record FILE]
    python -m scripts.smv.parts_table FILES --record FILE --print-only --into models/TABLES.md

Each file has one INVARSPEC. Times are CPU seconds of the whole command, for symag with the re-check of the evidence.
The table only shows factors up to ten: the others are stopped at 10.5 times the seconds of ``parts``, or at the limit
if that is less. Peers are those on PATH. Exit status 20 if two engines contradict each other.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from scripts.measuring import peers
from scripts.measuring.measure import NOT_REPEATED, SYMAG, Decision, run, seconds_text, table
from scripts.measuring.measurements import (
    NOT_MEASURED,
    Measurements,
    Record,
    add_options,
    filled,
    put_into,
    show,
    stop_with_children,
)
from symag.core.values import replace

#: Others get this many times what ``parts`` took.
PATIENCE = 10.5
#: What counts as a win.
WIN = 10.0

#: The state bits from which on a win counts.
LARGE = 100

#: Our other engines: the method with its options.
ENGINES: dict[str, tuple[str, ...]] = {
    "forward": ("monolithic", "--direction", "forward"),
    "backward": ("monolithic", "--direction", "backward"),
    "bmc": ("bmc",),
    "k-induction": ("k-induction",),
    "pdr": ("pdr",),
}
#: NuSMV's settings, under which it searches forward, but for the last.
NUSMV = ("plain", "-coi -dynamic", "backward")


def main() -> int:
    """Measure what is not on record, print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="models, or folders of them")
    add_options(parser)
    given = parser.parse_args()
    stop_with_children()
    files = [file for path in given.files for file in (sorted(path.glob("*.smv")) if path.is_dir() else [path])]
    paths: dict[str, tuple[Path, str | None]] = {file.stem: (file, None) for file in files}
    names = given.models.split(",") if given.models else list(paths)
    record = Record.of(given, {"models": "dataflow"})
    rows, wins, contradicted = [], 0, False
    columns = [
        *(f"NuSMV {setting}" for setting in NUSMV if "NuSMV" in record.tools),
        *(f"ABC {setting}" for setting in peers.ABC_SETTINGS if "abc" in record.tools),
        *ENGINES,
    ]
    for name in names:
        first = Measurements(paths, record, {name: "holds"}).symag(name, "parts")
        limit = min(record.timeout, PATIENCE * first.seconds) if first.known else record.timeout
        others = _others(Measurements(paths, replace(record, timeout=limit), {name: "holds"}), name)
        verdicts = {decision.verdict for decision in (first, *others) if decision.known}
        contradicted = contradicted or len(verdicts) > 1
        bits, factor = _bits(paths[name][0]), _factor(first, others, limit)
        is_bound = not any(decision.known for decision in others)
        wins += factor is not None and factor >= WIN and bits >= LARGE
        ratio = "-" if factor is None else f"{'> ' if is_bound else ''}{factor:.2g}"
        cells = [seconds_text(decision, round(limit, 1)) for decision in (first, *others)]
        rows.append([name, str(bits), "/".join(sorted(verdicts)) or "-", *cells, ratio])
    paragraphs = [
        filled(
            f"Measured {record.when} on {record.machine}. CPU seconds of the whole command with its processes, of symag"
            f" certification included, the median of {record.repeat} runs (one where it is over {NOT_REPEATED:g} s);"
            f" '> N': stopped after N CPU seconds of a process, which is {PATIENCE:g} times what parts took, and"
            f" {record.timeout:g} at most. Bits are state bits; ratio: the best of all others over parts."
        ),
        f"```\n{table(['model', 'bits', 'verdict', 'parts', *columns, 'ratio'], rows)}\n```",
        filled(
            f"parts wins by {WIN:g} times or more, certified, on {wins} of {len(names)} models, of which only those of"
            f" {LARGE} bits and more count; a row with a cell that was not measured ('?') is no win."
        ),
    ]
    for paragraph in paragraphs:
        show(paragraph)
    if given.into is not None:
        put_into(given.into, "parts_table.py", paragraphs)
    return 20 if contradicted else 0


def _others(measured: Measurements, name: str) -> list[Decision]:
    record = measured.record
    cells = [
        *(partial(measured.nusmv, name, setting) for setting in NUSMV if "NuSMV" in record.tools),
        *(partial(measured.abc, name, setting) for setting in peers.ABC_SETTINGS if "abc" in record.tools),
        *(partial(measured.symag, name, *options) for options in ENGINES.values()),
    ]
    return [measure() for measure in cells]


def _factor(first: Decision, others: Sequence[Decision], limit: float) -> float | None:
    """How many times as long the best of the others took, or at least: what it got; None if that is not known."""
    if not (first.known and first.certified) or NOT_MEASURED in others:
        return None
    return min((decision.seconds for decision in others if decision.known), default=limit) / first.seconds


def _bits(path: Path) -> int:
    """The state bits of a model."""
    return int(json.loads(run([*SYMAG, "info", "--json", str(path)], 60.0).output)["state_bits"])


if __name__ == "__main__":
    sys.exit(main())
