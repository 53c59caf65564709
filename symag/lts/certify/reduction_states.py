"""Re-check for deadlock and progress of steps that make items of a system smaller, and of what is left in the end.

To show: if the system comes to a state that violates the question, so does the composition of the items, after every
step. The items at the beginning are the components in another form. What leads to ERROR leads to a state of its own
instead: with tau to itself for deadlock, as there is none beyond ERROR; for progress with a fresh action, which the end
must not have. Where all components that can end have ended, which is no deadlock, they move together by a fresh action.

A step composes some items and makes actions silent that no other item has (for progress none that the question names,
and none that stands for ERROR). Then it merges states: each transition becomes one of the classes, so that whatever the
system can reach, the items can. What else has to be true of the classes:

- deadlock. A deadlock needs a state without silent moves of these items. If a class has such a state s, none of its
  states has a silent move to another class, and no state of it has an action that s does not have. The class gets no
  silent move; so it refuses what s refuses, and the others that are in a deadlock with s are in one with its class.
- progress. Whatever a class can do next, each of its states can after silent moves inside of the class (branching
  bisimulation). So actions that are impossible from a state on are so from its class on, and those that stay possible
  from a state on do so from its class on.

In the end items may be left out for deadlock if in every state of the others' composition one of them can move by tau,
or by an action that only they have: what is left out can only prevent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.core.ranges import distinct, grouped, ranges
from symag.lts.certificates import ReductionChain, ReductionStep
from symag.lts.certify.machines import refused
from symag.lts.certify.packed_components import Truths
from symag.lts.certify.properties import lacks_progress
from symag.lts.certify.sorted_states import Integers
from symag.lts.certify.states import ExploredStates, explored_with_rows
from symag.lts.language.systems import System
from symag.lts.lts import Lts
from symag.lts.questions import CompositeQuestion


def taken(items: dict[int, Lts], members: Sequence[int], name: str) -> list[Lts]:
    """The items with these numbers, which are no longer among the items. Raises CertificationError."""
    if len(set(members)) != len(members) or not set(members) <= set(items):
        raise refused(f"{name} has members that are not there, or one twice")
    return [items.pop(number) for number in members]


def with_classes(
    members: Sequence[Lts], seen: Collection[str], step: ReductionStep, name: str, deadline: Deadline
) -> tuple[Lts, Integers]:
    """The composition of a step's members, silent but for the actions ``seen``, and the class of each of its states.

    Classes are numbered without gaps so that 0 is the initial one. Raises CertificationError, OutOfTimeError.
    """
    if not members or step.classes.ndim != 2 or step.classes.shape[1] != len(members) + 1:
        raise refused(f"{name} composes nothing, or its classes are not of its members' states")
    whole, rows = composition_of(members, deadline)
    number = {"tau": 0}
    image = [number.setdefault(label if label in seen else "tau", len(number)) for label in whole.alphabet]
    classes = _classes_of(rows, step.classes, name)
    _, first, compact = np.unique(classes, return_index=True, return_inverse=True)
    exchanged = np.arange(len(first))
    exchanged[[0, compact[0]]] = exchanged[[compact[0], 0]]
    action = np.array(image, dtype=np.int64)[whole.action]
    silent = Lts.of_arrays(name, tuple(number), whole.states, whole.source, action, whole.target)
    return silent, exchanged[compact]


def composition_of(members: Sequence[Lts], deadline: Deadline) -> tuple[Lts, Integers]:
    """The composition, and the states of the members in each of its states. Raises OutOfTimeError."""
    system = System("members", tuple(members), None, None, False, frozenset())
    states, rows = explored_with_rows(system, (0,) * len(members), deadline)
    return Lts("members", states.labels, states.states, states.source, states.label, states.target), rows


def _classes_of(rows: Integers, given: Integers, name: str) -> Integers:
    """The class of each row. Raises CertificationError if a row is not given, or is given twice."""
    _, number = np.unique(np.concatenate([given[:, :-1], rows]), axis=0, return_inverse=True)
    number = number.reshape(-1)
    known, places = number[: len(given)], number[len(given) :]
    if len(distinct(known)) != len(known):
        raise refused(f"{name} gives two classes to one state")
    class_of = np.zeros(int(number.max()) + 1, dtype=np.int64)
    has_class = np.zeros(len(class_of), dtype=bool)
    class_of[known], has_class[known] = given[:, -1], True
    if not has_class[places].all():
        missing = rows[np.flatnonzero(~has_class[places])[0]].tolist()
        raise refused(f"{name} gives no class to the state {missing} of its members")
    return class_of[places]


def check_states_chain(
    system: System, question: CompositeQuestion, certificate: ReductionChain, deadline: Deadline
) -> None:
    """Accept that deadlock or progress holds. Raises CertificationError with what is wrong, and OutOfTimeError.

    Cost: the states and transitions of the composition of each step's members, and of the last items; for progress
    also how many moves the states of a class have after silent moves.
    """
    is_deadlock = question.kind == "deadlock"
    if not is_deadlock and system.priority is not None:
        raise CertificationError("the certificate is not accepted: the composite has priorities")
    if certificate.left_out:
        raise refused("for deadlock and progress no item may be left out at first")
    components, failures = _without_error(system.components, is_deadlock)
    labels = [label for lts in system.components for label in lts.alphabet[1:]]
    kept = set() if is_deadlock else _named(question, labels) | failures
    items = dict(enumerate(components))
    for index, step in enumerate(certificate.steps):
        name = f"step {index + 1}"
        members = taken(items, step.members, name)
        seen = kept.union(*(lts.alphabet[1:] for lts in items.values()))
        whole, number = with_classes(members, seen, step, name, deadline)
        items[-1 - index] = _merged(whole, number, name, is_deadlock, deadline)
    last = taken(items, certificate.last, "the last composition")
    others = {label for lts in items.values() for label in lts.alphabet[1:]}
    if not last:
        raise refused("the last composition is empty")
    whole = composition_of(last, deadline)[0]
    if is_deadlock:
        _check_live(whole, others)
        return
    if items:
        raise refused("items are missing in the last composition")
    _check_progress(whole, question, failures, labels)


def _check_live(whole: Lts, others: Collection[str]) -> None:
    """Accept that each state has a move by an action that none of the others has."""
    own = np.array([label not in others for label in whole.alphabet])
    live = np.zeros(whole.states, dtype=bool)
    live[whole.source[own[whole.action]]] = True
    if not live.all():
        raise refused("the last composition comes to a state in which nothing need be possible")


def _check_progress(whole: Lts, question: CompositeQuestion, failures: set[str], labels: Sequence[str]) -> None:
    if failures & {whole.alphabet[action] for action in distinct(whole.action).tolist()}:
        raise refused("the last composition reaches ERROR")
    ended = np.zeros(whole.states, dtype=bool)
    states = ExploredStates(whole.alphabet, whole.source, whole.action, whole.target, ended)
    if lacks_progress(states, question, tuple(dict.fromkeys(labels))):
        raise refused("the last composition violates the property")


def _named(question: CompositeQuestion, labels: Sequence[str]) -> set[str]:
    return set(labels) if question.actions is None else {*question.actions, *(question.condition or ())}


def _without_error(components: Sequence[Lts], is_deadlock: bool) -> tuple[list[Lts], set[str]]:
    """The components in their other form, and the fresh actions that stand for ERROR."""
    labels = {label for lts in components for label in lts.alphabet}
    longest = max(map(len, labels))
    final = "e" * (longest + 1)  # longer than every label
    ending = [lts for lts in components if lts.end is not None and lts.end > 0]
    of_ending = {label for lts in ending for label in lts.alphabet}
    ends = (
        is_deadlock and bool(ending) and all(lts in ending or of_ending.issuperset(lts.alphabet) for lts in components)
    )
    result, failures = [], set()
    for index, lts in enumerate(components):
        transitions = [
            (source, lts.alphabet[action], target if target >= 0 else lts.states)
            for source, action, target in lts.triples()
        ]
        names = list(lts.alphabet)
        wrong = any(after == lts.states for _, _, after in transitions)
        if wrong and is_deadlock:
            transitions.append((lts.states, "tau", lts.states))
        elif wrong:
            names.append("f" * (longest + 1 + index))
            failures.add(names[-1])
            transitions.append((lts.states, names[-1], lts.states))
        if ends and lts.end is not None:
            names.append(final)
            transitions.append((lts.end, final, lts.end))
        numbered = {name: number for number, name in enumerate(names)}
        moves = [(source, numbered[label], target) for source, label, target in transitions]
        result.append(Lts.of(lts.name, names, lts.states + wrong, moves))
    return result, failures


def _merged(whole: Lts, number: Integers, name: str, is_deadlock: bool, deadline: Deadline) -> Lts:
    """The item of the classes. Raises CertificationError where the classes are not what the question needs."""
    before, after = number[whole.source], number[whole.target]
    inner = (whole.action == 0) & (before == after)
    shown = Lts.of_arrays(
        name, whole.alphabet, int(number.max()) + 1, before[~inner], whole.action[~inner], after[~inner]
    )
    if not is_deadlock:
        _check_branching(whole, number, inner, shown, name, deadline)
        return shown
    settled = np.ones(whole.states, dtype=bool)
    settled[whole.source[whole.action == 0]] = False
    stable = np.zeros(shown.states, dtype=bool)
    stable[number[settled]] = True
    if stable[shown.source[shown.action == 0]].any():
        raise refused(f"{name} merges a state without a silent move with one that has such a move")
    offered = _counts(shown.source, shown.action, shown.states, len(whole.alphabet))
    own = _counts(whole.source, whole.action, whole.states, len(whole.alphabet))
    if (own[settled] != offered[number[settled]]).any():
        raise refused(f"{name} merges a state without a silent move with one that has other actions")
    turning = distinct(before[inner])
    turning = turning[~stable[turning]]
    source, target = (np.concatenate((column, turning)) for column in (shown.source, shown.target))
    action = np.concatenate((shown.action, np.zeros_like(turning)))
    return Lts.of_arrays(name, whole.alphabet, shown.states, source, action, target)


def _counts(source: Integers, action: Integers, states: int, actions: int) -> Integers:
    """How many different actions each state has."""
    counts: Integers = np.bincount(distinct(source * actions + action) // actions, minlength=states)
    return counts


def after_inner_moves(whole: Lts, inner: Truths, codes: Integers, width: int, deadline: Deadline) -> Integers:
    """Each state with each item that it has, or has after moves of ``inner``, as state * width + item; sorted.

    ``codes`` are those without such moves. Raises OutOfTimeError.
    """
    codes = distinct(codes)
    order, first = grouped(whole.target[inner], whole.states)
    source = whole.source[inner][order]
    fresh = codes
    while len(fresh):
        deadline.check()
        state, carried = np.divmod(fresh, width)
        times = first[state + 1] - first[state]
        more = distinct(source[ranges(first[state], first[state + 1])] * width + np.repeat(carried, times))
        fresh = np.setdiff1d(more, codes, assume_unique=True)
        codes = distinct(np.concatenate([codes, fresh]))
    return codes


def _check_branching(whole: Lts, number: Integers, inner: Truths, shown: Lts, name: str, deadline: Deadline) -> None:
    """Accept that each state of a class has every move of the class after silent moves inside of it."""
    # The moves of classes are numbered; a code is a state with the number of such a move.
    actions, classes = len(whole.alphabet), shown.states
    keys = (shown.source * actions + shown.action) * classes + shown.target
    width = max(1, len(keys))
    proper = ~inner
    move = (number[whole.source[proper]] * actions + whole.action[proper]) * classes + number[whole.target[proper]]
    codes = after_inner_moves(whole, inner, whole.source[proper] * width + np.searchsorted(keys, move), width, deadline)
    offered = np.bincount(shown.source, minlength=classes)
    if (np.bincount(codes // width, minlength=whole.states) != offered[number]).any():
        raise refused(f"{name} merges states that are not equivalent")
