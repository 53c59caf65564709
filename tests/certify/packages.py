"""Certificates before the re-checks of both packages of decision diagrams."""

from __future__ import annotations

from symag.core.errors import CertificationError
from symag.smv.certificates.certificate import Certificate
from symag.smv.certify import check_certificate
from symag.smv.certify.circuits.packages import Package
from symag.smv.model.flat import FlatSystem, Property

PACKAGES: tuple[Package, ...] = ("dd", "oxidd")


def is_accepted_by_both(system: FlatSystem, checked: Property, evidence: Certificate) -> bool:
    """The answer, which both packages must give alike."""
    answers = set()
    for package in PACKAGES:
        try:
            answers.add(check_certificate(system, checked, evidence, package=package))
        except CertificationError:
            answers.add(False)
    (answer,) = answers
    return answer
