"""Clauses over the bits of variables, as certificates write and read them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symag.core.evidence.documents import Member
from symag.smv.certificates.diagrams import bits_of

#: ``(variable, bit, value)``: a bit of a variable has a value.
BitLiteral = tuple[str, int, bool]
BitClause = tuple[BitLiteral, ...]


def clause_members(clauses: Iterable[BitClause]) -> dict[str, Any]:
    """``bits`` are the state bits that the clauses mention; in a clause, n is bit n - 1 and -n its negation."""
    listed = list(clauses)
    bits = sorted({(name, index) for clause in listed for name, index, _ in clause})
    numbers = {bit: number for number, bit in enumerate(bits, start=1)}
    return {
        "bits": bits,
        "clauses": [
            [numbers[name, index] if value else -numbers[name, index] for name, index, value in clause]
            for clause in listed
        ],
    }


def read_clauses(evidence: Member) -> tuple[BitClause, ...]:
    """The clauses of a document with the two members. Raises InputError for wrong ones."""
    bits = bits_of(evidence)
    clauses = []
    for item in evidence.items("clauses"):
        literals = [literal.has(int) for literal in item.items()]
        if any(not 1 <= abs(literal) <= len(bits) for literal in literals):
            raise item.wrong("a clause over the bits")
        clauses.append(tuple((*bits[abs(literal) - 1], literal > 0) for literal in literals))
    return tuple(clauses)
