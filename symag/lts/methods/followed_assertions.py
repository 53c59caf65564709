"""Assertions about many states, whose transitions are searched backward in files, as for progress.

The composition is explored with one more component, ``symag.lts.methods.liveness.violation_follower``. An assertion is
violated exactly if a state can be reached that is *lost*: from it on a mark of that component always stays possible; or
nothing is possible any more, and a run that ends there violates it.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from symag.core.limits import DiskExhausted, Progress
from symag.core.results import PropertyResult, Reason, Verdict
from symag.core.trace import Trace
from symag.core.values import replace
from symag.lts.certificates import ExplorationClaim
from symag.lts.certify.assertion_words import cannot_hold
from symag.lts.composition import labels_of
from symag.lts.language.fluents import mentioned
from symag.lts.language.systems import System
from symag.lts.lts import Lts
from symag.lts.methods.assertions import STILL_WAITS
from symag.lts.methods.fault_search import FaultSearch, enough_for, figures_of
from symag.lts.methods.liveness.violation_follower import violation_follower
from symag.lts.methods.options import MONOLITHIC
from symag.lts.methods.progress_on_disk import TransitionsOnDisk, Truths, going_round
from symag.lts.questions import CompositeQuestion
from symag.lts.words import local_names

#: Silent actions get names that begin like this, so that the component sees them.
_SILENT = "tau\n"


def assertion_answer(
    system: System, question: CompositeQuestion, progress: Progress, room: int | None = None
) -> PropertyResult:
    """The answer where ERROR cannot be reached; unknown where memory or the disk are used up.

    The trace of a violation is a shortest run to a lost state, then goes from one mark to the next until a state comes
    again, or until nothing can make the assertion true. Not for priorities beside actions that only the assertion has.
    ``room``: bytes of memory to use.
    """
    started = time.process_time()
    try:
        return _FollowedComposition(system, question, progress, room).answer(started)
    except MemoryError:
        return PropertyResult(Verdict.UNKNOWN, MONOLITHIC, reason=Reason.MEMORY.text())
    except DiskExhausted as error:
        return PropertyResult(Verdict.UNKNOWN, MONOLITHIC, reason=Reason.DISK.text(str(error)))


class _FollowedComposition:
    """The composition with the component."""

    def __init__(self, system: System, question: CompositeQuestion, progress: Progress, room: int | None) -> None:
        assert question.formula is not None
        self._question, self._formula, self._progress = question, question.formula, progress
        components = tuple(_with_names(lts, f"{_SILENT}{number}") for number, lts in enumerate(system.components))
        labels = sorted(mentioned(self._formula).union(labels_of(components)))
        self._follower = violation_follower(self._formula, labels)
        self._system = replace(system, components=(*components, self._follower.lts))
        self._search = FaultSearch(self._system, enough_for([question.kind]), progress, room)

    def answer(self, started: float) -> PropertyResult:
        search = self._search
        search.run()
        transitions = TransitionsOnDisk(search, self._progress)
        figures = figures_of(search, len(self._system.components) - 1)
        figures["disk_mib"] = round((search.bytes_on_disk + transitions.bytes_on_disk) / 2**20, 1)
        possible = transitions.acting(range(len(search.alphabet)))
        marks = search.having_last(self._follower.marks) & possible
        marking = transitions.leading_to(marks)
        ended = search.having_last(self._follower.wrong_ends) & ~possible
        lost = ended | (marking & ~transitions.leading_to(~marking))
        trace, warnings = self._refutation(transitions, lost, marks) if lost.any() else (None, ())
        figures["cpu_seconds"] = round(time.process_time() - started, 3)
        verdict = Verdict.HOLDS if trace is None else Verdict.VIOLATED
        certificate = ExplorationClaim() if trace is None else None
        return PropertyResult(
            verdict, MONOLITHIC, trace=trace, certificate=certificate, warnings=warnings, statistics=figures
        )

    def _refutation(self, transitions: TransitionsOnDisk, lost: Truths, marks: Truths) -> tuple[Trace, tuple[str, ...]]:
        """A trace, and warnings about it."""
        search = self._search
        distance = np.zeros(search.places, dtype=np.uint32)
        transitions.leading_to(marks, distance)

        def nearest(moves: Sequence[tuple[str, tuple[int, ...]]]) -> int:
            return int(np.argmin(distance[search.places_of([after for _, after in moves])]))

        trace = self._shown(going_round(self._system, search.run_to_first(lost), nearest))
        steps = trace.steps if trace.loop is None else (*trace.steps, trace.steps[trace.loop])
        actions = [step.action for step in steps[:-1]]
        if cannot_hold(self._formula, actions):
            length = bisect_left(range(len(steps)), True, key=lambda k: cannot_hold(self._formula, actions[:k]))
            return Trace("finite", (*steps[:length], replace(steps[length], action=None))), ()
        return trace, () if trace.loop is not None else (STILL_WAITS.format(self._question.name),)

    def _shown(self, trace: Trace) -> Trace:
        """The trace without the component."""
        names = local_names(self._system.components)[:-1]
        steps = tuple(
            replace(
                step,
                state={name: step.state[name] for name in names},
                action="tau" if step.action is not None and step.action.startswith(_SILENT) else step.action,
            )
            for step in trace.steps
        )
        return replace(trace, steps=steps)


def _with_names(lts: Lts, name: str) -> Lts:
    """The component with a name for its silent actions."""
    action = np.where(lts.action == 0, len(lts.alphabet), lts.action)
    alphabet = (*lts.alphabet, name)
    return Lts.of_arrays(lts.name, alphabet, lts.states, lts.source, action, lts.target, lts.end, lts.is_property)
