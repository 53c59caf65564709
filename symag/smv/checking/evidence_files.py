"""Where ``check`` writes the evidence of its answers."""

from __future__ import annotations

from dataclasses import dataclass

from symag.core.certificates import LabelledCertificate
from symag.core.errors import UsageError
from symag.core.files import is_folder, place
from symag.core.results import PropertyResult, Verdict
from symag.smv.checking.trace_files import JSON, format_of, write_trace
from symag.smv.checking.witness_files import check_language
from symag.smv.model.flat import FlatSystem, Property


@dataclass(frozen=True, slots=True)
class EvidenceFiles:
    """Where evidence is written: a file for one property, or a folder with ``INDEX.json`` for each.

    ``trace_format`` is the format of traces, and their suffix in a folder; None leaves it to the suffix of
    the file, JSON in a folder.
    """

    certificates: str | None
    traces: str | None
    trace_format: str | None
    single: bool

    def __post_init__(self) -> None:
        """Raises UsageError if one file is named for several properties."""
        for path in (self.certificates, self.traces):
            if path is not None and not self.single and not is_folder(path):
                raise UsageError(f"{path}: name a folder (with a / at the end), for there are several properties")

    def check(self, system: FlatSystem) -> None:
        """Raises UsageError if traces are wanted in a format that the model's traces do not have."""
        if self.traces is not None:
            check_language(self.traces, format_of(self.traces, self.trace_format), system)

    def write(self, system: FlatSystem, item: Property, result: PropertyResult) -> str | None:
        """Write what there is; the path of the certificate, if one was written. Raises UsageError."""
        if self.certificates is None and self.traces is None:
            return None
        from symag.core.simulation_evidence import Proof  # with fractions; most runs write nothing

        if result.trace is not None and self.traces is not None:
            from symag.smv.checking.trace_formulas import formulas  # with SMV's types, slow to import
            from symag.smv.checking.trace_report import trace_report

            path = place(self.traces, item.index, self.trace_format or JSON)
            shown = formulas(system, item, result.trace)
            write_trace(path, system, item, trace_report(system, result.trace, item, formulas=shown), self.trace_format)
        certificate = result.certificate
        if certificate is None or isinstance(certificate, LabelledCertificate | Proof) or self.certificates is None:
            return None
        if result.verdict is Verdict.HOLDS:
            from symag.smv.certify import write_certificate  # with its SAT solver, slow to import

            path = place(self.certificates, item.index, JSON)
            write_certificate(path, system, item, certificate)
            return str(path)
        return None
