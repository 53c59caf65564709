"""What the decision of an invariant ends with: an inductive set, or a run of the whole system."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from symag.bdd.context import Bdd
from symag.core.results import PropertyResult, Verdict
from symag.core.trace import Step, Trace
from symag.smv.methods.state_space import StateSpace
from symag.smv.methods.state_spaces import MonolithicDecision
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import speaks_of_transitions
from symag.smv.model.typed import Expression
from symag.smv.symbolic.diagram import DiagramWriter
from symag.smv.traversal.completion import extend_trace
from symag.smv.traversal.deadends import dead_ends, is_total
from symag.smv.traversal.reachability import RingSearch
from symag.smv.traversal.trace import SingleTransitions, Valuation, extend, finite_trace

if TYPE_CHECKING:
    from symag.smv.methods.projected import ProjectedSpace


class InvariantDecision(MonolithicDecision):
    """The decision of one invariant, without the search: the result for the states or the path that a search finds."""

    checked: Property
    expression: Expression
    forward: RingSearch | None = None
    backward: RingSearch | None = None
    method: str = "monolithic"
    facts: tuple[Bdd, ...] = ()

    @cached_property
    def violation(self) -> Bdd:
        """Where the invariant is false. Raises InputError where its evaluation can fail, and MemoryExhausted."""
        return ~self.symbolic.predicate(self.expression)

    def counterexample(
        self, space: StateSpace | ProjectedSpace, part: SingleTransitions, states: list[Valuation]
    ) -> PropertyResult | None:
        """The result for a path to a bad state, as a run of the whole; None if it is no run of it."""
        whole = SingleTransitions.of(self.symbolic)
        if speaks_of_transitions(self.symbolic.source, self.expression):
            trace = finite_trace(part, states)
            step = part.successor(states[-1], self.symbolic.context.true, self.violation)
            if step is None:
                raise AssertionError("a violating transition leaves the last state")
            steps = (*trace.steps[:-1], Step(states[-1], step[0]), Step(step[1]))
            extended = extend_trace(whole, Trace("finite", steps))
            return None if extended is None else self._violated(extended)
        full = list(states) if not isinstance(space, StateSpace) or space.is_whole else extend(whole, states)
        if full is None:
            return None
        if self.checked.kind == "LTL" or (self.checked.kind == "CTL" and not _obviously_fair(self.symbolic.source)):
            return self._infinite(space, whole, full)
        return self._violated(finite_trace(whole, full))

    def _infinite(
        self, space: StateSpace | ProjectedSpace, whole: SingleTransitions, states: Sequence[Valuation]
    ) -> PropertyResult:
        """CTL ``AG p`` or LTL ``G p`` where a path leads to a state that violates p: only fair infinite runs count."""
        linear = self.checked.kind == "LTL"
        if not (self.symbolic.source.justice or self.symbolic.source.compassion):
            # A cycle after the bad state makes the run infinite, and costs less than fix-points over fair states.
            lasso = self.spaces.walked_on(states, self.progress)
            if lasso is not None:
                # That the whole has an infinite run is shown; to look for dead ends in all of it may cost more.
                if isinstance(space, StateSpace) and not space.is_explored:
                    known = space.search.states
                else:
                    known = space.reached()
                self.warn_of_dead_ends(space, known, elsewhere=False)
                return self._violated(lasso if linear or self.options.evidence else finite_trace(whole, states))
        if linear:
            from symag.smv.methods import ltl  # for start-up: most invariants need none of it

            assert self.checked.expression is not None
            return ltl.decide(self.spaces, self.checked.expression, self.options, self.progress)
        from symag.smv.methods import ctl  # for start-up: as above

        return ctl.decide(self.spaces, self.checked, self.options, self.progress)

    def warn_of_dead_ends(
        self, space: StateSpace | ProjectedSpace, reached: Bdd | None, *, elsewhere: bool = True
    ) -> None:
        """Add a warning about states without a successor; ``reached`` and ``elsewhere`` are as in ``dead_ends``."""
        if not isinstance(space, StateSpace):
            warning = space.dead_end(space.reached())
        else:
            warning = dead_ends(self.symbolic, space.relation, space.variables, reached, elsewhere=elsewhere)
        if warning is not None:
            self.warnings.append(warning)

    def holds(self, inductive: Bdd) -> PropertyResult:
        """The verdict with an inductive set."""
        certificate = None
        if self.options.evidence:
            # For start-up: most invariants need none of it.
            from symag.smv.certificates.invariants import InductiveSet

            writer = DiagramWriter(self.symbolic.encoding)
            roots = tuple(writer.add(condition) for condition in (inductive, *self.facts))
            certificate = InductiveSet(writer.table(), roots)
        return PropertyResult(
            Verdict.HOLDS,
            self.method,
            certificate=certificate,
            warnings=tuple(self.warnings),
            statistics=self._statistics(),
        )

    def _violated(self, trace: Trace) -> PropertyResult:
        return PropertyResult(
            Verdict.VIOLATED,
            self.method,
            trace=trace,
            warnings=tuple(self.warnings),
            statistics=self._statistics(),
        )

    def _statistics(self) -> dict[str, int]:
        statistics = self.spaces.statistics()
        if self.options.facts:
            statistics["facts"] = len(self.facts)
        if self.forward is not None and self.backward is not None:
            statistics["rings_forward"] = len(self.forward.rings)
            statistics["rings_backward"] = len(self.backward.rings)
        return statistics


def _obviously_fair(system: FlatSystem) -> bool:
    """Whether every state starts a fair run because of the form of the system, without a search."""
    return not (system.justice or system.compassion) and is_total(system)
