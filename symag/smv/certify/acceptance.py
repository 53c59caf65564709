"""The judge of verdicts: evidence goes in, a certified result or a refusal comes out."""

from __future__ import annotations

from dataclasses import replace

from symag.core.certificates import (
    AssumeGuarantee,
    Certificate,
    FairEmptiness,
    Induction,
    InductiveFacts,
    InductiveSet,
    Labelling,
)
from symag.core.deadlines import Deadline, OutOfTimeError
from symag.core.errors import CertificationError, UnsupportedError
from symag.core.results import PropertyResult, Verdict
from symag.smv import expression
from symag.smv.certify.assume_guarantee import check_assume_guarantee
from symag.smv.certify.fair_emptiness import check_fair_emptiness
from symag.smv.certify.induction import check_induction
from symag.smv.certify.inductive_facts import check_inductive_facts
from symag.smv.certify.inductive_set import check_inductive_set
from symag.smv.certify.labelling import check_labelling
from symag.smv.certify.properties import LINEAR, branching_formula, invariant, linear_formula, transition_invariant
from symag.smv.certify.runs.replay import is_refutation
from symag.smv.certify.sequences.claim import sequence_claim
from symag.smv.expression_reader import expressions
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression


@deep_recursion()
def check_certificate(
    system: FlatSystem, property: Property, certificate: Certificate, seconds: float | None = None
) -> bool:
    """Accept a certificate as a proof of a property (or, if it claims so, of its violation).

    True, or False if the time ran out first. Raises CertificationError if it proves nothing, with the
    premise that fails; UnsupportedError for a property that a certificate of its kind cannot prove.
    """
    deadline = Deadline(seconds)
    try:
        match certificate:
            case InductiveSet():
                _check_inductive_set(system, property, certificate, deadline)
            case Induction():
                _check_induction(system, property, certificate, deadline)
            case InductiveFacts():
                wanted = _found(invariant(system, property), property, certificate)
                check_inductive_facts(system, wanted, certificate, deadline, expressions)
            case AssumeGuarantee():
                wanted = _found(invariant(system, property), property, certificate)
                check_assume_guarantee(system, wanted, certificate, deadline, expression)
            case FairEmptiness() if property.sequences is not None:
                whole, claimed = sequence_claim(system, property.sequences, deadline)
                check_fair_emptiness(whole, claimed, certificate, deadline, _linear_expression)
            case FairEmptiness():
                wanted = _found(linear_formula(system, property), property, certificate)
                check_fair_emptiness(system, wanted, certificate, deadline, _linear_expression)
            case Labelling():
                wanted = _found(branching_formula(system, property), property, certificate)
                check_labelling(system, wanted, certificate, deadline)
    except OutOfTimeError:
        return False
    return True


@deep_recursion()
def accept(system: FlatSystem, property: Property, result: PropertyResult, seconds: float | None) -> PropertyResult:
    """The result with ``certified`` set if its evidence is accepted; unchanged if there is none, if it is not
    all that a re-check needs, or if the time runs out first.

    Raises CertificationError if the evidence is refused.
    """
    trace, certificate = result.trace, result.certificate
    if certificate is not None and not isinstance(certificate, Certificate):
        raise CertificationError("the certificate is not for an SMV model")
    if result.verdict is Verdict.VIOLATED:
        if trace is not None and is_refutation(system, property, trace):
            return replace(result, certified=True)
        if not (isinstance(certificate, Labelling) and certificate.claim == "violated"):
            return result
    elif result.verdict is not Verdict.HOLDS or certificate is None:
        return result
    elif isinstance(certificate, Labelling) and certificate.claim != "holds":
        raise CertificationError("the certificate claims that the property is violated")
    try:
        certified = check_certificate(system, property, certificate, seconds)
    except UnsupportedError as error:
        raise CertificationError(f"the certificate cannot be read: {error}") from None
    return replace(result, certified=certified)


def _check_inductive_set(system: FlatSystem, property: Property, certificate: InductiveSet, deadline: Deadline) -> None:
    on_transitions = transition_invariant(system, property)
    if on_transitions is not None:
        check_inductive_set(system, on_transitions, certificate, deadline, on_transitions=True)
    else:
        wanted = _found(invariant(system, property), property, certificate)
        check_inductive_set(system, wanted, certificate, deadline)


def _check_induction(system: FlatSystem, property: Property, certificate: Induction, deadline: Deadline) -> None:
    on_transitions = transition_invariant(system, property)
    wanted = on_transitions or _found(invariant(system, property), property, certificate)
    check_induction(system, wanted, certificate, deadline, expressions, on_transitions=on_transitions is not None)


def _found(formula: Expression | None, checked: Property, certificate: Certificate) -> Expression:
    if formula is None:
        raise UnsupportedError(f"the {checked.kind} property {checked.text} has no {certificate.kind} certificate")
    return formula


def _linear_expression(system: FlatSystem, text: str) -> Expression:
    return expression(system, text, temporal=LINEAR)
