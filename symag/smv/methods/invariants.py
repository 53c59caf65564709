"""Decides invariants, and CTL ``AG p`` with propositional p, by searches through the state space.

Forward and backward searches take turns by the size of their rings; hard steps backward wait. They may meet in the
middle; the path through the meeting point is a shortest one. The cone of influence leaves constraints out, so an
invariant that holds in it holds in the whole system. A counterexample is extended to the whole; where that fails, the
whole is searched. With chaining (see ``TransitionRelation``) all reachable states are found first, then a path backward
inside them.

With facts (invariants, inductive together) the transition relation is simplified where they are false, and the backward
search stays where they are true; the inductive set is then joined with them. A hard search in the direction backward
begins anew with one fact: an over-approximation of the reachable states (see ``projections``). Later searches, also of
larger cones, begin with it.

An INVARSPEC that reads inputs or the next state is about transitions, as in NuSMV: it is violated if a
transition from a reachable state violates it. The bad states are then the sources of such transitions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from symag.bdd.context import Bdd
from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.core.values import replace
from symag.smv.methods.invariant_decision import InvariantDecision
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_space import StateSpace
from symag.smv.methods.state_spaces import StateSpaces
from symag.smv.model.flat import Property, VariableKind
from symag.smv.model.properties import speaks_of_transitions
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Expression
from symag.smv.symbolic.relation import system_conjuncts
from symag.smv.symbolic.relational_product import RelationalProduct
from symag.smv.traversal.reachability import RingSearch, backward_search
from symag.smv.traversal.trace import SingleTransitions, path_through_layers, path_through_rings

if TYPE_CHECKING:
    from symag.smv.methods.projected import ProjectedSpace

#: When both directions take turns, the forward search goes first until its rings have this many nodes.
TINY = 1_000

#: Then a step backward is given up when it takes a diagram of more nodes than this, and than the forward search has
#: cost. Where backward is the better direction, its steps mostly take less (hs32: 2,505); where it is not, often one of
#: them takes more than the whole forward search (miter_g: 256,447 in the third).
EASY_STEP = 3_000

#: A search backward only begins anew inside a set with all reachable states (see ``projections``) when its rings have
#: taken this many nodes, and the last of them LARGE: many small rings are cheaper than that set (guidance_sp2 0.12 s,
#: else 0.17; guidance_plain_sp123 0.33, else 0.37).
HARD, LARGE = 3_000, 700

#: The backward search for a shortest path, inside the reached states, ends when its rings have this many nodes.
_SHORTEST_PATH_NODES = 20_000


def decide(
    spaces: StateSpaces, property: Property, invariant: Expression, options: SmvOptions, progress: Progress
) -> PropertyResult:
    """Decide that ``invariant`` is always true; for a CTL or LTL property: on all fair infinite runs.

    ``holds`` comes with an inductive set, ``violated`` with a shortest trace of the whole system (for
    CTL in systems with constraints or fairness: a fair lasso). Raises InputError and MemoryExhausted.
    """
    return _Decision(spaces, options, progress, property, invariant).run()


class _Decision(InvariantDecision):
    """The search."""

    def run(self) -> PropertyResult:
        symbolic = self.symbolic
        context = symbolic.context
        initial = symbolic.initial_states()
        if initial == context.false:
            _ = self.violation  # raises an error of the property even if nothing is searched
            self.warnings.append("the set of initial states is empty: every property holds")
            return self.holds(context.false)
        if self.options.cone_of_influence:
            for cone in self.spaces.cones(self.expression):
                if len(cone) == len(symbolic.source.variables):
                    break
                result = self._search(cone)
                if result is not None:
                    return result
                self.progress("no run of the whole system is that counterexample: searching a larger part")
        result = self._search(frozenset(symbolic.source.by_name))
        if result is None:
            raise AssertionError("a path of the whole system is a run")
        return result

    def _search(self, variables: frozenset[str]) -> PropertyResult | None:
        """Search the conjuncts over some variables; None if the path that violates is not a run of the whole system."""
        context = self.symbolic.context
        if self.options.direction != "backward" and len(variables) == len(self.symbolic.source.variables):
            projected = self.spaces.projected(self.progress)
            if projected is not None and not speaks_of_transitions(self.symbolic.source, self.expression):
                return self._projected(projected)
        space = self.spaces.over(variables, self.progress)
        bad = self._bad(space)
        if space.relation.parts and self.options.direction != "backward":
            return self._chained(space, bad)
        # Dead ends are looked for with the relation as it is: a simplified one is arbitrary where a fact is false.
        plain = space
        space, forward, backward = self._begin(plain, bad, self._facts(plain))
        for number, ring in enumerate(forward.rings):
            if ring & bad != context.false:
                return self._path(space, forward.rings[: number + 1], backward.rings)
        direction = self.options.direction
        while True:
            hard = (backward.cost > HARD and backward.frontier > LARGE) or plain.is_approximated
            if direction == "backward" and hard and not (backward.complete or self.facts):
                outer = plain.over_approximation()
                if outer is not None:
                    bad = bad & outer
                    space, forward, backward = self._begin(plain, bad, (outer,))
            if (
                forward.rings[-1] & backward.states != context.false
                or backward.rings[-1] & forward.states != context.false
            ):
                return self._path(space, forward.rings, backward.rings)
            if forward.complete or backward.complete:
                break
            cheaper = forward.shrinking or forward.cost <= max(backward.cost, TINY)
            if direction == "forward" or (direction == "both" and cheaper):
                forward.advance()
            else:
                backward.advance(math.inf if direction == "backward" else max(EASY_STEP, forward.cost))
        if forward.complete:
            self.method = "monolithic (forward)"
            self.warn_of_dead_ends(plain, forward.states)
            return self.holds(forward.states)
        self.method = "monolithic (backward)"
        self.warn_of_dead_ends(plain, None)
        return self.holds(space.invariant & ~backward.states)

    def _begin(self, space: StateSpace, bad: Bdd, facts: tuple[Bdd, ...]) -> tuple[StateSpace, RingSearch, RingSearch]:
        """Begin the searches in both directions where the facts are true; return also the space that they are in."""
        self.facts = facts
        if facts:
            space = space.confined(facts, self.progress)
        self.forward = space.search
        self.backward = backward_search(space.relation, bad, progress=self.progress)
        return space, self.forward, self.backward

    def _facts(self, space: StateSpace) -> tuple[Bdd, ...]:
        """Facts over the variables of the space that are inductive by themselves; none of a violated invariant."""
        if not self.options.facts:
            return ()
        from symag.smv.methods.sat.lemmas import facts_for  # needs numpy, and few searches use facts

        system = self.symbolic.source
        as_invariant = replace(self.checked, kind="INVARSPEC", expression=self.expression)
        facts = facts_for(as_invariant, system, self.options, self.progress)
        supports = Supports(system)
        kept = {n for n, fact in enumerate(facts) if supports.of(fact.expression).variables <= space.variables}
        while outside := {number for number in kept if not kept.issuperset(facts[number].uses)}:
            kept -= outside
        return tuple(self.symbolic.predicate(facts[number].expression) for number in sorted(kept))

    def _chained(self, space: StateSpace, bad: Bdd) -> PropertyResult | None:
        """All reachable states first, without rings; then backward, inside them, a shortest path to a bad state.

        If the search for a shortest path takes long, any path.
        """
        context = self.symbolic.context
        reached = space.reached()
        if reached & bad == context.false:
            self.method = "monolithic (chaining)"
            self.warn_of_dead_ends(space, reached)
            return self.holds(reached)
        backward = backward_search(space.relation, bad, within=reached, progress=self.progress)
        self.forward, self.backward = space.search, backward
        while backward.rings[-1] & space.initial == context.false:
            if backward.complete:
                raise AssertionError("a reached state is reached from an initial state")
            if backward.cost > _SHORTEST_PATH_NODES:
                self.method = "monolithic (chaining)"
                self.progress("a shortest path takes long to find: looking for any path")
                part = SingleTransitions.of(self.symbolic, space.variables)
                layers = space.relation.layers(space.initial, bad)
                return self.counterexample(space, part, path_through_layers(part, layers, bad))
            backward.advance()
        return self._path(space, [space.initial], backward.rings)

    def _projected(self, space: ProjectedSpace) -> PropertyResult | None:
        """All reachable values of the variables with memory; if some violate, a shortest path to them."""
        self.method = "monolithic (interactions)"
        reached = space.reached()
        bad = reached & self.violation & space.invariant
        if bad != self.symbolic.context.false:
            part = SingleTransitions.of(self.symbolic)
            return self.counterexample(space, part, space.path(bad, self.progress))
        self.warn_of_dead_ends(space, reached)
        return self.holds(reached)

    def _bad(self, space: StateSpace) -> Bdd:
        """The states that violate the property, or that have a transition which violates it."""
        if not speaks_of_transitions(self.symbolic.source, self.expression):
            return space.invariant & self.violation
        encoding = self.symbolic.encoding
        bits = [
            *encoding.next_bits(encoding.names(VariableKind.STATE)),
            *encoding.current_bits(encoding.names(VariableKind.INPUT)),
        ]
        conjuncts = system_conjuncts(self.symbolic, space.variables)
        return RelationalProduct.of(self.symbolic.context, (self.violation, *conjuncts), bits).apply(
            self.symbolic.context.true
        )

    def _path(self, space: StateSpace, forward: Sequence[Bdd], backward: Sequence[Bdd]) -> PropertyResult | None:
        """The path through the rings that meet, as a run of the whole."""
        kind = "forward" if len(backward) == 1 else "backward" if len(forward) == 1 else "both directions"
        self.method = f"monolithic ({kind})"
        part = SingleTransitions.of(self.symbolic, space.variables)
        return self.counterexample(space, part, path_through_rings(part, space.relation, forward, backward))
