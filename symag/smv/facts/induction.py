"""Which candidates are inductive, asked on demand: only those that some step from a state makes necessary.

A goal is proved from the facts in use. A step that breaks it starts in a state; if the pool has candidates that this
state violates, some come into use and become goals themselves; otherwise the step's end is a state that the pool has
to admit, and what it violates is given up.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from symag.limits import Progress
from symag.smv.facts.circuit import StepCircuit
from symag.smv.facts.clauses import Solving
from symag.smv.facts.gates import TRUE
from symag.smv.facts.pool import Candidate, Clause, Pool, Relation, Truths
from symag.smv.facts.simulation import Evaluator, Simulation, read


@dataclass(slots=True)
class Used:
    """A fact in use: its literals now and next, and the facts that its proof uses (None: not proved yet)."""

    now: int
    then: int
    proof: frozenset[int] | None = None


class Induction:
    """The facts in use and their proofs, over one pool."""

    def __init__(self, circuit: StepCircuit, pool: Pool, seed: int, progress: Progress) -> None:
        self._circuit = circuit
        self._pool = pool
        self._progress = progress
        self._used: dict[Candidate, Used] = {}
        self._owner: dict[int, Candidate] = {}
        self._solving = Solving(circuit.gates)
        self._solving.require((*circuit.always, *circuit.steps, *circuit.always_next))
        self._now = Evaluator(circuit.gates, [atom.now for atom in pool.atoms])
        self._runs = Simulation.of(circuit, 64, seed)
        self._runs.start()
        self._goal: tuple[int, int] | None = None

    def prove(self, now: int, then: int) -> frozenset[int] | None:
        """The literals of facts that make a property inductive, or None; ``now`` and ``then`` are its literals."""
        while True:
            if not self._solving.solve([now, *self._owner, -then]):
                core = self._solving.core() & self._owner.keys()
                if self._settle():
                    if all(literal in self._owner for literal in core):
                        return core
                    continue
                continue
            if not self._strengthen(self._state(self._circuit.latches)):
                return None

    def _settle(self) -> bool:
        """Prove every fact in use; False once that has changed what is in use other than by adding."""
        lost = False
        while True:
            open_goals = [candidate for candidate, used in self._used.items() if used.proof is None]
            if not open_goals:
                return not lost
            for candidate in open_goals:
                lost = self._prove_fact(candidate) or lost

    def _prove_fact(self, candidate: Candidate) -> bool:
        """Prove one fact, or give up what cannot be; True if something in use was given up."""
        while candidate in self._used:
            used = self._used[candidate]
            if not self._solving.solve([*self._owner, -used.then]):
                used.proof = self._solving.core() & self._owner.keys()
                return False
            state = self._state(self._circuit.latches)
            after = self._state(self._circuit.following)
            if not self._strengthen(state):
                self._admit(after)
                return True
        return True

    def _state(self, literals: Sequence[int]) -> list[bool]:
        return self._solving.values(literals)

    def _truths(self, states: Sequence[Sequence[bool]]) -> Truths:
        """The atoms' values in some states, a row each."""
        every = (1 << len(states)) - 1
        given = {}
        for place, latch in enumerate(self._circuit.latches):
            given[latch] = sum(1 << number for number, state in enumerate(states) if state[place])
        value = self._now.run(given, every)
        columns = [read(value, atom.now, every) for atom in self._pool.atoms]
        return np.array([[bool(one >> number & 1) for one in columns] for number in range(len(states))])

    def _strengthen(self, state: Sequence[bool]) -> bool:
        """Take candidates into use that the state violates; False if there is none."""
        found = self._pool.violated(self._truths([state])[0])
        for candidate in found:
            self.use(candidate)
        return bool(found)

    def _admit(self, state: Sequence[bool]) -> None:
        """The pool admits a state, and some that follow it."""
        self._runs.spread(state)
        self._runs.bias()
        states = [list(state)]
        for _ in range(8):
            self._runs.step()
            for number in (0, 21, 42, 63):
                states.append([bool(one >> number & 1) for one in self._runs.present])
        for truths in self._truths(states):
            self._pool.weaken(truths)
            gone = [candidate for candidate in self._used if not self._pool.holds(candidate, truths)]
            self._drop(gone)

    def _drop(self, gone: Iterable[Candidate]) -> None:
        literals = set()
        for candidate in gone:
            used = self._used.pop(candidate)
            del self._owner[used.now]
            literals.add(used.now)
        for used in self._used.values():
            if used.proof is not None and used.proof & literals:
                used.proof = None

    def use(self, candidate: Candidate) -> None:
        """Assume a candidate from now on, and owe its proof."""
        if candidate in self._used:
            return
        now, then = self._literals(candidate, False), self._literals(candidate, True)
        if now == TRUE or now in self._owner:
            return
        self._used[candidate] = Used(now, then)
        self._owner[now] = candidate

    def _literals(self, candidate: Candidate, primed: bool) -> int:
        gates, atoms = self._circuit.gates, self._pool.atoms

        def literal(number: int) -> int:
            return atoms[number].then if primed else atoms[number].now

        if isinstance(candidate, Clause):
            return -gates.all(-literal(atom) if sign else literal(atom) for atom, sign in candidate.literals)
        left = [(weight, literal(atom)) for atom, weight in candidate.terms if weight > 0]
        right = [(-weight, literal(atom)) for atom, weight in candidate.terms if weight < 0]
        (left if candidate.constant > 0 else right).append((abs(candidate.constant), TRUE))
        return gates.equal(gates.sum(left), gates.sum(right))

    def needed(self, core: Iterable[int]) -> list[Candidate]:
        """The facts that some of them need, with themselves; each is proved from these."""
        found: dict[int, None] = {}
        pending = sorted(core)
        while pending:
            literal = pending.pop()
            if literal not in found:
                found[literal] = None
                pending.extend(sorted(self._used[self._owner[literal]].proof or ()))
        return [candidate for candidate, used in self._used.items() if used.now in found]

    def statistics(self) -> dict[str, int]:
        """Sizes and counts."""
        return {"facts_in_use": len(self._used), "sat_queries": self._solving.queries}


__all__ = ["Induction", "Relation"]
_ = random
