"""The kinds of certificates for labelled transition systems. Adding one is one module and one line here.

A module's ``check(system, question, certificate, deadline)`` accepts that nothing violates the question.
"""

from __future__ import annotations

from collections.abc import Callable

from symag.core.deadlines import Deadline
from symag.core.evidence.kinds import Kinds
from symag.lts.certificates import LabelledCertificate
from symag.lts.language.composites import System
from symag.lts.questions import CompositeQuestion

KINDS = Kinds[LabelledCertificate, Callable[[System, CompositeQuestion, LabelledCertificate, Deadline], None]](
    {
        "exploration": "symag.lts.certify.exploration",
        "labelled-assumptions": "symag.lts.certify.rules",
        "modal-abstractions": "symag.lts.certify.liveness.modal_abstraction",
        "reduction-chain": "symag.lts.certify.reduction_chain",
        "state-quotient": "symag.lts.certify.state_quotient",
    },
    "a kind of certificate that this symag knows for this model",
)


def check_certificate(
    system: System, question: CompositeQuestion, certificate: LabelledCertificate, deadline: Deadline
) -> None:
    """Accept that nothing violates the question. Raises CertificationError and OutOfTimeError."""
    KINDS.check(certificate)(system, question, certificate, deadline)
