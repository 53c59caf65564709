"""One part: its first states, and its steps under the projections of other parts' sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.bdd.context import Bdd, memory_errors
from symag.smv.methods.partwise.constraints import BitConstraint, BitConstraints
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.clustering import cluster
from symag.smv.symbolic.encoding import Encoding
from symag.smv.symbolic.relation import CLUSTER_THRESHOLD, RelationalProduct


@dataclass(frozen=True, slots=True, eq=False)
class ReachedPart:
    """The bits of a part, and what it needs for steps.

    ``scope`` are the current bits and inputs that its constraints (``clusters``) read, with its own. ``initial`` and
    ``valid`` are sets over ``bits``: of the first states, and of those that conditions on states allow. ``gone`` are
    the bits of other parts, now and next, ``passing`` its own that steps may change.
    """

    encoding: Encoding
    bits: frozenset[str]
    scope: frozenset[str]
    initial: Bdd
    valid: Bdd
    clusters: tuple[Bdd, ...]
    gone: frozenset[str]
    passing: frozenset[str]

    def relation(self, neighbours: Sequence[Bdd]) -> Bdd:
        """The steps, over the part's current and next bits, where the others are in the sets ``neighbours``.

        Costs one product, which has to be made again only when the neighbours have changed. Raises MemoryExhausted.
        """
        context = self.encoding.context
        others = self.gone.union(*(context.support(diagram) for diagram in neighbours)) - self.bits
        with memory_errors():
            product = RelationalProduct.over_clusters(context, (*self.clusters, *neighbours), others)
            return product.apply(context.true)

    def closure(self, start: Bdd, relation: Bdd) -> Bdd:
        """``start`` and all that it reaches by a relation of the part. Raises MemoryExhausted."""
        context = self.encoding.context
        with memory_errors():
            states = frontier = start
            while frontier != context.false:
                frontier = self.image(frontier, relation) & ~states
                states = states | frontier
            return states

    def image(self, states: Bdd, relation: Bdd) -> Bdd:
        """What the part reaches from states in one step. Raises MemoryExhausted."""
        with memory_errors():
            following = self.encoding.context.and_exists(states, relation, self.passing)
            return self.encoding.to_current(following) & self.valid


def part(constraints: BitConstraints, bits: frozenset[str]) -> ReachedPart:
    """The part with these bits. Raises MemoryExhausted."""
    system = constraints.system
    encoding, context = system.encoding, system.context
    with memory_errors():
        moves = constraints.moves(bits)
        scope = bits.union(*(constraint.now for constraint in moves))
        frozen = frozenset(encoding.current_bits(encoding.names(VariableKind.FROZEN)))
        following = frozenset().union(*(constraint.then for constraint in moves))
        gone = (scope - bits) | {_next(encoding, bit) for bit in following - bits}
        starts, conditions = constraints.starts(bits), constraints.conditions(bits)
        return ReachedPart(
            encoding,
            bits,
            scope,
            _projection(encoding, starts, bits),
            _projection(encoding, conditions, bits),
            tuple(cluster(context, [c.diagram for c in moves], frozenset(gone), CLUSTER_THRESHOLD)),
            frozenset(gone),
            bits - frozen,
        )


def _next(encoding: Encoding, bit: str) -> str:
    name, index, _ = encoding.variable_of_bit[bit]
    return encoding.next[name][index]


def _projection(encoding: Encoding, constraints: Sequence[BitConstraint], bits: frozenset[str]) -> Bdd:
    context = encoding.context
    others = frozenset().union(*(constraint.now for constraint in constraints)) - bits
    return RelationalProduct.of(context, [c.diagram for c in constraints], others).apply(context.true)
