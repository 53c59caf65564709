"""The kinds of certificates for probabilistic systems. Adding one is one module and one line here.

A module's ``check(problem, certificate, deadline)`` accepts what the certificate claims about the problem.
"""

from __future__ import annotations

from collections.abc import Callable

from symag.core.deadlines import Deadline
from symag.core.evidence.kinds import Kinds
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.problems import Problem

KINDS = Kinds[ProbabilisticCertificate, Callable[[Problem, ProbabilisticCertificate, Deadline], None]](
    {
        "strong-simulation": "symag.lpts.certify.simulations",
        "safety-bounds": "symag.lpts.certify.safety_formulas",
        "stochastic-tree": "symag.lpts.certify.trees",
        "bisimulation-classes": "symag.lpts.certify.equivalences",
        "distinguishing-formula": "symag.lpts.certify.distinguishing_formulas",
        "distinguishing-tree": "symag.lpts.certify.distinguishing_trees",
        "quantitative-bounds": "symag.lpts.certify.quantities",
        "triples": "symag.lpts.certify.triples",
    },
    "a kind of evidence that this symag knows",
)


def check_certificate(problem: Problem, certificate: ProbabilisticCertificate, deadline: Deadline) -> None:
    """Accept what the certificate claims about the problem. Raises CertificationError and OutOfTimeError."""
    KINDS.check(certificate)(problem, certificate, deadline)
