"""Proves several invariants of a changed model at once: by clauses and formulas of all their earlier proofs.

Source: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001), for the largest inductive subset.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from symag.core.errors import InputError
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.clauses import BitLiteral
from symag.smv.certificates.induction import Induction
from symag.smv.certificates.inductive_facts import InductiveFacts
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.clauses import GateClauses
from symag.smv.circuits.failures import refuse_failures
from symag.smv.circuits.satisfiability import SatSolver
from symag.smv.circuits.transitions import TransitionCircuit, reduced
from symag.smv.circuits.unrolling import Unrolling
from symag.smv.expression_reader import expression, expressions
from symag.smv.model.dependencies import Supports
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType

_SOLVER = "cadical153"

#: The number of candidates that one query asks about.
_TOGETHER = 64

Clause = tuple[BitLiteral, ...]


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """Clauses over bits of variables, and texts of conditions on states, of which every one is a candidate."""

    clauses: tuple[Clause, ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, certificates: Iterable[Certificate]) -> StatedFacts:
        """The facts of certificates; those of kinds without such facts have none."""
        clauses: dict[Clause, None] = {}
        texts: dict[str, None] = {}
        for certificate in certificates:
            match certificate:
                case Induction(steps=1):
                    clauses.update(dict.fromkeys(certificate.clauses))
                    texts.update(dict.fromkeys(certificate.lemmas))
                case InductiveFacts():
                    texts.update(dict.fromkeys(certificate.facts))
        return cls(tuple(clauses), tuple(texts))

    def __len__(self) -> int:
        return len(self.clauses) + len(self.texts)


@dataclass(frozen=True, slots=True)
class InductiveTogether:
    """The largest inductive subset of candidates: ``facts``, and the ``invariants`` among them by their keys."""

    facts: StatedFacts
    invariants: Mapping[int, Expression]

    def certificate(self, key: int | None = None) -> Induction:
        """The proof of one of the invariants, which has the others as lemmas; None: all of them are lemmas."""
        own = None if key is None else flat_expression_text(self.invariants[key])
        texts = dict.fromkeys((*self.facts.texts, *map(flat_expression_text, self.invariants.values())))
        return Induction(1, self.facts.clauses, tuple(text for text in texts if text != own))

    def kept(self, certificates: Sequence[Certificate]) -> tuple[int, int]:
        """How many facts of some certificates are inductive still, and how many they have."""
        stated = StatedFacts.of(certificates)
        clauses, texts = set(self.facts.clauses), set(self.facts.texts)
        kept = sum(clause in clauses for clause in stated.clauses) + sum(text in texts for text in stated.texts)
        return kept, len(stated)


def is_of_facts(certificate: Certificate) -> bool:
    """Whether a certificate is a list of conditions on states that are inductive over one step."""
    return isinstance(certificate, InductiveFacts) or (isinstance(certificate, Induction) and certificate.steps == 1)


def inductive_together(
    system: FlatSystem, invariants: Mapping[int, Expression], stated: StatedFacts, cone_of_influence: bool
) -> InductiveTogether:
    """The largest subset of the facts and the invariants that is inductive in a system.

    Facts that name a variable or constant that the system does not have are dropped. Raises InputError where evaluation
    can fail. Costs an encoding of the system, and at most a query for each candidate.
    """
    formulas = readable(system, stated.texts)
    blasting = Blasting(system)
    literal_of = {key: blasting.truth(formula) for key, formula in invariants.items()}
    literal_of_text = {text: blasting.truth(formula) for text, formula in formulas.items()}
    refuse_failures(blasting)
    circuit = blasting.circuit
    literal_of_clause = clause_literals(circuit, stated.clauses)
    candidates = list(dict.fromkeys((*literal_of.values(), *literal_of_text.values(), *literal_of_clause.values())))
    if cone_of_influence:
        circuit = reduced(circuit, candidates)
    inductive = inductive_subset(circuit, candidates)
    facts = StatedFacts(
        tuple(clause for clause, literal in literal_of_clause.items() if literal in inductive),
        tuple(text for text, literal in literal_of_text.items() if literal in inductive),
    )
    return InductiveTogether(
        facts, {key: formula for key, formula in invariants.items() if literal_of[key] in inductive}
    )


def readable(system: FlatSystem, texts: Sequence[str]) -> dict[str, Expression]:
    """Those texts that are conditions on states of the system."""
    try:
        pairs = list(zip(texts, expressions(system, texts), strict=True))
    except InputError:
        pairs = []
        for text in texts:
            try:
                pairs.append((text, expression(system, text)))
            except InputError:
                continue
    supports = Supports(system)
    formulas = {}
    for text, formula in pairs:
        read = supports.of(formula)
        of_states = all(system.by_name[name].kind is not VariableKind.INPUT for name in read.current) and not read.next
        if isinstance(formula.type, BooleanType) and of_states:
            formulas[text] = formula
    return formulas


def clause_literals(circuit: TransitionCircuit, clauses: Iterable[Clause]) -> dict[Clause, int]:
    """Clauses as literals of the circuit's graph, without those about a bit that is not a latch."""
    latches = {latch.bit: latch.node for latch in circuit.latches if latch.bit is not None}
    literals = {}
    for clause in clauses:
        if all((name, index) in latches for name, index, _ in clause):
            literals[clause] = circuit.graph.any(
                2 * latches[name, index] + (not value) for name, index, value in clause
            )
    return literals


