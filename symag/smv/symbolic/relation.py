"""Transition relations: images, preimages, and the sets that are closed under them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext, Renaming, memory_errors
from symag.core.values import replace
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.chaining import events, independent_groups, moves
from symag.smv.symbolic.encoding import Encoding
from symag.smv.symbolic.relational_product import RelationalProduct
from symag.smv.symbolic.system import SymbolicSystem


class RelationUnion(Struct, frozen=True, eq=False):
    """The union of the images of a relation's parts, or (not ``forward``) of their preimages."""

    context: BddContext
    parts: tuple[TransitionRelation, ...]
    forward: bool

    @property
    def steps(self) -> tuple[tuple[Bdd, frozenset[str]], ...]:
        """The clusters of all parts, as those of a product."""
        products = (part.forward if self.forward else part.backward for part in self.parts)
        return tuple(step for product in products for step in product.steps)

    def apply(self, states: Bdd, most: float = math.inf) -> Bdd:
        """The neighbours of these states, over current bits. Raises TooManyNodesError (see ``RelationalProduct``)."""
        return self.context.disjunction(
            part.image(states, most) if self.forward else part.preimage(states, most) for part in self.parts
        )


class Layer(Struct, frozen=True, eq=False):
    """All states found so far; the new ones are reached by ``relation`` from the layer before or from each other."""

    states: Bdd
    relation: TransitionRelation


