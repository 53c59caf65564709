"""Exact counts of valuations: integers over the diagram's graph."""

from __future__ import annotations

from collections.abc import Iterable

from symag.bdd.context import Bdd, BddContext


def count(context: BddContext, diagram: Bdd, bits: Iterable[str]) -> int:
    """The number of valuations of ``bits`` that satisfy the diagram, in time linear in its nodes.

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
        levels = {name: level for level, name in enumerate(self._order)}
        # For each diagram below: the level of its topmost bit, and its count over the bits from there on.
        bottom = len(self._order)
        self._known: dict[Bdd, tuple[int, int]] = {context.false: (bottom, 0), context.true: (bottom, 1)}
        self._count_all(levels)
        self.count = self._count(diagram, 0)

    def at(self, index: int) -> dict[str, bool]:
        """The valuation with a number from 0 below ``count``. Raises IndexError for any other."""
        if not 0 <= index < self.count:
            raise IndexError(index)
        valuation: dict[str, bool] = {}
        here = self._diagram
        for level, name in enumerate(self._order):
            node = self._context.decision(here)
            low, high = (here, here) if node is None or node[0] != name else node[1:]
            below = self._count(low, level + 1)
            valuation[name] = index >= below
            here, index = (high, index - below) if valuation[name] else (low, index)
        return valuation

    def _count(self, diagram: Bdd, above: int) -> int:
        """The count over the bits from ``above`` on."""
        level, counted = self._known[diagram]
        return counted << (level - above)

    def _count_all(self, levels: dict[str, int]) -> None:
        known = self._known
        for below, name, low, high in self._context.decisions_below(self._diagram, known):
            level = levels[name]
            known[below] = (level, self._count(low, level + 1) + self._count(high, level + 1))
