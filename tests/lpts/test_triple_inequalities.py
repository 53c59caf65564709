"""The inequalities of a triple over all states at once, against those of each joint move by the definition."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial

import pytest

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lpts.certificates.bounds import ExactVector, ProvenTriple
from symag.lpts.certify.triples import check_triple
from symag.lpts.methods.triples.deciding import decide_triple
from symag.lpts.problems import TripleProblem
from tests.lpts.triples_by_hand import a_problem, joint_moves


def costless(problem: TripleProblem, number: int) -> set[int]:
    """The states of a monitor after which nothing costs, by walking from each."""
    monitor = problem.monitors[number]
    following = {state: {t for s, _, mu in monitor.system.triples() if s == state for t in mu} for state in range(9)}
    result = set()
    for state in range(monitor.system.states):
        reached, waiting = {state}, [state]
        while waiting:
            more = following[waiting.pop()] - reached
            reached |= more
            waiting += more
        if not reached & {source for source, _ in monitor.cost_of()}:
            result.add(state)
    return result


def accepted_by_definition(problem: TripleProblem, proven: ProvenTriple) -> bool:
    """Whether each joint move keeps its inequality; all states of ``proven`` can be reached."""
    watching = [problem.monitors[k] for k in (proven.guarantee, *(monitor for monitor, _ in proven.assumed))]
    systems = [*(problem.components[k] for k in proven.components), *(monitor.system for monitor in watching)]
    never = [k for k, (_, most) in enumerate(proven.assumed, 1) if most == 0]
    numerators = zip(proven.states, proven.values.numerators, strict=True)
    value = {state: Fraction(numerator, proven.values.denominator) for state, numerator in numerators}
    factors = [Fraction(1), *(-multiplier for multiplier in proven.multipliers)]
    free = costless(problem, proven.guarantee)
    start = (0,) * len(systems)

    def worth(state: tuple[int, ...]) -> Fraction | None:
        return value.get(state, Fraction(0) if state[len(proven.components)] in free else None)

    for state, spread, earned, _ in joint_moves(systems, [monitor.cost_of() for monitor in watching], never):
        if state not in value:
            continue
        after = sum((factor * cost for factor, cost in zip(factors, earned, strict=True)), Fraction(0))
        for target, probability in spread.items():
            its_worth = worth(target)
            if its_worth is None:
                return False
            after += probability * its_worth
        if after > value[state]:
            return False
    limits = sum((m * b for m, (_, b) in zip(proven.multipliers, proven.assumed, strict=True)), Fraction(0))
    first = worth(start)
    return first is not None and first + limits <= proven.most


def changed(proven: ProvenTriple, chance: random.Random, scale: int) -> ProvenTriple:
    """With a value, a multiplier or a state changed a little, or nothing; ``scale`` makes numbers long."""
    numerators = [number * scale for number in proven.values.numerators]
    states, multipliers = list(proven.states), list(proven.multipliers)
    match chance.randrange(5):
        case 0 if numerators:
            place = chance.randrange(len(numerators))
            numerators[place] = max(0, numerators[place] + chance.choice((-1, 1)) * chance.choice((1, scale)))
        case 1 if numerators:
            place = chance.randrange(len(numerators))
            del numerators[place], states[place]
        case 2 if multipliers:
            place = chance.randrange(len(multipliers))
            multipliers[place] *= chance.choice((Fraction(1, 2), Fraction(1001, 1000)))
        case 3:
            numerators = [number + scale // 1000 for number in numerators]
    values = ExactVector(proven.values.denominator * scale, tuple(numerators))
    return replace(proven, states=tuple(states), multipliers=tuple(multipliers), values=values)


@pytest.mark.parametrize("seed", [*range(2000, 2012), 3, 14, 43])
def test_inequalities_are_those_of_each_joint_move(seed: int) -> None:
    problem = a_problem(seed, 1 if seed < 1000 else None)
    evidence = decide_triple(problem).evidence
    assert evidence is not None
    chance = random.Random(seed)
    for proven in evidence.proven:
        for scale in (1, 1000, 10**30):
            for _ in range(20):
                mutant = changed(proven, chance, scale)
                check = partial(check_triple, problem.components, problem.monitors, mutant, Deadline(None))
                if accepted_by_definition(problem, mutant):
                    check()
                else:
                    with pytest.raises(CertificationError):
                        check()
