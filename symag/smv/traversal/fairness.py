"""Fair runs: the states that start one, and a lasso as a witness."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.core.trace import Step, Trace
from symag.core.values import replace
from symag.smv.model.flat import Constraint, FlatSystem, Variable, VariableKind
from symag.smv.model.supports import Supports
from symag.smv.model.typed import VariableReference, equal
from symag.smv.model.types import BooleanType
from symag.smv.symbolic.relation import TransitionRelation, transition_relation
from symag.smv.symbolic.relational_product import TooManyNodesError
from symag.smv.symbolic.system import SymbolicSystem, enlarged
from symag.smv.traversal.fair_core import FixedPointStep, Justice, fair_core, justice_constraint
from symag.smv.traversal.fair_cycle import FairCycle
from symag.smv.traversal.lasso import LassoBuilder
from symag.smv.traversal.trace import SingleTransitions, Valuation

#: The largest number of steps of a walk that looks for a lasso, before and after few states ahead are tried.
SHORT_WALK = 40
LONGEST_WALK = 400
#: The states ahead are few if this many images reach all of them, and a diagram of at most this many nodes holds them.
FEW_IMAGES = 40
FEW_NODES = 1_000


class FairConstraints(Struct, frozen=True, eq=False):
    """The fairness constraints of a system over the transitions of some of its variables.

    ``relation`` has these transitions; ``variables`` contain all those that the constraints read. ``system`` is
    ``given``, with more variables if a COMPASSION reads inputs (see ``compassion_over_states``); ``inside`` is its
    invariant. ``justice`` omits conditions that are always true.
    """

    given: SymbolicSystem
    system: SymbolicSystem
    variables: frozenset[str]
    relation: TransitionRelation
    justice: tuple[Justice, ...]
    compassion: tuple[tuple[Bdd, Bdd], ...]
    inside: Bdd

    @classmethod
    def of(
        cls,
        encoded: SymbolicSystem,
        variables: Collection[str] | None = None,
        relation: TransitionRelation | None = None,
    ) -> FairConstraints:
        """``variables``: only the conjuncts over these count, and lassos give values to these only; they contain the
        variables of all constraints (None: all). ``relation`` is the ``transition_relation`` over them if the caller
        has it.

        Raises MemoryExhausted, and InputError for failing fairness constraints.
        """
        source = compassion_over_states(encoded.source)
        added = [variable.name for variable in source.variables[len(encoded.source.variables) :]]
        chosen = frozenset((*(encoded.source.by_name if variables is None else variables), *added))
        with memory_errors():
            system = enlarged(encoded, source) if added else encoded
            if relation is None or added:
                relation = transition_relation(system, chosen)
            conditions = enumerate(
                system.predicate(justice_condition.expression) for justice_condition in source.justice
            )
            true = system.context.true
            justice = tuple(
                justice_constraint(system, n, condition, chosen) for n, condition in conditions if condition != true
            )
            compassion = tuple(
                (system.predicate(often.expression), system.predicate(answer.expression))
                for often, answer in source.compassion
            )
            inside = system.invariant(chosen)
        return cls(encoded, system, chosen, relation, justice, compassion, inside)

    def runs(self, within: Bdd | None = None) -> FairRuns:
        """The fair runs that stay in ``within`` (None: all states). Raises MemoryExhausted."""
        system = self.system
        with memory_errors():
            inside = self.inside if within is None else self.inside & within
            core, removed = fair_core(self.relation, self.justice, self.compassion, inside)
            fair = self.relation.backward_closure(core, inside) if self.compassion else core
            added = [name for name in system.source.by_name if name not in self.given.source.by_name]
            states = system.context.exists(system.encoding.current_bits(added), fair)
        return FairRuns(self, core, fair, states, removed)


@dataclass(frozen=True, slots=True, eq=False)
class FairRuns:
    """The infinite runs, inside a set of states, that meet every justice and compassion constraint.

    ``core`` is a set in which every state has a successor and a path to every constraint (for compassion, only
    states in which the first condition holds); ``fair`` are the states that can reach it. If a COMPASSION reads
    inputs, both may have bits of variables ``fair.n`` (see ``compassion_over_states``), which the enlarged system has
    and the given one lacks; ``states`` is ``fair`` without them: all states from which a fair run stays inside the set.
    ``removed`` are the steps that removed the states outside the core.
    """

    constraints: FairConstraints
    core: Bdd
    fair: Bdd
    states: Bdd
    removed: tuple[FixedPointStep, ...]

    def lasso(self, states: Sequence[Valuation], cycle: FairCycle | None = None) -> Trace:
        """A fair lasso that begins with these states (of ``variables``) and then stays inside.

        Short, but not always the shortest. ``cycle`` is a fair one inside, if one is known. Raises ValueError if the
        last state is not fair.
        """
        with memory_errors():
            given, relation = self.constraints.given, self.constraints.relation
            whole = SingleTransitions.of(given, self.constraints.variables & frozenset(given.source.by_name))
            prefix = [
                Step(dict(state), dict(whole.inputs_between(state, following)))
                for state, following in itertools.pairwise(states)
            ]
            start = given.encoding.valuation(states[-1])
            rest = self._by_walking(whole, states[-1], SHORT_WALK)
            if rest is None:
                ahead = self._few_ahead(start)
                rest = self._far_from_its_loop(whole, states[-1], cycle) if ahead is None else None
            if rest is None:
                # Few states are reachable from one state, so the search for a cycle among them is cheap.
                if ahead is None:
                    ahead = relation.forward_closure(start & self.fair, self.fair)
                rest = replace(self, core=self.core & ahead, fair=ahead).lasso_from(start)
        assert rest.loop is not None
        return Trace("lasso", (*prefix, *rest.steps), len(prefix) + rest.loop).shortened()

    def _far_from_its_loop(self, whole: SingleTransitions, state: Valuation, cycle: FairCycle | None) -> Trace | None:
        """A fair lasso without searches ahead, the cheapest way first; None if there is none of such."""
        lasso = None if cycle is None else cycle.lasso(state, search=False)
        if lasso is None:
            lasso = self._by_walking(whole, state, LONGEST_WALK)
        return cycle.lasso(state) if lasso is None and cycle is not None else lasso

    def _few_ahead(self, start: Bdd) -> Bdd | None:
        """The fair states that a state reaches by fair states; None if these are not few."""
        context, relation = self.constraints.given.context, self.constraints.relation
        ahead = new = start & self.fair
        for _ in range(FEW_IMAGES):
            try:
                new = relation.image(new, FEW_NODES) & self.fair & ~ahead
            except TooManyNodesError:
                return None
            ahead = ahead | new
            if new == context.false:
                return ahead
            if context.size(ahead) > FEW_NODES:
                return None
        return None

    def _by_walking(self, whole: SingleTransitions, first: Valuation, longest: int) -> Trace | None:
        """A fair lasso by picking one successor after the other; None with compassion, or after ``longest`` steps.

        Steps that satisfy constraints over inputs are taken in turn. The walk ends as soon as it can return to a
        state since which every constraint has been satisfied.
        """
        given, justice = self.constraints.given, self.constraints.justice
        if self.constraints.compassion or self.constraints.system is not given:
            return None
        context, encoding = given.context, given.encoding
        steps: list[Step] = []
        met = [-1] * len(justice)
        waiting: list[Bdd] = []
        core, closable = encoding.to_next(self.core), context.false  # over next bits
        here = first
        for index in range(longest):
            cube = encoding.valuation(here)
            waiting.append(encoding.valuation(here, primed=True))
            leaving = whole.leaving(here)
            for number, justice_condition in enumerate(justice):
                if justice_condition.relation is None and context.implies(cube, justice_condition.condition):
                    met[number] = index
            while waiting and index + 1 - len(waiting) <= min(met, default=index):
                closable = closable | waiting.pop(0)
            back = leaving.into(closable)
            if back is not None:
                steps.append(Step(dict(here), dict(back[0])))
                loop = next(number for number, step in enumerate(steps) if step.state == back[1])
                return Trace("lasso", tuple(steps), loop).shortened()
            following = None
            for number in sorted(range(len(met)), key=met.__getitem__):
                if following is None and justice[number].relation is not None:
                    following = leaving.into(core, justice[number].condition)
                    if following is not None:
                        met[number] = index
            if following is None:
                following = leaving.into(core)
            if following is None:
                return None
            steps.append(Step(dict(here), dict(following[0])))
            here = following[1]
        return None

    def lasso_from(self, start: Bdd) -> Trace:
        """A fair lasso that begins in one of these states. Raises ValueError if none is fair."""
        of = self.constraints
        transitions = SingleTransitions.of(of.system, of.variables)
        added = frozenset(of.system.source.by_name) - frozenset(of.given.source.by_name)
        builder = LassoBuilder(transitions, of.relation, of.justice, of.compassion, self.core, self.fair)
        with memory_errors():
            lasso = builder.build(start)
        steps = (Step({n: v for n, v in step.state.items() if n not in added}, step.inputs) for step in lasso.steps)
        return Trace("lasso", tuple(steps), lasso.loop).shortened()


def compassion_over_states(system: FlatSystem) -> FlatSystem:
    """The system with a state variable ``fair.n``, TRANS fair.n <-> p, for each side p that reads inputs.

    ``fair.n`` is true in a state if p is true on the step that leaves it. The same system if no side reads inputs.
    """
    supports = Supports(system)
    variables: list[Variable] = []
    trans: list[Constraint] = []

    def state_condition(side: Constraint) -> Constraint:
        read = supports.of(side.expression).current
        if not read & system.inputs:
            return side
        name = f"fair.{len(variables)}"
        variables.append(Variable(name, BooleanType(), VariableKind.STATE, side.position))
        variable = VariableReference(name, False, BooleanType(), side.position)
        trans.append(Constraint(equal(variable, side.expression), side.position))
        return Constraint(variable, side.position)

    compassion = tuple((state_condition(often), state_condition(answer)) for often, answer in system.compassion)
    if not variables:
        return system
    return replace(
        system, variables=(*system.variables, *variables), trans=(*system.trans, *trans), compassion=compassion
    )
