"""Clusters of a relation's conjuncts, their order, and the schedule of quantification."""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd, BddContext

#: A cluster may have this many times the threshold as long as no product is larger than its factors together.
_GENEROUS = 5


def cluster(context: BddContext, conjuncts: Sequence[Bdd], quantified: frozenset[str], threshold: int) -> list[Bdd]:
    """Merge neighbours, in the order of :func:`arrange`, while a product has at most ``threshold`` nodes.

    Products that are no larger than their factors together may have several times as many: fewer clusters mean fewer
    passes over the states.
    """
    clusters: list[Bdd] = []
    free = True
    for conjunct in arrange(context, conjuncts, quantified):
        # A product of two large diagrams may be huge before its size is known, so it is not tried.
        together = context.size(clusters[-1]) + context.size(conjunct) if clusters else 0
        if clusters and together <= (_GENEROUS * threshold if free else threshold):
            merged = clusters[-1] & conjunct
            size = context.size(merged)
            free = size <= together
            if size <= threshold or free:
                clusters[-1] = merged
                continue
        clusters.append(conjunct)
        free = True
    return clusters


def arrange(context: BddContext, conjuncts: Sequence[Bdd], quantified: frozenset[str]) -> list[Bdd]:
    """Order conjuncts greedily (Ranjan et al., IWLS 1995).

    Preferred are conjuncts after which many of their bits can be quantified, which add few bits that stay, and which
    read bits low in the order.
    """
    remaining = [
        (index, context.support(conjunct)) for index, conjunct in enumerate(conjuncts) if conjunct != context.true
    ]
    readers: dict[str, int] = {}
    for _, support in remaining:
        for bit in support & quantified:
            readers[bit] = readers.get(bit, 0) + 1
    level = {bit: number for number, bit in enumerate(context.order())}
    result: list[Bdd] = []

    def benefit(item: tuple[int, frozenset[str]]) -> tuple[float, int]:
        index, support = item
        bound = support & quantified
        leaving = sum(1 for bit in bound if readers[bit] == 1)
        staying = len(support) - len(bound)
        deepest = max((level[bit] for bit in bound), default=0)
        pending = len(readers) or 1
        return (
            2 * leaving / max(len(bound), 1)
            + len(bound) / pending
            + deepest / max(len(level), 1)
            - staying / max(len(level), 1),
            -index,
        )

    while remaining:
        best = max(remaining, key=benefit)
        remaining.remove(best)
        index, support = best
        result.append(conjuncts[index])
        for bit in support & quantified:
            readers[bit] -= 1
            if not readers[bit]:
                del readers[bit]
    return result


def schedule(
    context: BddContext, clusters: Sequence[Bdd], quantified: frozenset[str]
) -> tuple[tuple[str, ...], tuple[tuple[Bdd, frozenset[str]], ...]]:
    """The bits that no cluster reads, and each cluster with the bits that no later one reads."""
    supports = [context.support(diagram) & quantified for diagram in clusters]
    steps: list[tuple[Bdd, frozenset[str]]] = []
    later: frozenset[str] = frozenset()
    for diagram, support in zip(reversed(clusters), reversed(supports), strict=True):
        steps.append((diagram, support - later))
        later |= support
    return tuple(sorted(quantified - later)), tuple(reversed(steps))
