"""The answers about a composition that was explored with all its transitions.

Progress is checked under fair choice: every transition that is possible infinitely often happens infinitely often,
so a run reaches a terminal set (a strongly connected component that no transition leaves) and does all of its actions
for ever (Magee and Kramer, "Concurrency", chapter 7).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

import numpy as np

from symag.core.results import PropertyResult, Verdict
from symag.core.trace import Step, Trace
from symag.lts.certificates import ExplorationClaim
from symag.lts.components import strongly_connected
from symag.lts.composition import Composition
from symag.lts.language.fluents import mentioned
from symag.lts.lts import ERROR, Numbers
from symag.lts.methods.fault_search import SAFETY_FIRST
from symag.lts.methods.options import MONOLITHIC
from symag.lts.questions import CompositeQuestion
from symag.lts.words import local_names

#: The largest number of actions that a warning names.
_SHOWN_ACTIONS = 5
#: States of a composition whose assertions are decided state by state; those of larger ones by arrays and files.
_FEW = 2_000


class ExploredComposition:
    """The answers about a composition that was explored."""

    def __init__(self, composition: Composition, has_priorities: bool) -> None:
        self._composition = composition
        self._has_priorities = has_priorities
        self._lts = composition.lts
        self._components: tuple[Numbers, dict[int, set[str]]] | None = None

    @property
    def is_large(self) -> bool:
        """Whether the product with an automaton, which is made state by state, would take long."""
        return self._lts.states > _FEW

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The names of actions."""
        return self._lts.alphabet

    def answer(self, question: CompositeQuestion, started: float) -> PropertyResult:
        """The answer; ``started`` is the process's CPU time when the composition began. Raises MemoryError."""
        reason = self.why_undecided(question)
        if reason is not None:
            return PropertyResult(Verdict.UNKNOWN, MONOLITHIC, reason=reason, statistics=self._figures(started))
        trace, warnings, notes = self.refutation(question)
        figures = self._figures(started)
        if not self._composition.complete:
            figures["stopped_early"] = 1
        verdict = Verdict.HOLDS if trace is None else Verdict.VIOLATED
        # There is no smaller evidence than all reachable states.
        certificate = ExplorationClaim() if trace is None else None
        return PropertyResult(
            verdict,
            MONOLITHIC,
            trace=trace,
            certificate=certificate,
            warnings=warnings,
            statistics=figures,
            notes=notes,
        )

    def _figures(self, started: float) -> dict[str, int | float]:
        return {
            "states": self._lts.states,
            "transitions": self._lts.transitions,
            "components": len(self._composition.components),
            "cpu_seconds": round(time.process_time() - started, 3),
        }

    def why_undecided(self, question: CompositeQuestion) -> str | None:
        """The reason, None if the question is decided."""
        if question.kind in ("progress", "assert") and len(self._composition.violations):
            return SAFETY_FIRST
        return competing(question, self._lts.alphabet) if self._has_priorities else None

    def refutation(self, question: CompositeQuestion) -> tuple[Trace | None, tuple[str, ...], tuple[str, ...]]:
        """A trace, if the question is violated, warnings, and notes about the trace."""
        match question.kind:
            case "deadlock":
                return self._deadlock(), (), ()
            case "safety":
                return self._error(), (), ()
            case "progress":
                trace, notes = self._stuck(question)
                return trace, (), notes
            case "assert":
                return *self._false(question), ()

    def _false(self, question: CompositeQuestion) -> tuple[Trace | None, tuple[str, ...]]:
        # For start-up: most specifications have no assertions.
        from symag.lts.methods.assertions import STILL_WAITS, violation

        assert question.formula is not None
        warnings = about_foreign(question, self._lts.alphabet)
        run = violation(self._composition, question.formula)
        if run is None:
            return None, warnings
        if run.at_end:
            warnings = (*warnings, STILL_WAITS.format(question.name))
        return self._trace(run.transitions, run.loop, run.free), warnings

    def _deadlock(self) -> Trace | None:
        deadlocks = self._composition.deadlocks
        return None if not len(deadlocks) else self._trace(self._composition.path_to(int(deadlocks[0])), None)

    def _error(self) -> Trace | None:
        violations = self._composition.violations
        if not len(violations):
            return None
        last = int(violations[0])
        return self._trace([*self._composition.path_to(int(self._lts.source[last])), last], None)

    def _terminal_sets(self) -> tuple[Numbers, dict[int, set[str]]]:
        """The component of each state, and the actions in each component that no transition leaves."""
        if self._components is None:
            lts = self._lts
            count, component = strongly_connected(lts.states, lts.source, lts.target)
            begins = component[lts.source]
            is_left = np.zeros(count, dtype=bool)
            is_left[begins[begins != component[lts.target]]] = True
            happening: dict[int, set[str]] = {number: set() for number in np.flatnonzero(~is_left).tolist()}
            inside = np.flatnonzero(~is_left[begins])
            key = begins[inside] * len(lts.alphabet) + lts.action[inside]
            key.sort()
            pairs = key[np.flatnonzero(np.diff(key, prepend=-1))]
            for number, action in zip(*(array.tolist() for array in np.divmod(pairs, len(lts.alphabet))), strict=True):
                happening[number].add(lts.alphabet[action])
            self._components = component, happening
        return self._components

    def _stuck(self, question: CompositeQuestion) -> tuple[Trace | None, tuple[str, ...]]:
        """A trace to a terminal set without progress, with a cycle in it; and all actions of that set, as in LTSA."""
        component, happening = self._terminal_sets()
        alphabet = self._lts.alphabet[1:]
        bad = [number for number, labels in happening.items() if not _progresses(question, labels, alphabet)]
        if not bad:
            return None, ()
        entry = int(np.flatnonzero(np.isin(component, bad))[0])
        path = self._composition.path_to(entry)
        cycle = self._cycle(entry, component)
        actions = ", ".join(sorted(happening[int(component[entry])]))
        notes = ("Actions in terminal set:", f"\t{{{actions}}}") if actions else ()
        return self._trace([*path, *cycle], len(path) if cycle else None), notes

    def _cycle(self, start: int, component: Numbers) -> list[int]:
        """The transitions of a shortest cycle from a state of a terminal set; none for a deadlock."""
        lts = self._lts
        members = np.flatnonzero(component[lts.source] == component[start])
        if not len(members):
            return []
        outgoing: dict[int, list[int]] = {}
        for transition in members.tolist():
            outgoing.setdefault(int(lts.source[transition]), []).append(transition)
        # A shortest cycle is readable; a fair run takes all transitions of the set.
        into: dict[int, int] = {}
        waiting = [start]
        for state in waiting:
            for transition in outgoing[state]:
                target = int(lts.target[transition])
                if target == start:
                    cycle = [transition]
                    while state != start:
                        cycle.append(into[state])
                        state = int(lts.source[into[state]])
                    return cycle[::-1]
                if target not in into:
                    into[target] = transition
                    waiting.append(target)
        raise AssertionError("a strongly connected component with transitions has a cycle through each state")

    def _trace(self, transitions: Sequence[int], loop: int | None, free: Sequence[str] = ()) -> Trace:
        """The trace of these transitions; transition -1 - k is the label ``free[k]``, which changes no state."""
        lts = self._lts
        states = [0]
        labels: list[str | None] = []
        for transition in transitions:
            states.append(states[-1] if transition < 0 else int(lts.target[transition]))
            labels.append(free[-1 - transition] if transition < 0 else lts.alphabet[int(lts.action[transition])])
        if loop is None:
            labels.append(None)
        else:
            states.pop()
        steps = tuple(Step(self._local(state), action=label) for state, label in zip(states, labels, strict=True))
        return Trace("finite" if loop is None else "lasso", steps, loop)

    def _local(self, state: int) -> dict[str, int]:
        """The components' states; -1 alone stands for ERROR."""
        if state == ERROR:
            return {"ERROR": ERROR}
        names = local_names(self._composition.components)
        return dict(zip(names, self._composition.local_states[state].tolist(), strict=True))


