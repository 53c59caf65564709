"""What facts prove: alone, and as lemmas or care sets of other methods, in CPU seconds of all processes.

    python -m scripts.smv.facts_table SUITES [--designs btor2|aiger|elastic|models] [--engines sat|rules|bdd]
        [--timeout 5] [--repeat 1] [--record FILE.jsonl] [--into FILE.md]

The designs are the files of SUITES/btor2 or SUITES/aiger/verilog, which Yosys wrote from Verilog, but those that ABC
refuted (recorded in SUITES/aiger/verdicts.jsonl): there is nothing to prove; the first property of a file.
``elastic`` are the circuits of SUITES/smv/elastic with their first true property, ``models`` the project's own SMV
models with their first invariant. Columns: of ``sat`` facts alone, ``k-induction`` and ``pdr``; of ``rules``
``rule-g`` and ``rule-s``; of ``bdd`` ``monolithic`` forward and backward; each without and with ``--facts``. The time
to find the facts is included. Every proof is re-checked. Exit status 20 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scripts.measuring.measure import ROOT, SYMAG, Decision, check, run, seconds_text, table
from scripts.measuring.measurements import Measurements, Record, add_options, filled, put_into, show, stop_with_children

#: The methods of each choice of engines, with their options; ``facts`` is for itself.
ENGINES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "sat": {"facts": ("parts", "--invariants", "facts"), "k-ind": ("k-induction",), "pdr": ("pdr",)},
    "rules": {"rule-g": ("rule-g",), "rule-s": ("rule-s",)},
    "bdd": {
        "forward": ("monolithic", "--direction", "forward"),
        "backward": ("monolithic", "--direction", "backward"),
    },
}

#: Times that differ by less than this factor, or by less than these seconds, count as equal.
FACTOR, SECONDS = 1.5, 0.3


def columns(engines: str) -> dict[str, tuple[str, ...]]:
    """The columns: a heading, the method and its options."""
    chosen: dict[str, tuple[str, ...]] = {}
    for name, options in ENGINES[engines].items():
        chosen[name] = options
        if name != "facts":
            chosen[f"{name}+facts"] = (*options, "--facts")
    return chosen


def designs(suites: Path, kind: str) -> dict[str, tuple[Path, str | None]]:
    """The designs by name, with the property: those of Verilog without the ones that ABC refuted."""
    if kind == "elastic":
        entries = map(json.loads, (suites / "smv" / "elastic-verdicts.jsonl").read_text(encoding="utf-8").splitlines())
        true = {
            entry["model"]: [n for n, item in enumerate(entry["properties"]) if item["verdict"] == "true"]
            for entry in entries
        }
        folder = suites / "smv" / "elastic"
        return {name: (folder / f"{name}.smv", str(numbers[0])) for name, numbers in true.items() if numbers}
    if kind == "models":
        files = sorted((ROOT / "models").glob("*.smv"))
        texts = {path: path.read_text(encoding="utf-8") for path in files}
        return {path.stem: (path, _first_invariant(path)) for path, text in texts.items() if "INVARSPEC" in text}
    lines = (suites / "aiger" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = {Path(entry["model"]).stem: entry["abc_pdr"] for entry in map(json.loads, lines)}
    folder = suites / "btor2" if kind == "btor2" else suites / "aiger" / "verilog"
    return {
        path.stem: (path, None if kind == "btor2" else "0")
        for path in sorted(folder.iterdir())
        if verdicts.get(path.stem) != "violated"
        and (path.suffix == ".aig" or re.search(r"^\d+ bad ", path.read_text(), re.MULTILINE))
    }


def _first_invariant(path: Path) -> str:
    properties = json.loads(run([*SYMAG, "info", str(path), "--json"], 60).output)["properties"]
    return next(str(item["index"]) for item in properties if item["kind"] == "INVARSPEC")


def report(
    rows: Mapping[str, Mapping[str, Decision]], names: Sequence[str], engines: str, timeout: float
) -> Iterator[str]:
    """The table, and what it says."""
    body = [
        [name, *(seconds_text(cells[column], timeout) for column in names)]
        for name, cells in rows.items()
        if any(decision.known for decision in cells.values())
    ]
    yield "```\n" + table(["design", *names], body) + "\n```"
    proved = {column: {name for name, cells in rows.items() if cells[column].verdict == "holds"} for column in names}
    counts = ", ".join(f"{column} {len(names)}" for column, names in proved.items())
    undecided = [name for name, cells in rows.items() if not any(decision.known for decision in cells.values())]
    yield filled(f"Of {len(rows)} designs proved: {counts}. By none: {', '.join(undecided) or 'none'}.")
    for engine in (name for name in ENGINES[engines] if name != "facts"):
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
    if "facts" not in proved:
        return
    alone = proved["facts"] - proved["k-ind"] - proved["pdr"]
    yield filled(f"Facts alone prove {len(alone)} that neither engine proves ({', '.join(sorted(alone)) or 'none'}).")


def main() -> int:
    """Measure what is not on record, print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", type=Path, metavar="SUITES")
    parser.add_argument("--designs", choices=("btor2", "aiger", "elastic", "models"), default="btor2")
    parser.add_argument("--engines", choices=tuple(ENGINES), default="sat")
    add_options(parser)
    given = parser.parse_args()
    stop_with_children()
    record = Record.of(given, {"models": "verilog"})
    models = designs(given.suites, given.designs)
    if given.models is not None:
        models = {name: models[name] for name in given.models.split(",")}
    expected = dict.fromkeys(models, "holds")
    if given.designs == "models" and not given.print_only:
        for name, (path, number) in models.items():
            expected[name] = check(path, ["--property", str(number)], 30)[0][1].verdict
    measured = Measurements(models, record, expected)
    chosen = columns(given.engines)
    rows = {name: {column: measured.symag(name, *how) for column, how in chosen.items()} for name in models}
    about = (
        f"Measured {record.when} on {record.machine}. CPU seconds of the whole command with its processes,"
        f" certification included, the median of {record.repeat} runs; '> {record.timeout:g}' is the limit in CPU"
        " seconds of a process; other texts are reasons for no answer."
    )
    paragraphs = [filled(about), *report(rows, list(chosen), given.engines, record.timeout)]
    for paragraph in paragraphs:
        show(paragraph)
    if given.into is not None:
        plain = given.designs == "btor2" and given.engines == "sat"
        mark = "facts_table.py" if plain else f"facts_table.py --designs {given.designs} --engines {given.engines}"
        put_into(given.into, mark, paragraphs)
    return measured.ended()


if __name__ == "__main__":
    sys.exit(main())
