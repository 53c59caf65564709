"""The names of a model's nodes in its system, in traces and in reports."""

from __future__ import annotations

from msgspec import Struct

from symag.smv.btor2.format import Array, Btor2, Btor2Node
from symag.smv.model.legal_names import LegalNames

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
