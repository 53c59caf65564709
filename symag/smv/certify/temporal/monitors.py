"""What a certificate about runs has to prove: an LTL formula of all fair runs, from LTL, PSL or CTL.

The runs that violate it, with a monitor beside them, and clauses that every step keeps true.

The tableau of the negated formula and the monitor are built here; the premises are decided by another solver than that
of the search, with the constraints in the cone of influence first, and if that fails with all constraints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from symag.core.limits import Deadline
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import BitClause
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import ConstraintReads, ConstraintSignals, with_read_variables
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.properties import (
    BRANCHING,
    LINEAR,
    branching_formula,
    has_operator,
    linear_formula,
    named_bit,
    provable,
    refused,
    temporal_formula,
)
from symag.smv.certify.sequences.claim import sequence_claim
from symag.smv.certify.temporal.tableau import Pair, Tableau
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression, Operation
from symag.smv.model.types import BooleanType


def claim_of_runs(
    system: FlatSystem, checked: Property, certificate: Certificate, deadline: Deadline
) -> tuple[FlatSystem, Expression]:
    """The system, with automata for the sequences of the property, and a formula that implies the property if all fair
    runs satisfy it.

    Raises UnsupportedError for a property without such a formula, CertificationError for a wrong automaton.
    """
    if checked.sequences is not None:
        return sequence_claim(system, checked.sequences, deadline)
    branching = branching_formula(system, checked)
    formula = linear_formula(system, checked) if branching is None else _without_quantifiers(branching)
    return system, provable(formula, checked, certificate)


def _without_quantifiers(formula: Expression) -> Expression | None:
    """A CTL formula in which only universal quantifiers count as LTL; None if the two may differ.

    It is read from its outside: a state satisfies it if all its fair paths satisfy the LTL formula. To see that, take a
    fair path and a state on it: each fair path from that state, with the beginning of the first path before it, is fair
    too. A disjunction may have one temporal part: the others are decided in the state. In ``A[f U p]`` the state where
    p comes first is the same on all these paths as long as f counts.
    """
    if not _is_temporal(formula):
        return formula
    match formula:
        case Operation("not", (inner,)):
            return _refuted(inner)
        case Operation("and", operands):
            return _joined("and", [_without_quantifiers(operand) for operand in operands], formula)
        case Operation("or", operands) if sum(map(_is_temporal, operands)) == 1:
            return _joined("or", [_without_quantifiers(operand) for operand in operands], formula)
        case Operation("implies", (premise, conclusion)) if _is_temporal(premise) + _is_temporal(conclusion) == 1:
            return _joined("or", [_refuted(premise), _without_quantifiers(conclusion)], formula)
        case Operation("AG" | "AX", (inner,)):
            return _joined(formula.operator[1], [_without_quantifiers(inner)], formula)
        case Operation("AF", (inner,)) if not _is_temporal(inner):
            return _joined("F", [inner], formula)
        case Operation("AU", (hold, goal)) if not _is_temporal(goal):
            return _joined("U", [_without_quantifiers(hold), goal], formula)
    return None


def _refuted(formula: Expression) -> Expression | None:
    """The same for the formula's negation, in which existential quantifiers are universal ones."""
    if not _is_temporal(formula):
        return _joined("not", [formula], formula)
    match formula:
        case Operation("not", (inner,)):
            return _without_quantifiers(inner)
        case Operation("or", operands):
            return _joined("and", [_refuted(operand) for operand in operands], formula)
        case Operation("and", operands) if sum(map(_is_temporal, operands)) == 1:
            return _joined("or", [_refuted(operand) for operand in operands], formula)
        case Operation("implies", (premise, conclusion)):
            return _joined("and", [_without_quantifiers(premise), _refuted(conclusion)], formula)
        case Operation("EF", (inner,)):
            return _joined("G", [_refuted(inner)], formula)
        case Operation("EX", (inner,)):
            return _joined("X", [_refuted(inner)], formula)
        case Operation("EG", (inner,)) if not _is_temporal(inner):
            return _joined("F", [_refuted(inner)], formula)
        case Operation("EU", (hold, goal)) if not _is_temporal(hold):
            return _joined("V", [_refuted(hold), _refuted(goal)], formula)
    return None


def _joined(operator: str, parts: list[Expression | None], formula: Expression) -> Expression | None:
    operands = [part for part in parts if part is not None]
    if len(operands) < len(parts):
        return None
    return Operation(operator, tuple(operands), BooleanType(), formula.position)


def _is_temporal(formula: Expression) -> bool:
    return has_operator(formula, BRANCHING | LINEAR)


