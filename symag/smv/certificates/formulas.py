"""Formulas over the bits of variables, as members of JSON documents: decision diagrams as tables, and clauses."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Struct

from symag.core.evidence.documented import INLINE, Documented, Spelling
from symag.core.evidence.documents import Member

#: A variable, with the number of one of its bits.
Bit = Annotated[tuple[str, int], "a variable and a bit"]

#: A name, with an expression.
NamedText = Annotated[tuple[str, str], "a name and an expression"]


class DiagramTable(Documented, Struct, frozen=True):
    """Shared if-then-else nodes over named bits ``(variable, bit index)`` of current-state values."""

    bits: tuple[Bit, ...]
    nodes: tuple[tuple[int, int, int], ...]

    def support(self, roots: Iterable[int]) -> tuple[tuple[str, int], ...]:
        """The bits that the diagrams of some nodes read, in the table's order. Linear in the table."""
        return tuple(self.bits[bit] for bit in sorted({self.nodes[number - 2][0] for number in self.below(roots)}))

    def below(self, roots: Iterable[int]) -> set[int]:
        """Some nodes and all below them, without 0 and 1."""
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            number = stack.pop()
            if number >= 2 and number not in seen:
                seen.add(number)
                stack += self.nodes[number - 2][1:]
        return seen

    def order(self) -> list[tuple[str, int]]:
        """The bits in an order in which every node's bit is before those of its children; as listed if there is none.

        Under it the diagrams have no more nodes than here.
        """
        below: list[set[int]] = [set() for _ in self.bits]
        for bit, high, low in self.nodes:
            below[bit].update(self.nodes[child - 2][0] for child in (high, low) if child >= 2)
        above = [0] * len(self.bits)
        for successors in below:
            for bit in successors:
                above[bit] += 1
        ready = [bit for bit, count in enumerate(above) if count == 0]
        order = []
        while ready:
            bit = heapq.heappop(ready)
            order.append(self.bits[bit])
            for successor in below[bit]:
                above[successor] -= 1
                if above[successor] == 0:
                    heapq.heappush(ready, successor)
        return order if len(order) == len(self.bits) else list(self.bits)

    def check_members(self, item: Member) -> None:
        for number, (bit, high, low) in enumerate(self.nodes, start=2):
            if not (0 <= bit < len(self.bits) and 0 <= high < number and 0 <= low < number):
                raise item.items("nodes")[number - 2].wrong("a diagram node over known bits and earlier nodes")


def _node(item: Member) -> int:
    number = item.has(int)
    if not 0 <= number < len(item.nearest("nodes")) + 2:
        raise item.wrong("the number of a diagram node")
    return number


#: The number of a node in the table of the certificate; the table, whose members are those of the certificate.
Node = Annotated[int, Spelling(_node)]
Table = Annotated[DiagramTable, INLINE]


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
