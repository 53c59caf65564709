"""What every kind of certificate is."""

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
        """What the certificate is evidence for."""
        return "holds"

    def summary(self) -> str:
        """What the certificate is, in one line."""
        return self.kind.replace("-", " ")

    def document(self) -> dict[str, Any]:
        """What a JSON document says besides the kind."""
        raise NotImplementedError

    @classmethod
    def read(cls, evidence: Member) -> Self:
        """The certificate in a document. Raises InputError with the place of what is malformed."""
        raise NotImplementedError
