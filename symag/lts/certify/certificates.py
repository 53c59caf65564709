"""Which re-check a certificate for a labelled transition system needs."""

from __future__ import annotations

from symag.core.deadlines import Deadline
from symag.core.errors import CertificationError
from symag.lts.certificates import ExplorationClaim, LabelledCertificate, StateQuotient
from symag.lts.certify.properties import check_absence
from symag.lts.certify.rules import check_labelled_assumptions
from symag.lts.certify.state_quotient import check_state_quotient
from symag.lts.language.composites import System
from symag.lts.questions import CompositeQuestion


def check_certificate(
    system: System, question: CompositeQuestion, certificate: LabelledCertificate, deadline: Deadline
) -> None:
    """Accept that nothing violates the question. Raises CertificationError and OutOfTimeError."""
    if isinstance(certificate, ExplorationClaim):
        check_absence(system, question, deadline)
    elif question.kind != "safety":
        raise CertificationError("the certificate is not accepted: assumptions are evidence for safety only")
    elif isinstance(certificate, StateQuotient):
        check_state_quotient(system, certificate, deadline)
    else:
        check_labelled_assumptions(system, certificate, deadline)
