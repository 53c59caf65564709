"""Bounded search for a violation where components move by interactions: in a layer, many that are independent.

Two interactions are independent if neither changes a component that the other one reads or changes. Those of a layer
may be taken in any order, so layers are runs, and a run of many steps takes few layers: Quorum42ERROR (268 bits) is
violated after 33 interactions, in 12 layers.

Source: Heljanko, "Bounded reachability checking with process semantics" (CONCUR 2001), there for Petri nets: step
semantics. What a layer leaves open, the variables without memory, is found along the run afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from symag.bdd.context import Bdd, memory_errors
from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.smv.circuits.graph import FALSE, TRUE, Graph
from symag.smv.facts.solving import GraphSolver
from symag.smv.methods.bmc import BmcSearch
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.partwise.components import Components
from symag.smv.methods.projected import after_start
from symag.smv.methods.sat.answers import finite_run_refutes, violated
from symag.smv.methods.sat.posing import harder, posed
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression
from symag.smv.symbolic.relational_product import RelationalProduct

#: The bits with memory of a state, by variable and index.
MemoryState = Mapping[tuple[str, int], bool]

#: The largest number of layers.
LAYERS = 30

#: The largest number of steps from the violation to the end of a loop.
BEYOND = 10


class ParallelSearch:
    """Layers of interactions, over the bits with memory, to a violation of an invariant.

    They begin one step after the ``initial`` states, which may have conditions of their own; violations in initial
    states are left to others.
    """

    def __init__(self, components: Components, initial: Bdd, invariant: Expression) -> None:
        symbolic = components.symbolic
        self._components = components
        self._context, self._encoding = symbolic.context, symbolic.encoding
        self._graph = Graph()
        self._memory = sorted(frozenset().union(*components.bits))
        after = components.interactions.after_a_step
        conditions = [*(conjunct.diagram for conjunct in symbolic.invar), *after]
        self._bad = self._of_memory([*conditions, ~symbolic.predicate(invariant)])
        self._begin = self._of_memory([after_start(symbolic, components.interactions, initial)])
        self._conflicts = [
            (one, other)
            for (one, first), (other, second) in combinations(enumerate(components.steps), 2)
            if first.changed & second.scope or second.changed & first.scope
        ]

    def violation(self, layers: int, progress: Progress) -> list[MemoryState] | None:
        """The states of a run from the second on, each after an interaction; None if no run has so few layers.

        Costs a gate for each node of the interactions' relations in each layer, and a query.
        """
        graph = self._graph
        states = [self._state()]
        fired: list[list[int]] = []
        with GraphSolver(graph) as solving:
            solving.require([self._literal(self._begin, states[0])])
            while True:
                if solving.solve([self._literal(self._bad, states[-1])]):
                    values = [dict(zip(state, solving.values(state.values()), strict=True)) for state in states]
                    return self._one_by_one(values, [solving.values(layer) for layer in fired])
                if len(fired) == layers:
                    return None
                progress(f"no violation within {len(fired)} layers of interactions")
                states.append(self._state())
                fired.append([graph.input() for _ in self._components.steps])
                solving.require(self._layer(states[-2], states[-1], fired[-1]))

    def _layer(self, now: Mapping[str, int], then: Mapping[str, int], fired: Sequence[int]) -> list[int]:
        """What the interactions that are ``fired`` together do to a state."""
        graph, encoding = self._graph, self._encoding
        following = dict(zip(encoding.next_bits(self._components.interactions.memory), self._moving(then), strict=True))
        bits = {**now, **following}
        required = []
        movers: dict[str, list[int]] = {}
        for literal, step in zip(fired, self._components.steps, strict=True):
            required.append(graph.disjunction(literal ^ 1, self._literal(step.relation, bits)))
            for bit in step.before:
                movers.setdefault(bit, []).append(literal)
        required += [graph.conjunction(fired[one], fired[other]) ^ 1 for one, other in self._conflicts]
        required += [graph.any([graph.equal(now[bit], then[bit]), *movers.get(bit, ())]) for bit in self._memory]
        return required

    def _moving(self, state: Mapping[str, int]) -> list[int]:
        return [state[bit] for bit in self._encoding.current_bits(self._components.interactions.memory)]

    def _one_by_one(self, layers: Sequence[Mapping[str, bool]], fired: Sequence[Sequence[bool]]) -> list[MemoryState]:
        state = dict(layers[0])
        states = [state]
        for after, moved in zip(layers[1:], fired, strict=True):
            for step, is_taken in zip(self._components.steps, moved, strict=True):
                if is_taken:
                    state = {**state, **{bit: after[bit] for bit in step.before}}
                    states.append(state)
        variable_of = self._encoding.variable_of_bit
        return [{variable_of[bit][:2]: value for bit, value in valuation.items()} for valuation in states]

    def _state(self) -> dict[str, int]:
        return {bit: self._graph.input() for bit in self._memory}

    def _of_memory(self, conditions: Sequence[Bdd]) -> Bdd:
        """The values with memory of the states that satisfy all conditions."""
        hidden = frozenset().union(*map(self._context.support, conditions)).difference(self._memory)
        with memory_errors():
            return RelationalProduct.of(self._context, conditions, hidden).apply(self._context.true)

    def _literal(self, diagram: Bdd, bits: Mapping[str, int]) -> int:
        known = {self._context.false: FALSE, self._context.true: TRUE}
        for below, name, low, high in self._context.decisions_below(diagram, known):
            known[below] = self._graph.choice(bits[name], known[high], known[low])
        return known[diagram]


def violation_through(
    system: FlatSystem, property: Property, options: SmvOptions, states: Sequence[MemoryState]
) -> PropertyResult | None:
    """A violation by a run that has these values of variables with memory from its second state on; None without one.

    If only an infinite run is a counterexample, it ends in a loop at most ``BEYOND`` steps after the last of them.
    Costs queries with little to choose, one for each step.
    """
    problem = posed(system, property, (), options.cone_of_influence)
    if not finite_run_refutes(problem):
        problem = harder(problem)
    beyond = 0 if problem.lasso is None else BEYOND
    latches = [(2 * latch.node, latch.bit) for latch in problem.circuit.latches if latch.bit is not None]
    search = BmcSearch(problem)
    for step in range(len(states) + beyond + 1):
        if 1 <= step <= len(states):
            state = states[step - 1]
            search.require([literal ^ (not state[bit]) for literal, bit in latches if bit in state], step)
        run = search.next_step()
        if run is not None:
            return violated(problem, "parts (interactions at once)", run, {"steps": step})
        if search.exhausted:
            break
    return None
