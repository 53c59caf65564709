"""Re-check for safety of steps that make items of a system smaller, and of what is left in the end.

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

from symag.core.limits import Deadline
from symag.lts.certificates import ReductionChain, ReductionStep
from symag.lts.certify.machines import for_safety, lts_of, refused, safety_question
from symag.lts.certify.reduction_states import check_states_chain, composition_of, taken, with_classes
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, Lts
from symag.lts.questions import CompositeQuestion

CERTIFICATE = ReductionChain


def check(system: System, question: CompositeQuestion, certificate: ReductionChain, deadline: Deadline) -> None:
    """See ``kinds``."""
    if question.kind in ("deadlock", "progress"):
        check_states_chain(system, question, certificate, deadline)
        return
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
        members = taken(items, step.members, name)
        items[-1 - index] = _smaller(members, list(items.values()), step, name, deadline)
    last = taken(items, certificate.last, "the last composition")
    _leave_out(items, list(items))
    if last and (composition_of(last, deadline)[0].target == ERROR).any():
        raise refused("the last composition reaches ERROR")


def _leave_out(items: dict[int, Lts], numbers: Sequence[int]) -> None:
    failing = [number for number in numbers if number in items and items[number].has_error]
    if failing:
        raise refused(f"item {failing[0]} is left out, but can come to ERROR")
    taken(items, numbers, "what is left out")


def _smaller(members: Sequence[Lts], others: Sequence[Lts], step: ReductionStep, name: str, deadline: Deadline) -> Lts:
    """The composition with silent actions and merged states."""
    seen = {label for lts in others for label in lts.alphabet[1:]}
    whole, number = with_classes(members, seen, step, name, deadline)
    place = np.append(number, ERROR)  # the last entry, which -1 means too, is ERROR
    columns = place[whole.source], whole.action, place[whole.target]
    return Lts.of_arrays(name, whole.alphabet, int(number.max()) + 1, *columns)
