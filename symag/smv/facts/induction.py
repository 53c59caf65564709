"""Finds candidates that are inductive together, on demand: only those that some step makes necessary.

A goal is proved from the facts in use. If a step from a state breaks the goal, there are two cases. If the pool has
candidates that this state violates, some come into use and become goals themselves. Otherwise the pool has to admit
the state after the step, and candidates that it violates are given up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from msgspec import Struct

from symag.core.limits import Progress, ProgressFigures
from symag.smv.circuits import vectors
from symag.smv.circuits.graph import TRUE
from symag.smv.facts.candidates import Clause, LinearRelation, StateBatch, Truths
from symag.smv.facts.circuit import StepCircuit
from symag.smv.facts.conditionals import ConditionalEquality
from symag.smv.facts.pool import Candidate, CandidatePool
from symag.smv.facts.simulation import AtomValues, CircuitSimulation, Evaluator, unpacked
from symag.smv.facts.solving import GraphSolver

#: The number of random runs from a state that the pool admits, and their steps: candidates that their states violate
#: are given up too.
RUNS = 64
STEPS = 8


@dataclass(slots=True)
class FactInUse:
    """A fact in use: its literals now and next, and the literals of the facts that its proof uses.

    ``proof`` is None as long as it is not proved. ``initially``: it is known to hold in initial states.
    """

    now: int
    then: int
    proof: frozenset[int] | None = None
    initially: bool = False


class ProvedFact(Struct, frozen=True):
    """A fact, and the numbers of the facts that imply it one step later."""

    candidate: Candidate
    uses: tuple[int, ...]


class FactInduction:
    """The facts in use and their proofs, over one pool. ``close`` frees the solver.

    After ``most`` queries to the solver all facts that are not proved yet are given up.
    """

    def __init__(
        self, circuit: StepCircuit, pool: CandidatePool, seed: int, progress: Progress, most: int | None = None
    ) -> None:
        self._circuit = circuit
        self._pool = pool
        self._progress = progress
        self._most = most
        self._in_use: dict[Candidate, FactInUse] = {}
        self._owner: dict[int, Candidate] = {}
        self._solving = GraphSolver(circuit.graph)
        self._solving.require((*circuit.always, *circuit.steps, *circuit.always_next))
        self._atoms = self._solving.define(atom.now for atom in pool.atoms)
        self._starting = GraphSolver(circuit.graph)
        self._starting.require((*circuit.always, *circuit.first))
        self._truth = AtomValues(circuit, pool.atoms)
        self._next = Evaluator(circuit.graph, circuit.following)
        self._runs = CircuitSimulation.of(circuit, RUNS, seed)

    def close(self) -> None:
        """Free the solvers."""
        self._solving.close()
        self._starting.close()

    @property
    def queries(self) -> int:
        """The number of queries to the solvers."""
        return self._solving.queries + self._starting.queries

    def prove(self, goal: Candidate) -> list[ProvedFact] | None:
        """The facts with which a candidate of the pool is inductive, itself among them; None if there are none."""
        if self._literal(goal, False) == TRUE:
            return [ProvedFact(goal, ())]
        self.use(goal)
        self.settle(goal)
        used = self._in_use.get(goal)
        return None if used is None else self.proved((used.now,))

    def settle(self, goal: Candidate | None = None) -> None:
        """Prove every fact in use, with further ones that this needs; those without a proof are given up.

        Ends as soon as ``goal`` is given up.
        """
        while True:
            goals = [candidate for candidate, used in self._in_use.items() if used.proof is None]
            if not goals:
                return
            used = len(self._in_use)
            figures = {"facts_in_use": used, "facts_to_prove": len(goals), "queries": self.queries}
            self._progress(ProgressFigures(f"{used} facts in use, {len(goals)} to prove", figures))
            for candidate in goals:
                if goal is not None and goal not in self._in_use:
                    return
                self._prove_fact(candidate)

    def use(self, candidate: Candidate) -> None:
        """Assume a candidate from now on; ``settle`` has to prove it."""
        if candidate in self._in_use:
            return
        now, then = self._literal(candidate, False), self._literal(candidate, True)
        if now != TRUE and now not in self._owner:
            self._in_use[candidate] = FactInUse(now, then)
            self._owner[now] = candidate

    def proved(self, core: Iterable[int] | None) -> list[ProvedFact]:
        """These facts (None: all in use) with all facts that their proofs use; all must be settled."""
        needed: set[int] = set()
        pending = list(self._owner) if core is None else sorted(core)
        while pending:
            literal = pending.pop()
            if literal not in needed:
                needed.add(literal)
                pending.extend(sorted(self._in_use[self._owner[literal]].proof or ()))
        needed_facts = [(candidate, used) for candidate, used in self._in_use.items() if used.now in needed]
        number = {used.now: index for index, (_, used) in enumerate(needed_facts)}
        return [
            ProvedFact(candidate, tuple(sorted(number[literal] for literal in used.proof or ())))
            for candidate, used in needed_facts
        ]

    def independent(self) -> list[ProvedFact]:
        """The facts in use, which must be settled, without those that are valid or follow from others."""
        independent: dict[Candidate, FactInUse] = {}
        with GraphSolver(self._circuit.graph) as solving:
            solving.require(self._circuit.always)
            for candidate, used in self._in_use.items():
                if solving.solve([used.now ^ 1]):
                    solving.require([used.now])
                    independent[candidate] = used
        number = {used.now: index for index, used in enumerate(independent.values())}
        facts = []
        for candidate, used in independent.items():
            if self._solving.solve([*number, used.then ^ 1]):
                raise AssertionError("facts that imply all inductive ones are not inductive")
            uses = tuple(sorted(number[literal] for literal in self._solving.core() if literal in number))
            facts.append(ProvedFact(candidate, uses))
        return facts

    def _prove_fact(self, candidate: Candidate) -> None:
        while candidate in self._in_use:
            used = self._in_use[candidate]
            if self._most is not None and self.queries >= self._most:
                self._drop([candidate])
                return
            if not used.initially:
                if self._starting.solve([used.now ^ 1]):
                    self._admit(self._latches(self._starting))
                    return
                used.initially = True
            if not self._solving.solve([*self._owner, used.then ^ 1]):
                used.proof = self._solving.core() & self._owner.keys()
                return
            if not self._strengthen(self._circuit.inputs.of(used.then)):
                self._admit(self._after())
                return

    def _latches(self, solving: GraphSolver) -> Truths:
        """The state in the valuation of a solver; latches that it does not know are FALSE."""
        return np.array([solving.values(self._circuit.latches)], dtype=np.bool_)

    def _after(self) -> Truths:
        """The state after the step in the solver's valuation; evaluated, as the solver may not know all of it."""
        inputs = sorted(self._next.inputs)
        value = self._next.run(dict(zip(inputs, map(int, self._solving.values(inputs)), strict=True)), 1)
        return np.array([[bool(value[literal]) for literal in self._circuit.following]], dtype=np.bool_)

    def _strengthen(self, near: int) -> bool:
        """Use candidates that the solver's state violates, preferably near these inputs; False if there is none."""
        violated = self._pool.violated(self._solving.truths(self._atoms), near)
        for candidate in violated:
            self.use(candidate)
        return bool(violated)

    def _admit(self, state: Truths) -> None:
        """Let the pool admit a state, and some that follow it; drop the facts in use that these violate."""
        self._runs.spread([bool(bit) for bit in state[0]])
        self._runs.bias()
        states = [state]
        for _ in range(STEPS):
            self._runs.step()
            states.append(unpacked(self._runs.present, RUNS)[:: RUNS // 4])
        batch = StateBatch.of(self._truth.of(np.concatenate(states)))
        self._pool.weaken(batch)
        self._drop([candidate for candidate in self._in_use if not candidate.holds(batch)])

    def _drop(self, gone: Iterable[Candidate]) -> None:
        literals = set()
        for candidate in gone:
            used = self._in_use.pop(candidate)
            del self._owner[used.now]
            literals.add(used.now)
        for used in self._in_use.values():
            if used.proof is not None and used.proof & literals:
                used.proof = None

    def _literal(self, candidate: Candidate, primed: bool) -> int:
        graph, atoms = self._circuit.graph, self._pool.atoms

        def literal(number: int) -> int:
            return atoms[number].then if primed else atoms[number].now

        def equation(relation: LinearRelation) -> int:
            left = [(weight, literal(atom)) for atom, weight in relation.terms if weight > 0]
            right = [(-weight, literal(atom)) for atom, weight in relation.terms if weight < 0]
            (left if relation.constant > 0 else right).append((abs(relation.constant), TRUE))
            same: int = vectors.equal(graph, vectors.weighted(graph, left), vectors.weighted(graph, right))
            return same

        match candidate:
            case Clause(literals):
                return graph.any(literal(atom) ^ (not sign) for atom, sign in literals)
            case ConditionalEquality(premise, one, other, is_equal):
                different = graph.exclusive(literal(one), literal(other)) ^ (not is_equal)
                return graph.all([*(equation(relation) for relation in premise), different]) ^ 1
            case LinearRelation():
                return equation(candidate)
