"""Re-check of an induction, by which k-induction and PDR prove a property.

The premises are read from the model's text into certify's own circuits, and decided by another solver than that of the
search. They are asked with the constraints in the cone of influence of the invariant first, and if that fails with all
constraints.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.limits import Deadline
from symag.smv.certificates.invariants import Induction
from symag.smv.certify.circuits.constraints import ConstraintReads
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.induction_premises import InductionPremises, conditions_of_states, fewest_steps
from symag.smv.certify.properties import claimed_invariant, provable_invariant, refused
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import Property
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


def check_together(
    properties: Sequence[Property], certificate: Induction, encoded: EncodedSystem, steps_of: Sequence[int]
) -> None:
    """Accept an induction as a proof of several invariants: they are inductive together with its clauses and lemmas.

    ``steps_of`` are the steps over which each of them is inductive, at most those of the certificate. Then the same
    certificate with all the other invariants as lemmas proves each of them, for the premises are these. Raises
    CertificationError with the premise that fails, UnsupportedError for a property that is not an invariant of states.
    """
    with deep_recursion():
        claims = [provable_invariant(encoded.system, item, certificate) for item in properties]
        check_induction(encoded, claims, certificate, Deadline(None), steps_of=steps_of)


def check_induction(
    encoded: EncodedSystem,
    claims: Sequence[Expression],
    certificate: Induction,
    deadline: Deadline,
    lemmas: Sequence[Expression] | None = None,
    *,
    steps_of: Sequence[int] = (),
    on_transitions: bool = False,
) -> None:
    """Accept an induction as a proof that the ``claims`` are true in every state, or on every transition.

    ``lemmas`` are the certificate's, if they are not to be read from its texts. ``steps_of`` are the steps over which
    each of the claims is inductive, if not over what the certificate has for its property. Costs a question to a SAT
    solver for each claim, clause and lemma, and one for each of its steps, over ``steps`` + 1 copies of the cone of
    influence; those that were proved inductive without the others are not asked for again. Raises CertificationError
    with the premise that fails, OutOfTimeError at the deadline.
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
    numbers = _numbers_of_steps(certificate, len(claims), len(given), steps_of, on_transitions)
    posed, stated = list(zip(claims, numbers, strict=False)), list(zip(given, numbers[len(claims) :], strict=True))

    def failure(selected: list[ConstraintReads], names: set[str]) -> str | None:
        premises = InductionPremises(encoded, certificate, posed, stated, selected, names, on_transitions)
        return premises.failure(deadline)

    encoded.prove(start, failure, assigned_first=certificate.steps == 1)
    if certificate.steps == 1 or not (certificate.distinct or on_transitions):
        of_states = conditions_of_states(encoded.encoder, [] if on_transitions else posed, stated, certificate)
        encoded.record_inductive(fewest_steps(of_states))


def _numbers_of_steps(
    certificate: Induction, claims: int, lemmas: int, steps_of: Sequence[int], on_transitions: bool
) -> list[int]:
    """The steps over which each claim and then each lemma is to be inductive. Raises CertificationError."""
    sufficient = list(certificate.sufficient_steps)
    if not sufficient and not steps_of:
        return [certificate.steps] * (claims + lemmas)
    if certificate.distinct or on_transitions:
        raise refused(
            "its conditions are inductive over numbers of steps of their own, which only paths of any "
            "states allow, and properties of states"
        )
    of_property, *of_lemmas = sufficient or [certificate.steps] * (1 + lemmas)
    numbers = [*(steps_of or [of_property] * claims), *of_lemmas]
    if len(numbers) != claims + lemmas or not all(1 <= number <= certificate.steps for number in numbers):
        raise refused("it does not have a number of steps, at most that of all, for each condition")
    return numbers
