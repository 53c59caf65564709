"""Inquiries about assume-guarantee triples."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.tables import AUTO
from symag.lpts.certificates.bounds import TripleEvidence
from symag.lpts.checking.inquiries.one_problem import OneProblem, PosedProblem
from symag.lpts.methods.options import MONOLITHIC, TRIPLES
from symag.lpts.problems import TripleProblem

if TYPE_CHECKING:
    from symag.lpts.methods.triples.deciding import TripleOutcome


def decided(problem: TripleProblem, method: str, progress: Progress) -> tuple[str, TripleOutcome]:
    """The outcome, and the method that gave it.

    A problem without a plan is one triple, which its product decides. With one, ``auto`` first tries the triples for a
    verdict, and where they prove none, or a value is asked for, the product of all components.
    """
    # Here, so that other questions do not wait for scipy.
    from symag.lpts.methods.triples.deciding import decide_by_rule, decide_triple

    if problem.plan and method != MONOLITHIC and (method != AUTO or problem.most is not None):
        outcome = decide_by_rule(problem, progress)
        if method != AUTO or outcome.evidence is not None:
            return TRIPLES, outcome
    return MONOLITHIC, decide_triple(problem, progress)


class TripleInquiry(OneProblem[TripleProblem]):
    """A triple, or a limit of a whole system."""

    def __init__(self, problem: TripleProblem, posed: PosedProblem, method: str) -> None:
        super().__init__(problem, posed, MONOLITHIC if method == AUTO else method)
        self._asked_method = method

    def _search(self, report: Progress) -> tuple[str, TripleOutcome]:
        return decided(self._problem, self._asked_method, report)

    def results(self, value: tuple[str, TripleOutcome]) -> Sequence[PropertyResult]:
        method, outcome = value
        self._evidence = evidence = outcome.evidence
        statistics: dict[str, Any] = dict(outcome.statistics)
        notes = tuple(self._note(monitor, most) for monitor, most in outcome.limits)
        if self._problem.fair:
            notes = ("under schedulers by which every component moves infinitely often", *notes)
        if evidence is None:
            reason = outcome.reason
            return (PropertyResult(Verdict.UNKNOWN, method, reason=reason, statistics=statistics, notes=notes),)
        if evidence.corners:
            return (self._curve(method, evidence, statistics, notes),)
        bounds = None
        if evidence.value is not None:
            bounds = self._problem.asked_bounds(*evidence.value)
            if bounds.low is not None and bounds.high is not None:
                statistics["gap"] = float(bounds.high - bounds.low)
        result = PropertyResult(
            Verdict(evidence.verdict), method, certificate=evidence, statistics=statistics, notes=notes, bounds=bounds
        )
        return (result,)

    def _curve(
        self, method: str, evidence: TripleEvidence, statistics: dict[str, Any], notes: tuple[str, ...]
    ) -> PropertyResult:
        """A curve, whose corners are bounds of costs, however they are written."""
        (assumed,) = self._problem.assumed
        guarantee, corners = self._problem.guarantee, evidence.corners
        limits = [f"{self._limit(assumed.monitor, c.limit)}: {self._limit(guarantee, c.cost)}" for c in corners]
        if corners[0].limit:
            limits.insert(0, "no fair scheduler keeps a bound beyond the first one")
        return PropertyResult(
            Verdict.COMPUTED,
            method,
            value=f"a curve with {len(corners)} corner{'s' if len(corners) > 1 else ''}",
            certificate=evidence,
            statistics=statistics,
            notes=(*notes, *limits),
            curve=tuple(
                (str(self._bound(assumed.monitor, corner.limit)), str(self._bound(guarantee, corner.cost)))
                for corner in corners
            ),
        )

    def _note(self, monitor: int, most: Fraction) -> str:
        return f"the triples prove {self._limit(monitor, most)}"

    def _limit(self, monitor: int, most: Fraction) -> str:
        watched = self._problem.monitors[monitor]
        bound = f"{'>=' if watched.negated else '<='}{self._bound(monitor, most)}"
        return f"P{bound} [F {watched.name}]" if watched.probability else f"{watched.name}{bound} [C]"

    def _bound(self, monitor: int, most: Fraction) -> Fraction:
        """The bound as users see it: that of a negated cost is positive."""
        return -most if self._problem.monitors[monitor].negated else most