@dataclass(slots=True)
class MonitoredRuns:
    """The runs of a system that satisfy the negation of ``claim``, and the bits of a monitor.

    ``met`` are the conditions that a fair run meets infinitely often: the system's JUSTICE, then the certificate's
    eventualities. ``begins`` are signals that are true where such a run begins, ``steps`` on every transition,
    ``never`` in no state that the clauses allow.
    """

    encoded: EncodedSystem
    tableau: Tableau
    met: list[int]
    begins: list[int]
    steps: list[int] = field(default_factory=list)
    never: list[tuple[int, str]] = field(default_factory=list)
    _bits: dict[tuple[str, int], Pair] = field(default_factory=dict)
    _kept: list[tuple[Pair, str]] = field(default_factory=list)
    _reads: set[str] = field(default_factory=set)

    @classmethod
    def of(
        cls, system: FlatSystem, claim: Expression, observers: Iterable[tuple[str, str]], eventualities: Iterable[str]
    ) -> MonitoredRuns:
        """Without a monitor yet. Observers are names of formulas in clauses. Raises CertificationError."""
        encoded = EncodedSystem(system)
        tableau = Tableau(encoded.encoder, encoded.reading)
        runs = cls(encoded, tableau, [], [-tableau.truth(claim)[0]])
        for name, text in observers:
            runs._name(name, 0, tableau.truth(temporal_formula(system, text)), "the observer")
        runs.met += [encoded.encoder.truth(item.expression) for item in system.justice]
        runs.met += [tableau.eventuality(temporal_formula(system, text)) for text in eventualities]
        return runs

    def monitor_bit(self, name: str, index: int) -> Pair:
        """A new bit of the monitor, now and next. Raises CertificationError if there is one with the name."""
        circuit = self.tableau.encoder.circuit
        pair = circuit.input(), circuit.input()
        self._name(name, index, pair, "the monitor's bit")
        return pair

    def remembering(self, name: str, index: int, signal: int) -> int:
        """A bit of the monitor that is FALSE at first and TRUE in every state after one in which ``signal`` is TRUE."""
        now, following = self.monitor_bit(name, index)
        circuit = self.tableau.encoder.circuit
        self.begins.append(-now)
        self.steps.append(circuit.equal(following, circuit.disjunction(now, signal)))
        return now

    def state_bit(self, name: str, index: int) -> Pair:
        """A bit of a state variable, an observer or the monitor, now and next. Raises CertificationError."""
        pair = self._bits.get((name, index))
        if pair is not None:
            return pair
        system = self.encoded.system
        if name not in system.by_name or name in system.inputs:
            raise refused(f"{name} is not a state variable")
        encoder = self.tableau.encoder
        self._reads.add(name)
        return named_bit(name, encoder.bits(name, False), index), named_bit(name, encoder.bits(name, True), index)

    def keep(self, clauses: Iterable[BitClause]) -> None:
        """Every clause must hold where runs begin, and every transition must keep them all."""
        for clause in clauses:
            self.keep_signal(self._clause(clause), "a clause")

    def keep_signal(self, signal: Pair, what: str) -> None:
        """The same for a signal that ``what`` names."""
        self._kept.append((signal, what))

    def prove(self, deadline: Deadline) -> None:
        """Check all premises. Two questions to a SAT solver for each clause. Raises CertificationError, and
        OutOfTimeError.
        """
        start = self._reads | self.tableau.reads
        start = start.union(*(self.encoded.reading.of(condition)[0] for condition in self.encoded.system.fairness))
        self.encoded.prove(start, lambda selected, read: self._failure(selected, read, deadline))

    def _failure(self, selected: list[ConstraintReads], start: set[str], deadline: Deadline) -> str | None:
        """The premise that fails with these constraints, in words."""
        encoder, tableau = self.tableau.encoder, self.tableau
        constraints = ConstraintSignals.of(encoder, selected, with_read_variables(start, selected))
        with Satisfiability(encoder.circuit, deadline) as solver:
            solver.require((*constraints.initial, *constraints.state, *tableau.initial, *self.begins))
            for (now, _), what in self._kept:
                if solver.is_satisfiable([-now]):
                    return f"a run that violates the formula begins in a violation of {what}"
        with Satisfiability(encoder.circuit, deadline) as solver:
            solver.require((*constraints.state, *(now for (now, _), _ in self._kept)))
            for signal, what in self.never:
                if solver.is_satisfiable([signal]):
                    return f"the clauses allow {what}"
            solver.require((*constraints.on_steps, *tableau.transitions, *self.steps))
            for (_, following), what in self._kept:
                if solver.is_satisfiable([-following]):
                    return f"a transition inside the clauses leads to a violation of {what}"
        return None

    def _name(self, name: str, index: int, pair: Pair, what: str) -> None:
        system = self.encoded.system
        if (name, index) in self._bits or name in system.by_name or name in system.defines:
            raise refused(f"{what} {name} is not a fresh name")
        self._bits[name, index] = pair

    def _clause(self, clause: BitClause) -> Pair:
        pairs = [(self.state_bit(name, index), value) for name, index, value in clause]
        any_of = self.tableau.encoder.circuit.any
        now, following = ([pair[side] if value else -pair[side] for pair, value in pairs] for side in (0, 1))
        return any_of(now), any_of(following)
