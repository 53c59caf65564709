"""Evidence about labelled transition systems: traces as documents, and certificates from a file, re-checked."""

from __future__ import annotations

from msgspec import Struct

from symag.core.limits import Limits, Progress, no_progress
from symag.lts import Model
from symag.lts.certificates import LabelledCertificate
from symag.lts.certify.files import read_labelled_certificate
from symag.lts.certify.kinds import check_certificate
from symag.lts.certify.rules import component_names
from symag.lts.certify.traces import labelled_trace_text
from symag.lts.checking.trace_formats import WrittenRun
from symag.lts.questions import CompositeQuestion
from symag.process.decisions import Judgement, judged, why_undecided
from symag.process.limited import limited_recheck


class LabelledRecheck(Struct, frozen=True):
    """A certificate from a file; ``reason`` is None if it was accepted, else why the re-check did not finish.

    ``components`` are the names of the components by the numbers in it.
    """

    question: CompositeQuestion
    evidence: LabelledCertificate
    components: tuple[str, ...]
    reason: str | None


def text(run: WrittenRun) -> str:
    """A trace as a document; see ``trace_formats.TraceFormat``."""
    return labelled_trace_text(run.model, run.target, run.question, run.trace)


def recheck(path: str, model: Model, limits: Limits, progress: Progress = no_progress) -> LabelledRecheck:
    """Read a certificate and check every premise again.

    Raises InputError for a file that is not a certificate for this model, CertificationError for one that proves
    nothing.
    """
    system, question, certificate = read_labelled_certificate(path, model)

    def work(report: Progress) -> Judgement:
        report("checking the premises")
        return judged(lambda deadline: check_certificate(system, question, certificate, deadline), limits.seconds)

    reason = why_undecided(limited_recheck("certify", work, limits, progress))
    return LabelledRecheck(question, certificate, component_names(system), reason)
