"""Relational products over clusters of conjuncts, with early quantification.

Source: Burch, Clarke, Long (1991) for the partitioned relation, Ranjan et al. (IWLS 1995) for the order of the
clusters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext, memory_errors
from symag.core.values import replace
from symag.smv.symbolic.clustering import arrange, cluster, schedule

#: Conjuncts are merged while the result has at most this many nodes.
CLUSTER_THRESHOLD = 2000


class TooManyNodesError(Exception):
    """A product on the way to an image has more nodes than the caller allows."""


class RelationalProduct(Struct, frozen=True, eq=False):
    """``exists names. states & cluster_1 & ... & cluster_n`` with each name quantified as early as possible.

    ``first`` are the names that no cluster reads; ``steps`` pairs each cluster with the names that no
    later cluster reads.
    """

    context: BddContext
    first: tuple[str, ...]
    steps: tuple[tuple[Bdd, frozenset[str]], ...]

    @classmethod
    def of(
        cls,
        context: BddContext,
        conjuncts: Sequence[Bdd],
        quantified: Iterable[str],
    ) -> RelationalProduct:
        """Order the conjuncts, cluster them, and order the clusters."""
        names = frozenset(quantified)
        with memory_errors():
            clusters = cluster(context, conjuncts, names, CLUSTER_THRESHOLD)
            return cls.over_clusters(context, clusters, names)

    @classmethod
    def over_clusters(
        cls, context: BddContext, clusters: Sequence[Bdd], quantified: Iterable[str]
    ) -> RelationalProduct:
        """Only order the clusters for these names."""
        names = frozenset(quantified)
        with memory_errors():
            return cls(context, *schedule(context, arrange(context, clusters, names), names))

    def apply(self, states: Bdd, most: float = math.inf) -> Bdd:
        """The product for these states.

        Raises TooManyNodesError when a diagram on the way has more than ``most`` nodes; it is known after it is made.
        """
        result = self.context.exists(self.first, states)
        for diagram, names in self.steps:
            result = self.context.and_exists(result, diagram, names)
            if result == self.context.false:
                break
            if most < math.inf and self.context.size(result) > most:
                raise TooManyNodesError
        return result

    def confined(self, states: Bdd) -> RelationalProduct:
        """The same product for current states among these (at least one), perhaps smaller; arbitrary for others.

        Source: Coudert, Berthet, Madre, "Verification of synchronous sequential machines" (1989).
        """
        steps = tuple((self.context.restrict(diagram, states), names) for diagram, names in self.steps)
        return replace(self, steps=steps)
