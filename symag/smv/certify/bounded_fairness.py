"""Re-check of an LTL formula that k-liveness proves: no run of its negation is fair more than a number of times.

The negation's tableau and the monitor that counts are certify's own; the premises are decided by another solver than
that of the search, with the constraints in the cone of influence first, and if that fails with all constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.core.deadlines import Deadline
from symag.smv.certificates.bounded_fairness import COUNT, SEEN, BoundedFairness
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import (
    ConstraintReads,
    ConstraintSignals,
    VariableReads,
    failure_by_cone,
    requirements,
    with_read_variables,
)
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.properties import LINEAR, linear_formula, provable, refused
from symag.smv.certify.temporal.tableau import Pair, Tableau
from symag.smv.expression_reader import expression
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType

CERTIFICATE = BoundedFairness


def check(
    system: FlatSystem, property: Property, certificate: BoundedFairness, deadline: Deadline, package: Package = "auto"
) -> None:
    """See ``kinds.Kind``. Costs two questions to a SAT solver for each clause."""
    claim = provable(linear_formula(system, property), property, certificate)
    if certificate.bound < 0:
        raise refused("its bound is negative")
    reading = VariableReads(system)
    encoder = Encoder(system, Circuit())
    with deep_recursion():
        premises = _Premises.of(encoder, Tableau(encoder, reading), claim, certificate)
    start = {name for clause in certificate.clauses for name, _, _ in clause if name in system.by_name}
    start |= premises.tableau.reads
    start = start.union(*(reading.of(item.expression)[0] for item in system.justice))
    reason = failure_by_cone(
        system,
        requirements(system, reading),
        start,
        lambda selected, names: premises.failure(selected, names, deadline),
    )
    if reason is not None:
        raise refused(reason)


@dataclass(frozen=True, slots=True)
class _Premises:
    """Signals: where runs begin, the steps of the monitor, and the conditions to keep, now and next, with names."""

    tableau: Tableau
    begins: list[int]
    steps: list[int]
    kept: list[tuple[Pair, str]]

    @classmethod
    def of(cls, encoder: Encoder, tableau: Tableau, claim: Expression, certificate: BoundedFairness) -> _Premises:
        system, circuit = encoder.system, encoder.circuit
        bits: dict[tuple[str, int], Pair] = {}
        violated = -tableau.truth(claim)[0]
        for name, text in certificate.observers:
            if (name, 0) in bits or name in system.by_name or name in system.defines:
                raise refused(f"the observer {name} is not a fresh name")
            bits[name, 0] = tableau.truth(_formula(system, text))
        met = [encoder.truth(item.expression) for item in system.justice]
        met += [tableau.eventuality(_formula(system, text)) for text in certificate.eventualities]
        monitor = {(SEEN, index): (circuit.input(), circuit.input()) for index in range(len(met))}
        monitor |= {(COUNT, index): (circuit.input(), circuit.input()) for index in range(certificate.bound + 1)}
        if not monitor.keys().isdisjoint(bits) or not {SEEN, COUNT}.isdisjoint(system.by_name):
            raise refused("a name is that of a bit of the monitor")
        since = [circuit.disjunction(monitor[SEEN, index][0], signal) for index, signal in enumerate(met)]
        every = circuit.all(since)
        steps = [
            circuit.equal(monitor[SEEN, index][1], circuit.conjunction(-every, signal))
            for index, signal in enumerate(since)
        ]
        for index in range(certificate.bound + 1):
            now, following = monitor[COUNT, index]
            counted = every if index == 0 else circuit.conjunction(every, monitor[COUNT, index - 1][0])
            steps.append(circuit.equal(following, circuit.disjunction(now, counted)))
        begins = [violated, *(-now for now, _ in monitor.values())]
        last = monitor[COUNT, certificate.bound]
        kept = [((-last[0], -last[1]), "the bound")]
        bits |= monitor
        kept += [(_clause(encoder, bits, clause), "a clause") for clause in certificate.clauses]
        return cls(tableau, begins, steps, kept)

    def failure(self, selected: list[ConstraintReads], start: set[str], deadline: Deadline) -> str | None:
        """The premise that fails with these constraints, in words."""
        encoder, tableau = self.tableau.encoder, self.tableau
        kinds = encoder.system.by_name
        names = with_read_variables(start, selected)
        states = [name for name in names if kinds[name].kind is not VariableKind.INPUT]
        constraints = ConstraintSignals.of(encoder, selected, states)
        inputs = [encoder.in_range(name, False) for name in names if kinds[name].kind is VariableKind.INPUT]
        with Satisfiability(encoder.circuit, deadline) as solver:
            for signal in (*constraints.initial, *constraints.state, *tableau.initial, *self.begins):
                solver.require(signal)
            for (now, _), what in self.kept:
                if solver.is_satisfiable([-now]):
                    return f"a run that violates the formula begins in a violation of {what}"
        with Satisfiability(encoder.circuit, deadline) as solver:
            for signal in (*constraints.state, *constraints.step, *constraints.next_state, *inputs):
                solver.require(signal)
            for signal in (*tableau.transitions, *self.steps, *(now for (now, _), _ in self.kept)):
                solver.require(signal)
            for (_, following), what in self.kept:
                if solver.is_satisfiable([-following]):
                    return f"a transition inside the clauses leads to a violation of {what}"
        return None


def _formula(system: FlatSystem, text: str) -> Expression:
    formula = expression(system, text, temporal=LINEAR)
    if not isinstance(formula.type, BooleanType):
        raise refused(f"{text} is not a formula, but a value")
    return formula


def _clause(encoder: Encoder, added: dict[tuple[str, int], Pair], clause: Sequence[tuple[str, int, bool]]) -> Pair:
    """The clause now and next; ``added`` are the bits that are not the system's."""
    signals: list[Pair] = []
    kinds = encoder.system.by_name
    for name, index, value in clause:
        pair = added.get((name, index))
        if pair is None:
            if name not in kinds or kinds[name].kind is VariableKind.INPUT:
                raise refused(f"{name} is not a state variable")
            now, following = encoder.bits(name, False), encoder.bits(name, True)
            if not 0 <= index < len(now):
                raise refused(f"{name} has no bit {index}")
            pair = now[index], following[index]
        signals.append(pair if value else (-pair[0], -pair[1]))
    any_of = encoder.circuit.any
    return any_of(now for now, _ in signals), any_of(following for _, following in signals)
