"""Triples decided: by the linear program of their product, or of a whole system by a chain of triples.

With a plan, ``rule`` computes for its triples in order the best limit that each proves from the limits proven before it
(the paper's numerical queries for ASym, ASym-N and Circ), and concludes what that says of the system. What a chain
does not prove is not refuted: only the product of all components decides that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct, field

from symag.core.limits import Progress, no_progress
from symag.core.results import Reason
from symag.core.values import replace
from symag.lpts.certificates.bounds import CurveCorner, ExactVector, ProvenTriple, TripleEvidence
from symag.lpts.methods.triples.fairness import Mask
from symag.lpts.methods.triples.optimum import NOTHING_KEEPS, Columns, Optimum, curve_of
from symag.lpts.methods.triples.product import NotFairError, ProductTooLargeError, limits_of, product_of
from symag.lpts.methods.triples.schedulers import NumbersTooLongError
from symag.lpts.methods.triples.witness import mixed_flow, reaching_flow, repeated_flow
from symag.lpts.problems import Triple, TripleProblem

_ZERO, _HALF = Fraction(0), Fraction(1, 2)


class TripleOutcome(Struct, frozen=True):
    """Evidence, or the reason why there is none. The statistics count states of products, and schedulers.

    ``limits`` are those that a chain of triples proves: the monitor and the limit, in order.
    """

    evidence: TripleEvidence | None
    reason: str = ""
    statistics: Mapping[str, int] = field(default_factory=dict)
    limits: tuple[tuple[int, Fraction], ...] = ()


def decide_triple(problem: TripleProblem, progress: Progress = no_progress) -> TripleOutcome:
    """The answer from the product of all components with the monitors. Raises MemoryError."""
    if problem.curve:
        return _decide_curve(problem, progress)
    limits = limits_of(problem.assumed)
    members = tuple(range(len(problem.components)))
    try:
        solved = _SolvedProgram(problem, members, limits, problem.guarantee, progress)
        optimum = solved.columns.optimum(solved.limits, problem.most)
        if optimum is not None and not optimum.feasible:
            if problem.most is None:
                return TripleOutcome(None, Reason.OTHER.text() + NOTHING_KEEPS, solved.sizes())
            proven = solved.proven(replace(optimum, high=problem.most), empty=True)
            return TripleOutcome(TripleEvidence("holds", None, (proven,), None), statistics=solved.sizes())
        if optimum is None:
            mixed = solved.columns.some_mixture(solved.limits)
            flow = repeated_flow(solved.product, solved.columns.free_cycle(), solved.limits, mixed)
            if flow is None:
                return TripleOutcome(None, Reason.UNSUPPORTED.text(_CYCLES), solved.sizes())
            evidence = TripleEvidence("violated", None, (), flow)
            if problem.most is None:
                evidence = TripleEvidence("computed", (None, None), (), flow)
            return TripleOutcome(evidence, statistics=solved.sizes())
        proven = solved.proven(optimum)
        if problem.most is not None and optimum.high <= problem.most:
            return TripleOutcome(TripleEvidence("holds", None, (proven,), None), statistics=solved.sizes())
        reaching = reaching_flow(solved.product, optimum, solved.limits, problem.most)
        if reaching is None:
            return TripleOutcome(None, Reason.UNSUPPORTED.text(_CYCLES), solved.sizes())
        flow, low = reaching
        if problem.most is None:
            evidence = TripleEvidence("computed", (low, optimum.high), (proven,), flow)
        else:
            evidence = TripleEvidence("violated", None, (), flow)
        return TripleOutcome(evidence, statistics=solved.sizes())
    except (NumbersTooLongError, ProductTooLargeError, NotFairError) as error:
        return TripleOutcome(None, _reason(error))


def _decide_curve(problem: TripleProblem, progress: Progress) -> TripleOutcome:
    """The greatest cost for every limit of the only assumption, whose limit in the problem does not count."""
    (assumed,) = problem.assumed
    members = tuple(range(len(problem.components)))
    try:
        solved = _SolvedProgram(problem, members, {assumed.monitor: Fraction(1)}, problem.guarantee, progress)
        curve = curve_of(solved.columns)
    except (NumbersTooLongError, ProductTooLargeError, NotFairError) as error:
        return TripleOutcome(None, _reason(error))
    if isinstance(curve, str):
        return TripleOutcome(None, curve, solved.sizes())
    points = tuple(
        CurveCorner(point.limit, point.cost, mixed_flow(solved.product, point.mixed)) for point in curve.points
    )
    proven = [
        # After the last corner any limit will do: the price is 0.
        solved.segment(assumed.monitor, following.limit if following else points[-1].limit + 1, slope, best)
        for following, (slope, best) in zip((*points[1:], None), curve.slopes, strict=True)
    ]
    if curve.least is not None:
        # Any smaller limit will do that is not 0, where a cost would never be allowed.
        below = points[0].limit - (1 if points[0].limit != 1 else _HALF)
        proven.append(solved.segment(assumed.monitor, below, Fraction(1), curve.least, empty=True))
    return TripleOutcome(TripleEvidence("computed", None, tuple(proven), None, points), statistics=solved.sizes())


def decide_by_rule(problem: TripleProblem, progress: Progress = no_progress) -> TripleOutcome:
    """The answer that the problem's plan gives: ``holds``, bounds of the value, or a reason. Raises MemoryError."""
    known: dict[int, Fraction] = {}
    chain: list[ProvenTriple] = []
    statistics = {"product_states_max": 0, "schedulers": 0}
    try:
        for triple in problem.plan:
            if not all(monitor in known for monitor in triple.assumed):
                continue
            proven = _best_limit(problem, triple, known, statistics, progress)
            if proven is not None and (triple.guarantee not in known or proven.most < known[triple.guarantee]):
                known[triple.guarantee] = proven.most
                chain.append(proven)
    except (NumbersTooLongError, ProductTooLargeError, NotFairError) as error:
        return TripleOutcome(None, _reason(error), statistics)
    limits = tuple((proven.guarantee, proven.most) for proven in chain)
    most = known.get(problem.guarantee)
    goal = problem.monitors[problem.guarantee]
    if most is None:
        what = goal.name
        return TripleOutcome(
            None, Reason.OTHER.text() + f"no triple above proves a limit of {what}", statistics, limits
        )
    needed = _needed(chain, problem.guarantee)
    if problem.most is None:
        least = _ZERO if not goal.negated else Fraction(-1) if goal.probability else None
        return TripleOutcome(TripleEvidence("computed", (least, most), needed, None), "", statistics, limits)
    if most <= problem.most:
        return TripleOutcome(TripleEvidence("holds", None, needed, None), "", statistics, limits)
    best = problem.asked(most)
    reason = f"the triples prove {best} at best; --method monolithic decides it"
    return TripleOutcome(None, Reason.OTHER.text() + reason, statistics, limits)


