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

from symag.smv.model.legal_names import LegalNames


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


_CONSTANTS = ("const", "constd", "consth", "zero", "one", "ones")


class NodeNames(Struct, frozen=True):
    """``of[number]`` is the name of a node: of every input, every state, and every node with a symbol. The name of an
    array has no index. ``legal`` gives further names.
    """

    of: dict[int, str]
    legal: LegalNames


def names_of(model: Btor2) -> NodeNames:
    """Names for all inputs and states, and for other nodes with a symbol.

    Yosys names a signal by a line that shows another node unchanged (``uext`` by 0 bits, ``output``). If that node has
    no symbol of its own, the name is that node's, and the line has none.
    """
    legal = LegalNames()
    names: dict[int, str] = {}
    symbols = {node.identifier: node.symbol for node in model.nodes if node.symbol and _has_name(node)}
    nodes = {node.identifier: node for node in model.nodes}
    for node in model.nodes:
        shown = nodes[node.operands[0]] if _is_alias(node) and node.operands[0] > 0 else None
        if shown and shown.tag not in _CONSTANTS and shown.identifier not in symbols and node.identifier in symbols:
            symbols[shown.identifier] = symbols.pop(node.identifier)
    for letter, tag in (("i", "input"), ("s", "state")):
        for number, node in enumerate(model.having(tag)):
            names[node.identifier] = legal.fresh(
                symbols.pop(node.identifier, None), f"{letter}{number}", _elements(node)
            )
    for identifier, symbol in sorted(symbols.items()):
        names[identifier] = legal.fresh(symbol, "", _elements(nodes[identifier]))
    return NodeNames(names, legal)


def _has_name(node: Btor2Node) -> bool:
    return node.tag == "output" or (node.sort is not None and node.tag not in ("init", "next"))


def _is_alias(node: Btor2Node) -> bool:
    """Whether the node shows its operand unchanged."""
    return node.tag == "output" or (node.tag == "uext" and node.numbers == (0,))


def _elements(node: Btor2Node) -> int:
    return 1 << node.sort.index if isinstance(node.sort, Array) else 0
