"""The re-check of a certificate from a file, as ``symag certify`` prints it."""

from __future__ import annotations

from symag.core.errors import UsageError
from symag.core.files import write_file
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certify.circuits.packages import Package
from symag.smv.checking.evidence import recheck_certificate
from symag.smv.checking.reports.assumption_picture import picture as assumption_picture
from symag.smv.checking.reports.certificate_text import certificate_lines
from symag.smv.model.flat import FlatSystem


def recheck_file(
    system: FlatSystem,
    certificate: str,
    show: bool,
    picture: str | None,
    limits: Limits,
    progress: Progress,
    package: Package = "auto",
) -> Report:
    """Re-check a certificate; ``picture`` is a file for a drawing of its assumptions, ``package`` makes the decision
    diagrams.

    Raises InputError and CertificationError, and UsageError for evidence without assumptions to draw.
    """
    checked = recheck_certificate(certificate, system, limits, progress, package)
    if picture is not None:
        if not isinstance(checked.evidence, AssumeGuarantee):
            raise UsageError("there is no picture of this certificate: it has no learned assumptions")
        write_file(picture, assumption_picture(system, checked.evidence) + "\n")
    question = checked.property
    lines = list(certificate_lines(system, checked.evidence)) if show else []
    claim = "holds" if checked.evidence.claim == "holds" else "is violated"
    verdict = f"accepted: the property {claim}" if checked.reason is None else f"undecided ({checked.reason})"
    lines.append(f"certificate of {question.text}  {verdict}")
    fields = {"index": question.index, "name": question.name, "text": question.text}
    return Report(fields, tuple(lines), reason=checked.reason)
