"""The cost of forward and backward search in two threads of one OxiDD manager, compared with turns in one thread.

    python -m scripts.smv.oxidd_searches MODEL.smv ... [--timeout 100] [--bdd oxidd]

Columns: CPU seconds, and in brackets wall-clock seconds, until the first invariant of the model is decided, without
reordering, the model read and encoded included, nothing certified: forward search alone, backward search alone, the two
in turns by the size of their rings (as ``symag check --method monolithic`` takes them), and each in a thread of its own
until one has an answer. Two processes would cost twice the CPU seconds of the faster one of the first two columns, and
its wall-clock seconds.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from pathlib import Path

from scripts.measuring.measure import run, say, table
from scripts.measuring.measurements import stop_with_children
from symag.bdd.context import Bdd
from symag.bdd.engines import Engine
from symag.core.limits import no_progress
from symag.smv import read
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_space import StateSpace
from symag.smv.methods.state_spaces import StateSpaces
from symag.smv.model.properties import invariant_of
from symag.smv.traversal.reachability import RingSearch, backward_search, forward_search

WAYS = ("forward", "backward", "turns", "threads")


def _forward(search: RingSearch, target: Bdd, false: Bdd) -> None:
    while not search.complete and search.rings[-1] & target == false:
        search.advance()


def _decide(space: StateSpace, bad: Bdd, way: str) -> str:
    false = space.relation.context.false
    forward, backward = forward_search(space.relation, space.initial), backward_search(space.relation, bad)
    if way == "forward":
        _forward(forward, bad, false)
    elif way == "backward":
        _forward(backward, space.initial, false)
    elif way == "turns":
        while not forward.complete and not backward.complete:
            if forward.rings[-1] & backward.states != false or backward.rings[-1] & forward.states != false:
                break
            (forward if forward.cost <= backward.cost else backward).advance()
    else:
        ready = threading.Event()

        def work(search: RingSearch, target: Bdd) -> None:
            _forward(search, target, false)
            ready.set()

        for search, target in ((forward, bad), (backward, space.initial)):
            threading.Thread(target=work, args=(search, target), daemon=True).start()
        ready.wait()
        # The other thread is in the middle of its search: a verdict needs only the one that has finished.
        done = [forward.complete, backward.complete]
        return "holds" if any(done) else "violated"
    return "holds" if forward.complete or backward.complete else "violated"


def _one(model: str, way: str, bdd: Engine) -> None:
    system = read(model)
    spaces = StateSpaces(system, SmvOptions(bdd=bdd, reordering=False))
    invariants = (invariant_of(system, item) for item in system.properties)
    expression = next(invariant for invariant in invariants if invariant is not None)
    space = spaces.over(spaces.cone(expression, fairness=False), no_progress)
    bad = space.invariant & ~spaces.symbolic(no_progress).predicate(expression)
    print(_decide(space, bad, way), flush=True)
    # Threads that still search are not waited for.
    os._exit(0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--timeout", type=float, default=100.0, help="wall-clock seconds of each run")
    parser.add_argument("--bdd", choices=("dd", "oxidd"), default="oxidd")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)  # one run, in a process of its own
    given = parser.parse_args()
    if given.way:
        _one(str(given.models[0]), given.way, given.bdd)
    stop_with_children()
    rows: list[list[str]] = []
    verdicts: dict[Path, str] = {}
    for model in given.models:
        row = [model.stem]
        for way in WAYS:
            command = [sys.executable, "-m", "scripts.smv.oxidd_searches", str(model), "--way", way, "--bdd", given.bdd]
            started = time.monotonic()
            done = run(command, given.timeout)
            wall = time.monotonic() - started
            row.append("none" if done.stopped else f"{done.seconds:.2f} ({wall:.1f})")
            if not done.stopped and verdicts.setdefault(model, done.output) != done.output:
                raise SystemExit(f"{model}: {way} differs: {done.output}{done.errors}")
        say(" ".join(row))
        rows.append(row)
    print(table(["model", *WAYS], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
