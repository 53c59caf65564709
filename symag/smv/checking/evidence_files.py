"""Where ``check`` writes the evidence of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.core.certificates import LabelledCertificate
from symag.core.evidence_paths import EvidencePaths, Written, planned, trace_format, written
from symag.core.results import PropertyResult, Verdict
from symag.smv.checking.trace_files import ALL_NAMES, JSON, MODELS, write_trace
from symag.smv.checking.witness_files import check_language
from symag.smv.model.flat import FlatSystem, Property


@dataclass(frozen=True, slots=True)
class EvidenceFiles:
    """Where certificates and traces go; None: they are not written."""

    certificates: EvidencePaths | None
    traces: EvidencePaths | None

    @classmethod
    def of(
        cls,
        certificates: str | None,
        traces: str | None,
        form: str | None,
        system: FlatSystem,
        properties: Sequence[Property],
    ) -> EvidenceFiles:
        """From paths, and the format of traces if the user has named it. Raises UsageError (``evidence_paths``)."""
        named = [(each.index, each.name) for each in properties]
        chosen = None
        if traces is not None:
            chosen = trace_format(traces, form, ALL_NAMES, MODELS)
            check_language(traces, chosen, system)
        return cls(
            None if certificates is None else planned(certificates, JSON, named),
            None if traces is None or chosen is None else planned(traces, chosen, named),
        )

    def write(self, system: FlatSystem, item: Property, result: PropertyResult) -> Written:
        """Write what there is, and say where. Raises UsageError."""
        if self.certificates is None and self.traces is None:
            return Written()
        from symag.core.simulation_evidence import Proof  # with fractions; most runs write nothing

        certificate, path, trace = result.certificate, None, None
        if result.trace is not None and self.traces is not None:
            from symag.smv.checking.trace_formulas import formulas  # with SMV's types, slow to import
            from symag.smv.checking.trace_report import trace_report

            shown = formulas(system, item, result.trace)
            report = trace_report(system, result.trace, item, formulas=shown)
            trace = self.traces.of(item.index)
            write_trace(trace, system, item, report, self.traces.format)
        if certificate is None or isinstance(certificate, LabelledCertificate | Proof):
            return written(None, trace)
        if self.certificates is not None and result.verdict is Verdict.HOLDS:
            from symag.smv.certify import write_certificate  # with its SAT solver, slow to import

            path = self.certificates.of(item.index)
            write_certificate(path, system, item, certificate)
        return written(path, trace)
