"""The kinds of certificates of a family: which module re-checks each of them."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from symag.core.errors import CertificationError
from symag.core.evidence.documented import Documented
from symag.core.evidence.documents import Member


class DocumentedCertificate(Documented, ABC):
    """Evidence in a document, whose kind says what re-checks it."""

    __slots__ = ()

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind in a file, such as ``inductive-set``."""


_Certificate = TypeVar("_Certificate", bound=DocumentedCertificate)
_Check = TypeVar("_Check", bound=Callable[..., None])


class Kinds(Struct, Generic[_Certificate, _Check], frozen=True):
    """``modules`` has a module for each kind. Its ``CERTIFICATE`` is the class of the kind's certificates, its
    ``check`` accepts what one claims, or raises CertificationError, or OutOfTimeError at the deadline.

    A module is imported when a certificate of the kind is read or checked: no check waits for the solvers of the
    others. ``unknown`` says what a document without a known kind lacks.
    """

    modules: Mapping[str, str]
    unknown: str

    def read(self, evidence: Member) -> _Certificate:
        """The certificate in a document. Raises InputError."""
        module = self.module(evidence.get("kind", str))
        if module is None:
            raise evidence.member("kind").wrong(self.unknown)
        certificate: _Certificate = module.CERTIFICATE.read(evidence)
        return certificate

    def check(self, certificate: _Certificate) -> _Check:
        """What re-checks a certificate. Raises CertificationError if nothing does."""
        module = self.module(certificate.kind)
        if module is None or not isinstance(certificate, module.CERTIFICATE):
            raise CertificationError(f"nothing re-checks certificates of the kind {certificate.kind}")
        check: _Check = module.check
        return check

    def module(self, kind: str) -> Any:
        """The module of a kind, None if there is none."""
        return importlib.import_module(self.modules[kind]) if kind in self.modules else None
