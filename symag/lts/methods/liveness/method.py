"""The method ``agar`` for progress and assertions: an assumption about each part, refined as far as a proof needs.

The assumptions are modal abstractions; ``symag.lts.certify.liveness.modal_abstraction`` has the rule and its proof. An
assertion must be one that a deterministic Buechi automaton recognises (``recurrence``). If possible that automaton
ignores the actions that the assertion does not mention, so that moves inside of parts are silent; if that hides too
much, it reads all actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from symag.core.limits import Progress
from symag.core.results import Reason
from symag.core.trace import Step, Trace
from symag.lts.certificates import ModalAbstractions, RecurrenceMonitor, ReductionStep
from symag.lts.certify.assertion_words import cannot_hold, is_false_at_end, is_true_around
from symag.lts.composition import labels_of
from symag.lts.language.fluents import mentioned
from symag.lts.language.systems import System
from symag.lts.methods.liveness.concrete_runs import ConcreteRuns, LivenessRun, State, stays_unaccepted
from symag.lts.methods.liveness.conflicts import ErrorReachedError
from symag.lts.methods.liveness.modal_part import ModalPart
from symag.lts.methods.liveness.modal_product import Goal
from symag.lts.methods.liveness.recurrence import ignoring_others, recurrence_monitor
from symag.lts.methods.liveness.refinement import ModalRefinement, UndecidedGoalError
from symag.lts.questions import CompositeQuestion
from symag.lts.words import local_names


class LivenessOutcome(Struct, frozen=True):
    """``certificate`` if the question holds, ``trace`` if it is violated, else ``reason``."""

    certificate: ModalAbstractions | None = None
    trace: Trace | None = None
    reason: str | None = None
    statistics: Mapping[str, int] = field(default_factory=dict)


def decide_liveness(
    system: System, question: CompositeQuestion, members: Sequence[Sequence[int]], progress: Progress
) -> LivenessOutcome:
    """Progress or an assertion about a system without priorities; ``members`` are the components of each part.

    Raises MemoryError, and UnsupportedError for an assertion that is not recurrence.
    """
    labels = frozenset(labels_of(system.components))
    if question.kind == "progress":
        return _Search(system, question, members, progress).decided(None)
    assert question.formula is not None
    foreign = sorted(mentioned(question.formula) - labels)
    if foreign:
        reason = f"{foreign[0]} is an action of the assertion alone"
        return LivenessOutcome(reason=Reason.UNSUPPORTED.text(reason))
    monitor = recurrence_monitor(question.formula)
    search = _Search(system, question, members, progress)
    smaller = ignoring_others(monitor)
    if smaller is not None:
        try:
            return search.decided(smaller, monitor)
        except UndecidedGoalError:
            progress("the monitor reads all actions")
    try:
        return search.decided(monitor)
    except UndecidedGoalError:
        # The monitor is exact, so this should not happen; the verdict would be without evidence.
        return LivenessOutcome(reason=Reason.UNSUPPORTED.text("the abstractions do not decide the assertion"))


class _Search:
    def __init__(
        self, system: System, question: CompositeQuestion, members: Sequence[Sequence[int]], progress: Progress
    ) -> None:
        self._system, self._question, self._members, self._progress = system, question, members, progress

    def decided(self, monitor: RecurrenceMonitor | None, exact: RecurrenceMonitor | None = None) -> LivenessOutcome:
        """``exact``: accepts what the monitor does, and perhaps more. Raises MemoryError, UndecidedGoalError."""
        goals, seen = self._goals(monitor)
        components = self._system.components
        ignores = monitor is None or monitor.ignores_others
        parts = []
        for number, members in enumerate(self._members):
            others = {label for k, lts in enumerate(components) if k not in members for label in lts.alphabet[1:]}
            parts.append(ModalPart(number, components, members, others | seen, ignores))
        formula = self._question.formula
        refinement = ModalRefinement(
            parts, self._progress, lambda labels: formula is not None and cannot_hold(formula, labels)
        )
        try:
            run = refinement.first_refutation(goals)
            if run is not None:
                trace = self._trace(parts, run)
                self._check_words(trace)
                if exact is not None and not stays_unaccepted(ConcreteRuns(parts, goals[0]), run, exact):
                    raise UndecidedGoalError
                return LivenessOutcome(trace=trace, statistics=refinement.statistics())
        except ErrorReachedError:
            reason = Reason.UNSUPPORTED.text("ERROR can be reached, so check safety first")
            return LivenessOutcome(reason=reason, statistics=refinement.statistics())
        steps = tuple(ReductionStep(part.members, part.rows()) for part in parts)
        return LivenessOutcome(ModalAbstractions(steps, monitor), statistics=refinement.statistics())

    def _goals(self, monitor: RecurrenceMonitor | None) -> tuple[list[Goal], set[str]]:
        """The goals, and the actions that are never silent."""
        question, labels = self._question, set(labels_of(self._system.components))
        if monitor is not None:
            return [Goal(monitor=monitor)], set(monitor.labels) if monitor.ignores_others else labels
        if question.actions is None:
            return [Goal(frozenset((label,))) for label in sorted(labels)], labels
        condition = None if question.condition is None else frozenset(question.condition)
        return [Goal(frozenset(question.actions), condition=condition)], {*question.actions, *(condition or ())}

    def _trace(self, parts: Sequence[ModalPart], run: LivenessRun) -> Trace:
        names = local_names(self._system.components)

        def values(state: State) -> dict[str, int]:
            local: dict[int, int] = {}
            for part in parts:
                row = part.origin.local_states[state[part.number]].tolist()
                local.update(zip(part.members, row, strict=True))
            return {name: local[number] for number, name in enumerate(names)}

        before = [(0,) * len(parts), *run.states]
        labels: list[str | None] = list(run.labels)
        if run.loop is None:
            labels.append(None)
        steps = tuple(Step(values(state), action=label) for state, label in zip(before, labels, strict=False))
        return Trace("finite" if run.loop is None else "lasso", steps, run.loop)

    def _check_words(self, trace: Trace) -> None:
        """Raise UndecidedGoalError if the trace satisfies the assertion: the monitor has ignored a difference."""
        formula = self._question.formula
        if formula is None:
            return
        if trace.loop is not None:
            if is_true_around(formula, [step.action for step in trace.steps], trace.loop):
                raise UndecidedGoalError
            return
        actions = [step.action for step in trace.steps[:-1]]
        if not cannot_hold(formula, actions) and not is_false_at_end(formula, actions):
            raise UndecidedGoalError