def _best_limit(
    problem: TripleProblem,
    triple: Triple,
    known: Mapping[int, Fraction],
    statistics: dict[str, int],
    progress: Progress,
) -> ProvenTriple | None:
    """The smallest limit that a triple proves from the known ones, None if there is none."""
    assumed = {monitor: known[monitor] for monitor in triple.assumed}
    solved = _SolvedProgram(problem, triple.components, assumed, triple.guarantee, progress)
    optimum = solved.columns.optimum(solved.limits, None)
    statistics["product_states_max"] = max(statistics["product_states_max"], solved.product.composition.lpts.states)
    statistics["schedulers"] += len(solved.columns.flows)
    monitor = problem.monitors[triple.guarantee]
    always = Fraction(0) if monitor.negated else Fraction(1) if monitor.probability else None
    if optimum is None or not optimum.feasible or (always is not None and optimum.high >= always):
        return None
    return solved.proven(optimum)


def _needed(chain: Sequence[ProvenTriple], goal: int) -> tuple[ProvenTriple, ...]:
    """The last triple for the goal with those before it that it needs."""
    needed: list[ProvenTriple] = []
    limits: set[tuple[int, Fraction]] = set()
    for proven in reversed(chain):
        first = not needed and proven.guarantee == goal
        if first or (proven.guarantee, proven.most) in limits:
            needed.append(proven)
            limits.update(proven.assumed)
    return tuple(reversed(needed))


