"""Facts of a system, and proofs of invariants by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from symag.core.limits import Progress
from symag.smv.facts.atoms import define_atoms, members, products, state_atoms
from symag.smv.facts.candidates import Clause
from symag.smv.facts.circuit import step_circuit
from symag.smv.facts.induction import Induction, Proved
from symag.smv.facts.pool import Pool
from symag.smv.facts.samples import Truth, packed, visited_states
from symag.smv.facts.simulation import Evaluator, read
from symag.smv.facts.solving import Solving
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

    form: Literal["clause", "relation"]
    expression: Expression
    uses: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Facts that are inductive together; those numbered in ``basis`` make the wanted invariant inductive."""

    facts: tuple[Fact, ...]
    basis: tuple[int, ...]
    queries: int


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

    def is_violated(self, expression: Expression) -> bool:
        """Whether a visited state, or any initial one, violates a condition of states."""
        if self._states is None:
            return False
        now = self.circuit.literal(expression)
        every = (1 << len(self._states)) - 1
        given = dict(zip(self.circuit.latches, packed(self._states), strict=True))
        if read(Evaluator(self.circuit.gates, [now]).run(given, every), now, every) != every:
            return True
        with Solving(self.circuit.gates) as solving:
            solving.require((*self.circuit.first, *self.circuit.always))
            return solving.solve([-now])

    def proof(self, expression: Expression, reaches: Sequence[Reach] = REACHES) -> Found | None:
        """Facts that make an invariant inductive, or None: some reach finds them, or none does.

        The invariant must not be known to be violated (``is_violated``).
        """
        now, then = self.circuit.literal(expression), self.circuit.literal(expression, primed=True)
        for reach, pool in self._pools(reaches):
            self._progress(f"proving with relations over {reach}")
            induction = Induction(self.circuit, pool, self._seed, self._progress)
            try:
                core = induction.prove(now, then)
                if core is not None:
                    found = induction.proved(core)
                    basis = (number for number, each in enumerate(found) if each.literal in core)
                    return Found(_facts(found, pool), tuple(basis), induction.queries)
            finally:
                induction.close()
        return None

    def facts(self, reach: Reach) -> Found:
        """All facts of the forms that relations over ``reach`` and clauses have, but for those that others imply."""
        for _, pool in self._pools((reach,)):
            induction = Induction(self.circuit, pool, self._seed, self._progress)
            try:
                for candidate in pool.left():
                    induction.use(candidate)
                induction.settle()
                return Found(_facts(induction.independent(), pool), (), induction.queries)
            finally:
                induction.close()
        return Found((), (), 0)

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


def _facts(proved: Sequence[Proved], pool: Pool) -> tuple[Fact, ...]:
    return tuple(
        Fact(
            "clause" if isinstance(each.candidate, Clause) else "relation",
            fact_expression(each.candidate, pool.atoms),
            each.uses,
        )
        for each in proved
    )
