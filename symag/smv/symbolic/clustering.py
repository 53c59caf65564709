"""Clusters of a relation's conjuncts, their order, and the schedule of quantification."""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd, BddContext

#: A cluster may have this many times the threshold as long as no product is larger than its factors together.
_GENEROUS = 5
#: The weight, in :func:`arrange`, of bits low in the order.
LOW = 1.0


def cluster(
    context: BddContext, conjuncts: Sequence[Bdd], quantified: frozenset[str], threshold: int, *, low: float = LOW
) -> list[Bdd]:
    """Merge neighbours, in the order of :func:`arrange`, while a product has at most ``threshold`` nodes.

    Products that are no larger than their factors together may have several times as many: fewer clusters mean fewer
    passes over the states.
    """
    clusters: list[Bdd] = []
    free = True
    for conjunct in arrange(context, conjuncts, quantified, low=low):
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


def arrange(
    context: BddContext, conjuncts: Sequence[Bdd], quantified: frozenset[str], *, low: float = LOW
) -> list[Bdd]:
    """Order conjuncts greedily (Ranjan et al., IWLS 1995).

    Preferred are conjuncts after which many of their bits can be quantified, which add few bits that stay, and which
    read bits low in the order; ``low`` weighs the last.
    """
    waiting = [index for index, conjunct in enumerate(conjuncts) if conjunct != context.true]
    level = {bit: number for number, bit in enumerate(context.order())}
    levels = max(len(level), 1)
    bounds: dict[int, frozenset[str]] = {}
    #: What never changes of the benefit of each: its bits low in the order, those that stay.
    fixed: dict[int, float] = {}
    readers: dict[str, set[int]] = {}
    for index in waiting:
        support = context.support(conjuncts[index])
        bound = bounds[index] = support & quantified
        deepest = max((level[bit] for bit in bound), default=0)
        fixed[index] = low * deepest / levels - (len(support) - len(bound)) / levels
        for bit in bound:
            readers.setdefault(bit, set()).add(index)
    leaving = dict.fromkeys(waiting, 0)
    for only in [bit for bit, reading in readers.items() if len(reading) == 1]:
        leaving[min(readers[only])] += 1

    def benefit(index: int) -> tuple[float, int]:
        size = len(bounds[index])
        return 2 * leaving[index] / max(size, 1) + size / (len(readers) or 1) + fixed[index], -index

    result: list[Bdd] = []
    while waiting:
        best = max(waiting, key=benefit)
        waiting.remove(best)
        result.append(conjuncts[best])
        for bit in bounds[best]:
            reading = readers[bit]
            reading.discard(best)
            if len(reading) == 1:
                leaving[min(reading)] += 1
            elif not reading:
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
