"""Quotients of the public PRISM models by strong bisimulation, compared with Storm's exact ones.

    python -m scripts.lpts.prism_quotients --storm PYTHON [--most STATES] [--seconds N] [MODEL ...]

Every setting of ../shared/suites/prism/storm-counts.json (or SYMAG_SUITES) with at most --most states, or those whose
name contains MODEL. Storm's default relation keeps labels of states and ignores actions. So `symag convert` writes the
model as `.tra` and `.lab`, the actions are removed, and `symag convert --minimise strong` makes the quotient: states,
choices and transitions have to be Storm's, which PYTHON, one with stormpy 2, computes over rational functions.
CPU seconds are those of the quotient's command, and of Storm's quotient without reading and building. Exit status 1 if
a quotient differs or is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from scripts.measuring.measure import SYMAG, run, suites

SUITE = suites().parent / "prism"
STORM = """
import sys, time, stormpy
from stormpy.transformations import perform_bisimulation
program = stormpy.parse_prism_program(sys.argv[1])
program, _ = stormpy.instantiate_constants(program, sys.argv[2], [])
options = stormpy.BuilderOptions()
options.set_build_all_labels()
model = stormpy.build_model[stormpy.RationalFunction](program, options=options)
started = time.process_time()
quotient = perform_bisimulation(model, [])
print(quotient.nr_states, quotient.nr_choices, quotient.nr_transitions, time.process_time() - started)
"""


def without_actions(path: Path) -> None:
    """Remove the fifth column of a .tra file."""
    header, *lines = path.read_text().splitlines()
    path.write_text("\n".join([header, *(" ".join(line.split()[:4]) for line in lines)]) + "\n")


def ours(model: Path, constants: str, seconds: float) -> tuple[list[int] | None, float]:
    """States, choices and transitions of symag's quotient, None if there is none; and its CPU seconds."""
    given = ["--const", constants] if constants else []
    with tempfile.TemporaryDirectory() as name:
        system, small = Path(name, "system.tra"), Path(name, "quotient.tra")
        for path in (system, system.with_suffix(".lab")):
            run([*SYMAG, "convert", str(model), str(path), *given], seconds)
        if not system.exists():
            return None, 0.0
        without_actions(system)
        ran = run([*SYMAG, "convert", str(system), str(small), "--minimise", "strong"], seconds)
        if not small.exists():
            return None, ran.seconds
        header, *lines = small.read_text().splitlines()
        states, choices, transitions = (int(number) for number in header.split())
        # Storm has given the states without a choice a loop.
        ends = states - len({line.split()[0] for line in lines})
        return [states, choices + ends, transitions + ends], ran.seconds


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare quotients of PRISM models with Storm's.")
    parser.add_argument("models", nargs="*", help="only settings whose model contains one of these")
    parser.add_argument("--storm", required=True, help="a Python with stormpy 2")
    parser.add_argument("--most", type=int, default=20_000, help="only settings with at most this many states")
    parser.add_argument("--seconds", type=float, default=120, help="for each command")
    given = parser.parse_args()
    records = json.loads((SUITE / "storm-counts.json").read_text())["results"]
    wrong = compared = 0
    print("| model | constants | states | quotient: states, choices, transitions | CPU s | Storm, CPU s | equal |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for record in sorted(records, key=lambda record: int(record["states"])):
        named = any(name in record["model"] for name in given.models)
        if not named and (given.models or record["states"] > given.most):
            continue
        path, constants = SUITE / record["model"], record["constants"] or ""
        sizes, seconds = ours(path, constants, given.seconds)
        peer = run([given.storm, "-c", STORM, str(path), constants], given.seconds)
        figures = peer.output.split()[-4:] if peer.status == 0 else []
        theirs = [int(figure) for figure in figures[:3]]
        compared += 1
        wrong += sizes is None or sizes != theirs
        shown = "none" if sizes is None else ", ".join(f"{size:,}" for size in sizes)
        answer = "yes" if sizes == theirs else f"NO: {theirs or 'no answer of Storm'}"
        storm = f"{float(figures[3]):.2f}" if figures else ""
        name = Path(record["model"]).stem
        print(
            f"| {name} | {constants} | {record['states']:,} | {shown} | {seconds:.1f} | {storm} | {answer} |",
            flush=True,
        )
    print(f"{compared - wrong} of {compared} quotients are equal", file=sys.stderr)
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
