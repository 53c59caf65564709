"""Where ``check`` writes the evidence of its answers about labelled transition systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.core.certificates import LabelledCertificate
from symag.core.evidence_paths import EvidencePaths, Written, planned, trace_format, written
from symag.core.results import PropertyResult
from symag.lts import Model
from symag.lts.certify.files import write_labelled_certificate
from symag.lts.checking.traces import FORMATS, JSON, MODELS, write_trace
from symag.lts.questions import Question


@dataclass(frozen=True, slots=True)
class EvidenceFiles:
    """Where certificates and traces go; None: they are not written."""

    certificates: EvidencePaths | None = None
    traces: EvidencePaths | None = None

    @classmethod
    def of(
        cls, certificates: str | None, traces: str | None, form: str | None, questions: Sequence[Question]
    ) -> EvidenceFiles:
        """From paths, and the format of traces if the user has named it. Raises UsageError (``evidence_paths``).

        A question without a name is called by its kind, and by its target too if there are several.
        """
        several = len({each.target for each in questions}) > 1
        names = [each.name or each.kind for each in questions]
        named = [
            (each.index, f"{each.target}.{name}" if several else name)
            for each, name in zip(questions, names, strict=True)
        ]
        return cls(
            None if certificates is None else planned(certificates, JSON, named),
            None if traces is None else planned(traces, trace_format(traces, form, FORMATS, MODELS), named),
        )

    def write(self, model: Model, question: Question, result: PropertyResult) -> Written:
        """Write what there is, and say where. Raises UsageError."""
        certificate = trace = None
        if self.traces is not None and result.trace is not None:
            trace = self.traces.of(question.index)
            write_trace(trace, model, question.target, question, result.trace, self.traces.format)
        if self.certificates is not None and isinstance(result.certificate, LabelledCertificate):
            certificate = self.certificates.of(question.index)
            write_labelled_certificate(certificate, model, question, result.certificate)
        return written(certificate, trace)
