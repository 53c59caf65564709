"""Lower bounds in triples: fair schedulers against linear programs and all simple schedulers by hand."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest
from _pytest.mark.structures import ParameterSet

from symag.core.errors import CertificationError
from symag.core.evidence.documents import Member
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lpts.certificates.bounds import TripleEvidence
from symag.lpts.certify.kinds import check_certificate
from symag.lpts.lpts import Lpts
from symag.lpts.methods.triples.deciding import decide_by_rule, decide_triple
from symag.lpts.problems import Limit, Monitor, Triple, TripleProblem
from tests.lpts.fair_by_hand import (
    NoFairSchedulerError,
    at_least,
    best_of_mixtures,
    corners_by_hand,
    greatest_fair_cost,
    moves_of,
    negated,
    simple_costs,
)
from tests.lpts.triples_by_hand import a_monitor, a_problem, a_system

pytest.importorskip("z3")
ONE = Fraction(1)


def seeds(first: Sequence[int], others: Sequence[int]) -> list[int | ParameterSet]:
    """Where the seeds of a test begin: one of the others is a long test, and the rest are thorough."""
    long, thorough = pytest.mark.long, (pytest.mark.long, pytest.mark.thorough)
    return [*first, pytest.param(others[0], marks=long), *(pytest.param(k, marks=thorough) for k in others[1:])]


def a_fair_problem(seed: int) -> TripleProblem:
    """With lower bounds in some assumptions, and maybe in the guarantee."""
    chance = random.Random(seed)
    problem = a_problem(seed)
    floors = [
        (k, Fraction(chance.choice((1, 1, 2, 3)), chance.choice((4, 5, 10))))
        for k in range(len(problem.assumed))
        if chance.random() < 0.6
    ]
    return at_least(problem, floors, chance.random() < 0.5)


def accepted(problem: TripleProblem, evidence: TripleEvidence) -> TripleEvidence:
    """The evidence as it is read from a file, which the re-check accepts."""
    read = TripleEvidence.read(Member(json.loads(json.dumps(evidence.document())), "file", ""))
    assert read == evidence
    check_certificate(problem, read, Deadline(None))
    return read


def value_of(problem: TripleProblem) -> Fraction | str | None:
    try:
        return greatest_fair_cost(problem)
    except NoFairSchedulerError:
        return "nothing is fair"


@pytest.mark.parametrize("first", seeds([0, 10], range(20, 160, 10)))
def test_a_fair_triple_has_the_value_of_the_linear_program(first: int) -> None:
    unknown = 0
    for seed in range(first, first + 10):
        problem = a_fair_problem(seed)
        value = value_of(problem)
        outcome = decide_triple(problem)
        if outcome.evidence is None:
            assert value == "nothing is fair" or "earned for ever" in outcome.reason
            unknown += value != "nothing is fair"
        else:
            bounds = accepted(problem, outcome.evidence).value
            assert bounds is not None
            low, high = bounds
            assert high == value
            # A cost that only an endless cycle approaches is reached up to a part of it.
            assert low == high or (low is not None and high is not None and 0 < high - low < Fraction(1, 10**6))
        for most in ([value] if isinstance(value, Fraction) else []) + [Fraction(k, 7) for k in (-5, -1, 0, 4)]:
            asked = replace(problem, most=most)
            verdict = decide_triple(asked).evidence
            if verdict is not None:
                holds = value == "nothing is fair" or (isinstance(value, Fraction) and value <= most)
                assert accepted(asked, verdict).verdict == ("holds" if holds else "violated")
    assert unknown <= 1


def test_the_linear_program_has_the_value_of_all_simple_schedulers() -> None:
    compared = Counter[bool]()
    for seed in range(70):
        chance = random.Random(seed)
        components = tuple(a_system(chance, f"c{k}", 2) for k in range(chance.randint(1, 2)))
        own = sorted({action for component in components for action in component.alphabet[1:]})
        count = chance.randint(0, 1)
        monitors = tuple(a_monitor(chance, chance.sample(own, 1), True) for _ in range(count + 1))
        problem = TripleProblem(components, monitors, (Limit(1, Fraction(1, 3)),) * count, 0, None)
        problem = at_least(problem, [(0, Fraction(1, 3))] * (count and chance.randint(0, 1)), chance.random() < 0.5)
        choices = Counter(move[0] for move in moves_of(problem))
        if sum(choices.values()) <= 12 and math.prod(k + 1 for k in choices.values()) <= 1500:
            value = value_of(problem)
            expected = best_of_mixtures(simple_costs(problem), [limit.most for limit in problem.assumed])
            assert value == ("nothing is fair" if expected is None else expected)
            compared[expected is None] += 1
    assert compared[False] > 20
    assert compared[True] > 5


def a_fair_curve(seed: int, states: int = 3) -> TripleProblem:
    """The curve for the only assumption: lower or upper bounds of costs.

    A component goes from its first state to its last, where it waits; in others, what is left out may be had again.
    """
    chance = random.Random(seed)
    if chance.random() < 0.3:
        components = [a_system(chance, f"c{k}", states) for k in range(chance.randint(1, 2))]
        own = sorted({action for component in components for action in component.alphabet[1:]})
        monitors = [a_monitor(chance, chance.sample(own, 2), True) for _ in range(2)]
    else:
        components = [a_way(chance, "way", states + 1), *([a_way(chance, "other", 2)] * chance.randint(0, 1))]
        own = sorted({action for component in components for action in component.alphabet[1:]})
        monitors = [a_meter(chance, own) for _ in range(2)]
    problem = TripleProblem(tuple(components), tuple(monitors), (Limit(1, ONE),), 0, None)
    return replace(at_least(problem, [(0, ONE)] * chance.randint(0, 1), chance.random() < 0.5), curve=True)


def a_meter(chance: random.Random, actions: Sequence[str]) -> Monitor:
    """A cost of each action."""
    moves = [(0, k, {0: ONE}) for k in range(1, len(actions) + 1)]
    costs = tuple(Fraction(chance.randint(0, 4), 3) for _ in actions)
    return Monitor("meter", Lpts.of("meter", ("", *actions), 1, moves), costs, False)


def a_way(chance: random.Random, name: str, states: int) -> Lpts:
    actions = chance.sample("abcd", chance.randint(2, 3))
    moves = [(states - 1, 0, {states - 1: ONE})]
    for source in range(states - 1):
        for _ in range(chance.randint(2, 3)):
            targets = [chance.randint(source + 1, states - 1) for _ in (0, 1)]
            mu = {target: Fraction(1, len(set(targets))) for target in targets}
            moves.append((source, chance.randint(1, len(actions)), mu))
    return Lpts.of(name, ("", *actions), states, moves)


def corners_of(evidence: TripleEvidence) -> list[tuple[Fraction, Fraction]]:
    return [(corner.limit, corner.cost) for corner in evidence.corners]


@pytest.mark.parametrize("first", seeds([0], range(250, 2_500, 250)))
def test_a_fair_curve_has_the_corners_of_all_simple_schedulers(first: int) -> None:
    counts = Counter[str]()
    for seed in range(first, first + 250):
        problem = a_fair_curve(seed)
        choices = Counter(move[0] for move in moves_of(problem))
        if sum(choices.values()) > 12 or math.prod(k + 1 for k in choices.values()) > 1500:
            continue
        points = simple_costs(problem)
        outcome = decide_triple(problem)
        if outcome.evidence is None:
            assert not points
            assert "fair" in outcome.reason
            counts["none"] += 1
        else:
            corners = corners_of(accepted(problem, outcome.evidence))
            assert corners == corners_by_hand(points), seed
            counts[f"{min(len(corners), 3)} corners"] += 1
            counts["bounded from below"] += corners[0][0] not in (0, -1)
    assert counts["1 corners"] > 20
    assert counts["2 corners"] > 10
    assert counts["bounded from below"] >= 3
    assert counts["none"] > 5


@pytest.mark.parametrize("first", seeds([0], range(40, 400, 40)))
def test_a_fair_curve_has_the_values_of_the_linear_program(first: int) -> None:
    compared = bent = 0
    for seed in range(first, first + 40):
        problem = a_fair_curve(seed, 4)
        evidence = decide_triple(problem).evidence
        if evidence is None:
            continue
        corners = corners_of(accepted(problem, evidence))
        limits = [limit for limit, _ in corners]
        bent += len(limits) > 1
        tried = [limits[0] - Fraction(1, 1000), *limits, limits[-1] + 1]
        tried += [(one + other) / 2 for one, other in itertools.pairwise(limits)]
        for limit in tried:
            value = value_of(replace(problem, assumed=(Limit(1, limit),), curve=False))
            if limit < limits[0]:
                assert value == "nothing is fair"
                continue
            assert value == on_the_curve(corners, limit)
            compared += 1
    assert compared > 20
    assert bent > 3


def on_the_curve(corners: list[tuple[Fraction, Fraction]], limit: Fraction) -> Fraction:
    for (left, low), (right, high) in itertools.pairwise(corners):
        if left <= limit < right:
            return low + (high - low) * (limit - left) / (right - left)
    return corners[-1][1]


def test_evidence_for_a_wrong_curve_is_refused() -> None:
    refused = 0
    small = Fraction(1, 10**6)
    for seed in range(60):
        problem = a_fair_curve(seed, 4)
        evidence = decide_triple(problem).evidence
        if evidence is None:
            continue
        (first, *others), (*lines, below) = evidence.corners, evidence.proven
        values = replace(below.values, numerators=tuple(n - below.values.denominator for n in below.values.numerators))
        wrong = [
            replace(evidence, corners=(replace(first, limit=first.limit - small), *others)),
            replace(evidence, corners=(replace(first, cost=first.cost - small), *others)),
            replace(evidence, corners=(replace(first, cost=first.cost + small), *others)),
            replace(evidence, corners=()),
            replace(evidence, corners=(), proven=(below,)),
            replace(evidence, proven=tuple(lines)),
            replace(evidence, proven=(*lines, lines[-1])),
            replace(evidence, proven=(*[below] * len(lines), below)),
            replace(evidence, proven=(*lines, replace(below, values=values))),
            replace(evidence, proven=(*lines, replace(below, assumed=((1, first.limit + 1),)))),
            replace(evidence, proven=(*[replace(line, fair=False) for line in lines], below)),
        ]
        if others:
            # Without its first corner, a curve leaves out limits that are kept.
            wrong.append(replace(evidence, corners=tuple(others), proven=(*lines[1:], below)))
        for claim in wrong:
            with pytest.raises(CertificationError):
                check_certificate(problem, claim, Deadline(None))
            refused += 1
    assert refused > 100


def test_evidence_for_a_wrong_claim_is_refused() -> None:
    refused = 0
    for seed in range(60):
        problem = a_fair_problem(seed)
        outcome = decide_triple(problem)
        if outcome.evidence is None or outcome.evidence.value is None:
            continue
        evidence, (reached, value) = outcome.evidence, outcome.evidence.value
        if value is None or reached != value:
            continue
        low, high = value - Fraction(1, 10**6), value + Fraction(1, 10**6)
        (proven,) = evidence.proven
        shifted = replace(
            proven, values=replace(proven.values, numerators=tuple(n - 1 for n in proven.values.numerators))
        )
        claims = [
            (replace(problem, most=low), replace(evidence, verdict="holds", value=None)),
            (replace(problem, most=high), replace(evidence, verdict="violated", value=None)),
            (problem, replace(evidence, value=(low, low))),
            (problem, replace(evidence, value=(high, high))),
            (problem, replace(evidence, value=(None, None))),
            (problem, replace(evidence, proven=(replace(proven, most=low),))),
            (problem, replace(evidence, proven=(replace(shifted, most=low),))),
            (problem, replace(evidence, proven=(replace(proven, empty=True),))),
            (problem, replace(evidence, proven=(replace(proven, fair=False),))),
        ]
        if evidence.flow is not None:
            claims.append((problem, replace(evidence, flow=replace(evidence.flow, staying=()))))
        for claim, wrong in claims:
            with pytest.raises(CertificationError):
                check_certificate(claim, wrong, Deadline(None))
            refused += 1
    assert refused > 100


def test_a_chain_proves_nothing_that_is_wrong_of_the_whole() -> None:
    proven = tight = 0
    for seed in range(120):
        chance = random.Random(seed)
        components = (a_system(chance, "one", 3), a_system(chance, "two", 3))
        own = [component.alphabet[1:] for component in components]
        monitors = tuple(negated(a_monitor(chance, chance.sample(own[k], 2), True)) for k in (0, 1))
        plan = (Triple((0,), (), 0), Triple((1,), (0,), 1))
        problem = TripleProblem(components, monitors, (), 1, None, plan=plan, fair=True)
        evidence = decide_by_rule(problem).evidence
        value = value_of(problem)
        if evidence is None or evidence.value is None:
            continue
        high = accepted(problem, evidence).value
        assert high is not None
        assert high[1] is not None
        if isinstance(value, Fraction):
            assert value <= high[1]
            proven += 1
            tight += value == high[1]
    assert proven >= 5
    assert tight >= 1


def starving() -> TripleProblem:
    """One component may loop for ever and keep the other from its only action, which reaches the goal."""
    moves = [(0, 1, {0: ONE}), (0, 2, {0: ONE})]
    loops = Lpts.of("loops", ("", "loop", "go"), 1, moves)
    waits = Lpts.of("waits", ("", "go"), 1, [(0, 1, {0: ONE})])
    automaton = Lpts.of("goal", ("", "go"), 2, [(0, 1, {1: ONE}), (1, 1, {1: ONE})])
    goal = negated(Monitor("goal", automaton, (ONE, Fraction(0)), True))
    return TripleProblem((loops, waits), (goal,), (), 0, None, fair=True)


def test_a_component_that_starves_is_not_fair() -> None:
    problem = starving()
    evidence = decide_triple(problem).evidence
    assert evidence is not None
    assert accepted(problem, evidence).value == (-1, -1)
    # Without the waiting component the other one may loop for ever, and the goal is not reached.
    alone = replace(problem, components=problem.components[:1])
    evidence = decide_triple(alone).evidence
    assert evidence is not None
    assert accepted(alone, evidence).value == (0, 0)


def test_a_component_that_ends_leaves_no_fair_scheduler() -> None:
    problem = starving()
    once = Lpts.of("once", ("", "go"), 2, [(0, 1, {1: ONE})])
    outcome = decide_triple(replace(problem, components=(problem.components[0], once)))
    assert outcome.evidence is None
    assert "no scheduler is fair to every component" in outcome.reason
