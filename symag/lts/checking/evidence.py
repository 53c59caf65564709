"""Evidence about labelled transition systems: traces as documents, and certificates from a file, re-checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lts import Model
from symag.lts.certificates import LabelledAssumption, LabelledAssumptions, LabelledCertificate, counted
from symag.lts.certify.kinds import check_certificate, read_labelled_certificate
from symag.lts.certify.rules import component_names
from symag.lts.certify.traces import labelled_trace_text
from symag.lts.checking.trace_formats import WrittenRun
from symag.process.decisions import Judgement, judged, why_undecided
from symag.process.race import limited_recheck


def text(run: WrittenRun) -> str:
    """A trace as a document; see ``trace_formats.TraceFormat``."""
    return labelled_trace_text(run.model, run.target, run.question, run.trace)


def recheck_file(model: Model, path: str, show: bool, limits: Limits, progress: Progress) -> Report:
    """Read a certificate and check every premise again.

    Raises InputError for a file that is not a certificate for this model, CertificationError for one that proves
    nothing.
    """
    system, question, certificate = read_labelled_certificate(path, model)

    def work(report: Progress) -> Judgement:
        report("checking the premises")
        return judged(lambda deadline: check_certificate(system, question, certificate, deadline), limits.seconds)

    reason = why_undecided(limited_recheck("certify", work, limits, progress))
    lines = list(certificate_lines(certificate, component_names(system))) if show else []
    verdict = "accepted: the property holds" if reason is None else f"undecided ({reason})"
    lines.append(f"certificate of ||{question.target}: {question.text}  {verdict}")
    fields = {"index": question.index, "name": question.name, "text": question.text, "target": question.target}
    return Report(fields, tuple(lines), reason=reason)


def certificate_lines(certificate: LabelledCertificate, names: Sequence[str]) -> Iterator[str]:
    """Its summary, the parts, and every assumption as an automaton whose states all accept."""
    yield certificate.summary(names)
    if not isinstance(certificate, LabelledAssumptions):
        return
    for number, part in enumerate(certificate.parts):
        yield f"part {number}: {', '.join(names[k] for k in part)}"
    for number, assumption in enumerate(certificate.assumptions):
        labels = ", ".join(sorted(assumption.alphabet))
        yield f"assumption {number} over {{{labels}}}: {counted(assumption.states, 'state')}"
        if certificate.guarantees:
            granted = ", ".join(map(str, certificate.guarantees[number])) or "none"
            yield f"  guaranteed by part {number} given the assumptions: {granted}"
        yield from _automaton(assumption)


def _automaton(assumption: LabelledAssumption) -> Iterator[str]:
    for state in range(assumption.states):
        moves: dict[int, list[str]] = {}
        for source, action, target in assumption.transitions:
            if source == state:
                moves.setdefault(target, []).append(assumption.alphabet[action])
        yield f"  state {state}:" + ("" if moves else " nothing is allowed")
        for target, labels in sorted(moves.items()):
            yield f"    to state {target}: {', '.join(sorted(labels))}"
