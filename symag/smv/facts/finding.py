"""Facts of a system, and proofs of invariants by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Literal

import numpy as np
from msgspec import Struct

from symag.core.errors import UnsupportedError
from symag.core.limits import Progress
from symag.smv.circuits.graph import TRUE
from symag.smv.facts.atoms import StateAtom, define_atoms, members, products, state_atoms
from symag.smv.facts.candidates import Clause, LinearRelation, Truths
from symag.smv.facts.circuit import step_circuit
from symag.smv.facts.conditionals import ConditionalEquality, GuardedTwins, conditionals
from symag.smv.facts.fact_expressions import fact_expression
from symag.smv.facts.induction import FactInduction, ProvedFact
from symag.smv.facts.linear import Rows
from symag.smv.facts.pool import CandidatePool, linear_relations
from symag.smv.facts.simulation import AtomValues, Evaluator, packed, visited_states
from symag.smv.facts.solving import GraphSolver
from symag.smv.facts.twins import Twins
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression

#: The terms of linear relations: variables; the same with conditional relations between data; also DEFINEs; also
#: conjunctions within an instance.
Reach = Literal["variables", "data", "defines", "products"]
REACHES: tuple[Reach, ...] = ("variables", "data", "defines", "products")

Form = Literal["clause", "relation", "conditional"]
_FORMS: dict[type, Form] = {Clause: "clause", LinearRelation: "relation", ConditionalEquality: "conditional"}

#: The number of sampled states by which the conditions of relations between data are shortened.
MANY = 20_000

#: The largest number of state bits: larger systems would have millions of clauses.
LARGEST_SYSTEM = 2_000

#: The largest number of products of atoms.
PRODUCTS = 1_500


class Fact(Struct, frozen=True, eq=False):
    """An invariant as an expression, and the numbers of the facts that its induction step uses."""

    form: Form
    expression: Expression
    uses: tuple[int, ...]


class InductiveFactSet(Struct, frozen=True, eq=False):
    """Facts that are inductive together; an invariant to prove is one of them. ``queries``: of the solver."""

    facts: tuple[Fact, ...]
    queries: int


class FactFinder:
    """Looks for facts of one system. Sampling and encoding are done once.

    With ``own_names`` the facts are over names of the user's model, for its text; without, they may also be over what
    its reader names, which proves more.

    Raises InputError where encoding the system does, and UnsupportedError for one that is too large too.
    """

    def __init__(self, system: FlatSystem, seed: int, progress: Progress, *, own_names: bool = False) -> None:
        self._seed = seed
        self._own_names = own_names
        self._progress = progress
        self.circuit = step_circuit(system)
        if len(self.circuit.latches) > LARGEST_SYSTEM:
            raise UnsupportedError(f"facts of more than {LARGEST_SYSTEM} state bits")
        progress("sampling runs")
        self._states = visited_states(self.circuit, seed)
        #: The number of solver queries of all attempts at proofs so far.
        self.queries = 0

    @property
    def is_empty(self) -> bool:
        """Whether the system has no initial state, so that every condition is a fact."""
        return self._states is None

    def is_violated(self, expression: Expression) -> bool:
        """Whether a visited state, or any initial one, violates a condition on states. Costs one query."""
        if self._states is None:
            return False
        now = self.circuit.literal(expression)
        every = (1 << len(self._states)) - 1
        latches = dict(zip(self.circuit.latches, packed(self._states), strict=True))
        if Evaluator(self.circuit.graph, [now]).run(latches, every)[now] != every:
            return True
        with GraphSolver(self.circuit.graph) as solving:
            solving.require((*self.circuit.first, *self.circuit.always))
            return solving.solve([now ^ 1])

    def proof(self, expression: Expression, reaches: Sequence[Reach] = REACHES) -> InductiveFactSet | None:
        """Facts that make an invariant inductive, from the first reach that has some; None if none has.

        The invariant must not be known to be violated (``is_violated``).
        """
        for reach, pool in self._pools(reaches, self._goal(expression)):
            self._progress(f"proving with relations over {reach}")
            with closing(FactInduction(self.circuit, pool, self._seed, self._progress)) as induction:
                proved = induction.prove(Clause(((len(pool.atoms) - 1, True),)))
                self.queries += induction.queries
                if proved is not None:
                    return InductiveFactSet(_facts(proved, pool), induction.queries)
        return None

    def lemmas(self, expression: Expression, reach: Reach, most: int) -> InductiveFactSet:
        """The facts, inductive together, that are left of an attempt to prove an invariant.

        The invariant is one of them if they prove it; it must not be known to be violated (``is_violated``). The
        attempt ends after ``most`` queries to the solver.
        """
        for _, pool in self._pools((reach,), self._goal(expression)):
            with closing(FactInduction(self.circuit, pool, self._seed, self._progress, most)) as induction:
                facts = induction.prove(Clause(((len(pool.atoms) - 1, True),)))
                if facts is None:
                    induction.settle()
                    facts = induction.independent()
                return InductiveFactSet(_facts(facts, pool), induction.queries)
        return InductiveFactSet((), 0)

    def _goal(self, expression: Expression) -> StateAtom:
        """An invariant as an atom that no other candidate reads."""
        now, then = self.circuit.literal(expression), self.circuit.literal(expression, primed=True)
        inputs_of = self.circuit.inputs.of
        return StateAtom(now, then, expression, "", inputs_of(now), inputs_of(then), is_product=True)

    def facts(self, reach: Reach) -> InductiveFactSet:
        """All clauses and relations over ``reach`` that are inductive together, without those that others imply."""
        for _, pool in self._pools((reach,)):
            with closing(FactInduction(self.circuit, pool, self._seed, self._progress)) as induction:
                for candidate in pool.left():
                    induction.use(candidate)
                induction.settle()
                return InductiveFactSet(_facts(induction.independent(), pool), induction.queries)
        return InductiveFactSet((), 0)

    def _pools(self, reaches: Sequence[Reach], goal: StateAtom | None = None) -> Iterator[tuple[Reach, CandidatePool]]:
        """The candidates of each reach; a reach that adds none is left out."""
        if self._states is None:
            return
        own = state_atoms(self.circuit)
        single = own + define_atoms(self.circuit, shared=not self._own_names)
        groups = list(members(self.circuit, single).values())
        relations: dict[int, Rows] = {}  # by the number of their atoms
        for reach in reaches:
            atoms = single + (products(self.circuit, single, PRODUCTS) if reach == "products" else [])
            width = len(own) if reach in ("variables", "data") else len(atoms)
            if goal is not None:
                atoms.append(goal)
            samples = AtomValues(self.circuit, atoms).of(self._states)
            is_new = width not in relations
            if is_new:
                relations[width] = linear_relations(samples[:, :width], self._seed)
            pool = CandidatePool(atoms, groups, relations[width], samples)
            if reach == "data":
                of_data = self._data_relations(own, pool, samples, TRUE if goal is None else goal.now)
                pool.add(of_data, samples)
                is_new = is_new or bool(of_data)
            if is_new:
                yield reach, pool

    def _data_relations(
        self, own: Sequence[StateAtom], pool: CandidatePool, samples: Truths, seen: int
    ) -> list[ConditionalEquality]:
        """Relations between data under conditions that are parts of the longer linear relations."""
        assert self._states is not None
        circuit = self.circuit
        rows = [relation for relation in pool.relations() if len(relation.terms) > 2]
        counted = sorted({atom for row in rows for atom, _ in row.terms if atom < len(own)})
        read = reduce(or_, (own[number].latches for number in counted), 0)
        atom_of = {atom.now: number for number, atom in enumerate(own)}
        places = enumerate(circuit.latches)
        data = [latch_ for latch_, latch in places if latch in atom_of and not circuit.inputs.of(latch) & read]
        if not counted or len(data) < 2:
            return []
        twins = Twins(circuit, data, self._seed)
        truth = AtomValues(circuit, pool.atoms)
        guard = self._guards(twins, truth, counted, seen)
        later = {
            latch: frozenset(guard[other][0] for other in twins.data if other in guard and twins.is_later(latch, other))
            for latch in twins.data
        }
        seen_together = {(twin.one, twin.other): twin for twin in twins.pairs()}
        paired = {latch for pair in seen_together for latch in pair} & guard.keys()
        held = []
        for pair in combinations(sorted(paired), 2):
            guards = guard[pair[0]], guard[pair[1]]
            twin_states = seen_together.get(pair)
            states = truth.of(twin_states.states) if twin_states is not None else samples[:0]
            for counter, sign in guards:
                states = states[states[:, counter] == sign]
            one, other = (atom_of[circuit.latches[latch]] for latch in pair)
            below = later[pair[0]], later[pair[1]]
            held.append(GuardedTwins(one, other, twin_states is None or twin_states.is_equal, guards, below, states))
        many = visited_states(circuit, self._seed + 1, MANY)
        assert many is not None
        return conditionals(held, rows, truth.of(many), self._seed)

    def _guards(
        self, twins: Twins, truth: AtomValues, counted: Sequence[int], seen: int
    ) -> dict[int, tuple[int, bool]]:
        """For latches of data an atom with its value that says that the latch holds a datum.

        The atom has this value whenever a datum has just come, and whenever the latch matters. If possible, it takes
        this value only when a datum comes: an atom that it takes while an older one waits says something else. Latches
        without such an atom are left out.
        """
        assert self._states is not None
        values = truth.of(self._states)
        columns = packed(values)
        every = (1 << len(values)) - 1
        guards: dict[int, tuple[int, bool]] = {}
        matters, steps = twins.matters(self._states, seen)
        later = [(packed(truth.of(states)), kept) for states, kept in steps]
        for latch in twins.data:
            arrived = twins.arrivals(latch)
            new = truth.of(arrived) if len(arrived) else np.zeros((0, values.shape[1]), dtype=np.bool_)
            fitting = []
            for counter in counted:
                for sign in (True, False):
                    holds = columns[counter] if sign else every ^ columns[counter]
                    if (new[:, counter] == sign).all() and not matters[latch] & ~holds:
                        rises = any(
                            (after[counter] if sign else every ^ after[counter]) & ~holds & kept[latch]
                            for after, kept in later
                        )
                        fitting.append((rises, holds.bit_count(), counter, sign))
            if fitting:
                guards[latch] = min(fitting)[2:]
        return guards


def _facts(proved: Sequence[ProvedFact], pool: CandidatePool) -> tuple[Fact, ...]:
    return tuple(
        Fact(_FORMS[type(fact.candidate)], fact_expression(fact.candidate, pool.atoms), fact.uses) for fact in proved
    )
