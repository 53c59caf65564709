"""Re-check of evidence about triples: chains of dual solutions, from the components and monitors alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lpts.certificates.bounds import ProvenTriple, TripleEvidence
from symag.lpts.certify.exact_sums import Mask
from symag.lpts.certify.flows import check_flow
from symag.lpts.certify.triple_inequalities import check_inequalities
from symag.lpts.certify.weights import of_another_kind, refused
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Monitor, Problem, TripleProblem

CERTIFICATE = TripleEvidence

_ZERO = Fraction(0)


def check(problem: Problem, certificate: TripleEvidence, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``."""
    if not isinstance(problem, TripleProblem):
        raise of_another_kind()
    check_monitors(problem.monitors, problem.fair)
    if any(proven.fair != problem.fair for proven in certificate.proven):
        raise refused("a triple is about other schedulers")
    if problem.curve:
        _check_curve(problem, certificate, deadline)
        return
    most = _proven(problem, certificate.proven, deadline)
    goal, flow = problem.monitors[problem.guarantee], certificate.flow
    # Without a flow: a cost is at least 0, a negated probability at least -1, and of a negated cost nothing is known.
    unknown = flow is None and goal.negated and not goal.probability
    trivial = Fraction(-1) if goal.negated else _ZERO
    least = trivial if flow is None else check_flow(problem, flow, deadline)
    if certificate.verdict == "computed":
        if problem.most is not None or certificate.value is None:
            raise refused("a value is asked for, or none")
        low, high = certificate.value
        if low is not None if unknown else least is not None and (low is None or low > least):
            raise refused("the lower bound is not proven")
        if high is not None and (most is None or most > high):
            raise refused("the upper bound is not proven")
    elif problem.most is None:
        raise refused("a value is asked for, not a verdict")
    elif certificate.verdict == "holds":
        if most is None or most > problem.most:
            raise refused("the bound of the guarantee is not proven")
    elif flow is None or (least is not None and least <= problem.most):
        raise refused("the scheduler does not exceed the bound")


def _check_curve(problem: TripleProblem, certificate: TripleEvidence, deadline: Deadline) -> None:
    """Accept the corners of a curve: each is reached, and a line through each and the next bounds all costs.

    Of fair schedulers none keeps a limit below the first one, as one more triple proves; of others it is 0.
    """
    corners, lines = certificate.corners, certificate.proven
    limits = [corner.limit for corner in corners]
    (assumed,) = problem.assumed
    if problem.fair and lines:
        _check_first(problem, lines[-1], limits[0] if limits else _ZERO, deadline)
        lines = lines[:-1]
    if certificate.verdict != "computed" or len(lines) != len(corners) or not limits:
        raise refused("there is not a line after each corner")
    if not problem.fair and limits[0] != 0:
        raise refused("the first corner is not at the limit 0")
    if any(one >= other for one, other in itertools.pairwise(limits)):
        raise refused("the limits of corners do not ascend")
    for corner, following, line in zip(corners, (*corners[1:], None), lines, strict=True):
        under = replace(problem, assumed=(replace(assumed, most=corner.limit),))
        cost = check_flow(under, corner.flow, deadline)
        if cost is not None and cost < corner.cost:
            raise refused("a corner is not reached")
        limit, slope, most = _check_line(problem, line, deadline)
        if line.empty or (following is not None and (most > following.cost or limit != following.limit)):
            raise refused("a line does not pass through the next corner")
        if (following is None and slope) or most - slope * (limit - corner.limit) > corner.cost:
            raise refused("a line does not pass through its corner")


def _check_line(problem: TripleProblem, line: ProvenTriple, deadline: Deadline) -> tuple[Fraction, Fraction, Fraction]:
    """Accept a triple that bounds the cost for all limits: the limit it is about, its slope, and what it proves there.

    At the limit 0 of a cost it would say nothing of other limits: no transition that costs something is taken then.
    """
    most = check_triple(problem.components, problem.monitors, line, deadline)
    monitors = [monitor for monitor, _ in line.assumed]
    if monitors != [problem.assumed[0].monitor] or line.guarantee != problem.guarantee or most is None:
        raise refused("a line is about another triple")
    if set(line.components) != set(range(len(problem.components))):
        raise refused("a line is about other components")
    ((_, limit),), (slope,) = line.assumed, line.multipliers
    if limit == 0 and not problem.monitors[monitors[0]].negated:
        raise refused("a line is at the limit 0")
    return limit, slope, most


def _check_first(problem: TripleProblem, below: ProvenTriple, first: Fraction, deadline: Deadline) -> None:
    """Accept that no scheduler keeps a limit smaller than the first one."""
    limit, slope, most = _check_line(problem, below, deadline)
    if not below.empty or slope <= 0 or most + slope * (first - limit) > 0:
        raise refused("a scheduler may keep a limit below the first corner")


def check_monitors(monitors: Sequence[Monitor], fair: bool) -> None:
    """Accept automata that are complete and deterministic, with costs of at least 0; negated ones if ``fair``.

    Raises CertificationError.
    """
    for monitor in monitors:
        system = monitor.system
        steps = [(source, action) for source, action, mu in system.triples() if len(mu) == 1 and action]
        complete = {(state, action) for state in range(system.states) for action in range(1, len(system.alphabet))}
        if system.broken_law() or len(steps) != system.transitions or len(steps) != len(complete):
            raise refused("a monitor is not complete and deterministic")
        sign = -1 if monitor.negated and fair else 1
        if set(steps) != complete or len(monitor.costs) != len(steps) or any(sign * c < 0 for c in monitor.costs):
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
) -> Fraction | None:
    """Accept the dual solution of a triple, by its inequalities, and return the bound that it proves, None if there is
    no scheduler. Raises CertificationError, and OutOfTimeError.
    """
    numbers = [proven.guarantee, *(monitor for monitor, _ in proven.assumed)]
    if not all(0 <= k < len(components) for k in proven.components) or not all(0 <= k < len(monitors) for k in numbers):
        raise refused("there is no such component or monitor")
    if len(set(proven.components)) < len(proven.components) or not proven.components:
        raise refused("a component is there twice, or there is none")
    if len(proven.multipliers) != len(proven.assumed) or any(m < 0 for m in proven.multipliers):
        raise refused("there is not a multiplier of at least 0 for each assumption")
    watching = [monitors[k] for k in numbers]
    spent = np.zeros(watching[0].system.states, dtype=bool) if proven.fair else _spent(watching[0])
    return check_inequalities([components[k] for k in proven.components], watching, proven, spent, deadline)


def _spent(monitor: Monitor) -> Mask:
    """The states of a monitor from which nothing costs any more."""
    costly = {state for state, _ in monitor.cost_of()}
    edges = [(source, target) for source, _, mu in monitor.system.triples() for target in mu]
    while True:
        more = {source for source, target in edges if target in costly} - costly
        if not more:
            return np.array([state not in costly for state in range(monitor.system.states)])
        costly |= more
