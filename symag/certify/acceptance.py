"""The judge of verdicts: evidence goes in, a certified result or a refusal comes out."""

from __future__ import annotations

from dataclasses import replace

from symag.certificates import AssumeGuarantee, Certificate, InductiveSet
from symag.certify.assume_guarantee import check_assume_guarantee
from symag.certify.deadlines import Deadline, OutOfTimeError
from symag.certify.inductive_set import check_inductive_set
from symag.certify.properties import invariant
from symag.certify.replay import replay
from symag.errors import CertificationError, UnsupportedError
from symag.results import PropertyResult, Verdict
from symag.smv import expression
from symag.smv.flat import FlatSystem, Property


def check_certificate(
    system: FlatSystem, property: Property, certificate: Certificate, seconds: float | None = None
) -> bool:
    """Accept a certificate as a proof of a property: True, or False if the time ran out first.

    Raises CertificationError if it proves nothing, with the premise that fails; UnsupportedError for a
    property other than INVARSPEC and ``AG p`` with propositional p.
    """
    wanted = invariant(system, property)
    if wanted is None:
        raise UnsupportedError(f"no certificate exists for the {property.kind} property {property.text}")
    deadline = Deadline(seconds)
    try:
        if isinstance(certificate, InductiveSet):
            check_inductive_set(system, wanted, certificate, deadline)
        elif isinstance(certificate, AssumeGuarantee):
            check_assume_guarantee(system, wanted, certificate, deadline, expression)
        else:
            raise UnsupportedError(f"no re-check exists for a certificate of kind {certificate.kind}")
    except OutOfTimeError:
        return False
    return True


def accept(system: FlatSystem, property: Property, result: PropertyResult, seconds: float | None) -> PropertyResult:
    """The result with ``certified`` set if its evidence is accepted; unchanged if there is none, if no
    re-check exists for the property, or if the time runs out first.

    Raises CertificationError if the evidence is refused.
    """
    if invariant(system, property) is None:
        return result
    if result.verdict is Verdict.VIOLATED and result.trace is not None:
        replay(system, property, result.trace)
        return replace(result, certified=True)
    if result.verdict is Verdict.HOLDS and isinstance(result.certificate, InductiveSet | AssumeGuarantee):
        try:
            certified = check_certificate(system, property, result.certificate, seconds)
        except UnsupportedError as error:
            raise CertificationError(f"the certificate cannot be read: {error}") from None
        return replace(result, certified=certified)
    return result
