"""Binary decision diagrams as tables, and as members of JSON documents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from symag.core.evidence.documents import Member


@dataclass(frozen=True, slots=True)
class DiagramTable:
    """Shared if-then-else nodes over named bits ``(variable, bit index)`` of current-state values."""

    bits: tuple[tuple[str, int], ...]
    nodes: tuple[tuple[int, int, int], ...]

    def document(self) -> dict[str, Any]:
        """Two members of a JSON object."""
        return {"bits": self.bits, "nodes": self.nodes}

    def support(self, roots: Iterable[int]) -> tuple[tuple[str, int], ...]:
        """The bits that the diagrams of some nodes read, in the table's order. Linear in the table."""
        read: set[int] = set()
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            number = stack.pop()
            if number >= 2 and number not in seen:
                seen.add(number)
                bit, high, low = self.nodes[number - 2]
                read.add(bit)
                stack += (high, low)
        return tuple(self.bits[bit] for bit in sorted(read))

    @classmethod
    def read(cls, evidence: Member) -> DiagramTable:
        """The table in an object. Raises InputError."""
        bits = bits_of(evidence)
        nodes = []
        for number, item in enumerate(evidence.items("nodes"), start=2):
            bit, high, low = item.numbers(3)
            if not (0 <= bit < len(bits) and 0 <= high < number and 0 <= low < number):
                raise item.wrong("a diagram node over known bits and earlier nodes")
            nodes.append((bit, high, low))
        return cls(bits, tuple(nodes))


def bits_of(evidence: Member, name: str = "bits") -> tuple[tuple[str, int], ...]:
    """The member with this name: variables, each with the number of a bit. Raises InputError."""
    bits = []
    for item in evidence.items(name):
        parts = item.items()
        if len(parts) != 2:
            raise item.wrong("a variable and a bit")
        bits.append((parts[0].has(str), parts[1].has(int)))
    return tuple(bits)


def node_of(item: Member, table: DiagramTable) -> int:
    """The number of a diagram node. Raises InputError."""
    number = item.has(int)
    if not 0 <= number < len(table.nodes) + 2:
        raise item.wrong("the number of a diagram node")
    return number


def nodes_of(item: Member, table: DiagramTable) -> tuple[int, ...]:
    """A list of numbers of diagram nodes. Raises InputError."""
    return tuple(node_of(node, table) for node in item.items())


def texts_of(item: Member) -> tuple[tuple[str, str], ...]:
    """A list of names, each with an expression. Raises InputError."""
    texts = []
    for pair in item.items():
        both = pair.items()
        if len(both) != 2:
            raise pair.wrong("a name and an expression")
        texts.append((both[0].has(str), both[1].has(str)))
    return tuple(texts)
