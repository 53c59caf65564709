"""What the nodes of a model are called in the system that it describes, in traces and in reports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from symag.btor2.format import Array, Btor2, Node
from symag.smv.legal_names import LegalNames


@dataclass(frozen=True, slots=True)
class Names:
    """``of[number]`` is the name of a state, an input, or a node with a symbol; of an array, without an index.

    ``legal`` gives further names.
    """

    of: dict[int, str]
    legal: LegalNames


def names_of(model: Btor2) -> Names:
    """The names of inputs and states, then those of other nodes with symbols.

    An input or a state without a symbol of its own has that of the first output that shows it, as Yosys writes
    the ports of a design.
    """
    legal = LegalNames()
    found: dict[int, str] = {}
    shown = {output.operands[0]: output.symbol for output in reversed(list(model.having("output"))) if output.symbol}
    for letter, tag in (("i", "input"), ("s", "state")):
        for number, node in enumerate(model.having(tag)):
            symbol = node.symbol or shown.get(node.identifier)
            found[node.identifier] = legal.fresh(symbol, f"{letter}{number}", _elements(node))
    for node in _named(model):
        found[node.identifier] = legal.fresh(node.symbol, "", _elements(node))
    return Names(found, legal)


def _named(model: Btor2) -> Iterable[Node]:
    """Nodes with symbols that have a value, and are neither input nor state."""
    return (node for node in model.nodes if node.symbol and node.sort is not None and node.tag not in _OTHERS)


_OTHERS = ("input", "state", "init", "next")


def _elements(node: Node) -> int:
    return 1 << node.sort.index if isinstance(node.sort, Array) else 0