#: Why there is no answer about fair schedulers.
_CYCLES = "a cost that may be earned for ever where fair schedulers just keep the assumptions"


def _reason(error: Exception) -> str:
    if isinstance(error, NotFairError):
        return Reason.OTHER.text() + "no scheduler is fair to every component: each has to move infinitely often"
    return Reason.OTHER.text() + "the exact numbers are too long"


class _SolvedProgram:
    """The linear program of some components, with the limits of assumptions."""

    def __init__(
        self,
        problem: TripleProblem,
        members: tuple[int, ...],
        assumed: Mapping[int, Fraction],
        guarantee: int,
        progress: Progress,
    ) -> None:
        self._members = members
        self._assumed = tuple(assumed.items())
        self._guarantee = guarantee
        self._monitor = problem.monitors[guarantee]
        self.limits = (*assumed.values(), *([Fraction(-1)] if problem.fair else []))
        monitors = problem.monitors
        pairs = [(monitors[number], most) for number, most in self._assumed]
        systems = [problem.components[number] for number in members]
        self.product = product_of(systems, monitors[guarantee], pairs, progress, problem.fair)
        self.columns = Columns(self.product, progress)

    def sizes(self) -> dict[str, int]:
        """The statistics of one product."""
        return {"product_states_max": self.product.composition.lpts.states, "schedulers": len(self.columns.flows)}

    def proven(self, optimum: Optimum, empty: bool = False) -> ProvenTriple:
        """The dual solution as evidence: values of the states in which the guarantee may still cost something.

        Of fair schedulers all states are listed, without the price of stopping.
        """
        product, best, fair = self.product, optimum.best, self.product.staying is not None
        reached = np.flatnonzero(product.reached)
        local = product.composition.local[reached]
        if fair:
            price = optimum.multipliers[-1]
            best = replace(
                best,
                values=best.values * price.denominator - price.numerator * best.denominator,
                denominator=best.denominator * price.denominator,
            )
        else:
            listed = ~self._spent()[local[:, len(self._members)]]
            reached, local = reached[listed], local[listed]
        numerators = best.values[product.number[reached]].tolist()
        return ProvenTriple(
            self._members,
            self._assumed,
            self._guarantee,
            optimum.high,
            tuple(map(tuple, local.tolist())),
            optimum.multipliers[: len(self._assumed)],
            ExactVector(best.denominator, tuple(map(int, numerators))),
            fair,
            empty,
        )

    def segment(
        self, monitor: int, limit: Fraction, slope: Fraction, best: Optimum, empty: bool = False
    ) -> ProvenTriple:
        """The dual solution of a segment of the curve, at a limit."""
        optimum = replace(best, high=best.high + slope * limit, multipliers=(slope, *best.multipliers))
        return replace(self.proven(optimum, empty), assumed=((monitor, limit),))

    def _spent(self) -> Mask:
        """The states of the guarantee's monitor from which nothing costs any more."""
        monitor = self._monitor
        costly = np.zeros(monitor.system.states, dtype=bool)
        costly[monitor.system.source[np.array([cost > 0 for cost in monitor.costs], dtype=bool)]] = True
        while True:
            more = costly.copy()
            more[monitor.system.source[costly[monitor.system.target]]] = True
            if (more == costly).all():
                return ~costly
            costly = more
