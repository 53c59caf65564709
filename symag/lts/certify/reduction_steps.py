"""The steps of a reduction chain for the re-check: items composed, with silent actions and classes of states."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from symag.core.deadlines import Deadline
from symag.core.ranges import distinct
from symag.lts.certificates import ReductionStep
from symag.lts.certify.machines import refused
from symag.lts.certify.sorted_states import Integers
from symag.lts.certify.states import explored_with_rows
from symag.lts.language.composites import System
from symag.lts.lts import Lts


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
