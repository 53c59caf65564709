"""The kinds of certificates for probabilistic systems. Adding one is one module and one line here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from symag.core.deadlines import Deadline
from symag.core.errors import CertificationError
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.problems import Problem


class Kind(Protocol):
    """The members of a kind's module."""

    @property
    def CERTIFICATE(self) -> type[ProbabilisticCertificate]:  # noqa: N802 - a constant of the module
        """The class of the certificates."""

    def check(self, problem: Problem, certificate: ProbabilisticCertificate, deadline: Deadline) -> None:
        """Accept what the certificate claims about the problem. Raises CertificationError and OutOfTimeError."""


#: What ``kind`` says, and the module.
KINDS: Mapping[str, str] = {
    "strong-simulation": "symag.lpts.certify.simulations",
    "safety-bounds": "symag.lpts.certify.safety_formulas",
    "stochastic-tree": "symag.lpts.certify.trees",
    "bisimulation-classes": "symag.lpts.certify.equivalences",
    "distinguishing-formula": "symag.lpts.certify.distinguishing_formulas",
    "distinguishing-tree": "symag.lpts.certify.distinguishing_trees",
    "quantitative-bounds": "symag.lpts.certify.quantities",
    "triples": "symag.lpts.certify.triples",
}


def kind_named(name: str) -> Kind | None:
    """The kind with this name, None if there is none."""
    return cast(Kind, importlib.import_module(KINDS[name])) if name in KINDS else None


def check_certificate(problem: Problem, certificate: ProbabilisticCertificate, deadline: Deadline) -> None:
    """Accept what the certificate claims about the problem. Raises CertificationError and OutOfTimeError."""
    kind = kind_named(certificate.kind)
    if kind is None or not isinstance(certificate, kind.CERTIFICATE):
        raise CertificationError(f"nothing re-checks certificates of the kind {certificate.kind}")
    kind.check(problem, certificate, deadline)
