"""Exact counts of valuations: integers over the diagram's graph, where dd's own count is a double."""

from __future__ import annotations

from collections.abc import Iterable

from symag.symbolic.context import Bdd, BddContext


def count(context: BddContext, diagram: Bdd, bits: Iterable[str]) -> int:
    """How many valuations of ``bits`` satisfy the diagram. Linear in its nodes.

    Raises ValueError if the diagram depends on other bits.
    """
    names = set(bits)
    if not context.support(diagram) <= names:
        raise ValueError("the diagram depends on bits that are not counted")
    levels = {name: level for level, name in enumerate(name for name in context.order() if name in names)}
    total = len(levels)
    # Counts of the regular node over the bits from its own level on.
    known: dict[int, int] = {}

    def level_of(node: Bdd) -> int:
        return total if node.var is None else levels[node.var]

    def known_count(edge: Bdd, above: int) -> int:
        """The count of an edge over the bits from ``above`` on."""
        level = level_of(edge)
        if edge.var is None:
            return (1 << (total - above)) if edge == context.true else 0
        regular = known[_identity(edge)]
        counted = (1 << (total - level)) - regular if edge.negated else regular
        return counted << (level - above)

    stack = [diagram]
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
        below = levels[node.var] + 1
        known[_identity(node)] = known_count(low, below) + known_count(high, below)
        stack.pop()
    return known_count(diagram, 0)


def _identity(edge: Bdd) -> int:
    """A number of the node below an edge, the same for both signs."""
    return int(~edge) if edge.negated else int(edge)
