"""The premises of an induction, and the one of them that fails.

A condition that is to be inductive over k steps is asked for in the first k states of a path from an initial state, and
in the state after k states in which all conditions are true. Why that suffices, by induction over the states of a run:
in its state number t, take first the conditions with k <= t, those with fewer steps first, then the others. Each of the
former is asked for where all conditions are true in k states before it, and in its own state those that were taken
before it; each of the latter at t steps from an initial state, in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from symag.core.limits import Deadline
from symag.smv.certificates.invariants import Induction
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import ConstraintReads, Moment, with_read_variables
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.circuits.paths import OneStep, Path
from symag.smv.certify.properties import named_bit
from symag.smv.model.flat import VariableKind
from symag.smv.model.typed import Expression


class InductiveCondition(Struct, frozen=True):
    """A signal, what it is in words, and the steps over which it is inductive."""

    signal: int
    what: str
    steps: int


def conditions_of_states(
    encoder: Encoder,
    claims: Iterable[tuple[Expression, int]],
    lemmas: Iterable[tuple[Expression, int]],
    certificate: Induction,
    primed: bool = False,
) -> list[InductiveCondition]:
    """The conditions on states of an invariant, those that are inductive over fewer steps first."""
    result = [InductiveCondition(encoder.truth(claim, primed), "the property", steps) for claim, steps in claims]
    result += [InductiveCondition(encoder.truth(lemma, primed), "a lemma", steps) for lemma, steps in lemmas]
    result += [
        InductiveCondition(_clause(encoder, clause, primed), "a clause", certificate.steps)
        for clause in certificate.clauses
    ]
    return sorted(result, key=lambda condition: condition.steps)


def fewest_steps(conditions: Iterable[InductiveCondition]) -> dict[int, int]:
    """The steps over which the signals of some conditions are inductive, which come with fewer steps first."""
    steps_of: dict[int, int] = {}
    for condition in conditions:
        steps_of.setdefault(condition.signal, condition.steps)
    return steps_of


def _clause(encoder: Encoder, clause: Sequence[tuple[str, int, bool]], primed: bool = False) -> int:
    signals = []
    for name, index, value in clause:
        bit = named_bit(name, encoder.bits(name, primed), index)
        signals.append(bit if value else -bit)
    return encoder.circuit.any(signals)


class InductionPremises:
    """The premises of an induction under some constraints, as signals over current and next values.

    ``claims`` and ``lemmas`` come with the steps over which they are inductive; ``start`` are the variables that these
    and the clauses read.
    """

    def __init__(
        self,
        encoded: EncodedSystem,
        certificate: Induction,
        claims: Sequence[tuple[Expression, int]],
        lemmas: Sequence[tuple[Expression, int]],
        selected: Sequence[ConstraintReads],
        start: set[str],
        on_transitions: bool,
    ) -> None:
        self._encoded = encoded
        self._encoder = encoded.encoder
        self._certificate = certificate
        self._claims_of_states = [] if on_transitions else claims
        self._lemmas = lemmas
        self._selected = selected
        self._names = with_read_variables(start, selected)
        self._invariant = self._conditions(primed=False)
        #: Conditions on transitions.
        self._of_transitions = [
            InductiveCondition(self._encoder.truth(claim), "the property", steps)
            for claim, steps in (claims if on_transitions else ())
        ]
        #: What is not proved already, by others of the invariant.
        known = encoded.inductive_among(fewest_steps(self._invariant))
        self._unknown = [condition for condition in self._invariant if condition.signal not in known]

    def failure(self, deadline: Deadline) -> str | None:
        """The premise that fails, in words: first the base cases, then the step. Raises OutOfTimeError."""
        if not self._unknown and not self._of_transitions:
            return None
        inputs = [name for name in self._names if name in self._encoded.system.inputs]
        #: What is true of every state of a path, of its first one, and on its transitions.
        self._always = self._constraints_of_states(primed=False)
        self._initial = self._of_moment("initial")
        self._transitions = self._of_moment("transition") + [self._encoder.in_range(name, False) for name in inputs]
        if self._certificate.steps == 1:
            one_step = self._one_step()
            return self._failure_of_base(one_step, deadline) or self._failure_of_step(one_step, deadline)
        base, step = self._path(self._initial), self._path(())
        return self._failure_of_base(base, deadline) or self._failure_of_step(step, deadline)

    def _failure_of_base(self, path: Path, deadline: Deadline) -> str | None:
        with Satisfiability(path.circuit, deadline) as solver:
            solver.require(path.all_at((*self._always, *self._initial), 0))
            for step in range(self._certificate.steps):
                if step > 0:
                    solver.require(path.all_at(self._transitions, step - 1))
                    solver.require(path.all_at(self._always, step))
                    if (what := _violated(solver, path, self._of_transitions, step - 1)) is not None:
                        return f"a path of {step} transitions from an initial state violates {what}"
                    by_step = [condition.signal for condition in self._unknown if condition.steps <= step]
                    solver.require(path.all_at(by_step, step))
                in_base = [condition for condition in self._unknown if condition.steps > step]
                if (what := _violated(solver, path, in_base, step)) is not None:
                    return f"a path of {step} transitions from an initial state leads to a violation of {what}"
        return None

    def _failure_of_step(self, path: Path, deadline: Deadline) -> str | None:
        steps = self._certificate.steps
        invariant = [condition.signal for condition in self._invariant]
        of_transitions = [condition.signal for condition in self._of_transitions]
        with Satisfiability(path.circuit, deadline) as solver:
            for step in range(steps):
                solver.require(path.all_at(self._always, step))
                if (what := self._violated_after(solver, path, step)) is not None:
                    return _after(step, what)
                solver.require(path.all_at((*invariant, *self._transitions), step))
                if step > 0:
                    solver.require(path.all_at(of_transitions, step - 1))
                if self._certificate.distinct:
                    carried = self._carried()
                    solver.require([path.differ(carried, other, step) for other in range(step)])
            solver.require(path.all_at(self._always, steps))
            if (what := _violated(solver, path, self._of_transitions, steps - 1)) is not None:
                return _after(steps, what)
            what = self._violated_after(solver, path, steps)
            return None if what is None else _after(steps, what)

    def _violated_after(self, solver: Satisfiability, path: Path, step: int) -> str | None:
        """What a condition is that should be inductive over ``step`` steps and is not."""
        ending = [condition for condition in self._unknown if condition.steps == step]
        if ending:
            earlier = [condition.signal for condition in self._invariant if condition.steps < step]
            solver.require(path.all_at(earlier, step))
        return _violated(solver, path, ending, step)

    def _path(self, initial: Sequence[int]) -> Path:
        return Path(self._encoder, self._names, self._encoded.defined_bits, initial, self._transitions)

    def _one_step(self) -> OneStep:
        now = [condition.signal for condition in self._invariant] + self._always
        after = [condition.signal for condition in self._conditions(primed=True)]
        after += self._constraints_of_states(primed=True)
        return OneStep(self._encoder, dict(zip(now, after, strict=True)))

    def _conditions(self, primed: bool) -> list[InductiveCondition]:
        return conditions_of_states(self._encoder, self._claims_of_states, self._lemmas, self._certificate, primed)

    def _constraints_of_states(self, primed: bool) -> list[int]:
        states = (name for name in self._names if name not in self._encoded.system.inputs)
        return [self._encoder.in_range(name, primed) for name in states] + self._of_moment("state", primed)

    def _of_moment(self, moment: Moment, primed: bool = False) -> list[int]:
        return [item.signal(self._encoder, primed) for item in self._selected if item.moment == moment]

    def _carried(self) -> list[str]:
        """The variables that the initial states or the transitions constrain; all others are free in every state.

        Two states that agree on them have the same paths up to them, so a shortest path has no such two.
        """
        encoded = self._encoded
        carried = {name for name in self._names if encoded.system.by_name[name].kind is VariableKind.FROZEN}
        reads = {"transition": encoded.reading.walk(), "initial": encoded.reading.walk()}
        for item in self._selected:
            if item.moment in reads:
                current, following = reads[item.moment].new(item.expression)
                carried |= following if item.moment == "transition" else current
                carried |= set() if item.target is None else {item.target}
        return sorted(carried)


def _after(steps: int, what: str) -> str:
    return f"a path of {steps} transitions inside the invariant leads to a violation of {what}"


def _violated(solver: Satisfiability, path: Path, conditions: Sequence[InductiveCondition], step: int) -> str | None:
    """What a condition is that can be false at a step of the path; else the solver knows that all are true."""
    for condition in conditions:
        there = path.at(condition.signal, step)
        if solver.is_satisfiable([-there]):
            return condition.what
        # What follows already, for the questions after it.
        solver.require([there])
    return None
