"""Re-check of an induction, by which k-induction and PDR prove a property.

The premises are read from the model's text into certify's own circuits, and decided by another solver than that of the
search. They are asked with the constraints in the cone of influence of the invariant first, and if that fails with all
constraints.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from symag.core.limits import Deadline, OutOfTimeError
from symag.smv.certificates.invariants import Induction
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import ConstraintReads, with_read_variables
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.circuits.paths import OneStep, Path
from symag.smv.certify.properties import conditions, invariant, provable, refused, transition_invariant
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import Property, VariableKind
from symag.smv.model.typed import Expression

CERTIFICATE = Induction


def check(property: Property, certificate: Induction, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``."""
    formula = transition_invariant(encoded.system, property)
    claim = formula or provable(invariant(encoded.system, property), property, certificate)
    check_induction(encoded, [claim], certificate, deadline, on_transitions=formula is not None)


def check_together(
    properties: Sequence[Property], certificate: Induction, encoded: EncodedSystem, seconds: float | None = None
) -> bool:
    """Accept an induction as a proof of several invariants: they are inductive together with its clauses and lemmas.

    Then the same certificate with all the other invariants as lemmas proves each of them, for the premises are these.
    Returns True, or False if the ``seconds`` ran out first (None: no limit). Raises CertificationError with the premise
    that fails, UnsupportedError for a property that is not an invariant of states.
    """
    with deep_recursion():
        claims = [provable(invariant(encoded.system, item), item, certificate) for item in properties]
        try:
            check_induction(encoded, claims, certificate, Deadline(seconds))
        except OutOfTimeError:
            return False
    return True


def check_induction(
    encoded: EncodedSystem,
    claims: Sequence[Expression],
    certificate: Induction,
    deadline: Deadline,
    lemmas: Sequence[Expression] | None = None,
    *,
    on_transitions: bool = False,
) -> None:
    """Accept an induction as a proof that the ``claims`` are true in every state, or on every transition.

    ``lemmas`` are the certificate's, if they are not to be read from its texts. Costs a question to a SAT solver for
    each clause and lemma at each step, over ``steps`` + 1 copies of the cone of influence; those that were proved
    inductive over one step without the others are not asked for again. Raises CertificationError with the premise that
    fails, OutOfTimeError at the deadline.
    """
    system = encoded.system
    if certificate.steps < 1:
        raise refused("it has no step")
    given = conditions(system, certificate.lemmas, "a lemma") if lemmas is None else lemmas
    for clause in certificate.clauses:
        for name, _, _ in clause:
            if name not in system.by_name or name in system.inputs:
                raise refused(f"{name} is not a state variable")
    start = {name for clause in certificate.clauses for name, _, _ in clause}
    start |= encoded.reads_of_states(given, "a lemma")
    start = start.union(*(names for claim in claims for names in encoded.reading.of(claim)))

    def failure(selected: list[ConstraintReads], names: set[str]) -> str | None:
        premises = _Premises.of(encoded, claims, given, certificate, selected, names, on_transitions)
        return _failure(premises, certificate, deadline)

    encoded.prove(start, failure, assigned_first=certificate.steps == 1)
    if certificate.steps == 1:
        clauses = (_clause(encoded.encoder, clause) for clause in certificate.clauses)
        of_states = given if on_transitions else [*claims, *given]
        encoded.record_inductive(frozenset((*map(encoded.encoder.truth, of_states), *clauses)))


