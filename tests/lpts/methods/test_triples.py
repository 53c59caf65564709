"""Assume-guarantee triples against a linear program by other code, chains against the whole, and wrong evidence."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction

import pytest

from symag.core.errors import CertificationError
from symag.core.evidence.documents import Member
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lpts.certificates.bounds import ExactVector, TripleEvidence
from symag.lpts.certify.kinds import check_certificate
from symag.lpts.methods.triples.deciding import decide_by_rule, decide_triple
from symag.lpts.methods.triples.optimum import best_mixture
from symag.lpts.problems import Limit, Triple, TripleProblem
from tests.lpts.triples_by_hand import a_monitor, a_problem, a_system, greatest_cost

pytest.importorskip("z3")

#: Problems that need several schedulers, cycles, or both.
MIXED = (3, 14, 43, 60, 61, 96, 147, 210, 311, 334)


def evidence_of(problem: TripleProblem) -> TripleEvidence:
    """The accepted evidence, as it is read from a file."""
    outcome = decide_triple(problem)
    assert outcome.evidence is not None
    document = json.loads(json.dumps(outcome.evidence.document()))
    evidence = TripleEvidence.read(Member(document, "file", ""))
    assert evidence == outcome.evidence
    check_certificate(problem, evidence, Deadline(None))
    return evidence


@pytest.mark.parametrize("seed", [*range(1000, 1020), *MIXED])
def test_a_triple_has_the_value_of_the_linear_program(seed: int) -> None:
    problem = a_problem(seed, 1 if seed < 1000 else None)
    value = greatest_cost(problem)
    computed = evidence_of(problem).value
    assert computed is not None
    low, high = computed
    assert high == value
    # A cost that only an endless cycle approaches is reached up to a part of it.
    assert low == high or (low is not None and high is not None and 0 < high - low <= high / 10**8)
    for most in (Fraction(0), Fraction(1, 3), Fraction(1)):
        expected = "violated" if value is None or value > most else "holds"
        assert evidence_of(replace(problem, most=most)).verdict == expected
    if value is not None:
        assert evidence_of(replace(problem, most=value)).verdict == "holds"


def interpolated(evidence: TripleEvidence, limit: Fraction) -> Fraction:
    """The cost on the curve."""
    corners = evidence.corners
    if limit >= corners[-1].limit:
        return corners[-1].cost
    left, right = next(pair for pair in itertools.pairwise(corners) if pair[0].limit <= limit < pair[1].limit)
    return left.cost + (right.cost - left.cost) * (limit - left.limit) / (right.limit - left.limit)


@pytest.mark.parametrize("seed", [78, 386, 456, 577, 1000])
def test_a_curve_has_the_values_of_single_limits(seed: int) -> None:
    problem = replace(a_problem(seed, 1), curve=True)
    outcome = decide_triple(problem)
    if outcome.evidence is None:
        assert "no bound" in outcome.reason
        return
    evidence = evidence_of(problem)
    limits = [Fraction(k, 7) for k in range(1, 4)] + [corner.limit for corner in evidence.corners if corner.limit]
    for limit in limits[:5]:
        under = replace(problem, assumed=(Limit(1, limit),), curve=False)
        assert greatest_cost(under) == interpolated(evidence, limit)
    first, *others = evidence.corners
    wrong = [(replace(first, cost=first.cost + 1), *others), tuple(others), (*evidence.corners, first)]
    fair = tuple(replace(line, fair=True, most=line.most / 2) for line in evidence.proven)
    with pytest.raises(CertificationError):
        check_certificate(problem, replace(evidence, proven=fair), Deadline(None))
    if others:
        wrong.append((first, *others[:-1], replace(others[-1], cost=others[-1].cost - Fraction(1, 9))))
        wrong.append((first, *others[:-1], replace(others[-1], limit=others[-1].limit - Fraction(1, 99))))
    for corners in wrong:
        with pytest.raises(CertificationError):
            check_certificate(problem, replace(evidence, corners=corners), Deadline(None))


def system_problem(seed: int, circular: bool) -> TripleProblem:
    """Two components, and a plan by the rule ASym or Circ, about the whole system."""
    chance = random.Random(seed)
    components = (a_system(chance, "one", 3), a_system(chance, "two", 3))
    own = [component.alphabet[1:] for component in components]
    monitors = [a_monitor(chance, chance.sample(own[k], 2), chance.random() < 0.8) for k in (0, 1, 0)]
    asym = (Triple((0,), (), 0), Triple((1,), (0,), 1))
    plan = (*asym, Triple((0,), (1,), 2)) if circular else asym
    return TripleProblem(components, tuple(monitors), (), 2 if circular else 1, None, plan=plan)


@pytest.mark.parametrize("circular", [False, True])
def test_a_chain_proves_nothing_that_is_wrong_of_the_whole(circular: bool) -> None:
    proven = tight = 0
    for seed in range(60 if circular else 25):
        problem = system_problem(seed, circular)
        outcome = decide_by_rule(problem)
        if outcome.evidence is None or outcome.evidence.value is None:
            continue
        check_certificate(problem, outcome.evidence, Deadline(None))
        high = outcome.evidence.value[1]
        value = greatest_cost(problem)
        assert value is not None
        assert high is not None
        assert value <= high
        proven += 1
        tight += value == high
        below = replace(problem, most=high)
        assert decide_by_rule(below).evidence is not None
    assert proven >= 3
    assert tight >= 1


def mutants(evidence: TripleEvidence) -> list[TripleEvidence]:
    """Evidence that says a little more than it proves, or proves a little less than it says."""
    result = []
    for number, proven in enumerate(evidence.proven):
        values = proven.values
        changes = [replace(proven, most=proven.most - Fraction(1, 1000))]
        changes += [replace(proven, states=proven.states[:-1], values=ExactVector(1, values.numerators[:-1]))]
        if any(values.numerators):
            lower = tuple(max(0, n - 1) for n in values.numerators)
            changes.append(replace(proven, values=ExactVector(values.denominator, lower)))
        for place, multiplier in enumerate(proven.multipliers):
            if multiplier:
                smaller = (*proven.multipliers[:place], multiplier / 2, *proven.multipliers[place + 1 :])
                changes.append(replace(proven, multipliers=smaller))
        result += [
            replace(evidence, proven=(*evidence.proven[:number], change, *evidence.proven[number + 1 :]))
            for change in changes
        ]
    if evidence.flow is not None:
        for place, (state, moves, number, cycle) in enumerate(evidence.flow.taken):
            more = (state, moves, number + 1 if number else number, cycle + 1 if cycle else cycle)
            taken = (*evidence.flow.taken[:place], more, *evidence.flow.taken[place + 1 :])
            result.append(replace(evidence, flow=replace(evidence.flow, taken=taken)))
    return result


@pytest.mark.parametrize("seed", [1001, 1004, *MIXED[:4]])
def test_wrong_evidence_is_refused(seed: int) -> None:
    problem = a_problem(seed, 1 if seed < 1000 else None)
    evidence = evidence_of(problem)
    assert evidence.value is not None
    refused = 0
    for mutant in mutants(evidence):
        # Where the optimum has slack a change may prove the same value: then the value is still that of the program.
        try:
            check_certificate(problem, mutant, Deadline(None))
        except CertificationError:
            refused += 1
        else:
            assert mutant.value == evidence.value
    assert refused or evidence.value == (0, 0)
    low, high = evidence.value
    if high is not None:
        for wrong in ((low, high - Fraction(1, 10**6)), (high + 1, high + 1), (None, None)):
            with pytest.raises(CertificationError):
                check_certificate(problem, replace(evidence, value=wrong), Deadline(None))
        above = replace(problem, most=high + 1)
        with pytest.raises(CertificationError):
            check_certificate(above, replace(evidence, verdict="violated", value=None), Deadline(None))
        if high:
            below = replace(problem, most=high / 2)
            with pytest.raises(CertificationError):
                check_certificate(below, replace(evidence, verdict="holds", value=None), Deadline(None))


def test_nothing_is_assumed_before_it_is_proven() -> None:
    problems = (system_problem(seed, True) for seed in range(60))
    problem = next(problem for problem in problems if _chain_of_three(problem))
    evidence = decide_by_rule(problem).evidence
    assert evidence is not None
    check_certificate(problem, evidence, Deadline(None))
    for chain in (evidence.proven[1:], evidence.proven[::-1], evidence.proven[2:]):
        with pytest.raises(CertificationError):
            check_certificate(problem, replace(evidence, proven=chain), Deadline(None))


def _chain_of_three(problem: TripleProblem) -> bool:
    evidence = decide_by_rule(problem).evidence
    return evidence is not None and len(evidence.proven) == 3


def test_a_mixture_without_a_bound_is_infinite() -> None:
    one, zero = Fraction(1), Fraction(0)
    assert best_mixture([(one, zero)], [True], [one]) is None
    mixture = best_mixture([(one, one), (Fraction(2), Fraction(3))], [False, False], [Fraction(2)])
    assert mixture is not None
    assert (mixture.value, mixture.weights, mixture.multipliers) == (
        Fraction(3, 2),
        (Fraction(1, 2), Fraction(1, 2)),
        (Fraction(1, 2),),
    )
