"""The questions about a model, answered one after the other, for the command line and the library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symag.core.evidence.evidence_paths import WrittenEvidence
from symag.core.limits import Limits, Progress, no_progress
from symag.engine.answers import Answer
from symag.engine.evidence_files import EvidenceFiles
from symag.engine.family import Family, Question
from symag.process.decisions import decisions


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

    Raises InputError, UsageError and CertificationError. No process is left, however the loop ends.
    """
    inquiries = family.inquiries(model, questions, method, options, limits, progress)
    for question, result in decisions(inquiries, limits, certify, progress):
        written = WrittenEvidence() if files is None else files.write(model, question, result)
        yield Answer(question, result, family, model, written.certificate, written.trace, written.errors)
