"""Where learning wins and where it does not: our families whose cone of influence is the whole system.

    python -m scripts.smv.coupled_table [--models parity24,baton12x3_scan] [--timeout 60] [--repeat 3]
    python -m scripts.smv.coupled_table --timeout 20 --record coupled.jsonl   # again: continues where it was stopped
    python -m scripts.smv.coupled_table --record coupled.jsonl --print-only --into models/TABLES.md

CPU seconds of Rule-G (parts cut at model variables and the property, or also at DEFINEs), of whole-model
search forward and backward, of ``auto``, and of NuSMV's forward and backward search and of ABC when they are
on PATH; cone of influence is always on. All invariants of these models hold. Exit status 20 if a verdict is
wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path

from scripts.measuring import peers
from scripts.measuring.measure import NOT_REPEATED, seconds_text, table
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

#: The generator's parameters, and the property's name.
MODELS: dict[str, tuple[str, str]] = {
    **{f"parity{n}": (f"parity.py {n}", "even") for n in (16, 24, 32)},
    **{f"baton{n}": (f"baton.py {n}", "even") for n in (16, 24)},
    **{f"baton{n}x3": (f"baton.py {n} --stations 3", "even") for n in (12, 16)},
    **{f"permutation{n}": (f"permutation.py {n}", "no_clash") for n in (5, 6)},
    **{f"scan{n}": (f"scan.py {n}", "no_match") for n in (8, 16)},
    **{f"baton{n}x3_scan": (f"baton.py {n} --stations 3 --scan", "no_match") for n in (8, 12, 16)},
}
#: Columns of symag: the method with its options.
COLUMNS: dict[str, tuple[str, ...]] = {
    "rule-g": ("rule-g", "--wires", "property"),
    "rule-g defines": ("rule-g", "--wires", "defines"),
    "forward": ("monolithic", "--direction", "forward"),
    "backward": ("monolithic", "--direction", "backward"),
    "auto": ("auto",),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    given = parser.parse_args()
    stop_with_children()
    names = [name for name in MODELS if not given.models or name in given.models.split(",")]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        models = generate(Path(folder), {name: MODELS[name] for name in names})
        record = Record.of(given, {"models": "coupled"})
        measured = Measurements(models, record, dict.fromkeys(names, "holds"))
        other = [
            (f"{tool} {setting}", partial(ask, setting=setting))
            for tool, present, ask, settings in (
                ("NuSMV", "NuSMV", measured.nusmv, ("-coi -dynamic", "backward")),
                ("ABC", "abc", measured.abc, tuple(peers.ABC_SETTINGS)),
            )
            if present in record.tools
            for setting in settings
        ]
        for name in names:
            decisions = [measured.symag(name, *how) for how in COLUMNS.values()]
            decisions += [ask(name) for _, ask in other]
            rows.append([name, *(seconds_text(decision, record.timeout) for decision in decisions)])
    paragraphs = [
        filled(
            f"Measured {record.when} on {record.machine}. CPU seconds of the whole command, certification included, the"
            f" median of {record.repeat} runs (one where it is over {NOT_REPEATED:g} s); '> {record.timeout:g}' is the"
            " limit in CPU seconds of a process; '*' marks an answer that is not certified, '?' what was not measured."
        ),
        f"```\n{table(['model', *COLUMNS, *(title for title, _ in other)], rows)}\n```",
    ]
    for paragraph in paragraphs:
        show(paragraph)
    if given.into is not None:
        put_into(given.into, "coupled_table.py", paragraphs)
    return measured.ended()


if __name__ == "__main__":
    sys.exit(main())