class TransitionRelation(Struct, frozen=True, eq=False):
    """A transition relation over current, input and next bits, from any set of conjuncts.

    ``image`` and ``preimage`` quantify exactly the bits that they were built with. Other bits, such as those of
    another part's variables, stay in the result. Both map diagrams over current bits to diagrams over current bits.

    ``parts`` are relations within this one, under which sets are cheap to close. If it is ``disjunctive``, it is
    their union; otherwise it may have further transitions.
    """

    context: BddContext
    forward: RelationalProduct | RelationUnion
    backward: RelationalProduct | RelationUnion
    to_current: Renaming
    to_next: Renaming
    invariant: Bdd
    parts: tuple[TransitionRelation, ...] = ()
    disjunctive: bool = False

    @classmethod
    def of(
        cls,
        encoding: Encoding,
        conjuncts: Iterable[Bdd],
        state: Iterable[str],
        inputs: Iterable[str],
        invariant: Bdd | None = None,
    ) -> TransitionRelation:
        """``state`` are the variables with a next value, ``inputs`` those to quantify in both directions.

        Frozen variables among ``state`` keep their bits: they are not quantified. Preimages are restricted to
        ``invariant`` (current bits), which the conjuncts then need not contain.
        """
        state = tuple(name for name in state if encoding.variables[name].kind is VariableKind.STATE)
        context = encoding.context
        current, following = encoding.current_bits(state), encoding.next_bits(state)
        free = encoding.current_bits(inputs)
        forward = RelationalProduct.for_images(context, list(conjuncts), (*current, *free))
        return cls(
            context,
            forward,
            RelationalProduct.over_clusters(context, forward.clusters, (*following, *free)),
            encoding.renaming(state, to_next=False),
            encoding.renaming(state, to_next=True),
            context.true if invariant is None else invariant,
        )

    @classmethod
    def union(cls, parts: tuple[TransitionRelation, ...], invariant: Bdd) -> TransitionRelation:
        """The disjunction of relations in one context; preimages are restricted to ``invariant``."""
        context = parts[0].context
        level = {bit: number for number, bit in enumerate(context.order())}
        parts = tuple(sorted(parts, key=lambda part: part._highest_level(level), reverse=True))
        backward = RelationUnion(context, parts, forward=False)
        nothing = context.renaming({})
        forward = RelationUnion(context, parts, forward=True)
        return cls(context, forward, backward, nothing, nothing, invariant, parts, disjunctive=True)

    def _highest_level(self, level: Mapping[str, int]) -> tuple[int, int]:
        """The highest and the lowest level of the bits that the relation reads or changes; 0 is on top."""
        supports = (self.context.support(diagram) for diagram, _ in self.forward.steps)
        levels = [level[bit] for support in supports for bit in support]
        return min(levels, default=0), max(levels, default=0)

    def clusters(self) -> tuple[Bdd, ...]:
        """The diagrams that images are computed with."""
        return tuple(diagram for relation in (self, *self.parts) for diagram, _ in relation.forward.steps)

    def image(self, states: Bdd, most: float = math.inf) -> Bdd:
        """The successors of the states. Raises TooManyNodesError (see ``RelationalProduct``)."""
        with memory_errors():
            return self.context.rename(self.forward.apply(states, most), self.to_current)

    def preimage(self, states: Bdd, most: float = math.inf) -> Bdd:
        """The predecessors of the states. Raises TooManyNodesError (see ``RelationalProduct``)."""
        with memory_errors():
            return self.predecessors(states, most) & self.invariant

    def predecessors(self, states: Bdd, most: float = math.inf) -> Bdd:
        """The same before it is restricted to the invariant."""
        return self.backward.apply(self.context.rename(states, self.to_next), most)

    def within_invariant(self) -> TransitionRelation:
        """The same, where the last cluster of preimages has the invariant in it, and makes no states outside it."""
        if isinstance(self.backward, RelationUnion):
            return self
        return replace(self, backward=self.backward.within(self.invariant), invariant=self.context.true)

    def confined(self, states: Bdd) -> TransitionRelation:
        """A relation for fix-points inside a set: its subsets have the same images, preimages are restricted to it.

        Images of other states are arbitrary. Costs one pass over each cluster and the set; a disjunctive relation,
        whose clusters are small, stays as it is.
        """
        if (
            isinstance(self.forward, RelationUnion)
            or isinstance(self.backward, RelationUnion)
            or states == self.context.false
        ):
            return self
        with memory_errors():
            return replace(
                self,
                forward=self.forward.confined(states),
                backward=self.backward.confined(states),
                invariant=self.invariant & states,
                parts=tuple(part.confined(states) for part in self.parts),
            )

    def without_successor(self, states: Bdd) -> Bdd:
        """The states, among these (which satisfy the invariant), that no transition leaves."""
        context = self.context
        with memory_errors():
            for part in self.parts if self.disjunctive else (self,):
                if states == context.false:
                    break
                states = states & ~part.backward.apply(context.true)
            return states

    def forward_closure(self, states: Bdd, within: Bdd | None = None, stop: Callable[[], bool] = lambda: False) -> Bdd:
        """``states``, and every state on a path from them all of whose later states lie in ``within``.

        Costs images of the new states: first by the parts, if there are any, each to its own fixed point. Once
        ``stop()`` is true, returns the states found so far. Raises MemoryExhausted.
        """
        return self._closure(TransitionRelation.image, states, within, stop)

    def backward_closure(self, target: Bdd, within: Bdd | None = None) -> Bdd:
        """``target``, and the states of ``within`` from which a path inside ``within`` leads there.

        That is E[within U target]. Costs preimages of the new states, as in :meth:`forward_closure`. Raises
        MemoryExhausted.
        """
        return self._closure(TransitionRelation.preimage, target, within, lambda: False)

    def layers(self, start: Bdd, target: Bdd) -> list[Layer]:
        """The layers of a chained search from ``start`` until it meets ``target``, or to its end, for paths.

        The first layer is ``start``, with the relation itself. Raises MemoryExhausted.
        """
        layers = [Layer(start, self)]

        def grow(relation: TransitionRelation, once: bool) -> bool:
            """Add a layer closed under one relation (or one image of it); return whether the target is met."""
            states, ring = layers[-1].states, layers[-1].states
            while ring != self.context.false:
                ring = relation.image(ring) & ~states
                states = states | ring
                if once or ring & target != self.context.false:
                    break
            if states != layers[-1].states:
                layers.append(Layer(states, relation))
            return bool(states & target != self.context.false)

        with memory_errors():
            before = None
            while before is None or layers[-1].states != before:
                before = layers[-1].states
                count = 0
                while count < len(self.parts):
                    ended_at = layers[-1].states
                    if any(grow(part, False) for part in self.parts[: count + 1]):
                        return layers
                    count += layers[-1].states == ended_at
                if grow(self, True):
                    return layers
        return layers

    def _closure(
        self, step: Callable[[TransitionRelation, Bdd], Bdd], start: Bdd, within: Bdd | None, stop: Callable[[], bool]
    ) -> Bdd:
        with memory_errors():
            closure, closed = start, self.context.false
            while closure != closed and not stop():
                if self.parts:
                    closure = self._chained(step, closure, within, stop)
                if self.disjunctive:
                    return closure
                new = step(self, closure & ~closed)
                if within is not None:
                    new = new & within
                closed = closure
                closure = closure | new
                self.context.reorder_if_large(self.context.size(new))
            return closure

    def _chained(
        self, step: Callable[[TransitionRelation, Bdd], Bdd], states: Bdd, within: Bdd | None, stop: Callable[[], bool]
    ) -> Bdd:
        """``states``, closed under the steps of every part.

        The set is closed under the first parts before the next one is used: parts low in the order then complete the
        lower levels while the upper levels still have few nodes (Ciardo, Luettgen, Siminiscu, "Saturation", TACAS
        2001).
        """
        closed = [self.context.false] * len(self.parts)
        count = 0
        while count < len(self.parts) and not stop():
            before = states
            for number, part in enumerate(self.parts[: count + 1]):
                while states != closed[number] and not stop():
                    new = step(part, states & ~closed[number])
                    closed[number] = states
                    states = states | (new if within is None else new & within)
            if states == before:
                count += 1
            else:
                self.context.reorder_if_large(self.context.size(states))
        return states


