"""The base of every kind of certificate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, Self

from symag.core.evidence.documents import Member


class Certificate(ABC):
    """Evidence that ``symag.smv.certify`` re-checks: a frozen value that knows how it is written to a file.

    To add a kind: derive a dataclass from this, and name the module with its re-check in ``symag.smv.certify.kinds``,
    under the same ``kind``.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def kind(self) -> str:
        """Such as ``inductive-set``."""

    @property
    def claim(self) -> Literal["holds", "violated"]:
        """The verdict that the certificate is evidence for."""
        return "holds"

    def summary(self) -> str:
        """The certificate in one line."""
        return self.kind.replace("-", " ")

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The members of the JSON document besides ``kind``."""

    @classmethod
    @abstractmethod
    def read(cls, evidence: Member) -> Self:
        """The certificate in a document. Raises InputError that names the malformed member."""
