"""Searches through the states of a component system without its memoryless variables (``symbolic.interactions``).

A set is over the variables with memory: it stands for its states with all values of the others that are possible there.
Reachable is what the initial states lead to in one step, closed under the interactions. A path backward through these
states becomes a run by choosing the memoryless variables of each state together with the next state.
"""

from __future__ import annotations

from dataclasses import dataclass

from symag.bdd.context import Bdd, memory_errors
from symag.core.limits import Progress
from symag.smv.symbolic.interactions import Interactions, interactions_of
from symag.smv.symbolic.relation import TransitionRelation
from symag.smv.symbolic.relational_product import RelationalProduct
from symag.smv.symbolic.system import SymbolicSystem
from symag.smv.traversal.deadends import state_text
from symag.smv.traversal.reachability import backward_search
from symag.smv.traversal.trace import SingleTransitions, Valuation


def after_start(symbolic: SymbolicSystem, interactions: Interactions, initial: Bdd) -> Bdd:
    """The values with memory one step after an initial state. Raises MemoryExhausted."""
    context, encoding = symbolic.context, symbolic.encoding
    hidden = encoding.current_bits(interactions.memoryless)
    after = context.false
    for interaction in interactions.by_value:
        gone = (*hidden, *encoding.current_bits(interaction.changed))
        with memory_errors():
            first = RelationalProduct.of(context, interaction.conjuncts, gone).apply(initial & interaction.guard)
            after = after | context.rename(first, encoding.renaming(interaction.changed, to_next=False))
    return after


@dataclass(slots=True, eq=False)
class ProjectedSpace:
    """A system with interactions; ``after_start`` are the values with memory one step after an initial state."""

    symbolic: SymbolicSystem
    interactions: Interactions
    invariant: Bdd
    initial: Bdd
    relation: TransitionRelation
    after_start: Bdd
    _closure: Bdd | None = None

    @classmethod
    def of(cls, symbolic: SymbolicSystem) -> ProjectedSpace | None:
        """The space of a whole system; None if no variable selects interactions. Raises MemoryExhausted."""
        context, encoding = symbolic.context, symbolic.encoding
        interactions = interactions_of(symbolic)
        if interactions is None:
            return None
        initial = symbolic.initial_states()
        hidden = encoding.current_bits(interactions.memoryless)
        relations = []
        for interaction in interactions.by_value:
            parts = (*interaction.conjuncts, *interaction.possible)
            with memory_errors():
                projected = RelationalProduct.of(context, parts, hidden).apply(context.true)
            relations.append(TransitionRelation.of(encoding, (projected,), interaction.changed, ()))
        after = after_start(symbolic, interactions, initial)
        relation = TransitionRelation.union(tuple(relations), context.true)
        return cls(symbolic, interactions, symbolic.invariant(), initial, relation, after)

    def reached(self) -> Bdd:
        """A set that has, of the states that satisfy the invariant, the reachable ones only. Raises MemoryExhausted."""
        return self.symbolic.context.conjunction((self._closed(), *self.interactions.after_a_step)) | self.initial

    def _closed(self) -> Bdd:
        """The values with memory of the states after a step."""
        if self._closure is None:
            self._closure = self.relation.forward_closure(self.after_start)
        return self._closure

    def path(self, bad: Bdd, progress: Progress) -> list[Valuation]:
        """A shortest run to one of these states, all of which are reachable. Raises MemoryExhausted."""
        context, encoding = self.symbolic.context, self.symbolic.encoding
        transitions = SingleTransitions.of(self.symbolic)
        if self.initial & bad != context.false:
            return [encoding.pick_values(self.initial & bad, transitions.state)]
        target = context.exists(encoding.current_bits(self.interactions.memoryless), bad)
        search = backward_search(self.relation, target, within=self._closed(), progress=progress)
        while search.rings[-1] & self.after_start == context.false:
            if search.complete:
                raise AssertionError("a reached state is reached from an initial state")
            search.advance()
        states, here = [], self.initial
        for ring in reversed(search.rings):
            with memory_errors():
                state, following = self._step(transitions, here, ring)
            states.append(state)
            here = context.conjunction((encoding.valuation(following), *self.interactions.after_a_step))
        return [*states, encoding.pick_values(here & bad, transitions.state)]

    def _step(self, transitions: SingleTransitions, here: Bdd, target: Bdd) -> tuple[Valuation, Valuation]:
        """A state of ``here``, and the values with memory of a successor in ``target``."""
        context, encoding = self.symbolic.context, self.symbolic.encoding
        for interaction in self.interactions.by_value:
            changed = encoding.renaming(interaction.changed, to_next=True)
            leaving = context.conjunction(
                (here & interaction.guard & self.invariant, *interaction.conjuncts, context.rename(target, changed))
            )
            if leaving != context.false:
                bits = context.pick(leaving)
                state = encoding.decode(bits, transitions.state)
                kept = {name: value for name, value in state.items() if name not in self.interactions.memoryless}
                return state, {**kept, **encoding.decode(bits, interaction.changed, primed=True)}
        raise AssertionError("a ring leads to the next one")

    def dead_end(self, reached: Bdd) -> str | None:
        """A warning that names a reachable state without a successor, or None. Raises MemoryExhausted."""
        context, encoding = self.symbolic.context, self.symbolic.encoding
        invar = [conjunct.diagram for conjunct in self.symbolic.invar]
        with memory_errors():
            hidden = encoding.current_bits(self.interactions.memoryless)
            completed = RelationalProduct.of(context, (*invar, *self.interactions.after_a_step), hidden).apply(
                context.true
            )
            for interaction in self.interactions.by_value:
                following = context.rename(completed, encoding.renaming(interaction.changed, to_next=True))
                bits = encoding.next_bits(interaction.changed)
                goes_on = RelationalProduct.of(context, (*interaction.conjuncts, following), bits).apply(context.true)
                # Not all reachable states first: with the memoryless variables their diagram is large.
                stuck = context.conjunction((interaction.guard & ~goes_on, *invar)) & reached
                if stuck != context.false:
                    values = encoding.pick_values(stuck, encoding.state_names())
                    return f"a reachable state has no successor: {state_text(values)}"
        return None
