"""The base of every kind of certificate."""

from __future__ import annotations

from typing import Literal

from symag.core.evidence.documented import DocumentedCertificate
from symag.core.evidence.documents import Member

#: The most steps, or times, that a certificate may count: a re-check makes as many copies of a circuit.
MOST_STEPS = 100_000


def check_steps(item: Member, key: str) -> None:
    """Refuse a number of steps beyond ``MOST_STEPS``, which no re-check would finish. Raises InputError."""
    if item.get(key, int) > MOST_STEPS:
        raise item.member(key).wrong(f"a number of at most {MOST_STEPS:,}")


class Certificate(DocumentedCertificate):
    """Evidence that ``symag.smv.certify`` re-checks: a frozen value that knows how it is written to a file.

    To add a kind: derive a Struct from this, and name the module with its re-check in ``symag.smv.certify.kinds``,
    under the same ``kind``.
    """

    __slots__ = ()

    @property
    def claim(self) -> Literal["holds", "violated"]:
        """The verdict that the certificate is evidence for."""
        return "holds"

    def summary(self) -> str:
        """The certificate in one line."""
        return self.kind.replace("-", " ")
