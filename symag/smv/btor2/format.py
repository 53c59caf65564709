"""Word-level models in the BTOR2 format as a value (Niemetz, Preiner, Wolf, Biere, "Btor2, BtorMC and Boolector 3.0",
CAV 2018).

Laws of this file: a node has a positive number and is read by nodes behind it only. An operand ``-n`` is the
bitwise negation of node n. An input has any value at any step. A state has its initial value at step 0 and then what
its next value was one step earlier; any value where the model gives none, at each step where it has no next value.
A bad node that is 1 at step k is a violation if every constraint is 1 at steps 0 to k. A justice property is violated
by an infinite run on which all constraints are always 1 and each of its nodes, and each fair node, is 1 infinitely
often.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct


class BitVector(Struct, frozen=True):
    """Bit-vectors of a width of at least 1."""

    width: int

    def __str__(self) -> str:
        return f"bitvec {self.width}"


class Array(Struct, frozen=True):
    """Arrays of ``2**index`` bit-vectors of ``element`` bits each."""

    index: int
    element: int

    def __str__(self) -> str:
        return f"array of bitvec {self.element} with addresses of bitvec {self.index}"


Sort = BitVector | Array


def elements(name: str, sort: Sort) -> list[tuple[str, int]]:
    """The variables for a node with a name, each with its width: one, or the elements of an array."""
    if isinstance(sort, BitVector):
        return [(name, sort.width)]
    return [(f"{name}[{number}]", sort.element) for number in range(1 << sort.index)]


class Btor2Node(Struct, frozen=True):
    """One line but a sort's.

    ``operands`` are nodes, negative if they are negated. ``numbers`` are a slice's upper and lower bit, the bits
    that an extension adds, or a constant's value. ``sort`` is None for a line without a value. ``position`` is the
    line's offset in the text.
    """

    identifier: int
    tag: str
    sort: Sort | None
    operands: tuple[int, ...]
    numbers: tuple[int, ...]
    symbol: str | None
    position: int


class Btor2(Struct, frozen=True):
    """A whole file: its nodes in the order of the text."""

    nodes: tuple[Btor2Node, ...]

    def having(self, *tags: str) -> Iterator[Btor2Node]:
        """The nodes with one of these tags, in the order of the text."""
        return (node for node in self.nodes if node.tag in tags)
