"""Certificates and traces in files: read and re-checked in a child process, as ``symag certify`` and ``symag replay``
print it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from symag.core.errors import CertificationError, UsageError
from symag.core.files import write_file
from symag.core.limits import Limits, Progress, no_progress
from symag.core.reports import Report
from symag.core.trace import Trace
from symag.process.race import limited_recheck
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certificates.certificate import Certificate
from symag.smv.certify import check_certificate, read_certificate
from symag.smv.certify.circuits.packages import Package, check_package
from symag.smv.certify.runs.replay import check_run, is_refutation
from symag.smv.checking.check import select
from symag.smv.checking.evaluation import refuse_errors_of_evaluation
from symag.smv.checking.reports.certificate_text import certificate_lines
from symag.smv.checking.reports.certificate_text import picture as assumption_picture
from symag.smv.checking.reports.trace_report import shown_report
from symag.smv.checking.trace_files import read_trace
from symag.smv.model.flat import FlatSystem, Property
from symag.traces import plain


class Recheck(Struct, frozen=True):
    """A certificate from a file; ``reason`` is None if it was accepted, else why the re-check did not finish."""

    property: Property
    evidence: Certificate
    reason: str | None


class Replay(Struct, frozen=True):
    """A trace from a file that is a run of the system.

    ``property`` is the one that it was replayed against; None: against all. ``refuted`` are those that it violates.
    ``reason`` is None if the replay finished.
    """

    property: Property | None
    trace: Trace
    refuted: tuple[Property, ...]
    reason: str | None


def recheck_certificate(
    path: str, system: FlatSystem, limits: Limits, progress: Progress = no_progress, package: Package = "auto"
) -> Recheck:
    """Read a certificate and check every premise again, with decision diagrams of a package.

    Raises UsageError for a package that is not installed, InputError for a file that is no certificate for this model
    and for a model with errors of evaluation, CertificationError for a certificate that proves nothing.
    """
    check_package(package)
    item, certificate = read_certificate(path, system)

    def work(report: Progress) -> bool:
        report("checking the premises")
        refuse_errors_of_evaluation(system, [item])
        return check_certificate(system, item, certificate, limits.seconds, package)

    outcome = limited_recheck("certify", work, limits, progress)
    return Recheck(item, certificate, None if outcome.value else outcome.reason or "timeout")


def recheck_trace(
    path: str,
    system: FlatSystem,
    limits: Limits,
    progress: Progress = no_progress,
    *,
    checked: Property | None = None,
    number: int | None = None,
) -> Replay:
    """Read a trace and run it again; the file's format is what its suffix says.

    ``checked`` is the property that it must refute (None: the one that the file names, if it names one),
    ``number`` chooses one of several traces in a text. Raises InputError for a file without such a trace and for a
    model with errors of evaluation, CertificationError for a trace that is no run of the system or does not refute the
    property.
    """
    item, traces = read_trace(path, system, checked, number)

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
    reason = None
    if outcome.value is None:
        reason = outcome.reason or "timeout"
    elif item is not None and not refuted:
        reason = PARTIAL
    return Replay(item, traces[best], refuted, reason)


#: The reason for a run that NuSMV would give as a counterexample to a CTL formula, but that is no proof.
PARTIAL = "a run of the model, but it does not refute the property all by itself"


def _refutes(system: FlatSystem, checked: Property, trace: Trace) -> bool:
    try:
        return is_refutation(system, checked, trace)
    except CertificationError:
        return False


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


def replay_file(
    system: FlatSystem,
    trace: str,
    properties: Sequence[str],
    number: int | None,
    full: bool,
    limits: Limits,
    progress: Progress,
) -> Report:
    """Run a trace again; ``number`` chooses one of several in a text. Raises what ``recheck_trace`` raises."""
    if len(properties) > 1:
        raise UsageError("a trace is replayed against one --property at a time")
    checked = select(system, properties)[0] if properties else None
    replayed = recheck_trace(trace, system, limits, progress, checked=checked, number=number)
    judged = replayed.property or next(iter(replayed.refuted), None)
    lines = [*plain.steps(shown_report(system, replayed.trace, judged), full)]
    lines += _verdicts(system.source.path, replayed)
    fields = {
        "index": judged and judged.index,
        "name": judged and judged.name,
        "text": judged and judged.text,
        "refuted": [item.index for item in replayed.refuted],
    }
    return Report(fields, tuple(lines), reason=replayed.reason, violated=bool(replayed.refuted))


def _verdicts(model: str, replayed: Replay) -> Iterator[str]:
    if replayed.reason is not None:
        text = "a run" if replayed.property is None else f"against {replayed.property.text}"
        yield f"trace {text}  undecided ({replayed.reason})"
        return
    for item in replayed.refuted:
        yield f"trace against {item.text}  accepted: the property is violated"
    if not replayed.refuted:
        yield f"trace accepted: a run of {model}, which violates none of its properties that can be replayed"
