"""Re-check of a quotient that replaces a part of a system.

It explores N, the composition of the components that are replaced, builds the quotient from the classes that
the certificate gives to N's states, and explores M || N/~ with the property. That suffices: the map from states
to classes maps N's initial state to the quotient's, and every transition of N to one of the quotient, so every
word of N is one of N/~, whatever the classes are. Therefore M || N/~ |= P implies M || N |= P.

Reference: B. Finkbeiner, S. Schewe, M. Brill, "Automatic Synthesis of Assumptions for Compositional Model
Checking" (FORTE 2006), section 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.deadlines import Deadline
from symag.lts.certificates import StateQuotient
from symag.lts.certify.machines import Machine, for_safety, refused, safety_question
from symag.lts.certify.premises import JudgedPremise
from symag.lts.language.composites import System
from symag.lts.questions import CompositeQuestion

CERTIFICATE = StateQuotient


def check(system: System, question: CompositeQuestion, certificate: StateQuotient, deadline: Deadline) -> None:
    """See ``kinds``."""
    for_safety(question)
    check_state_quotient(system, certificate, deadline)


def check_state_quotient(system: System, certificate: StateQuotient, deadline: Deadline) -> None:
    """Accept that ERROR cannot be reached. Raises CertificationError with what is wrong, and OutOfTimeError.

    Costs the states and transitions of N, and those of M || N/~ with the property.
    """
    question = safety_question(system)
    replaced = certificate.replaced
    if len(set(replaced)) != len(replaced) or not set(replaced) <= set(range(len(question.components))):
        raise refused(f"it replaces {list(replaced)}, of {len(question.components)} components")
    others = [machine for index, machine in enumerate(question.components) if index not in replaced]
    quotient = _quotient([question.components[index] for index in replaced], certificate, deadline)
    JudgedPremise("M || N/~ |= P", [*others, quotient], [], deadline).check(question.safe)


def _quotient(machines: Sequence[Machine], certificate: StateQuotient, deadline: Deadline) -> Machine:
    """The quotient, with classes renumbered: the class of the initial state is 0."""
    class_of = dict(certificate.classes)
    if len(class_of) != len(certificate.classes):
        raise refused("it gives two classes to one state")
    number: dict[int, int] = {}

    def number_of(state: tuple[int, ...]) -> int:
        if state not in class_of:
            raise refused(f"it gives no class to the state {list(state)} of the replaced part")
        return number.setdefault(class_of[state], len(number))

    number_of((0,) * len(machines))
    moves: set[tuple[int, str | None, int]] = set()
    for source, label, target in JudgedPremise("N", machines, [], deadline).transitions():
        moves.add((number_of(source), label, number_of(target)))
    steps: list[dict[str, list[int]]] = [{} for _ in number]
    silent: list[list[int]] = [[] for _ in number]
    for before, label, after in sorted(moves, key=lambda move: (move[0], move[1] or "", move[2])):
        if label is None:
            silent[before].append(after)
        else:
            steps[before].setdefault(label, []).append(after)
    alphabet = frozenset[str]().union(*(machine.alphabet for machine in machines))
    return Machine(alphabet, tuple(steps), tuple(map(tuple, silent)))
