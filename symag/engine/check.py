"""The questions about a model, answered one after the other, and the files of their evidence."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from symag.core.errors import UsageError
from symag.core.evidence.evidence_paths import EvidencePaths, WrittenEvidence, planned, trace_format, written
from symag.core.files import write_file
from symag.core.limits import Limits, Progress, no_progress
from symag.core.results import PropertyResult
from symag.engine.answers import Answer
from symag.process.decisions import decisions
from symag.process.family import Family, Question

_CERTIFICATE_FORMAT = "json"
#: A certificate with this suffix becomes a page that carries it.
_PAGE = ".html"


class EvidenceFiles(Struct, frozen=True):
    """Where certificates and traces go; None: they are not written."""

    family: Family
    certificates: EvidencePaths | None = None
    traces: EvidencePaths | None = None

    @classmethod
    def of(
        cls,
        family: Family,
        model: Any,
        questions: Sequence[Question],
        certificates: str | None,
        traces: str | None,
        form: str | None,
        prefix: str | None = None,
    ) -> EvidenceFiles:
        """The files for these questions, from the paths and the format of traces that the user names (None: none).

        If the paths are for several models, ``prefix`` names this model.
        Raises UsageError for files that cannot be written (see ``symag.core.evidence.evidence_paths``).
        """
        names = family.file_names(questions)
        planned_traces = None
        if traces is not None:
            chosen = trace_format(traces, form, family.trace_formats, family.name)
            family.check_trace_format(model, traces, chosen)
            planned_traces = planned(traces, chosen, names, prefix)
        planned_certificates = None
        if certificates is not None:
            planned_certificates = planned(certificates, _CERTIFICATE_FORMAT, names, prefix)
        return cls(family, planned_certificates, planned_traces)

    def write(self, model: Any, question: Question, result: PropertyResult) -> WrittenEvidence:
        """Write the evidence of an answer: the files that were written, and why others were not."""
        errors = []
        certificate = trace = None
        if self.traces is not None and result.trace is not None:
            try:
                path = self.traces.of(question.index)
                self.family.write_trace(path, self.traces.format, model, question, result)
                trace = path
            except UsageError as error:
                errors.append(str(error))
        if self.certificates is not None and result.certificate is not None:
            try:
                certificate = self._write_certificate(self.certificates, model, question, result)
            except UsageError as error:
                errors.append(str(error))
        return written(certificate, trace, errors)

    def _write_certificate(
        self, paths: EvidencePaths, model: Any, question: Question, result: PropertyResult
    ) -> Path | None:
        """The file that was written, None if the answer has no certificate. Raises UsageError."""
        path = paths.of(question.index)
        if not self.family.write_certificate(path, model, question, result):
            return None
        if path.suffix.lower() == _PAGE:
            self._write_page(path, model, question, result)
        return path

    def _write_page(self, path: Path, model: Any, question: Question, result: PropertyResult) -> None:
        """Turn a file with a certificate into a page that carries it."""
        # For start-up: few answers become pages.
        from symag.traces.page.proof import ProvedAnswer, proof_text

        proof = self.family.proof(model, question, result)
        answer = ProvedAnswer(
            self.family.heading(question, result).removeprefix("-- "),
            result.verdict.value,
            result.method,
            result.certified,
            result.statistics,
            shlex.join(["symag", "check", *proof.arguments, "--certificate", str(path)]),
        )
        write_file(path, proof_text(answer, proof, path.read_text(encoding="utf-8")))


def answers(
    family: Family,
    model: Any,
    questions: Sequence[Question],
    method: str,
    options: Any,
    limits: Limits,
    certify: bool = True,
    progress: Progress = no_progress,
    files: EvidenceFiles | None = None,
) -> Iterator[Answer]:
    """The answer to each question as soon as it is known, with its evidence written to ``files``.

    A file that cannot be written is an error of its answer, and ends nothing.

    Raises InputError for a wrong model, and for a wrong question if it is the only one; UsageError and
    CertificationError. No process is left, however the loop ends.
    """
    inquiries = family.inquiries(model, questions, method, options, limits, progress)
    for question, result in decisions(inquiries, limits, certify, progress):
        written = WrittenEvidence() if files is None else files.write(model, question, result)
        yield Answer(question, result, family, model, written.certificate, written.trace, written.errors)
