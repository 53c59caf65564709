"""Conjunctively partitioned transition relations: image and preimage with early quantification.

Source: Burch, Clarke, Long (1991) for the partitioned relation, Ranjan et al. (IWLS 1995) for the
order of the clusters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from symag.smv.flat import VariableKind
from symag.symbolic.clustering import cluster, schedule
from symag.symbolic.context import Bdd, BddContext, memory_errors
from symag.symbolic.encoding import Encoding
from symag.symbolic.system import SymbolicSystem

#: Conjuncts are merged while the result has at most so many nodes.
CLUSTER_THRESHOLD = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Product:
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
        threshold: int = CLUSTER_THRESHOLD,
    ) -> Product:
        """Order, cluster, and order again; costs one pass over the conjuncts for each."""
        names = frozenset(quantified)
        with memory_errors():
            clusters = cluster(context, conjuncts, names, threshold)
            return cls(context, *schedule(context, clusters, names))

    def apply(self, states: Bdd) -> Bdd:
        """The product for these states."""
        result = self.context.exists(self.first, states)
        for diagram, names in self.steps:
            result = self.context.and_exists(result, diagram, names)
            if result == self.context.false:
                break
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A transition relation over current, input and next bits, from any set of conjuncts.

    ``image`` and ``preimage`` quantify exactly the bits that they were built with: bits that are in
    neither list (another part's variables, say) stay in the result as they are. Both map diagrams
    over current bits to diagrams over current bits.
    """

    context: BddContext
    forward: Product
    backward: Product
    to_current: dict[str, Bdd]
    to_next: dict[str, Bdd]

    @classmethod
    def of(
        cls,
        encoding: Encoding,
        conjuncts: Iterable[Bdd],
        state: Iterable[str],
        inputs: Iterable[str],
        threshold: int = CLUSTER_THRESHOLD,
    ) -> Relation:
        """``state`` are the variables with a next value, ``inputs`` those to quantify in both directions.

        Frozen variables among ``state`` keep their bits: they are not quantified.
        """
        state = tuple(name for name in state if encoding.variables[name].kind is VariableKind.STATE)
        context = encoding.context
        diagrams = list(conjuncts)
        current, following = encoding.current_bits(state), encoding.next_bits(state)
        free = encoding.current_bits(inputs)
        return cls(
            context,
            Product.of(context, diagrams, (*current, *free), threshold),
            Product.of(context, diagrams, (*following, *free), threshold),
            encoding.renaming(state, to_next=False),
            encoding.renaming(state, to_next=True),
        )

    def image(self, states: Bdd) -> Bdd:
        """The successors of the states."""
        with memory_errors():
            return self.context.rename(self.forward.apply(states), self.to_current)

    def preimage(self, states: Bdd) -> Bdd:
        """The predecessors of the states."""
        with memory_errors():
            return self.backward.apply(self.context.rename(states, self.to_next))


def system_conjuncts(system: SymbolicSystem, variables: Collection[str] | None = None) -> tuple[Bdd, ...]:
    """Trans, and invar at both ends; only what reads no other variables than these (None: everything)."""
    encoding = system.encoding
    chosen = frozenset(encoding.variables if variables is None else variables)
    with memory_errors():
        invar = [conjunct.diagram for conjunct in system.invar if conjunct.current <= chosen]
        trans = [conjunct.diagram for conjunct in system.trans if conjunct.current | conjunct.next <= chosen]
        return (*trans, *invar, *(encoding.to_next(diagram) for diagram in invar))


def transition_relation(
    system: SymbolicSystem, variables: Collection[str] | None = None, threshold: int = CLUSTER_THRESHOLD
) -> Relation:
    """The relation of the whole system, or of those conjuncts that read only these variables."""
    encoding = system.encoding
    chosen = frozenset(encoding.variables if variables is None else variables)
    state = [name for name in encoding.names(VariableKind.STATE) if name in chosen]
    inputs = [name for name in encoding.names(VariableKind.INPUT) if name in chosen]
    return Relation.of(encoding, system_conjuncts(system, chosen), state, inputs, threshold)
