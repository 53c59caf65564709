"""The judge of verdicts: from a result with its evidence to a certified result, or to a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symag.core.errors import CertificationError, UnsupportedError
from symag.core.limits import Deadline, OutOfTimeError
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.smv.certificates.certificate import Certificate
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.kinds import KINDS
from symag.smv.certify.runs.replay import is_refutation
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem, Property

if TYPE_CHECKING:
    from symag.smv.certify.circuits.encoded import EncodedSystem


@deep_recursion()
def check_certificate(
    system: FlatSystem,
    property: Property,
    certificate: Certificate,
    seconds: float | None = None,
    package: Package = "auto",
    encoded: EncodedSystem | None = None,
) -> bool:
    """Accept a certificate as a proof of what it claims: that the property holds, or that it is violated.

    ``package`` makes the decision diagrams. ``encoded`` keeps what was proved of this system for later re-checks; one
    of another system is not used, for what was proved of that says nothing about this one. Returns True, or False if
    the ``seconds`` ran out first (None: no limit). Raises CertificationError with the premise that fails,
    UnsupportedError for a property that no certificate of its kind proves.
    """
    # For start-up: traces need none of it.
    from symag.smv.certify.circuits.encoded import EncodedSystem

    if encoded is None or encoded.system is not system:
        encoded = EncodedSystem(system, package)
    try:
        KINDS.check(certificate)(property, certificate, Deadline(seconds), encoded)
    except OutOfTimeError:
        return False
    return True


@deep_recursion()
def accept(
    system: FlatSystem,
    property: Property,
    result: PropertyResult,
    seconds: float | None,
    package: Package = "auto",
    encoded: EncodedSystem | None = None,
) -> PropertyResult:
    """The result with ``certified`` set if its evidence is accepted; unchanged if it has no evidence, if the evidence
    is only a part of a proof (a run against CTL), or if the ``seconds`` run out first. ``package`` and ``encoded`` are
    as in ``check_certificate``.

    Raises CertificationError if the evidence is refused.
    """
    trace, certificate = result.trace, result.certificate
    if certificate is not None and not isinstance(certificate, Certificate):
        raise CertificationError("the certificate is not for an SMV model")
    if result.verdict is Verdict.VIOLATED:
        if trace is not None and is_refutation(system, property, trace):
            return replace(result, certified=True)
        if certificate is None or certificate.claim != "violated":
            return result
    elif result.verdict is not Verdict.HOLDS or certificate is None:
        return result
    elif certificate.claim != "holds":
        raise CertificationError("the certificate claims that the property is violated")
    try:
        certified = check_certificate(system, property, certificate, seconds, package, encoded)
    except UnsupportedError as error:
        raise CertificationError(f"the certificate cannot be read: {error}") from None
    return replace(result, certified=certified)
