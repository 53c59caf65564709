"""L* and separating automata side by side in rule-s and rule-g: assumptions, questions and CPU seconds.

    python -m scripts.smv.rule_learners_table SUITES [--timeout 20] [--repeat 1] [--record FILE.jsonl] [--into FILE.md]

The designs are models of the paper and coupled families of SUITES, and small Verilog designs as AIGER; the first
invariant of each. Cells: CPU seconds of the whole command, the re-check included; the states of the assumptions; then
membership queries of L*, or calls of the SAT solver. An assumption that remembers nothing has two states and needs no
call: it comes first in ``rule-s default``, which learns by L*, and in ``rule-s separating``. rule-g is without its
one-state assumptions, which would prove many rows for both. Exit status 20 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts.measuring.measure import Decision, seconds_text, table
from scripts.measuring.measurements import Measurements, Record, add_options, filled, put_into, show, stop_with_children

#: The designs below SUITES: folder, suffix, names.
DESIGNS: tuple[tuple[str, str, str], ...] = (
    (
        "smv/paper",
        ".smv",
        "simple8 msi3 guidance_sp1 guidance_sp2 robot_sp1 syncarb6_sp1 syncarb6_sp2",
    ),
    ("smv/coupled", ".smv", "par8 hs8 hs12 perm4 perm5 hsb6"),
    (
        "aiger/verilog",
        ".aig",
        "avr_h_Arbiter avr_itc99_b13 avr_swap_three avr_vis_arrays_buf_bug avr_vis_arrays_bufferAlloc"
        " avr_vis_arrays_two_p2 sby_prove zc_busycounter zip_axi_addr zip_skidbuffer",
    ),
)

_ALONE = "--no-one-state-first"
WAYS: Mapping[str, tuple[str, ...]] = {
    "rule-s lstar": ("rule-s", "--learner", "lstar", _ALONE),
    "rule-s default": ("rule-s",),
    "rule-s separating": ("rule-s", "--learner", "separating"),
    "rule-g lstar": ("rule-g", "--learner", "lstar", _ALONE),
    "rule-g separating": ("rule-g", "--learner", "separating", _ALONE),
}


def cell(decision: Decision, limit: float) -> str:
    """Seconds, states of the assumptions, questions."""
    known = decision.statistics
    seconds = seconds_text(decision, limit)
    if not decision.known:
        return seconds
    states = ",".join(str(known[key]) for key in sorted(known) if key.startswith("assumption_states"))
    questions = known.get("membership_queries", known.get("sat_calls", 0))
    return f"{seconds} {states or '-'} ({questions})"


def report(cells: Mapping[str, Mapping[str, Decision]], limit: float) -> Iterator[str]:
    """The table, and for each rule how many each learner decides and where it wins or loses, of the rows measured."""
    body = [[name, *(cell(decision, limit) for decision in row.values())] for name, row in cells.items()]
    yield "```\n" + table(["design", *WAYS], body) + "\n```"
    for rule, learner in (("rule-s", "default"), ("rule-s", "separating"), ("rule-g", "separating")):
        rows = ((name, row[f"{rule} lstar"], row[f"{rule} {learner}"]) for name, row in cells.items())
        pairs = {name: (one, other) for name, one, other in rows if "?" not in (one.reason, other.reason)}
        wins = [name for name, (one, other) in pairs.items() if other.known and not one.known]
        losses = [name for name, (one, other) in pairs.items() if one.known and not other.known]
        both = [pair for pair in pairs.values() if pair[0].known and pair[1].known]
        faster = sum(other.seconds < one.seconds for one, other in both)
        yield filled(
            f"{rule}: L* alone decides {sum(one.known for one, _ in pairs.values())} of {len(pairs)}, {learner}"
            f" {sum(other.known for _, other in pairs.values())}; won {', '.join(wins) or 'none'}; lost"
            f" {', '.join(losses) or 'none'}; faster on {faster} of the {len(both)} that both decide."
        )


def _verdicts(suites: Path, names: Mapping[str, Path]) -> dict[str, str]:
    """The recorded verdicts. The coupled families have none: they hold, by their suite's description."""
    lines = (suites / "aiger" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    known = {Path(entry["model"]).stem: entry["abc_pdr"] for entry in map(json.loads, lines)}
    paper = json.loads((suites / "smv" / "paper-verdicts.json").read_text(encoding="utf-8"))["models"]
    for name, entry in paper.items():
        verdicts = {setting["verdict"] for setting in entry["nusmv"].values()} | {entry.get("paper_verdict")}
        known[name] = "violated" if "false" in verdicts else "holds"
    return {name: known.get(name) or "holds" for name in names}


def main() -> int:
    """Measure what is not on record, print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", type=Path, metavar="SUITES")
    add_options(parser)
    given = parser.parse_args()
    stop_with_children()
    record = Record.of(given, {"models": "rule learners"})
    models = {
        name: given.suites / folder / f"{name}{suffix}" for folder, suffix, names in DESIGNS for name in names.split()
    }
    if given.models is not None:
        models = {name: models[name] for name in given.models.split(",")}
    measured = Measurements(
        {name: (path, "0") for name, path in models.items()}, record, _verdicts(given.suites, models)
    )
    cells = {name: {way: measured.symag(name, *options) for way, options in WAYS.items()} for name in models}
    about = (
        f"Measured {record.when} on {record.machine}: CPU seconds of the whole command, the re-check included, then the"
        " states of the assumptions, then membership queries (L*) or calls of the SAT solver (separating);"
        f" '> {record.timeout:g}' is the limit of a process."
    )
    paragraphs = [filled(about), *report(cells, record.timeout)]
    for paragraph in paragraphs:
        show(paragraph)
    if given.into is not None:
        put_into(given.into, "rule_learners_table.py", paragraphs)
    return measured.ended()


if __name__ == "__main__":
    sys.exit(main())