def _progresses(question: CompositeQuestion, happening: set[str], alphabet: Sequence[str]) -> bool:
    if question.actions is None:
        return happening.issuperset(alphabet)
    if question.condition is not None and not happening.intersection(question.condition):
        return True
    return bool(happening.intersection(question.actions))


def _foreign(question: CompositeQuestion, alphabet: Collection[str]) -> list[str]:
    """The actions of an assertion that the composite lacks: as in LTSA they can happen at any time."""
    return [] if question.formula is None else sorted(mentioned(question.formula).difference(alphabet))


def competing(question: CompositeQuestion, alphabet: Collection[str]) -> str | None:
    """Why an assertion is not decided beside priorities: actions of its own would compete with the others."""
    foreign = _foreign(question, alphabet)
    if not foreign:
        return None
    return f"unsupported: the composite has priorities, and {foreign[0]} is an action of the assertion alone"


def about_foreign(question: CompositeQuestion, alphabet: Collection[str]) -> tuple[str, ...]:
    """A warning that an assertion reads actions that the composite lacks."""
    foreign = _foreign(question, alphabet)
    if not foreign:
        return ()
    shown = ", ".join(foreign[:_SHOWN_ACTIONS]) + (", ..." if len(foreign) > _SHOWN_ACTIONS else "")
    where = "" if question.line is None else f"line {question.line}: "
    return (
        f"{where}the assertion {question.name} reads {shown}, which ||{question.target} does not have: "
        "it can happen at any time",
    )
