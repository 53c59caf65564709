"""Where learning wins and where it does not: our families whose cone of influence is the whole system.

    python scripts/coupled_table.py [--models parity24,baton12x3_scan] [--timeout 60] [--repeat 3]

CPU seconds of Rule-G (parts cut at model variables and the property, or also at DEFINEs), of whole-model
search forward and backward, of ``auto``, and of NuSMV's forward and backward search when NuSMV is on PATH;
cone of influence is on everywhere. All of these models' invariants hold. ABC is not run: symag writes no
AIGER yet. Exit status 20 when a verdict is wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import peers
from measure import seconds_text, table
from paper_tables import Measurements, generate

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
    parser.add_argument("--models", help="only these, separated by commas (default: all)")
    parser.add_argument("--timeout", type=float, default=60, help="CPU seconds for each process measured (default: 60)")
    parser.add_argument("--repeat", type=int, default=3, help="the median of so many short runs (default: 3)")
    given = parser.parse_args()
    program = peers.nusmv()
    names = [name for name in MODELS if not given.models or name in given.models.split(",")]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        models = generate(Path(folder), {name: MODELS[name] for name in names})
        measured = Measurements(models, given.timeout, given.repeat, expected=dict.fromkeys(names, "holds"))
        for name in names:
            decisions = [measured.symag(name, *how) for how in COLUMNS.values()]
            if program:
                decisions += [measured.nusmv(program, name, setting) for setting in ("-coi -dynamic", "backward")]
            rows.append([name, *(seconds_text(each, given.timeout) for each in decisions)])
    limit = f"'> {given.timeout:g}' is the limit in CPU seconds of a process"
    print(f"CPU seconds, certification included; {limit}; '*' marks an answer that is not certified.\n")
    print(table(["model", *COLUMNS, *(["NuSMV forward", "NuSMV backward"] if program else [])], rows))
    for line in measured.wrong:
        print(f"WRONG VERDICT {line}")
    return 20 if measured.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
