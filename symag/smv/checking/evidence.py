"""Certificates and traces in files: read and re-checked in a child process, as ``symag certify`` and ``symag replay``
print it.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.errors import CertificationError, UsageError
from symag.core.files import write_file
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.core.trace import Trace
from symag.process.race import limited_recheck
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certify import check_certificate, read_certificate
from symag.smv.certify.circuits.packages import Package, check_package
from symag.smv.certify.runs.replay import check_run, is_refutation
from symag.smv.checking.check import select
from symag.smv.checking.reports.certificate_text import certificate_lines
from symag.smv.checking.reports.certificate_text import picture as assumption_picture
from symag.smv.checking.reports.trace_report import shown_report
from symag.smv.checking.trace_files import read_trace
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.reduction.evaluation_errors import refuse_errors_of_evaluation
from symag.traces import plain

#: The reason for a run that NuSMV would give as a counterexample to a CTL formula, but that is no proof.
PARTIAL = "a run of the model, but it does not refute the property all by itself"


def _refutes(system: FlatSystem, checked: Property, trace: Trace) -> bool:
    try:
        return is_refutation(system, checked, trace)
    except CertificationError:
        return False


def recheck_file(
    system: FlatSystem,
    path: str,
    show: bool,
    picture: str | None,
    limits: Limits,
    progress: Progress,
    package: Package = "auto",
) -> Report:
    """Read a certificate and check every premise again, with decision diagrams of a package.

    ``picture`` is a file for a drawing of its assumptions. Raises UsageError for a package that is not installed and
    for evidence without assumptions to draw, InputError for a file that is no certificate for this model and for a
    model with errors of evaluation, CertificationError for a certificate that proves nothing.
    """
    check_package(package)
    item, certificate = read_certificate(path, system)

    def work(report: Progress) -> bool:
        report("checking the premises")
        refuse_errors_of_evaluation(system, [item])
        return check_certificate(system, item, certificate, limits.seconds, package)

    outcome = limited_recheck("certify", work, limits, progress)
    reason = None if outcome.value else outcome.reason or "timeout"
    if picture is not None:
        if not isinstance(certificate, AssumeGuarantee):
            raise UsageError("there is no picture of this certificate: it has no learned assumptions")
        write_file(picture, assumption_picture(system, certificate) + "\n")
    lines = list(certificate_lines(system, certificate)) if show else []
    claim = "holds" if certificate.claim == "holds" else "is violated"
    verdict = f"accepted: the property {claim}" if reason is None else f"undecided ({reason})"
    lines.append(f"certificate of {item.text}  {verdict}")
    return Report({"index": item.index, "name": item.name, "text": item.text}, tuple(lines), reason=reason)


def replay_file(
    system: FlatSystem,
    path: str,
    properties: Sequence[str],
    number: int | None,
    full: bool,
    limits: Limits,
    progress: Progress,
) -> Report:
    """Read a trace and run it again; the file's format is what its suffix says.

    ``properties`` has the one that it must refute (none: the one that the file names, or else any of the model's);
    ``number`` chooses one of several traces in a text. Raises InputError for a file without such a trace and for a
    model with errors of evaluation, CertificationError for a trace that is no run of the system or does not refute the
    property.
    """
    if len(properties) > 1:
        raise UsageError("a trace is replayed against one --property at a time")
    item, traces = read_trace(path, system, select(system, properties)[0] if properties else None, number)

    def work(report: Progress) -> tuple[int, tuple[int, ...]]:
        report("replaying")
        claimed = system.properties if item is None else (item,)
        refuted = [tuple(other.index for other in claimed if _refutes(system, other, trace)) for trace in traces]
        best = max(range(len(traces)), key=lambda index: len(refuted[index]))
        if item is None:
            check_run(system, traces[best])
        elif not refuted[best]:
            is_refutation(system, item, traces[best])  # raises, but not for a part of a counterexample to CTL
        refuse_errors_of_evaluation(system, [other for other in claimed if other.index in refuted[best] or item])
        return best, refuted[best]

    outcome = limited_recheck("replay", work, limits, progress)
    best, indices = outcome.value or (0, ())
    refuted = tuple(other for other in system.properties if other.index in indices)
    reason = None if outcome.value else outcome.reason or "timeout"
    if outcome.value and item is not None and not refuted:
        reason = PARTIAL
    judged = item or next(iter(refuted), None)
    lines = [*plain.steps(shown_report(system, traces[best], judged), full)]
    if reason is not None:
        text = "a run" if item is None else f"against {item.text}"
        lines.append(f"trace {text}  undecided ({reason})")
    else:
        lines += [f"trace against {other.text}  accepted: the property is violated" for other in refuted]
        if not refuted:
            what = "which violates none of its properties that can be replayed"
            lines.append(f"trace accepted: a run of {system.source.path}, {what}")
    fields = {
        "index": judged and judged.index,
        "name": judged and judged.name,
        "text": judged and judged.text,
        "refuted": [other.index for other in refuted],
    }
    return Report(fields, tuple(lines), reason=reason, violated=bool(refuted))
