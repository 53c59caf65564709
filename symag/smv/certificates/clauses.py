"""Clauses over the bits of variables, as certificates write and read them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Struct

from symag.core.evidence.documented import INLINE, Documented, Spelling
from symag.core.evidence.documents import Member
from symag.smv.certificates.diagrams import Bit

#: ``(variable, bit, value)``: a bit of a variable has a value.
BitLiteral = tuple[str, int, bool]
BitClause = tuple[BitLiteral, ...]


class _NumberedClauses(Struct, Documented, frozen=True):
    """``bits`` are the state bits that the clauses mention; in a clause, n is bit n - 1 and -n its negation."""

    bits: tuple[Bit, ...]
    clauses: tuple[tuple[int, ...], ...]

    def check_members(self, item: Member) -> None:
        for number, clause in enumerate(self.clauses):
            if any(not 1 <= abs(literal) <= len(self.bits) for literal in clause):
                raise item.items("clauses")[number].wrong("a clause over the bits")


def _members(clauses: tuple[BitClause, ...]) -> dict[str, Any]:
    bits = sorted({(name, index) for clause in clauses for name, index, _ in clause})
    numbers = {bit: number for number, bit in enumerate(bits, start=1)}
    numbered = (
        tuple(numbers[name, index] if value else -numbers[name, index] for name, index, value in clause)
        for clause in clauses
    )
    return _NumberedClauses(tuple(bits), tuple(numbered)).document()


def _clauses(evidence: Member) -> tuple[BitClause, ...]:
    read = _NumberedClauses.read(evidence)
    return tuple(tuple((*read.bits[abs(literal) - 1], literal > 0) for literal in clause) for clause in read.clauses)


#: Clauses, as two members of an object: the bits, and the clauses over their numbers.
Clauses = Annotated[tuple[BitClause, ...], Spelling(_clauses, _members), INLINE]
