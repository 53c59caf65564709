"""What facts prove on Verilog designs: alone, and as lemmas of k-induction and PDR, in CPU seconds of all processes.

    python scripts/facts_table.py SUITES [--timeout 5] [--repeat 1] [--record FILE.jsonl] [--into FILE.md]

The designs are the files of SUITES/btor2, which Yosys wrote from Verilog, but those that ABC refuted (recorded in
SUITES/aiger/verdicts.jsonl): there is nothing to prove. Each file is one property. Columns: ``--method parts`` (facts
alone), ``k-induction`` and ``pdr``, each without and with ``--facts``; the time to find the facts is included. Every
proof is re-checked. Exit status 20 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from measure import Decision, seconds_text, table
from measurements import Measurements, Record, add_options, filled, put_into, show, stop_with_children

#: The columns: a heading, the method and its options.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "facts": ("parts",),
    "k-ind": ("k-induction",),
    "k-ind+facts": ("k-induction", "--facts"),
    "pdr": ("pdr",),
    "pdr+facts": ("pdr", "--facts"),
}

#: Times that differ by less than this factor, or by less than these seconds, count as equal.
FACTOR, SECONDS = 1.5, 0.3


def designs(suites: Path) -> dict[str, Path]:
    """The designs by name, without those that ABC refuted."""
    lines = (suites / "aiger" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = {Path(entry["model"]).stem: entry["abc_pdr"] for entry in map(json.loads, lines)}
    files = sorted((suites / "btor2").glob("*.btor2"))
    return {
        path.stem: path
        for path in files
        if verdicts.get(path.stem) != "violated" and re.search(r"^\d+ bad ", path.read_text(), re.MULTILINE)
    }


def report(rows: Mapping[str, Mapping[str, Decision]], timeout: float) -> Iterator[str]:
    """The table, and what it says."""
    body = [
        [name, *(seconds_text(cells[column], timeout) for column in COLUMNS)]
        for name, cells in rows.items()
        if any(decision.known for decision in cells.values())
    ]
    yield "```\n" + table(["design", *COLUMNS], body) + "\n```"
    proved = {column: {name for name, cells in rows.items() if cells[column].verdict == "holds"} for column in COLUMNS}
    counts = ", ".join(f"{column} {len(names)}" for column, names in proved.items())
    undecided = [name for name, cells in rows.items() if not any(decision.known for decision in cells.values())]
    yield filled(f"Of {len(rows)} designs proved: {counts}. By none: {', '.join(undecided) or 'none'}.")
    for engine in ("k-ind", "pdr"):
        more, fewer = (proved[f"{engine}+facts"] - proved[engine], proved[engine] - proved[f"{engine}+facts"])
        both = proved[f"{engine}+facts"] & proved[engine]
        pairs = [(rows[name][engine].seconds, rows[name][f"{engine}+facts"].seconds) for name in sorted(both)]
        faster = sum(without > FACTOR * with_ and without - with_ > SECONDS for without, with_ in pairs)
        slower = sum(with_ > FACTOR * without and with_ - without > SECONDS for without, with_ in pairs)
        totals = sum(without for without, _ in pairs), sum(with_ for _, with_ in pairs)
        yield filled(
            f"{engine} with facts proves {len(more)} more ({', '.join(sorted(more)) or 'none'}) and {len(fewer)} fewer"
            f" ({', '.join(sorted(fewer)) or 'none'}). Of the {len(both)} that it proves both ways, facts make {faster}"
            f" faster and {slower} slower by {FACTOR:g} times and {SECONDS:g} s; in total {totals[0]:.1f} s without,"
            f" {totals[1]:.1f} s with."
        )
    alone = proved["facts"] - proved["k-ind"] - proved["pdr"]
    yield filled(f"Facts alone prove {len(alone)} that neither engine proves ({', '.join(sorted(alone)) or 'none'}).")


def main() -> int:
    """Measure what is not on record, print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", type=Path, metavar="SUITES")
    add_options(parser)
    given = parser.parse_args()
    stop_with_children()
    record = Record.of(given, {"models": "verilog"})
    models = designs(given.suites)
    if given.models is not None:
        models = {name: models[name] for name in given.models.split(",")}
    measured = Measurements(
        {name: (path, None) for name, path in models.items()}, record, dict.fromkeys(models, "holds")
    )
    rows = {name: {column: measured.symag(name, *options) for column, options in COLUMNS.items()} for name in models}
    about = (
        f"Measured {record.when} on {record.machine}. CPU seconds of the whole command with its processes,"
        f" certification included, the median of {record.repeat} runs; '> {record.timeout:g}' is the limit in CPU"
        " seconds of a process; other texts are reasons for no answer."
    )
    paragraphs = [filled(about), *report(rows, record.timeout)]
    for paragraph in paragraphs:
        show(paragraph)
    if given.into is not None:
        put_into(given.into, "facts_table.py", paragraphs)
    return measured.ended()


if __name__ == "__main__":
    sys.exit(main())
