"""Re-check of an induction, by which k-induction and PDR prove a property.

The premises are read from the model's text into certify's own circuits, and decided by another solver than that of the
search. They are asked with the constraints in the cone of influence of the invariant first, and if that fails with all
constraints. A path of several steps is one circuit: copies of that over current and next values, joined end to end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from symag.core.limits import Deadline
from symag.smv.certificates.invariants import Induction
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import ConstraintReads, with_read_variables
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.properties import claimed_invariant, named_bit, provable_invariant, refused
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import Property, VariableKind
from symag.smv.model.typed import Expression
from symag.smv.model.types import bit_count

CERTIFICATE = Induction
#: So many steps are checked of any model. A path of more steps than states repeats one, and proves no more than a
#: shorter one: where it goes round and then to a violation, paths of every length do.
_ANY_STEPS = 1_000


def check(property: Property, certificate: Induction, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``."""
    claim, on_transitions = claimed_invariant(encoded.system, property, certificate)
    check_induction(encoded, [claim], certificate, deadline, on_transitions=on_transitions)


def check_together(properties: Sequence[Property], certificate: Induction, encoded: EncodedSystem) -> None:
    """Accept an induction as a proof of several invariants: they are inductive together with its clauses and lemmas.

    Then the same certificate with all the other invariants as lemmas proves each of them, for the premises are these.
    Raises CertificationError with the premise that fails, UnsupportedError for a property that is not an invariant of
    states.
    """
    with deep_recursion():
        claims = [provable_invariant(encoded.system, item, certificate) for item in properties]
        check_induction(encoded, claims, certificate, Deadline(None))


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
    bits = sum(bit_count(variable.type) for variable in system.variables if variable.name not in system.inputs)
    if certificate.steps > max(_ANY_STEPS, 1 << bits):
        raise refused(f"it has {certificate.steps:,} steps, more than the model has states")
    given = encoded.conditions(certificate.lemmas, "a lemma") if lemmas is None else lemmas
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
    if certificate.steps == 1 or not (certificate.distinct or on_transitions):
        clauses = (_clause(encoded.encoder, clause) for clause in certificate.clauses)
        of_states = given if on_transitions else [*claims, *given]
        formulas = frozenset((*map(encoded.encoder.truth, of_states), *clauses))
        encoded.record_inductive(formulas, certificate.steps)


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
        known = encoded.inductive_among(frozenset(signal for signal, _ in of_states), certificate.steps)
        return cls(
            path,
            of_states,
            properties(False) if on_transitions else [],
            always(False),
            [item.signal(encoder) for item in selected if item.moment == "initial"],
            [encoder.in_range(name, False) for name in inputs]
            + [item.signal(encoder) for item in selected if item.moment == "transition"],
            sorted(carried),
            known,
        )


def _clause(encoder: Encoder, clause: Sequence[tuple[str, int, bool]], primed: bool = False) -> int:
    signals = []
    for name, index, value in clause:
        bit = named_bit(name, encoder.bits(name, primed), index)
        signals.append(bit if value else -bit)
    return encoder.circuit.any(signals)


def _failure(premises: _Premises, certificate: Induction, deadline: Deadline) -> str | None:
    """The premise that fails, in words: first the base cases, then the step."""
    path, steps = premises.path, certificate.steps
    unknown = [item for item in premises.invariant if item[0] not in premises.known]
    if not unknown and not premises.steps:
        return None
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
    """The name of a condition that can be false at a step of the path; else the solver knows that all are true."""
    for signal, what in conditions:
        there = path.at(signal, step)
        if solver.is_satisfiable([-there]):
            return what
        # What follows already, for the questions after it.
        solver.require([there])
    return None


class Path:
    """Signals over the current and next values of an encoder's variables, read at the states of a path.

    All signals are made in the encoder before they are used here; ``names`` are the variables that they read. Inputs
    and arbitrary values are fresh at every state.
    """

    def __init__(self, encoder: Encoder, names: Iterable[str]) -> None:
        self.circuit = Circuit()
        self._encoder = encoder
        self._names = sorted(names)
        self._bits: list[dict[int, int]] = []
        self._copies: list[dict[int, int]] = []

    def at(self, signal: int, step: int) -> int:
        """A signal, its current values read in state ``step``, its next values in the state after it."""
        return self.all_at([signal], step)[0]

    def all_at(self, signals: Sequence[int], step: int) -> list[int]:
        """Several signals, each as by ``at``."""
        while len(self._copies) <= step:
            self._copies.append(self._joined(len(self._copies)))
        copies, gates, circuit = self._copies[step], self._encoder.circuit.gates, self.circuit
        for member in self._encoder.circuit.cone(signals, skip=copies):
            match gates[member]:
                case ("and", a, b):
                    copies[member] = circuit.conjunction(self._copy(a, step), self._copy(b, step))
                case ("xor", a, b):
                    copies[member] = circuit.exclusive(self._copy(a, step), self._copy(b, step))
                case ("ite", condition, a, b):
                    copies[member] = circuit.choice(
                        self._copy(condition, step), self._copy(a, step), self._copy(b, step)
                    )
        return [self._copy(signal, step) for signal in signals]

    def differ(self, names: Sequence[str], step: int, other: int) -> int:
        """Whether two states have different values of one of these variables."""
        signals = [bit for name in names for bit in self._encoder.bits(name, False)]
        pairs = zip(self.all_at(signals, step), self.all_at(signals, other), strict=True)
        return self.circuit.any([self.circuit.exclusive(*pair) for pair in pairs])

    def _copy(self, signal: int, step: int) -> int:
        copies = self._copies[step]
        positive = abs(signal)
        if positive not in copies:
            copies[positive] = self.circuit.input()
        return copies[positive] if signal > 0 else -copies[positive]

    def _joined(self, step: int) -> dict[int, int]:
        """The copies of TRUE and of all current and next bits; next bits are the current bits of the next state."""
        copies = {1: 1}
        for number, primed in ((step, False), (step + 1, True)):
            while len(self._bits) <= number:
                self._bits.append(self._state(len(self._bits)))
            for name in self._names:
                current = self._encoder.bits(name, False)
                for now, bit in zip(current, self._encoder.bits(name, primed), strict=True):
                    copies[bit] = self._bits[number][now]
        return copies

    def _state(self, number: int) -> dict[int, int]:
        """Signals for the bits in a state; frozen variables keep those of the first."""
        signals = {}
        for name in self._names:
            frozen = self._encoder.bits(name, False) == self._encoder.bits(name, True)
            for bit in self._encoder.bits(name, False):
                signals[bit] = self._bits[0][bit] if frozen and number > 0 else self.circuit.input()
        return signals


class OneStep(Path):
    """A path of one step: the encoder's circuit itself. ``following`` are the signals of its second state."""

    def __init__(self, encoder: Encoder, following: Mapping[int, int]) -> None:
        super().__init__(encoder, ())
        self.circuit = encoder.circuit
        self._following = following

    def all_at(self, signals: Sequence[int], step: int) -> list[int]:
        """See ``Path``."""
        return list(signals) if step == 0 else [self._following[signal] for signal in signals]
