"""Re-check of an invariant that follows from equal signals: the equalities and clauses are inductive together.

The signals are built here from the bits of the model's variables, without the circuits of the search. What is known to
be equal helps to decide the next pair, as in the search.
"""

from __future__ import annotations

from msgspec import Struct

from symag.core.limits import Deadline
from symag.smv.certificates.invariants import SignalCorrespondence
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import FALSE
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import ConstraintReads, ConstraintSignals, with_read_variables
from symag.smv.certify.circuits.encoded import EncodedSystem, Premise
from symag.smv.certify.properties import claimed_invariant, named_bit, refused
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import Property
from symag.smv.model.typed import Expression

CERTIFICATE = SignalCorrespondence


def check(property: Property, certificate: SignalCorrespondence, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``. Costs two questions to a SAT solver for each pair and each clause, and one; for pairs and
    clauses that were proved together before, the last one only.
    """
    claim, on_transitions = claimed_invariant(encoded.system, property, certificate)
    with deep_recursion():
        premises = _Premises.of(encoded, claim, certificate, on_transitions=on_transitions)
        start = {name for name, _ in certificate.leaves}.union(*encoded.reading.of(claim))
        start |= {name for clause in certificate.clauses for name, _, _ in clause}
        encoded.prove(start, lambda selected, names: premises.failure(selected, names, deadline))
    if not premises.is_proved:
        encoded.record(premises.together)


class _Premises(Struct, frozen=True):
    """Signals: what is kept, now and next, with its name, and the property, which may be one of transitions.

    ``is_proved``: it is proved already that all of it is true in every state; ``together`` names that premise.
    """

    encoder: Encoder
    kept: list[tuple[int, int, str]]
    claim: int
    on_transitions: bool
    together: Premise
    is_proved: bool

    @classmethod
    def of(
        cls, encoded: EncodedSystem, claim: Expression, certificate: SignalCorrespondence, *, on_transitions: bool
    ) -> _Premises:
        encoder = encoded.encoder
        now, following = (_signals(encoder, certificate, primed) for primed in (False, True))
        equal = encoder.circuit.equal
        kept = [
            (
                equal(_literal(now, one), _literal(now, other)),
                equal(_literal(following, one), _literal(following, other)),
                "a pair of signals",
            )
            for one, other in certificate.equal
        ]
        any_of = encoder.circuit.any
        for clause in certificate.clauses:
            if any(name in encoder.system.inputs for name, _, _ in clause):
                raise refused("a clause is not about states")
            sides = [
                any_of(_bit(encoder, name, index, primed) * (1 if value else -1) for name, index, value in clause)
                for primed in (False, True)
            ]
            kept.append((sides[0], sides[1], "a clause"))
        together = "kept", frozenset((now, following) for now, following, _ in kept)
        return cls(encoder, kept, encoder.truth(claim), on_transitions, together, encoded.is_proved(together))

    def failure(self, selected: list[ConstraintReads], start: set[str], deadline: Deadline) -> str | None:
        """The premise that fails with these constraints, in words."""
        encoder = self.encoder
        names = with_read_variables(start, selected)
        # The inputs are in range too. Some are always possible, so it is enough that what is kept is true with all.
        constraints = ConstraintSignals.of(encoder, selected, names)
        with Satisfiability(encoder.circuit, deadline) as solver:
            solver.require(() if self.is_proved else (*constraints.initial, *constraints.state))
            for now, _, what in () if self.is_proved else self.kept:
                if solver.is_satisfiable([-now]):
                    return f"an initial state violates {what}"
                solver.require([now])
        with Satisfiability(encoder.circuit, deadline) as solver:
            solver.require((*constraints.state, *(now for now, _, _ in self.kept)))
            if not self.on_transitions and solver.is_satisfiable([-self.claim]):
                return "the property does not follow"
            if self.is_proved and not self.on_transitions:
                return None
            solver.require(constraints.on_steps)
            if self.on_transitions and solver.is_satisfiable([-self.claim]):
                return "the property does not follow on a step"
            if self.is_proved:
                return None
            for _, following, what in self.kept:
                if solver.is_satisfiable([-following]):
                    return f"a transition leads to a violation of {what}"
                solver.require([following])
        return None


def _signals(encoder: Encoder, certificate: SignalCorrespondence, primed: bool) -> list[int]:
    """The certificate's signals in the current or the next state."""
    signals = [FALSE, *(_bit(encoder, name, index, primed) for name, index in certificate.leaves)]
    for one, other in certificate.gates:
        signals.append(encoder.circuit.conjunction(_literal(signals, one), _literal(signals, other)))
    return signals


def _literal(signals: list[int], literal: int) -> int:
    signal = signals[literal >> 1]
    return -signal if literal & 1 else signal


def _bit(encoder: Encoder, name: str, index: int, primed: bool) -> int:
    if name not in encoder.system.by_name:
        raise refused(f"{name} is not a variable")
    return named_bit(name, encoder.bits(name, primed), index)
