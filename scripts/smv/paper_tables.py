"""Prints Tables 1 to 4 of the paper of 2008 from measurements, with the paper's figures.

    python -m scripts.smv.paper_tables [--tables 1,4] [--models simple8,msi3] [--timeout 60] [--repeat 3] [--own]
    python -m scripts.smv.paper_tables --timeout 20 --record paper.jsonl   # again: continues where it was stopped
    python -m scripts.smv.paper_tables --record paper.jsonl --print-only --into models/TABLES.md

The models are the reconstructions in the public suite (``SYMAG_SUITES`` or ../shared/suites) or, with
``--own`` or without a suite, those of the generators in ``models/``. Rule-S and Rule-G are measured without
cone of influence in Tables 1 to 3, as the paper has none: as the paper describes them (rows "as paper") and
with symag's defaults (rows "symag"). Table 4 has symag's defaults with and without cone of influence. NuSMV
and ABC are measured if they are on PATH, else their recorded seconds are shown.
Exit status 20 if a verdict differs from the expected one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scripts.measuring import peers
from scripts.measuring.measure import NOT_REPEATED, Decision, seconds_text, suites, table
from scripts.measuring.measurements import (
    Measurements,
    Record,
    add_options,
    filled,
    generate,
    put_into,
    show,
    stop_with_children,
)
from scripts.smv.printed_tables import EXAMPLES, TABLE_1, TABLE_2, TABLE_3, TABLE_4, Figures

#: Our own model for each of the paper's: the generator's parameters, and the property's name.
OWN: dict[str, tuple[str, str]] = {
    **{f"simple{n}": (f"simple.py {n}", "never") for n in (8, 9, 10, 11)},
    **{f"msi{n}": (f"msi.py {n}", "exclusive") for n in (3, 4, 5)},
    "guidance_sp1": ("guidance.py --recorders 8", "chosen_region"),
    "guidance_sp2": ("guidance.py --recorders 8", "released_first"),
    "barrel_sp1": ("barrel.py 6 5 --broken", "rotation"),
    "barrel_sp2": ("barrel.py 6 5", "rotation"),
    "robot_sp1": ("robot.py 5 --recorders 2 --overload", "in_time"),
    "robot_sp2": ("robot.py 5 --recorders 2", "in_time"),
    **{f"syncarb{n}_sp{k}": (f"arbiter.py {n}", "alone" if k == 1 else "exclusive") for n in (6, 7) for k in (1, 2)},
}
NO_CONE = "--no-cone-of-influence"
NO_HEURISTICS = ("--no-early-falsification", "--no-edge-deletion")
#: The paper's algorithm without what symag adds to it: one partition, cut at model variables, no cheap attempts.
PLAIN = (NO_CONE, "--no-one-state-first", "--no-small-alphabet-first", "--wires", "none", "--partitions", "1")
#: And the paper's loop. It judges a letter by the state that the letter leads to: that is what look-ahead does.
AS_PAPER = (*PLAIN, "--refinement", "paper", "--look-ahead")


def _figures(decision: Decision, timeout: float) -> Figures:
    """symag's answer in the paper's columns."""
    known: Mapping[str, Any] = decision.statistics

    def number(key: str) -> str:
        return f"{known[key]:,}" if key in known else "-"

    contributed = "".join(
        letter for key, letter in (("early_falsification", "F"), ("edge_deletion", "D")) if known.get(key)
    )
    states = ",".join(
        str(known[key]) for key in (f"assumption_states_{k}" for k in range(known.get("parts", 0))) if key in known
    )
    peak, mx, io, parts = (number(key) for key in ("bdd_nodes_peak", "mx", "io", "parts"))
    return Figures(seconds_text(decision, timeout), peak, mx, io, parts, states or "-", contributed or "-")


def _columns(figures: Figures) -> list[str]:
    return [figures.mx, figures.io, figures.time, figures.peak]


def table_1(measured: Measurements, names: Sequence[str]) -> str:
    """Rule-S and Rule-G."""
    rows = []
    for name in names:
        if name not in TABLE_1:
            continue
        rule_s, rule_g = TABLE_1[name]
        lines = [("paper", rule_s, rule_g)]
        for who, options in (("as paper", AS_PAPER), ("symag", (NO_CONE,))):
            ours = [_figures(measured.symag(name, rule, *options), measured.timeout) for rule in ("rule-s", "rule-g")]
            lines.append((who, ours[0], ours[1]))
        for who, left, right in lines:
            tail = [right.parts, *_columns(right), right.contributed]
            rows.append([name, EXAMPLES[name][1], who, *_columns(left), left.states, *tail, right.states])
    header = ["example", "verdict", "", "S mx", "IO", "time", "peak BDD", "asm", "G np", "mx", "IO", "time"]
    return table([*header, "peak BDD", "F/D", "asm"], rows)


def table_2(measured: Measurements, names: Sequence[str]) -> str:
    """Rule-G with 2, 3 and 4 parts."""
    rows = []
    for name in names:
        for printed in TABLE_2.get(name, ()):
            as_paper = measured.symag(name, "rule-g", *AS_PAPER, "--parts", printed.parts)
            ours = measured.symag(name, "rule-g", NO_CONE, "--parts", printed.parts)
            figures = [_figures(item, measured.timeout) for item in (as_paper, ours)]
            for who, item in (("paper", printed), ("as paper", figures[0]), ("symag", figures[1])):
                rows.append([name, printed.parts, who, *_columns(item), item.states])
    return table(["example", "np", "", "mx", "IO", "time", "peak BDD", "asm"], rows)


def table_3(measured: Measurements, names: Sequence[str]) -> str:
    """Rule-G as in the paper, two parts, with and without early falsification and edge deletion."""
    rows = []
    for name in names:
        if name not in TABLE_3:
            continue
        common = (*AS_PAPER, "--parts", "2")
        ours_without = _figures(measured.symag(name, "rule-g", *common, *NO_HEURISTICS), measured.timeout)
        ours_with = _figures(measured.symag(name, "rule-g", *common), measured.timeout)
        without, with_both = TABLE_3[name]
        for who, left, right in (("paper", without, with_both), ("as paper", ours_without, ours_with)):
            tail = [right.time, right.peak, right.states, right.contributed]
            rows.append([name, who, right.mx, right.io, left.time, left.peak, left.states, *tail])
    header = ["example", "", "mx", "IO", "without F/D", "peak BDD", "asm", "with F/D", "peak BDD", "asm", "F/D"]
    return table(header, rows)


def table_4(measured: Measurements, names: Sequence[str], recorded: Mapping[str, Mapping[str, Any]]) -> str:
    """Rule-G against whole-model search, with and without cone of influence, NuSMV and ABC; seconds only."""
    header = ["example", "verdict", "paper G", "paper NuSMV", "rule-g", "forward", "backward"]
    header += ["rule-g coi", "forward coi", "backward coi", "auto"]
    header += [f"NuSMV {setting}" for setting in peers.SETTINGS]
    header += [f"ABC {setting}" for setting in peers.ABC_SETTINGS]
    rows = []
    for name in names:
        if name not in TABLE_4:
            continue
        rule_g, nusmv = TABLE_4[name]
        ways = (("rule-g",), ("monolithic", "--direction", "forward"), ("monolithic", "--direction", "backward"))
        ours = [measured.symag(name, *way, *cone) for cone in ((NO_CONE,), ()) for way in ways]
        ours.append(measured.symag(name, "auto"))
        row = [
            name,
            EXAMPLES[name][1],
            rule_g.time,
            nusmv.time,
            *(seconds_text(our, measured.timeout) for our in ours),
        ]
        for setting in peers.SETTINGS:
            if "NuSMV" in measured.record.tools:
                row.append(seconds_text(measured.nusmv(name, setting), measured.timeout))
            else:
                row.append(str(recorded.get(name, {}).get(setting, "-")))
        for setting in peers.ABC_SETTINGS:
            if "abc" in measured.record.tools:
                row.append(seconds_text(measured.abc(name, setting), measured.timeout))
            else:
                row.append(str(recorded.get(name, {}).get(setting, "-")))
        rows.append(row)
    return table(header, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", default="1,2,3,4", help="which of the four (default: %(default)s)")
    parser.add_argument("--own", action="store_true", help="measure the generators of models/, not the suite")
    add_options(parser)
    given = parser.parse_args()
    stop_with_children()
    folder = suites() / "paper"
    own = given.own or not folder.is_dir()
    chosen_names = set(given.models.split(",")) if given.models else set(EXAMPLES)
    recorded = {} if own else peers.recorded(suites())
    with tempfile.TemporaryDirectory() as generated:
        models = generate(Path(generated), OWN) if own else {name: (folder / f"{name}.smv", None) for name in EXAMPLES}
        names = [name for name in EXAMPLES if name in chosen_names and name in models]
        record = Record.of(given, {"models": "own" if own else "suite"})
        measured = Measurements(models, record, {name: item[1] for name, item in EXAMPLES.items()})
        titles = {
            "1": ("Table 1. Rule-S and Rule-G", table_1),
            "2": ("Table 2. The number of parts", table_2),
            "3": ("Table 3. Rule-G without and with early falsification and edge deletion", table_3),
            "4": ("Table 4. Rule-G, whole-model search, NuSMV and ABC", lambda m, n: table_4(m, n, recorded)),
        }
        paragraphs = [filled(_explanation(measured, own))]
        show(paragraphs[0])
        for number in given.tables.split(","):
            title, make = titles[number]
            paragraphs.append(f"### {title}\n\n```\n{make(measured, names)}\n```")
            show(paragraphs[-1])
    if given.into is not None:
        put_into(given.into, "paper_tables.py", paragraphs)
    return measured.ended()


def _explanation(measured: Measurements, own: bool) -> str:
    record = measured.record
    return (
        f"Measured {record.when} on {record.machine} over"
        f" {'our own models, of models/; they only stand for the paper' if own else 'the public suite, smv/paper'}."
        " Rows 'paper' are the printed figures: seconds on a 750 MHz UltraSPARC III, '-' after two hours."
        " All others are CPU seconds of the whole command with its processes, certification included,"
        f" the median of {record.repeat} runs (one where it is over {NOT_REPEATED:g} s);"
        f" '> {record.timeout:g}' is the limit in CPU seconds of a process (`auto` has up to three);"
        " '*' marks an answer that is not certified, '?' what was not measured."
        " mx and IO count boolean variables; G np is the number of parts.\n\n"
        "Tables 1 to 3 are without cone of influence, as in the paper; Table 4 has both (coi). 'as paper' is the"
        " paper's algorithm with one partition (its sink is no state here); 'symag' has the defaults (several"
        " partitions, one-state assumptions and a small alphabet first)."
        f" NuSMV: {_tool(record.tools, 'NuSMV', own)}."
        f" ABC, on AIGER that symag writes: {_tool(record.tools, 'abc', own)}."
    )


def _tool(tools: Sequence[str], name: str, own: bool) -> str:
    return "measured" if name in tools else "not on PATH" if own else "not on PATH, recorded seconds"


if __name__ == "__main__":
    sys.exit(main())
