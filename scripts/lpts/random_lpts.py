"""Decide random probabilistic problems by every method, engine and order, and by the definition; all must agree.

    python -m scripts.lpts.random_lpts [--problems 10000] [--seed 1] [--every 1000]

A problem has 2 to 5 components of at most 3 states each, and a specification: a random system, or a quotient of the
composition that may have lost a transition. Of each, methods (with pauses of ``auto``), assumptions and orders are
compared with the greatest fixed point of the definition (``tests/lpts/strategies.py``), and every answer's evidence is
re-checked. Which problems are asked depends on the seed alone. The exit status is 1 if any answer differs or is
refused, with the problem.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.lpts.bisimulation import quotient
from symag.lpts.certificates.assumptions import SimulationProof
from symag.lpts.certify.simulations import check, check_tree
from symag.lpts.lpts import Lpts
from symag.lpts.methods import monolithic
from symag.lpts.methods.agar import agar, agar_n, cegar, refinement
from symag.lpts.methods.contest import decided
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.simulation.question import SimulationOutcome
from symag.lpts.problems import SimulationProblem
from tests.lpts.strategies import SPLITS, composed, simulated

#: The definition looks at all pairs of states; larger compositions are not asked about.
_MOST_STATES = 60


def random_system(draw: random.Random, states: int, moves: int, actions: str, silent: bool) -> Lpts:
    """With at most ``states`` and ``moves``."""
    count = draw.randint(1, states)
    triples = []
    for _ in range(draw.randint(0, moves)):
        split = draw.choice([split for split in SPLITS if len(split) <= count])
        targets = draw.sample(range(count), len(split))
        action = draw.randint(0 if silent else 1, len(actions))
        triples.append((draw.randrange(count), action, dict(zip(targets, split, strict=True))))
    return Lpts.of("L", ("", *actions), count, triples)


def random_problem(draw: random.Random) -> tuple[SimulationProblem, Lpts]:
    """A problem, and the composition of its components by the definition."""
    while True:
        silent = draw.random() < 0.3
        components = tuple(
            random_system(draw, 3, 5, draw.choice(("a", "ab", "bc", "ac", "abc")), silent)
            for _ in range(draw.randint(2, 5))
        )
        whole, _ = composed(components)
        if whole.states <= _MOST_STATES:
            break
    if draw.random() < 0.3:
        return SimulationProblem(components, random_system(draw, 4, 12, draw.choice(("a", "ab", "abc")), silent)), whole
    classes = np.array([0, *(draw.randrange(4) for _ in range(whole.states - 1))])
    specification = quotient(whole, np.unique(classes, return_inverse=True)[1].reshape(-1))
    triples = specification.triples()
    if triples and draw.random() < 0.5:
        triples.pop(draw.randrange(len(triples)))
    return SimulationProblem(components, Lpts.of("P", specification.alphabet, specification.states, triples)), whole


def answers(problem: SimulationProblem, draw: random.Random) -> Iterator[tuple[str, SimulationOutcome]]:
    """By every method, and by those with parts for two random orders and a random group."""
    numbers = list(range(len(problem.components)))
    for engine in ("blocks", "worklist", "textbook"):
        yield f"monolithic, {engine}", monolithic.decide(problem, LptsOptions(engine), no_progress)
    make = partial(refinement, problem, LptsOptions())
    states, attempt = draw.randint(1, 8), draw.randint(0, 60)
    auto = decided(problem, "agar", make, LptsOptions(), no_progress, ((states, attempt),))
    yield f"auto, first {states} states, then {attempt} transitions", auto.outcome
    yield "cegar", cegar(problem, LptsOptions(), no_progress)
    for name, method in (("agar", agar), ("agar-n", agar_n)):
        for assumptions in ("separate", "joint"):
            for order in ((), tuple(draw.sample(numbers, len(numbers)))):
                group = tuple(draw.sample(numbers, draw.randint(1, len(numbers) - 1))) if order else ()
                conflicts = draw.choice((1, 2, 16))
                options = LptsOptions("blocks", assumptions, conflicts, (group,) if group else (), order)
                how = f"{name}, {assumptions}, {conflicts} conflicts, order {order}, group {group}"
                yield how, method(problem, options, no_progress)


def accepted(problem: SimulationProblem, outcome: SimulationOutcome) -> bool:
    """Whether separate code accepts the evidence."""
    assert isinstance(problem.specification, Lpts)
    try:
        if isinstance(outcome.proof, SimulationProof):
            check(problem, outcome.proof, Deadline(None))
        elif outcome.tree is not None:
            check_tree(problem.components, problem.specification, outcome.tree, Deadline(None))
    except CertificationError:
        return False
    return True


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1000, help="print a line after this many problems")
    arguments = parser.parse_args(given)
    status = holding = count = 0
    for number in range(arguments.problems):
        draw = random.Random(f"{arguments.seed} {number}")
        problem, whole = random_problem(draw)
        assert isinstance(problem.specification, Lpts)
        expected = simulated(whole, problem.specification)
        holding += expected
        for how, outcome in answers(problem, draw):
            count += 1
            if (outcome.verdict is Verdict.HOLDS) != expected or not accepted(problem, outcome):
                status = 1
                print(f"problem {number} of seed {arguments.seed}: {how}: {outcome.verdict}, expected {expected}")
        if (number + 1) % arguments.every == 0:
            print(f"{number + 1} problems, {holding} hold, {count} answers, {'differences' if status else 'all agree'}")
            sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
