"""The kinds of certificates for labelled transition systems. Adding one is one module and one line here."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from symag.core.deadlines import Deadline
from symag.core.errors import CertificationError
from symag.lts.certificates import LabelledCertificate
from symag.lts.language.composites import System
from symag.lts.questions import CompositeQuestion


class Kind(Protocol):
    """The members of a kind's module."""

    @property
    def CERTIFICATE(self) -> type[LabelledCertificate]:  # noqa: N802 - a constant of the module
        """The class of the certificates."""

    def check(
        self, system: System, question: CompositeQuestion, certificate: LabelledCertificate, deadline: Deadline
    ) -> None:
        """Accept that nothing violates the question. Raises CertificationError and OutOfTimeError."""


#: What ``kind`` says, and the module.
KINDS: Mapping[str, str] = {
    "exploration": "symag.lts.certify.exploration",
    "labelled-assumptions": "symag.lts.certify.rules",
    "modal-abstractions": "symag.lts.certify.liveness.modal_abstraction",
    "reduction-chain": "symag.lts.certify.reduction_chain",
    "state-quotient": "symag.lts.certify.state_quotient",
}


def kind_named(name: str) -> Kind | None:
    """The kind with this name, None if there is none."""
    return cast(Kind, importlib.import_module(KINDS[name])) if name in KINDS else None


def check_certificate(
    system: System, question: CompositeQuestion, certificate: LabelledCertificate, deadline: Deadline
) -> None:
    """Accept that nothing violates the question. Raises CertificationError and OutOfTimeError."""
    kind = kind_named(certificate.kind)
    if kind is None or not isinstance(certificate, kind.CERTIFICATE):
        raise CertificationError(f"nothing re-checks certificates of the kind {certificate.kind}")
    kind.check(system, question, certificate, deadline)
