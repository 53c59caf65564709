"""Exact counts of valuations: integers over the diagram's graph, where dd's own count is a double."""

from __future__ import annotations

from collections.abc import Iterable

from symag.bdd.context import Bdd, BddContext


def count(context: BddContext, diagram: Bdd, bits: Iterable[str]) -> int:
    """How many valuations of ``bits`` satisfy the diagram. Linear in its nodes.

    Raises ValueError if the diagram depends on other bits.
    """
    return Valuations(context, diagram, bits).count


class Valuations:
    """The valuations of ``bits`` that satisfy a diagram, numbered from 0 in the order of the context's bits.

    Making it costs time linear in the diagram's nodes, and ``at`` in the number of bits. Raises ValueError
    if the diagram depends on other bits.
    """

    def __init__(self, context: BddContext, diagram: Bdd, bits: Iterable[str]) -> None:
        names = set(bits)
        if not context.support(diagram) <= names:
            raise ValueError("the diagram depends on bits that are not counted")
        self._context = context
        self._diagram = diagram
        self._order = tuple(name for name in context.order() if name in names)
        self._levels = {name: level for level, name in enumerate(self._order)}
        # Counts of the regular node over the bits from its own level on.
        self._known: dict[int, int] = {}
        self._count_all()
        self.count = self._count(diagram, 0)

    def at(self, index: int) -> dict[str, bool]:
        """The valuation with a number from 0 below ``count``. Raises IndexError for any other."""
        if not 0 <= index < self.count:
            raise IndexError(index)
        found: dict[str, bool] = {}
        edge = self._diagram
        for level, name in enumerate(self._order):
            low = high = edge
            if edge.var == name:
                low, high = (~edge.low, ~edge.high) if edge.negated else (edge.low, edge.high)
            below = self._count(low, level + 1)
            found[name] = index >= below
            edge, index = (high, index - below) if found[name] else (low, index)
        return found

    def _level(self, node: Bdd) -> int:
        return len(self._order) if node.var is None else self._levels[node.var]

    def _count(self, edge: Bdd, above: int) -> int:
        """The count of an edge over the bits from ``above`` on."""
        total, level = len(self._order), self._level(edge)
        if edge.var is None:
            return (1 << (total - above)) if edge == self._context.true else 0
        regular = self._known[_identity(edge)]
        counted = (1 << (total - level)) - regular if edge.negated else regular
        return counted << (level - above)

    def _count_all(self) -> None:
        known = self._known
        stack = [self._diagram]
        while stack:
            node = stack[-1]
            if node.var is None or _identity(node) in known:
                stack.pop()
                continue
            low, high = node.low, node.high
            waiting = [child for child in (low, high) if child.var is not None and _identity(child) not in known]
            if waiting:
                stack.extend(waiting)
                continue
            below = self._levels[node.var] + 1
            known[_identity(node)] = self._count(low, below) + self._count(high, below)
            stack.pop()


def _identity(edge: Bdd) -> int:
    """A number of the node below an edge, the same for both signs."""
    return int(~edge) if edge.negated else int(edge)
