"""The base of every kind of certificate."""

from __future__ import annotations

from typing import Any, Literal, Self

from symag.core.evidence.documents import Member


class Certificate:
    """Evidence that ``symag.smv.certify`` re-checks: a frozen value that knows how it is written to a file.

    To add a kind: derive a dataclass from this in a module that also has the re-check, and name the module in
    ``symag.smv.certify.kinds``. What ``kind`` says there, it says here.
    """

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Such as ``inductive-set``."""
        raise NotImplementedError

    @property
    def claim(self) -> Literal["holds", "violated"]:
        """The verdict that the certificate is evidence for."""
        return "holds"

    def summary(self) -> str:
        """The certificate in one line."""
        return self.kind.replace("-", " ")

    def document(self) -> dict[str, Any]:
        """The members of the JSON document besides ``kind``."""
        raise NotImplementedError

    @classmethod
    def read(cls, evidence: Member) -> Self:
        """The certificate in a document. Raises InputError with the place of what is malformed."""
        raise NotImplementedError
