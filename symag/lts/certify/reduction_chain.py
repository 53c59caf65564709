"""Re-check of steps that make items of a system smaller, and of what is left in the end.

To show: if ERROR can be reached in the system, it can in the composition of the items, after every step. The items
at the beginning are the system's components, and the processes that observe it. A step composes some items, which
changes nothing; it makes actions silent that no other item has, and no other item can tell; and it merges states. The
map from states to classes takes the initial state to the initial class, every transition of the composition to one of
the new item, and ERROR to ERROR. So every run of the items is one of the items after the step, whatever the classes
are: it needs no proof here that merged states are equivalent. In the end items may be left out that have no transition
to ERROR, because they can only prevent others from moving; so may such items at the beginning.

The classes cover every state that the members of a step reach by themselves, which is more than what they reach with
the others.

Reference: S. Graf, B. Steffen and G. Luettgen, "Compositional minimisation of finite state systems using interface
specifications" (1996), section 2: the method, without interfaces.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symag.core.deadlines import Deadline
from symag.lts.certificates import ReductionChain, ReductionStep
from symag.lts.certify.machines import for_safety, lts_of, refused, safety_question
from symag.lts.certify.sorted_states import Integers
from symag.lts.certify.states import explored_with_rows
from symag.lts.language.composites import System
from symag.lts.lts import ERROR, Lts
from symag.lts.questions import CompositeQuestion

CERTIFICATE = ReductionChain


def check(system: System, question: CompositeQuestion, certificate: ReductionChain, deadline: Deadline) -> None:
    """See ``kinds.Kind``."""
    for_safety(question)
    check_reduction_chain(system, certificate, deadline)


def check_reduction_chain(system: System, certificate: ReductionChain, deadline: Deadline) -> None:
    """Accept that ERROR cannot be reached. Raises CertificationError with what is wrong, and OutOfTimeError.

    Cost: the states and transitions of the composition of each step's members, and of the last items.
    """
    question = safety_question(system)
    machines = [*question.components, *question.safe.observers()]
    items = {number: lts_of(machine) for number, machine in enumerate(machines)}
    _leave_out(items, certificate.left_out)
    for index, step in enumerate(certificate.steps):
        name = f"step {index + 1}"
        members = _taken(items, step.members, name)
        items[-1 - index] = _smaller(members, list(items.values()), step, name, deadline)
    last = _taken(items, certificate.last, "the last composition")
    _leave_out(items, list(items))
    if last and (_composed(last, deadline)[0].target == ERROR).any():
        raise refused("the last composition reaches ERROR")


def _leave_out(items: dict[int, Lts], numbers: Sequence[int]) -> None:
    failing = [number for number in numbers if number in items and items[number].has_error]
    if failing:
        raise refused(f"item {failing[0]} is left out, but can come to ERROR")
    _taken(items, numbers, "what is left out")


def _taken(items: dict[int, Lts], members: Sequence[int], name: str) -> list[Lts]:
    if len(set(members)) != len(members) or not set(members) <= set(items):
        raise refused(f"{name} has members that are not there, or one twice")
    return [items.pop(number) for number in members]


def _smaller(members: Sequence[Lts], others: Sequence[Lts], step: ReductionStep, name: str, deadline: Deadline) -> Lts:
    """The composition with silent actions and merged states; class numbers are changed so that 0 is initial."""
    if not members or step.classes.ndim != 2 or step.classes.shape[1] != len(members) + 1:
        raise refused(f"{name} composes nothing, or its classes are not of its members' states")
    whole, rows = _composed(members, deadline)
    seen = {label for lts in others for label in lts.alphabet[1:]}
    number = {"tau": 0}
    image = [number.setdefault(label if label in seen else "tau", len(number)) for label in whole.alphabet]
    classes = _classes_of(rows, step.classes, name)
    _, first, compact = np.unique(classes, return_index=True, return_inverse=True)
    exchanged = np.arange(len(first))
    exchanged[[0, compact[0]]] = exchanged[[compact[0], 0]]
    place = np.append(exchanged[compact], ERROR)  # the last entry, which -1 means too, is ERROR
    action = np.array(image, dtype=np.int64)[whole.action]
    return Lts.of_arrays(name, tuple(number), len(first), place[whole.source], action, place[whole.target])


def _composed(members: Sequence[Lts], deadline: Deadline) -> tuple[Lts, Integers]:
    system = System("members", tuple(members), None, None, False, frozenset())
    states, rows = explored_with_rows(system, (0,) * len(members), deadline)
    return Lts("members", states.labels, states.states, states.source, states.label, states.target), rows


def _classes_of(rows: Integers, given: Integers, name: str) -> Integers:
    """The class of each row. Raises CertificationError if a row is not given, or is given twice."""
    _, number = np.unique(np.concatenate([given[:, :-1], rows]), axis=0, return_inverse=True)
    number = number.reshape(-1)
    known, places = number[: len(given)], number[len(given) :]
    if len(np.unique(known)) != len(known):
        raise refused(f"{name} gives two classes to one state")
    class_of = np.zeros(int(number.max()) + 1, dtype=np.int64)
    has_class = np.zeros(len(class_of), dtype=bool)
    class_of[known], has_class[known] = given[:, -1], True
    if not has_class[places].all():
        missing = rows[np.flatnonzero(~has_class[places])[0]].tolist()
        raise refused(f"{name} gives no class to the state {missing} of its members")
    return class_of[places]
