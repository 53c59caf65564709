"""Re-check of progress and assertions by modal abstractions of the parts: the rule, and why it is right.

Under fair choice a run goes on to every state that it can reach again and again. So a property that a deterministic
Buechi automaton recognises (the monitor, composed with the system) holds exactly if, from every reachable state, a goal
can be reached: an accepting move of the monitor. For ``progress P`` the goals are the actions of P (with a condition:
also the states after which its actions never happen); for an assertion also the end of a run in a state of the monitor
in which it may end. "Every reachable state" needs the moves that are possible, "can be reached" those that are certain:
neither traces nor simulation give both, modal transition systems do.

The assumption about a part is a partition of its states into classes. A move of a part is *silent* if only this part
takes it and neither the property nor, for an assertion, the monitor's state depends on it. A silent move inside a class
is left out. All others are *possible* moves between classes: class B has the move a to C if a state of B has it to a
state of C. It is *certain* if every state of B has it after some silent moves inside B; and a is certain in B if every
state of B has it, after such moves, to any class.

Rule: the possible moves of the parts are composed with the monitor. Each state of the result that is reached from the
first must be in the least set R of the following kind. A state s is in R if

1. it is a goal: an action that reaches the goal is certain for all of its owners; or whatever happens is accepted, and
   a run may end; or no move is possible, not even a silent one, and a run may end; or the condition's actions cannot
   happen any more by possible moves;
2. some move of s leads into R, and is certain for each of its owners; or
3. an action is certain for each of its owners, and all possible moves of s by it lead into R.

And ERROR is not reached.

Proof. (a) Every reachable state of the system with the monitor is one of its classes' states, reached by possible
moves, as each move of the system is possible between the classes, or is left out and changes neither class nor monitor.
Therefore ERROR is not reached. (b) From every state of the system whose classes are in R a goal can be reached, by
induction on the step at which they entered R. In case 2 and 3 each owner takes its silent moves inside its class, which
no other part and no monitor notices, and then has the action; so all of them have it at once. In case 2 there are
targets in the classes of the move. In case 3 the action leads to some state, by a possible move, so its classes are in
R. They entered R before. Case 1 is the same argument for the goal, and for the condition (a): what is not possible in
the classes does not happen. (c) By (a) and (b) a goal can be reached from every reachable state: fair runs take such
moves again and again, or end where they may.

Sources: P. Godefroid, M. Huth and R. Jagadeesan, "Abstraction-based model checking using modal transition systems"
(CONCUR 2001), for possible and certain moves; K. Larsen and B. Thomsen, "A modal process logic" (LICS 1988), that they
compose.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from msgspec import Struct

from symag.core.limits import Deadline
from symag.core.ranges import distinct
from symag.lts.certificates import ModalAbstractions, RecurrenceMonitor, ReductionStep
from symag.lts.certify.liveness.monitors import check_monitor
from symag.lts.certify.machines import check_parts, refused
from symag.lts.certify.packed_components import Truths
from symag.lts.certify.reduction_states import after_inner_moves, with_classes
from symag.lts.certify.sorted_states import Integers
from symag.lts.certify.states import explored_with_rows
from symag.lts.language.systems import System
from symag.lts.lts import Lts
from symag.lts.questions import CompositeQuestion

CERTIFICATE = ModalAbstractions


def check(system: System, question: CompositeQuestion, certificate: ModalAbstractions, deadline: Deadline) -> None:
    """See ``kinds``.

    Cost: the states and moves of each part by itself, and those of the composed classes, once for each step of R.
    """
    if question.kind not in ("progress", "assert"):
        raise refused("modal abstractions are evidence for progress and assertions only")
    if system.priority is not None:
        raise refused("the composite has priorities")
    check_parts([part.members for part in certificate.parts], len(system.components))
    goals, silences, monitor = _goals(system, question, certificate, deadline)
    owners = [
        {label for k in part.members for label in system.components[k].alphabet[1:]} for part in certificate.parts
    ]
    parts = []
    for index, step in enumerate(certificate.parts):
        others = set().union(*(labels for k, labels in enumerate(owners) if k != index))
        members = [system.components[k] for k in step.members]
        parts.append(CheckedPart(index, members, others | goals.observed, step, silences, deadline))
    product = _Product(parts, monitor, deadline)
    for accepted in goals.accepted:
        if not product.reaches(accepted, goals.condition, deadline).all():
            raise refused("in a state of the composed classes nothing certain leads to the goal")


class _Goals(Struct, frozen=True):
    """``accepted``: for each goal the actions that reach it; None: those that the monitor accepts."""

    observed: set[str]
    accepted: tuple[frozenset[str] | None, ...]
    condition: frozenset[str] | None = None


def _goals(
    system: System, question: CompositeQuestion, certificate: ModalAbstractions, deadline: Deadline
) -> tuple[_Goals, bool, RecurrenceMonitor | None]:
    """The goals, whether silent moves are left out, and the monitor."""
    labels = {label for lts in system.components for label in lts.alphabet[1:]}
    if question.kind == "progress":
        if certificate.monitor is not None:
            raise refused("a progress property has no monitor")
        if question.actions is None:
            return _Goals(labels, tuple(frozenset((label,)) for label in sorted(labels))), True, None
        condition = None if question.condition is None else frozenset(question.condition)
        actions = frozenset(question.actions)
        return _Goals({*actions, *(condition or ())}, (actions,), condition), True, None
    monitor = certificate.monitor
    if monitor is None or question.formula is None:
        raise refused("an assertion needs a monitor")
    check_monitor(monitor, question.formula, labels, deadline)
    ignores = monitor.ignores_others
    return _Goals(set(monitor.labels) if ignores else labels, (None,)), ignores, monitor


class _Product:
    """The possible moves of the parts, composed with the monitor.

    ``certain[k]``: move k is certain for its owners; ``able[k]``: its action is.
    """

    def __init__(self, parts: Sequence[CheckedPart], monitor: RecurrenceMonitor | None, deadline: Deadline) -> None:
        systems = [part.classes_lts for part in parts]
        self._monitor = monitor
        if monitor is not None:
            labels = {label for lts in systems for label in lts.alphabet[1:]}
            systems.append(_monitor_lts(monitor, labels))
        whole = System("classes", tuple(systems), None, None, False, frozenset())
        self._states, self._rows = explored_with_rows(whole, (0,) * len(systems), deadline)
        states = self._states
        if (states.target < 0).any():
            raise refused("ERROR can be reached by possible moves")
        self._certain = np.ones(len(states.source), dtype=bool)
        self._able = np.ones(len(states.source), dtype=bool)
        self._is_silent = np.zeros(states.states, dtype=bool)
        for index, part in enumerate(parts):
            before, after = self._rows[states.source, index], self._rows[states.target, index]
            certain, able = part.judged(states.labels, states.label, before, after)
            self._certain &= certain
            self._able &= able
            self._is_silent |= part.has_silent[self._rows[:, index]]
        _, self._group = np.unique(states.source * len(states.labels) + states.label, return_inverse=True)

    def reaches(self, accepted: frozenset[str] | None, condition: frozenset[str] | None, deadline: Deadline) -> Truths:
        """For each state whether it is in R."""
        states = self._states
        reached = self._accepting_states() if accepted is None else np.zeros(states.states, dtype=bool)
        reached[states.source[self._accepting_moves(accepted) & self._able]] = True
        if condition is not None:
            happens = np.zeros(states.states, dtype=bool)
            happens[states.source[states.happening(condition)]] = True
            reached |= ~states.leading_to(happens)
        while True:
            deadline.check()
            inside = reached[states.target]
            is_open = np.zeros(len(self._group) + 1, dtype=bool)
            is_open[self._group[~inside]] = True
            leading = (self._certain & inside) | (self._able & ~is_open[self._group])
            fresh = states.source[leading]
            fresh = fresh[~reached[fresh]]
            if not len(fresh):
                return reached
            reached[fresh] = True

    def _accepting_moves(self, accepted: frozenset[str] | None) -> Truths:
        if accepted is not None:
            return self._states.happening(accepted)
        assert self._monitor is not None
        number = {label: k for k, label in enumerate(self._monitor.labels)}
        column = np.array([number.get(label, -1) for label in self._states.labels], dtype=np.int64)
        table: Truths = np.array(self._monitor.accepting, dtype=bool)
        accepting: Truths = table[self._rows[self._states.source, -1], column[self._states.label]]
        return accepting

    def _accepting_states(self) -> Truths:
        """Where a run may end, and either nothing is possible or the monitor accepts whatever happens."""
        assert self._monitor is not None
        state = self._rows[:, -1]
        ends = np.array(self._monitor.ends, dtype=bool)[state]
        always = np.array([all(row) for row in self._monitor.accepting])
        moving = self._is_silent.copy()
        moving[self._states.source] = True
        result: Truths = ends & (always[state] | ~moving)
        return result


def _monitor_lts(monitor: RecurrenceMonitor, labels: set[str]) -> Lts:
    """The monitor as a component, over all labels unless it ignores those that it does not read."""
    column = {label: k for k, label in enumerate(monitor.labels)}
    names = sorted(monitor.labels if monitor.ignores_others else labels)
    triples = [
        (state, action, targets[column.get(label, -1)])
        for state, targets in enumerate(monitor.moves)
        for action, label in enumerate(names, start=1)
    ]
    return Lts.of("monitor", ("tau", *names), len(monitor.moves), triples)


class CheckedPart:
    """``classes_lts`` has the possible moves; ``has_silent[c]``: a silent move inside of class c was left out.

    A move that only the part takes and that is not ``seen`` has the label ``tau`` with the part's number, which no
    other part has. Raises CertificationError, OutOfTimeError.
    """

    def __init__(
        self,
        index: int,
        members: Sequence[Lts],
        seen: Collection[str],
        step: ReductionStep,
        leaves_out: bool,
        deadline: Deadline,
    ) -> None:
        whole, number = with_classes(members, seen, step, f"part {index + 1}", deadline)
        before = number[whole.source]
        after = np.append(number, -1)[whole.target]  # -1, which is the last entry, is ERROR
        count = int(number.max()) + 1
        inner = (whole.action == 0) & (before == after) & leaves_out
        self._labels = ("tau", f"tau\n{index}", *whole.alphabet[1:])
        shown = Lts.of_arrays(
            f"part {index + 1}", self._labels, count, before[~inner], whole.action[~inner] + 1, after[~inner]
        )
        self.classes_lts = shown
        self.has_silent = np.zeros(count, dtype=bool)
        self.has_silent[before[inner]] = True
        self._classes = count
        moves = (whole.action[~inner] + 1) * (count + 1) + after[~inner] + 1
        width = len(self._labels) * (count + 1)
        codes = after_inner_moves(whole, inner, whole.source[~inner] * width + moves, width, deadline)
        sizes = np.bincount(number, minlength=count)
        self._certain = _common(codes, width, number, sizes)
        actions = distinct((codes // width) * len(self._labels) + codes % width // (count + 1))
        self._able = _common(actions, len(self._labels), number, sizes)

    def judged(
        self, labels: Sequence[str], label: Integers, before: Integers, after: Integers
    ) -> tuple[Truths, Truths]:
        """For moves of a composition whether they are certain here, and whether their actions are.

        ``label`` are indices into ``labels``, ``before`` and ``after`` the classes of this part.
        """
        own = {name: k for k, name in enumerate(self._labels)}
        action = np.array([own.get(name, -1) if k else -1 for k, name in enumerate(labels)], dtype=np.int64)[label]
        is_other = action < 0
        offered = before * len(self._labels) + action
        moves = offered * (self._classes + 1) + after + 1
        return is_other | np.isin(moves, self._certain), is_other | np.isin(offered, self._able)


def _common(codes: Integers, width: int, number: Integers, sizes: Integers) -> Integers:
    """What all states of a class have, as class * width + what; ``codes`` are state * width + what, each once."""
    having, times = np.unique(number[codes // width] * width + codes % width, return_counts=True)
    result: Integers = having[times == sizes[having // width]]
    return result