def system_conjuncts(
    system: SymbolicSystem, variables: Collection[str] | None, *, only_next: bool = False
) -> tuple[Bdd, ...]:
    """Trans, and invar at both ends: only the conjuncts over these variables (None: all).

    With ``only_next`` without invar of the current state. The domain of a variable with a next assignment is left
    out in the next state, because the assignment gives values of the domain only.
    """
    encoding = system.encoding
    chosen = frozenset(encoding.variables if variables is None else variables)
    with memory_errors():
        invar, trans = system.invar_over(chosen), system.trans_over(chosen)
        assigned = {conjunct.owner for conjunct in trans if conjunct.kind == "assignment"}
        needed = [conjunct for conjunct in invar if conjunct.kind != "domain" or conjunct.owner not in assigned]
        now = [*trans] if only_next else [*trans, *invar]
        return (*(one.diagram for one in now), *(encoding.to_next(one.diagram) for one in needed))


def transition_relation(system: SymbolicSystem, variables: Collection[str] | None = None) -> TransitionRelation:
    """The relation of the whole system, or of those conjuncts that read only these variables.

    Its images are right for states that satisfy invar, its preimages are restricted to such states.
    """
    encoding = system.encoding
    chosen = frozenset(encoding.variables if variables is None else variables)
    state = [name for name in encoding.names(VariableKind.STATE) if name in chosen]
    inputs = [name for name in encoding.names(VariableKind.INPUT) if name in chosen]
    with memory_errors():
        invariant = system.invariant(chosen)
        disjuncts = events(system, chosen)
        if disjuncts:
            relations = (
                TransitionRelation.of(encoding, one.conjuncts, one.variables, inputs, invariant=one.invariant)
                for one in disjuncts
            )
            return TransitionRelation.union(tuple(relations), invariant)
        parts = tuple(
            TransitionRelation.of(encoding, moves(system, chosen, group), group.variables, inputs, invariant=invariant)
            for group in independent_groups(system, chosen)
        )
    conjuncts = system_conjuncts(system, chosen, only_next=True)
    return replace(TransitionRelation.of(encoding, conjuncts, state, inputs, invariant=invariant), parts=parts)
