"""The state spaces of one model: its encoding, and for each cone of influence the relation and the reachable states.

All properties of a model share them, whatever their kind, so that nothing is computed twice.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from symag.bdd.context import Bdd
from symag.core.limits import Progress, ProgressFigures
from symag.core.trace import Trace
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_space import Approximation, StateSpace
from symag.smv.model.dependencies import Cones
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression
from symag.smv.symbolic.choices import interaction_variable
from symag.smv.symbolic.orderfile import chosen_order, present_order
from symag.smv.symbolic.relation import transition_relation
from symag.smv.symbolic.relational_product import CLUSTER_THRESHOLD
from symag.smv.symbolic.search_order import search_order
from symag.smv.symbolic.system import SymbolicSystem, encode
from symag.smv.traversal.reachability import forward_search
from symag.smv.traversal.trace import SingleTransitions, Valuation

if TYPE_CHECKING:
    from symag.smv.methods.projected import ProjectedSpace

#: The largest number of cones of influence that are remembered; the oldest is forgotten first.
_KEPT = 8
#: Sifting costs time in the square of the bits: systems with more bits are searched under the static order.
_MOST_SIFTED = 1_500
#: A conjunct with this many times the nodes that a cluster may have is huge.
_HUGE = 5
#: A cone of influence with at least this share of the variables is not worth a relation of its own.
LARGE_CONE = 0.8
#: After this many cones have been explored the next one is explored together with those of all properties.
_DISTINCT = 2
#: A property uses a larger cone that it shares with others if its own cone is at least this share of it.
_ABOUT_AS_LARGE = 0.9


class StateSpaces(Struct, eq=False):
    """The state spaces of one system in one BDD context, by their variables.

    ``only_searches``: only invariants are decided, so that sifting can wait until a search takes long. ``order`` has
    every ``(variable, bit)`` from the top (None: that of the options, or a static one). ``outer`` is a set with all
    reachable states, for cones with its variables.
    """

    system: FlatSystem
    options: SmvOptions
    only_searches: bool = False
    order: tuple[tuple[str, int], ...] | None = None
    outer: Approximation | None = None
    _symbolic: SymbolicSystem | None = None
    _known: dict[frozenset[str], StateSpace] = field(default_factory=dict)
    _projected: ProjectedSpace | Literal[False] | None = False
    _shared: list[frozenset[str]] | None = None
    _cones: Cones | None = None
    _meanings: dict[Bdd, Expression] = field(default_factory=dict)

    def symbolic(self, progress: Progress) -> SymbolicSystem:
        """The whole system, encoded when first asked for. Raises InputError and MemoryExhausted."""
        if self._symbolic is None:
            started = time.process_time()
            order = self.order or chosen_order(self.system, self.options.order_file)
            if order is None and self.only_searches:
                order = search_order(self.system)
            self._symbolic = encode(self.system, order, memory=self.options.memory, engine=self.options.bdd)
            if self.options.reordering:
                self._symbolic.context.reorder_large_tables()
            seconds = time.process_time() - started
            progress(ProgressFigures(f"encoded in {seconds:.1f} s", {"encoding_seconds": round(seconds, 3)}))
        return self._symbolic

    def walked_on(self, states: Sequence[Valuation], progress: Progress) -> Trace | None:
        """A lasso that begins with these states, which are a run of the system; None if picking successors fails.

        For systems without fairness constraints. Encodes the whole system. Raises InputError and MemoryExhausted.
        """
        from symag.smv.traversal.lasso import closed_by_walking  # for start-up: few invariants need a lasso

        return closed_by_walking(SingleTransitions.of(self.symbolic(progress)), states)

    def order_now(self) -> tuple[tuple[str, int], ...]:
        """Every ``(variable, bit)`` from the top, sifted or not; none before the system is encoded."""
        if self._symbolic is None:
            return ()
        return tuple(present_order(self._symbolic.encoding))

    def approximation(self) -> Approximation | None:
        """A set with all reachable states of the last cone for which a search needed one; None if none did."""
        known = (space.approximation() for space in reversed(self._known.values()))
        return next((approximation for approximation in known if approximation is not None), None)

    def first_of_its_meaning(self, expression: Expression, progress: Progress) -> Expression:
        """The first boolean expression, of those passed so far, that is true in the same states.

        Results about a formula are kept under it, so that they serve every way to write the formula. Raises
        InputError where evaluation can fail, and MemoryExhausted.
        """
        return self._meanings.setdefault(self.symbolic(progress).predicate(expression), expression)

    def over(self, variables: frozenset[str], progress: Progress) -> StateSpace:
        """A state space of the conjuncts over these variables, and perhaps over some more. Raises MemoryExhausted.

        Over more where that saves work: the whole system if little would be left out, or a space that is explored.
        """
        if len(variables) >= LARGE_CONE * len(self.system.variables):
            variables = frozenset(self.system.by_name)
        reused = self._known.get(variables) or self._explored(variables)
        if reused is None and sum(space.is_explored for space in self._known.values()) >= _DISTINCT:
            variables = self._with_all_properties(variables)
            reused = self._known.get(variables)
        if reused is not None:
            return reused
        symbolic = self.symbolic(progress)
        context = symbolic.context
        invariant = symbolic.invariant(variables)
        initial = context.conjunction(
            [invariant, *(conjunct.diagram for conjunct in symbolic.init if conjunct.current <= variables)]
        )
        bits = sum(map(len, symbolic.encoding.current.values()))
        relation = transition_relation(symbolic, variables)
        few = bits <= _MOST_SIFTED
        if self.options.reordering and not relation.disjunctive and few:
            clusters = relation.clusters()
            # Breadth-first searches: sifting on the way mostly costs more than it saves. If one conjunct alone is
            # larger than a cluster may be, the static order does not suit it, and the first step could take seconds,
            # after which it is too late.
            if self.options.direction == "backward" or (self.only_searches and not relation.parts):
                huge = any(context.size(diagram) > _HUGE * CLUSTER_THRESHOLD for diagram in clusters)
                roughly = self.options.direction != "backward"
                now = huge or not self.only_searches
                context.reorder_when_it_pays((*clusters, initial), now=now, roughly=roughly)
            else:
                # Sifting the relation alone is cheap.
                context.reorder((*clusters, initial))
        if len(self._known) >= _KEPT:
            del self._known[next(iter(self._known))]
        search = forward_search(relation, initial, progress=progress)
        space_ = StateSpace(symbolic, variables, invariant, initial, relation, search)
        if self.outer is not None and self.outer.variables <= variables:
            space_.approximate(self.outer)
        self._known[variables] = space_
        return space_

    def projected(self, progress: Progress) -> ProjectedSpace | None:
        """The whole system's states without the memoryless variables; None if no variable selects interactions.

        Raises MemoryExhausted.
        """
        if self._projected is False:
            self._projected = None
            if interaction_variable(self.system) is not None:
                # For start-up: few models have interactions.
                from symag.smv.methods.projected import ProjectedSpace

                self._projected = ProjectedSpace.of(self.symbolic(progress))
        return self._projected

    def fair_cone(self, expression: Expression, options: SmvOptions, progress: Progress) -> StateSpace:
        """A state space for a property of infinite fair runs; it contains all variables that influence fairness.

        If the rest of the system can always go on, it is the cone of influence, united with those of other properties
        that are about as large: then both have the same runs over the cone's variables. Else it is the whole system.
        """
        cone = self.cone(expression, fairness=True)
        if options.cone_of_influence and len(cone) < LARGE_CONE * len(self.system.variables):
            if self._shared is None:
                self._shared = self._shared_cones()
            shared = next((variables for variables in self._shared if cone <= variables), cone)
            if self._goes_on_outside(shared, progress):
                return self.over(shared, progress)
        return self.over(frozenset(self.system.by_name), progress)

    def cone(self, expression: Expression, *, fairness: bool) -> frozenset[str]:
        """The variables of a cone of influence (see ``dependencies``)."""
        return self._all_cones().variables(expression, fairness)

    def cones(self, invariant: Expression) -> tuple[frozenset[str], ...]:
        """Cones of an invariant, the smallest first: with processes, one without those that it does not read."""
        cones = self._all_cones()
        return tuple(dict.fromkeys((cones.without_other_processes(invariant), cones.variables(invariant))))

    def _all_cones(self) -> Cones:
        if self._cones is None:
            self._cones = Cones(self.system)
        return self._cones

    def _shared_cones(self) -> list[frozenset[str]]:
        """Unions of the properties' cones of influence, none much larger than the cones in it, small ones first."""
        cones = {
            self.cone(property_.expression, fairness=True)
            for property_ in self.system.properties
            if property_.kind in ("CTL", "COMPUTE") and property_.expression is not None
        }
        groups: list[frozenset[str]] = []
        for cone in sorted(cones, key=lambda variables: (-len(variables), sorted(variables))):
            for number, group in enumerate(groups):
                if len(cone) >= _ABOUT_AS_LARGE * len(group | cone):
                    groups[number] = group | cone
                    break
            else:
                groups.append(cone)
        return sorted(groups, key=len)

    def _with_all_properties(self, variables: frozenset[str]) -> frozenset[str]:
        """The cone of all properties together, if it is not much larger than these variables."""
        expressions = [property_.expression for property_ in self.system.properties if property_.expression is not None]
        union = variables.union(*(self.cone(expression, fairness=True) for expression in expressions))
        return union if 2 * len(variables) >= len(union) else variables

    def _explored(self, variables: frozenset[str]) -> StateSpace | None:
        """A known space with at least these variables whose reachable states are all known."""
        return next(
            (space for space in self._known.values() if variables <= space.variables and space.is_explored), None
        )

    def _goes_on_outside(self, cone: frozenset[str], progress: Progress) -> bool:
        """Whether no constraint outside the cone can keep a state from having a successor."""
        symbolic = self.symbolic(progress)
        conjuncts = (*symbolic.invar, *symbolic.trans)
        if all(conjunct.kind != "constraint" or conjunct.current | conjunct.next <= cone for conjunct in conjuncts):
            return True
        alive = transition_relation(symbolic).preimage(symbolic.context.true)
        return symbolic.context.implies(symbolic.invariant(), alive)

    def statistics(self) -> dict[str, int]:
        """Sizes of the system, and the most BDD nodes that were alive."""
        sizes = {"variables": len(self.system.variables)}
        if self._symbolic is not None:
            sizes["bits"] = len(self._symbolic.encoding.current_bits(self.system.by_name))
            sizes["bdd_nodes_peak"] = self._symbolic.context.peak_nodes()
        return sizes


class MonolithicDecision(Struct, dict=True):
    """The decision of one property."""

    spaces: StateSpaces
    options: SmvOptions
    progress: Progress

    @cached_property
    def warnings(self) -> list[str]:
        """They grow on the way."""
        return []

    @property
    def symbolic(self) -> SymbolicSystem:
        """The encoded system."""
        return self.spaces.symbolic(self.progress)
