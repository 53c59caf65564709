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

import numpy as np

from symag.core.limits import Deadline
from symag.lts.certificates import ReductionStep, StateQuotient
from symag.lts.certify.machines import Machine, for_safety, lts_of, machine_from, refused, safety_question
from symag.lts.certify.reduction_states import with_classes
from symag.lts.certify.rules import JudgedPremise
from symag.lts.language.systems import System
from symag.lts.lts import Lts
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
    members = [lts_of(machine) for machine in machines]
    width = len(members) + 1
    try:
        classes = np.array([(*local, number) for local, number in certificate.classes], dtype=np.int64)
    except (OverflowError, ValueError):
        raise refused("its classes are not rows of numbers of less than 64 bits") from None
    step = ReductionStep(certificate.replaced, classes.reshape(-1, classes.shape[-1] if len(classes) else width))
    whole, number = with_classes(members, {label for lts in members for label in lts.alphabet}, step, "N", deadline)
    count = int(number.max()) + 1
    return machine_from(
        Lts.of_arrays("N/~", whole.alphabet, count, number[whole.source], whole.action, number[whole.target])
    )