class _Premises(Struct, frozen=True):
    """Signals over current and next values: ``invariant`` of states, ``steps`` of transitions, and the constraints.

    ``carried`` are the variables that the initial states or the transitions constrain; all others are free in every
    state. Two states that agree on them have the same paths up to them, so a shortest path has no such two.
    ``known`` are signals of the invariant that are inductive by others of it, which was proved before.
    """

    path: Path
    invariant: list[tuple[int, str]]
    steps: list[tuple[int, str]]
    always: list[int]
    initial: list[int]
    transitions: list[int]
    carried: list[str]
    known: frozenset[int]

    @classmethod
    def of(
        cls,
        encoded: EncodedSystem,
        claims: Sequence[Expression],
        lemmas: Sequence[Expression],
        certificate: Induction,
        selected: Sequence[ConstraintReads],
        start: set[str],
        on_transitions: bool,
    ) -> _Premises:
        system, encoder = encoded.system, encoded.encoder
        names = with_read_variables(start, selected)
        inputs = [name for name in names if name in system.inputs]
        states = [name for name in names if name not in system.inputs]

        def invariant_of(primed: bool) -> list[tuple[int, str]]:
            of_lemmas = [(encoder.truth(lemma, primed), "a lemma") for lemma in lemmas]
            return of_lemmas + [(_clause(encoder, clause, primed), "a clause") for clause in certificate.clauses]

        def properties(primed: bool) -> list[tuple[int, str]]:
            return [(encoder.truth(claim, primed), "the property") for claim in claims]

        def states_of(primed: bool) -> list[tuple[int, str]]:
            return invariant_of(primed) if on_transitions else properties(primed) + invariant_of(primed)

        def always(primed: bool) -> list[int]:
            in_range = [encoder.in_range(name, primed) for name in states]
            return in_range + [item.signal(encoder, primed) for item in selected if item.moment == "state"]

        path = Path(encoder, names)
        if certificate.steps == 1:
            now, after = ([signal for signal, _ in states_of(primed)] + always(primed) for primed in (False, True))
            path = OneStep(encoder, dict(zip(now, after, strict=True)))
        carried = {name for name in names if system.by_name[name].kind is VariableKind.FROZEN}
        reads = {moment: encoded.reading.walk() for moment in ("transition", "initial")}
        for item in selected:
            if item.moment in reads:
                current, following = reads[item.moment].new(item.expression)
                carried |= following if item.moment == "transition" else current
                carried |= set() if item.target is None else {item.target}
        of_states = states_of(False)
        known = encoded.inductive_among(frozenset(signal for signal, _ in of_states))
        return cls(
            path,
            of_states,
            properties(False) if on_transitions else [],
            always(False),
            [item.signal(encoder) for item in selected if item.moment == "initial"],
            [encoder.in_range(name, False) for name in inputs]
            + [item.signal(encoder) for item in selected if item.moment == "transition"],
            sorted(carried),
            known if certificate.steps == 1 else frozenset(),
        )


def _clause(encoder: Encoder, clause: Sequence[tuple[str, int, bool]], primed: bool = False) -> int:
    signals = []
    for name, index, value in clause:
        bits = encoder.bits(name, primed)
        if not 0 <= index < len(bits):
            raise refused(f"{name} has no bit {index}")
        signals.append(bits[index] if value else -bits[index])
    return encoder.circuit.any(signals)


def _failure(premises: _Premises, certificate: Induction, deadline: Deadline) -> str | None:
    """The premise that fails, in words: first the base cases, then the step."""
    path, steps = premises.path, certificate.steps
    unknown = [item for item in premises.invariant if item[0] not in premises.known]
    with Satisfiability(path.circuit, deadline) as solver:
        solver.require(path.all_at((*premises.always, *premises.initial), 0))
        for step in range(steps):
            if step > 0:
                solver.require(path.all_at(premises.transitions, step - 1))
                solver.require(path.all_at(premises.always, step))
                if (what := _violated(solver, path, premises.steps, step - 1)) is not None:
                    return f"a path of {step} transitions from an initial state violates {what}"
            if (what := _violated(solver, path, unknown, step)) is not None:
                return f"a path of {step} transitions from an initial state leads to a violation of {what}"
    with Satisfiability(path.circuit, deadline) as solver:
        for step in range(steps):
            invariant = [signal for signal, _ in premises.invariant]
            solver.require(path.all_at((*premises.always, *invariant, *premises.transitions), step))
            if step > 0:
                solver.require(path.all_at([signal for signal, _ in premises.steps], step - 1))
            if certificate.distinct:
                solver.require([path.differ(premises.carried, other, step) for other in range(step)])
        solver.require(path.all_at(premises.always, steps))
        for conditions, step in ((premises.steps, steps - 1), (unknown, steps)):
            if (what := _violated(solver, path, conditions, step)) is not None:
                return f"a path of {steps} transitions inside the invariant leads to a violation of {what}"
    return None


def _violated(solver: Satisfiability, path: Path, conditions: Sequence[tuple[int, str]], step: int) -> str | None:
    """The name of a condition that can be false at a step of the path."""
    for signal, what in conditions:
        if solver.is_satisfiable([-path.at(signal, step)]):
            return what
    return None
