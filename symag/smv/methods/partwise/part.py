"""One part: its first states, and its steps under the projections of other parts' sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.core.values import replace
from symag.smv.model.flat import Variable, VariableKind
from symag.smv.model.types import BooleanType
from symag.smv.symbolic.clustering import cluster
from symag.smv.symbolic.encoding import Encoding, current_bit, next_bit
from symag.smv.symbolic.relational_product import CLUSTER_THRESHOLD, RelationalProduct
from symag.smv.symbolic.system import Conjunct, SymbolicSystem

#: A constraint on states is used by a part that reads some of its bits if it has at most this many others.
_OTHER_BITS = 16


class BitConstraint(Struct, frozen=True, eq=False):
    """A conjunct with the current (or input) bits that it reads, and the current names of its next bits."""

    diagram: Bdd
    now: frozenset[str]
    then: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class BitConstraints:
    """``definitions`` are the assignments of variables in every state, by their bits; ``invar`` the other conditions
    on states. ``memory`` are the bits that parts consist of: those of state and frozen variables without a definition.
    Parts may have the bits of ``wires`` too, each with the equation ``w <-> e`` that defines it.
    """

    system: SymbolicSystem
    init: tuple[BitConstraint, ...]
    definitions: dict[str, BitConstraint]
    invar: tuple[BitConstraint, ...]
    trans: tuple[BitConstraint, ...]
    memory: frozenset[str]
    wires: Mapping[str, BitConstraint] = field(default_factory=dict)

    @classmethod
    def of(cls, system: SymbolicSystem) -> BitConstraints:
        """Those of a system. Raises MemoryExhausted."""
        encoding = system.encoding
        defined = {c.owner for c in system.invar if c.kind == "assignment" and c.owner is not None}
        definitions: dict[str, BitConstraint] = {}
        invar = []
        for conjunct in system.invar:
            constraint = _constraint(system, conjunct)
            if conjunct.kind == "assignment" and conjunct.owner is not None:
                definitions.update((bit, constraint) for bit in encoding.current[conjunct.owner])
            else:
                invar.append(constraint)
        memory = encoding.names(VariableKind.STATE, VariableKind.FROZEN)
        return cls(
            system,
            tuple(_constraint(system, conjunct) for conjunct in system.init),
            definitions,
            tuple(invar),
            tuple(_constraint(system, conjunct) for conjunct in system.trans),
            frozenset(encoding.current_bits(name for name in memory if name not in defined)),
        )

    def with_wire(self, bit: str, value: Bdd) -> BitConstraints:
        """The same with a wire: a bit, declared now if it is new, that has the value of a diagram in every state.

        The diagram reads current bits of state and frozen variables. Raises MemoryExhausted.
        """
        system = self.system
        if bit not in system.encoding.variable_of_bit:
            name = bit.removesuffix(current_bit("", 0))
            system.context.declare([(bit, next_bit(name, 0))])
            variable = Variable(name, BooleanType(), VariableKind.STATE, 0)
            encoding = Encoding.over(system.context, [*system.encoding.variables.values(), variable])
            system = replace(system, encoding=encoding)
        equation = system.context.xnor(system.context.bit(bit), value)
        return replace(self, system=system, wires={**self.wires, bit: _of_diagram(system, equation)})

    def moves(self, bits: frozenset[str]) -> list[BitConstraint]:
        """The constraints on a step that say something about the next values of the bits, and what these need.

        That is: definitions of what they read, conditions on the state before the step, on inputs, and those on both.
        """
        equations = self._defining(bits) if self.wires.keys() & bits else []
        following = bits.union(*(constraint.now for constraint in equations))
        chosen = [constraint for constraint in self.trans if constraint.then & following]
        to_next = self.system.encoding.to_next
        chosen += [_of_diagram(self.system, to_next(constraint.diagram)) for constraint in equations]
        reads = bits.union(*(constraint.now for constraint in chosen))
        needed = self._defining(reads)
        reads = reads.union(*(constraint.now for constraint in needed))
        rest = [*self.invar, *(constraint for constraint in self.trans if not constraint.then)]
        return [*chosen, *needed, *(c for c in rest if c.now & reads and len(c.now - reads) <= _OTHER_BITS)]

    def starts(self, bits: frozenset[str]) -> list[BitConstraint]:
        """The constraints on the first state that are connected with the bits, and conditions on these states."""
        wires = [self.wires[bit] for bit in sorted(self.wires.keys() & bits)]
        reads = bits.union(*(c.now for c in wires))
        chosen = {id(c): c for c in wires}
        waiting = [*self.init, *dict.fromkeys(self.definitions.values())]
        while True:
            new = [c for c in waiting if id(c) not in chosen and c.now & reads]
            if not new:
                break
            chosen.update((id(c), c) for c in new)
            reads = reads.union(*(c.now for c in new))
        conditions = [c for c in self.invar if c.now & reads and len(c.now - reads) <= _OTHER_BITS]
        return [*chosen.values(), *conditions]

    def conditions(self, bits: frozenset[str]) -> list[BitConstraint]:
        """The conditions on states that read some of the bits, with the definitions that they need."""
        conditions = [c for c in self.invar if c.now & bits and len(c.now - bits) <= _OTHER_BITS]
        return [*conditions, *self._defining(bits.union(*(c.now for c in conditions)))]

    def _defining(self, bits: Iterable[str]) -> list[BitConstraint]:
        """The definitions of these bits, wires among them, and of those that the definitions read."""
        chosen: dict[int, BitConstraint] = {}
        stack = sorted(bits)
        while stack:
            bit = stack.pop()
            constraint = self.wires.get(bit) or self.definitions.get(bit)
            if constraint is not None and id(constraint) not in chosen:
                chosen[id(constraint)] = constraint
                stack.extend(sorted(constraint.now))
        return list(chosen.values())


def _constraint(system: SymbolicSystem, conjunct: Conjunct) -> BitConstraint:
    return _of_diagram(system, conjunct.diagram)


def _of_diagram(system: SymbolicSystem, diagram: Bdd) -> BitConstraint:
    encoding = system.encoding
    now: set[str] = set()
    then: set[str] = set()
    for bit in system.context.support(diagram):
        name, index, primed = encoding.variable_of_bit[bit]
        (then if primed else now).add(encoding.current[name][index])
    return BitConstraint(diagram, frozenset(now), frozenset(then))


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
