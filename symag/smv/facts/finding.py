"""Facts of a system, and proofs of invariants by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from symag.core.limits import Progress
from symag.smv.facts.atoms import define_atoms, members, products, state_atoms
from symag.smv.facts.circuit import StepCircuit, step_circuit
from symag.smv.facts.solving import Solving
from symag.smv.facts.induction import Induction
from symag.smv.facts.pool import Pool
from symag.smv.facts.samples import Truth, visited_states
from symag.smv.facts.words import fact_expression
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression

#: Over what linear relations are sought: variables alone, DEFINEs too, or conjunctions within an instance too.
Reach = Literal["variables", "defines", "products"]
REACHES: tuple[Reach, ...] = ("variables", "defines", "products")

#: No more products of atoms than this.
PRODUCTS = 1_500


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """An invariant as an expression, and the numbers of the facts that its induction step uses."""

    expression: Expression
    uses: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Facts that are inductive together. ``proves``: they imply, with the property itself, that it is inductive."""

    facts: tuple[Fact, ...]
    proves: bool
    queries: int


def has_initial_state(circuit: StepCircuit) -> bool:
    """Whether the system has an initial state."""
    with Solving(circuit.gates) as solving:
        solving.require((*circuit.first, *circuit.always))
        return solving.solve([])


class Finder:
    """Looks for facts of one system. Sampling and encoding are done once.

    Raises what encoding the system raises (InputError, UnsupportedError).
    """

    def __init__(self, system: FlatSystem, seed: int, progress: Progress) -> None:
        self._seed = seed
        self._progress = progress
        self.circuit = step_circuit(system)
        progress("sampling runs")
        self._states = visited_states(self.circuit, seed)

    @property
    def is_empty(self) -> bool:
        """Whether the system has no initial state, so that everything is a fact."""
        return self._states is None

    def proof(self, expression: Expression, reaches: Sequence[Reach] = REACHES) -> Found | None:
        """Facts that make an invariant inductive, or None: some reach finds them, or none does.

        That the invariant holds in initial states is not looked at: the re-check does.
        """
        now, then = self.circuit.literal(expression), self.circuit.literal(expression, primed=True)
        for reach, pool in self._pools(reaches):
            self._progress(f"proving with relations over {reach}")
            induction = Induction(self.circuit, pool, self._seed, self._progress)
            try:
                core = induction.prove(now, then)
                if core is not None:
                    return self._found(pool, induction, core, True)
            finally:
                induction.close()
        return None

    def facts(self, reach: Reach, most: int | None = None) -> Found:
        """All facts of the forms that relations over ``reach`` and clauses have; ``most`` of the shortest."""
        ((_, pool),) = self._pools((reach,))
        induction = Induction(self.circuit, pool, self._seed, self._progress)
        try:
            for number, candidate in enumerate(pool.left()):
                if most is not None and number >= most:
                    break
                induction.use(candidate)
            induction.settle()
            return self._found(pool, induction, None, False)
        finally:
            induction.close()

    def _found(self, pool: Pool, induction: Induction, core: frozenset[int] | None, proves: bool) -> Found:
        facts = [
            Fact(fact_expression(each.candidate, pool.atoms), each.uses) for each in induction.proved(core)
        ]
        return Found(tuple(facts), proves, induction.queries)

    def _pools(self, reaches: Sequence[Reach]) -> Iterator[tuple[Reach, Pool]]:
        if self._states is None:
            return
        own = state_atoms(self.circuit)
        single = own + define_atoms(self.circuit)
        groups = list(members(self.circuit, single).values())
        for reach in reaches:
            atoms = single + (products(self.circuit, single, PRODUCTS) if reach == "products" else [])
            samples = Truth(self.circuit, atoms).of(self._states)
            width = len(own) if reach == "variables" else len(atoms)
            yield reach, Pool(atoms, groups, range(width), samples, self._seed)
