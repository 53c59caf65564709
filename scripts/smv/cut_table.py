"""What fits hardware as a cut: I/O bits by kind of cut, and what rule-g and parts prove with each, in CPU seconds.

    python -m scripts.smv.cut_table SUITES [--timeout 5] [--repeat 1] [--record FILE.jsonl] [--into FILE.md]

The designs are files of SUITES whose cuts by variables are wide, two parts each, the first invariant of the file.
Columns: I/O bits of the best partition by variables, then with wires chosen by the size of the cut (``--wires cut``),
also with words and with instances kept whole (``--grain``); rule-g with its defaults, with the chosen wires, and with
instances too; ``parts`` by sets of states with its defaults and with instances. Every proof is re-checked. Exit status
20 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts.measuring.measure import SYMAG, Decision, run, seconds_text, table
from scripts.measuring.measurements import Measurements, Record, add_options, filled, put_into, show, stop_with_children

#: The designs, below SUITES. Those of smv/elastic are circuits of handshake units.
DESIGNS = (
    "aiger/verilog/avr_vis_QF_BV_fru32_p3.aig",
    "aiger/verilog/avr_vis_arrays_bpbs_p4.aig",
    "aiger/verilog/zip_afifo.aig",
    "aiger/verilog/zip_skidbuffer.aig",
    "aiger/verilog/zip_ufifo.aig",
    "aiger/verilog/zip_wbarbiter.aig",
    "aiger/verilog/zip_wbc2pipeline.aig",
    "aiger/verilog/zip_wbp2classic.aig",
    "btor2/zip_wbarbiter.btor2",
    "btor2/zip_wbc2pipeline.btor2",
    "btor2/zip_wbp2classic.btor2",
    "smv/elastic/if_else_1.smv",
    "smv/elastic/gcd_1.smv",
)

CUTS: Mapping[str, tuple[str, ...]] = {
    "variables": (),
    "cut": ("--wires", "cut"),
    "cut, words": ("--wires", "cut", "--grain", "word"),
    "cut, instances": ("--wires", "cut", "--grain", "instance"),
}

METHODS: Mapping[str, tuple[str, ...]] = {
    "rule-g": ("rule-g",),
    "rule-g cut": ("rule-g", "--wires", "cut"),
    "rule-g cut, inst.": ("rule-g", "--wires", "cut", "--grain", "instance"),
    "sets": ("parts", "--invariants", "sets"),
    "sets, inst.": ("parts", "--invariants", "sets", "--grain", "instance"),
}


#: CPU seconds for a partition.
PARTITION_SECONDS = 30


def io_bits(record: Record, name: str, path: Path, options: tuple[str, ...]) -> str:
    """The I/O bits of the best partition for the first invariant."""
    cell = (name, "partition", *options)
    if cell not in record.known:
        if not record.measuring:
            return "?"
        command = [*SYMAG, "partition", str(path), "--property", "0", "--json", *options]
        done = run(command, PARTITION_SECONDS, processor=True)
        partition = None if done.status or done.stopped else json.loads(done.output)["partition"]
        bits = (
            f"> {PARTITION_SECONDS} s" if done.stopped else "none" if partition is None else str(partition["io_bits"])
        )
        record.keep(cell, Decision("computed", done.seconds, bits))
    return str(record.known[cell].reason)


def report(cells: Mapping[str, Mapping[str, Decision]], cuts: Mapping[str, list[str]], limit: float) -> Iterator[str]:
    """Both tables, and how many each way proves."""
    yield "```\n" + table(["design", *CUTS], [[name, *row] for name, row in cuts.items()]) + "\n```"
    body = [[name, *(seconds_text(row[way], limit) for way in METHODS)] for name, row in cells.items()]
    yield "```\n" + table(["design", *METHODS], body) + "\n```"
    decided = (f"{way} {sum(row[way].known for row in cells.values())}" for way in METHODS)
    yield filled(f"Of {len(cells)} designs decided: {', '.join(decided)}.")


def _verdicts(suites: Path, models: Mapping[str, Path]) -> dict[str, str]:
    """The recorded verdicts of the first invariants; those without a record hold."""
    lines = (suites / "aiger" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    known = {Path(entry["model"]).stem: entry["abc_pdr"] for entry in map(json.loads, lines)}
    circuits = (suites / "smv" / "elastic-verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    for entry in map(json.loads, circuits):
        known[entry["model"]] = {"true": "holds", "false": "violated"}.get(entry["properties"][0]["verdict"])
    return {name: known.get(path.stem) or "holds" for name, path in models.items()}


def main() -> int:
    """Measure what is not on record, print the tables; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", type=Path, metavar="SUITES")
    add_options(parser)
    given = parser.parse_args()
    stop_with_children()
    record = Record.of(given, {"models": "cuts"})
    models = {name.rpartition("/")[2]: given.suites / name for name in DESIGNS}
    if given.models is not None:
        models = {name: models[name] for name in given.models.split(",")}
    cuts = {name: [io_bits(record, name, path, options) for options in CUTS.values()] for name, path in models.items()}
    measured = Measurements(
        {name: (path, "0") for name, path in models.items()}, record, _verdicts(given.suites, models)
    )
    cells = {name: {way: measured.symag(name, *options) for way, options in METHODS.items()} for name in models}
    about = (
        f"Measured {record.when} on {record.machine}: first I/O bits of the best partition into two parts, then CPU"
        f" seconds of the whole command, certification included; '> {record.timeout:g}' is the limit of a process."
    )
    paragraphs = [filled(about), *report(cells, cuts, record.timeout)]
    for paragraph in paragraphs:
        show(paragraph)
    if given.into is not None:
        put_into(given.into, "cut_table.py", paragraphs)
    return measured.ended()


if __name__ == "__main__":
    sys.exit(main())
