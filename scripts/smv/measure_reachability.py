"""Build plus reachability against NuSMV, in CPU seconds, on the public models that take NuSMV a while.

    python -m scripts.smv.measure_reachability [--limit SECONDS] [--least SECONDS] [MODEL ...]

symag's time is that of encoding, relation and all reachable states (by rings or by chaining), in a process of its
own; starting Python and parsing are shown apart. NuSMV's is the better of its static and its dynamic order: a
NuSMV on PATH is run (`go; compute_reachable`), else the recorded seconds are used, and the table says which.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import shutil
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from scripts.measuring.measure import run
from symag.core.limits import Limits, Progress, no_progress
from symag.process.race import limited

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {"default": "", "dynamic": "set dynamic_reorder 1\n"}


def recorded(known: dict[str, Any]) -> float | None:
    """NuSMV's recorded CPU seconds for build plus reachability, the better of its two orders."""
    phases = known.get("phases", {})
    seconds = [phases.get(name, {}).get("reach", {}).get("cpu_s") for name in SETTINGS]
    return min((second for second in seconds if second is not None), default=None)


def run_nusmv(program: str, model: Path, limit: int) -> float | None:
    """The same, measured now."""
    best = None
    for commands in SETTINGS.values():
        with tempfile.NamedTemporaryFile("w", suffix=".cmd") as script:
            script.write(f"{commands}go\ncompute_reachable\nquit\n")
            script.flush()
            finished = run([program, "-source", script.name, str(model)], limit, processor=True)
        if finished.status == 0 and (best is None or finished.seconds < best):
            best = finished.seconds
    return best


def ours(model: Path, limit: int) -> tuple[float, float, int, int | None] | None:
    """Seconds before (imports, parsing) and for build plus reachability, states and diameter (None where the
    search is not breadth first); None over the limit."""
    answer: tuple[float, float, int, int | None] | None
    answer = limited("reachability", partial(_measure, model, limit), Limits(), no_progress).value
    return answer


def _measure(model: Path, limit: int, progress: Progress) -> tuple[float, float, int, int | None]:
    """In a process of its own."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    from symag.bdd.engines import new_context
    from symag.smv import read
    from symag.smv.symbolic.counting import count
    from symag.smv.symbolic.system import encode
    from symag.smv.traversal.reachability import reachable_states

    new_context()
    system = read(model)
    started = time.process_time()
    symbolic = encode(system)
    reached = reachable_states(symbolic)
    seconds = time.process_time() - started
    states = count(symbolic.context, reached.states, symbolic.encoding.current_bits(symbolic.encoding.state_names()))
    return started, seconds, states, len(reached.rings) or None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="names as in nusmv-verdicts.json; all that qualify by default")
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds for one model")
    parser.add_argument("--least", type=float, default=0.2, help="only models that take NuSMV as long (at most 60 s)")
    options = parser.parse_args()
    suites = Path(os.environ.get("SYMAG_SUITES", ROOT.parent / "shared" / "suites")) / "smv"
    verdicts = json.loads((suites / "nusmv-verdicts.json").read_text())
    chosen = options.models or [
        name for name, known in verdicts.items() if options.least <= (recorded(known) or 0) <= 60
    ]
    program = shutil.which("NuSMV")
    print(f"NuSMV: {'measured now with ' + program if program else 'recorded seconds, of another machine or load'}")
    print(f"{'model':32} {'start':>6} {'symag':>8} {'NuSMV':>8} {'ratio':>6} {'states':>12} {'diameter':>8}")
    ratios = []
    for name in chosen:
        model = suites / "nusmv" / name
        theirs = run_nusmv(program, model, options.limit) if program else recorded(verdicts[name])
        answer = ours(model, options.limit)
        if answer is None or theirs is None:
            print(f"{name:32} {'over the limit' if answer is None else 'NuSMV over the limit'}", flush=True)
            continue
        start, seconds, states, diameter = answer
        ratios.append(seconds / theirs)
        row = (
            f"{name:32} {start:6.2f} {seconds:8.2f} {theirs:8.2f} {ratios[-1]:6.2f} {states:12.6g} {diameter or '-':>8}"
        )
        print(row, flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of {len(ratios)} ratios: {mean:.2f}")


if __name__ == "__main__":
    main()
