"""Re-check of evidence about triples: chains of dual solutions, and flows, from the components and monitors alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from symag.core.deadlines import Deadline
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.certificates.triple_bounds import ProvenTriple, TripleEvidence
from symag.lpts.certify.exact_sums import Mask
from symag.lpts.certify.flows import check_flow
from symag.lpts.certify.triple_inequalities import check_inequalities
from symag.lpts.certify.weights import of_another_kind, refused
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Problem
from symag.lpts.triples import Monitor, TripleProblem

CERTIFICATE = TripleEvidence

_ZERO = Fraction(0)


def check(problem: Problem, certificate: ProbabilisticCertificate, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``."""
    if not isinstance(problem, TripleProblem) or not isinstance(certificate, TripleEvidence):
        raise of_another_kind()
    check_monitors(problem.monitors)
    if problem.curve:
        _check_curve(problem, certificate, deadline)
        return
    most = _proven(problem, certificate.proven, deadline)
    least: Fraction | None = _ZERO
    if certificate.flow is not None:
        least = check_flow(problem, certificate.flow, deadline)
    if certificate.verdict == "computed":
        if problem.most is not None or certificate.value is None:
            raise refused("a value is asked for, or none")
        low, high = certificate.value
        if (low is None and least is not None) or (low is not None and least is not None and low > least):
            raise refused("the lower bound is not proven")
        if high is not None and (most is None or most > high):
            raise refused("the upper bound is not proven")
    elif problem.most is None:
        raise refused("a value is asked for, not a verdict")
    elif certificate.verdict == "holds":
        if most is None or most > problem.most:
            raise refused("the bound of the guarantee is not proven")
    elif least is not None and least <= problem.most:
        raise refused("the scheduler does not exceed the bound")


def _check_curve(problem: TripleProblem, certificate: TripleEvidence, deadline: Deadline) -> None:
    """Accept the corners of a curve: each is reached, and a line through each and the next bounds all costs."""
    corners, proven = certificate.corners, certificate.proven
    limits = [corner.limit for corner in corners]
    if certificate.verdict != "computed" or len(proven) != len(corners) or limits[:1] != [0]:
        raise refused("there is not a line after each corner, the first at the limit 0")
    if any(one >= other for one, other in itertools.pairwise(limits)):
        raise refused("the limits of corners do not ascend")
    (assumed,) = problem.assumed
    everything = set(range(len(problem.components)))
    for corner, following, line in zip(corners, (*corners[1:], None), proven, strict=True):
        under = replace(problem, assumed=(replace(assumed, most=corner.limit),))
        cost = check_flow(under, corner.flow, deadline)
        if cost is not None and cost < corner.cost:
            raise refused("a corner is not reached")
        check_triple(problem.components, problem.monitors, line, deadline)
        monitors = [monitor for monitor, _ in line.assumed]
        if monitors != [assumed.monitor] or line.guarantee != problem.guarantee or set(line.components) != everything:
            raise refused("a line is about another triple")
        ((_, limit),), (slope,) = line.assumed, line.multipliers
        if limit <= 0 or (following is not None and (line.most > following.cost or limit != following.limit)):
            raise refused("a line does not pass through the next corner")
        if (following is None and slope) or line.most - slope * (limit - corner.limit) > corner.cost:
            raise refused("a line does not pass through its corner")


def check_monitors(monitors: Sequence[Monitor]) -> None:
    """Accept automata that are complete and deterministic, with costs of at least 0. Raises CertificationError."""
    for monitor in monitors:
        system = monitor.system
        steps = [(source, action) for source, action, mu in system.triples() if len(mu) == 1 and action]
        complete = {(state, action) for state in range(system.states) for action in range(1, len(system.alphabet))}
        if system.broken_law() or len(steps) != system.transitions or len(steps) != len(complete):
            raise refused("a monitor is not complete and deterministic")
        if set(steps) != complete or len(monitor.costs) != len(steps) or any(cost < 0 for cost in monitor.costs):
            raise refused("a monitor is not complete and deterministic, or has a wrong cost")


def _proven(problem: TripleProblem, chain: Sequence[ProvenTriple], deadline: Deadline) -> Fraction | None:
    """The upper bound of the guarantee that a chain proves, None if it proves none."""
    known: dict[int, Fraction] = {}
    for limit in problem.assumed:
        known[limit.monitor] = min(limit.most, known.get(limit.monitor, limit.most))
    best: Fraction | None = None
    for proven in chain:
        check_triple(problem.components, problem.monitors, proven, deadline)
        for monitor, most in proven.assumed:
            if monitor not in known or known[monitor] > most:
                raise refused("a limit is assumed that is not proven before")
        known[proven.guarantee] = min(proven.most, known.get(proven.guarantee, proven.most))
        if proven.guarantee == problem.guarantee:
            best = proven.most if best is None else min(best, proven.most)
    return best


def check_triple(
    components: Sequence[Lpts], monitors: Sequence[Monitor], proven: ProvenTriple, deadline: Deadline
) -> None:
    """Accept the dual solution of a triple, by its inequalities. Raises CertificationError, and OutOfTimeError."""
    numbers = [proven.guarantee, *(monitor for monitor, _ in proven.assumed)]
    if not all(0 <= k < len(components) for k in proven.components) or not all(0 <= k < len(monitors) for k in numbers):
        raise refused("there is no such component or monitor")
    if len(set(proven.components)) < len(proven.components) or not proven.components:
        raise refused("a component is there twice, or there is none")
    if len(proven.multipliers) != len(proven.assumed) or any(m < 0 for m in proven.multipliers):
        raise refused("there is not a multiplier of at least 0 for each assumption")
    watching = [monitors[k] for k in numbers]
    spent = _spent(watching[0])
    check_inequalities([components[k] for k in proven.components], watching, proven, spent, deadline)


def _spent(monitor: Monitor) -> Mask:
    """The states of a monitor from which nothing costs any more."""
    costly = {state for state, _ in monitor.cost_of()}
    edges = [(source, target) for source, _, mu in monitor.system.triples() for target in mu]
    while True:
        more = {source for source, target in edges if target in costly} - costly
        if not more:
            return np.array([state not in costly for state in range(monitor.system.states)])
        costly |= more