def inductive_subset(circuit: TransitionCircuit, candidates: Sequence[int]) -> frozenset[int]:
    """The largest set of the candidates, literals of the circuit, that is inductive.

    Costs a query for each ``_TOGETHER`` candidates, and at most one more for each that is dropped.
    """
    start = _Frame(circuit, candidates, from_start=True)
    start.require((*circuit.initial, *circuit.invariants), 0)
    left = start.true_together(list(dict.fromkeys(candidates)), 0, ())
    start.solver.close()
    step = _Frame(circuit, candidates, from_start=False)
    step.require((*circuit.invariants, *circuit.steps), 0)
    step.require(circuit.invariants, 1)
    while True:
        kept = step.true_together(left, 1, left)
        if len(kept) == len(left):
            break
        left = kept
    step.solver.close()
    return frozenset(left)


class _Frame:
    """Two consecutive states of the circuit, in a solver."""

    def __init__(self, circuit: TransitionCircuit, candidates: Sequence[int], *, from_start: bool) -> None:
        self.solver = SatSolver(_SOLVER)
        self._unrolling = Unrolling(circuit, candidates, from_start=from_start)
        self._clauses = GateClauses(self._unrolling.graph, self.solver.add)
        for literal in candidates:
            # Models give a value to every candidate from the start.
            for signal in [self.signal(literal, index) for index in range(1 if from_start else 2)]:
                self.solver.add([signal, -signal])

    def signal(self, literal: int, step: int) -> int:
        """The solver's literal for one of the circuit at the first (0) or second (1) state."""
        return self._clauses.literal(self._unrolling.literal(literal, step))

    def require(self, literals: Iterable[int], step: int) -> None:
        """Require literals of the circuit at a state."""
        for literal in literals:
            self.solver.add([self.signal(literal, step)])

    def true_together(self, literals: Sequence[int], step: int, given: Sequence[int]) -> list[int]:
        """Those of the literals that are left when models in which one is false at ``step`` have excluded others.

        The literals ``given`` are true at the first state; those that are excluded are given no longer.
        """
        left = dict.fromkeys(literals)
        for first in range(0, len(literals), _TOGETHER):
            group = [literal for literal in literals[first : first + _TOGETHER] if literal in left]
            while group:
                # A fresh variable, for a clause cannot be taken back.
                some_false = self._clauses.fresh()
                self.solver.add([-some_false, *(-self.signal(literal, step) for literal in group)])
                assumed = [self.signal(literal, 0) for literal in given if literal in left]
                if not self.solver.solve([*assumed, some_false]):
                    break
                model = self.solver.model()
                for literal in tuple(left):
                    signal = self.signal(literal, step)
                    if model[abs(signal) - 1] != signal:
                        del left[literal]
                group = [literal for literal in group if literal in left]
        return list(left)
