"""``symag check`` for SMV models: invariants, CTL, LTL, PSL and COMPUTE."""

from __future__ import annotations

import time
from collections.abc import Sequence

from symag.cli.reporting import print_answer, print_answers
from symag.cli.status import INTERRUPTED, of_results
from symag.cli.streams import Output
from symag.core.limits import Limits
from symag.core.results import PropertyResult, Verdict
from symag.engine.answers import Answer, counted
from symag.smv.checking.check import decisions, select
from symag.smv.checking.evidence_files import EvidenceFiles
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.methods.options import Options
from symag.smv.model.flat import FlatSystem, Property, kind_word


def check_model(
    path: str,
    wanted: Sequence[str],
    method: str,
    options: Options,
    places: tuple[str | None, str | None, str | None],
    limits: Limits,
    certify: bool,
    full: bool,
    output: Output,
) -> int:
    """Decide and print; the exit status. ``places``: where certificates and traces go, and the format of traces.

    Raises InputError and UsageError.
    """
    start = time.monotonic()
    system = read_flat_system(path)
    chosen = select(system, wanted)
    files = EvidenceFiles.of(*places, system, chosen)
    report = _Report(system, output, full)
    report.warn_all(system.warnings)
    if not chosen:
        report.warn_all(["the model has no properties"])
    interrupted = False
    try:
        for item, result in decisions(system, chosen, method, options, limits, certify, report.progress):
            kept = files.write(system, item, result)
            report.show(Answer(item, result, kept.certificate, kept.trace))
    except KeyboardInterrupt:
        interrupted = True
        for item in chosen[len(report.answers) :]:
            report.show(Answer(item, PropertyResult(Verdict.UNKNOWN, method, reason="interrupted")))
    report.close(path, time.monotonic() - start)
    return INTERRUPTED if interrupted else of_results([answer.result for answer in report.answers])


class _Report:
    """Prints answers as they come, or all at the end as JSON."""

    def __init__(self, system: FlatSystem, output: Output, full: bool) -> None:
        self.progress = output.progress()
        self.answers: list[Answer] = []
        self._system = system
        self._output = output
        self._full = full
        self._warnings: dict[str, None] = {}
        self._traces = 0

    def warn_all(self, warnings: Sequence[str]) -> None:
        """Each warning once: on standard error now, in the JSON object at the end."""
        for warning in warnings:
            if warning not in self._warnings:
                self._warnings[warning] = None
                self._output.warn([warning])

    def show(self, answer: Answer) -> None:
        self.progress.clear()
        self.answers.append(answer)
        self.warn_all(answer.result.warnings)
        if self._output.as_json:
            reason = answer.result.reason or ""
            if ":" in reason:
                self._warnings[f"property {answer.property.index}: {reason}"] = None
            return
        print_answer(_nusmv_line(answer), answer, self._output.verbose)
        if answer.result.trace is not None:
            # Only counterexamples wait for what prints them.
            from symag.smv.checking.trace_report import trace_report
            from symag.traces import plain

            self._traces += 1
            print("-- as demonstrated by the following execution sequence")
            item = answer.property
            assert isinstance(item, Property)
            report = trace_report(self._system, answer.result.trace, item, number=self._traces)
            for line in plain.lines(report, self._full):
                print(line.rstrip())
        # A reader of a pipe sees each answer when it is known.
        print(end="", flush=True)

    def close(self, model: str, seconds: float) -> None:
        self.progress.clear()
        if self._output.as_json:
            print_answers(model, seconds, self._warnings, self.answers)
        elif len(self.answers) > 1:
            print(f"-- {counted(self.answers)}")


def _nusmv_line(answer: Answer) -> str:
    """The line that NuSMV prints for the property, so that scripts that read NuSMV's output can read it."""
    words = {Verdict.HOLDS: "true", Verdict.VIOLATED: "false", Verdict.UNKNOWN: "unknown"}
    verdict = words.get(answer.result.verdict, str(answer.result.value))
    return f"-- {kind_word(answer.property.kind)} {answer.property.text}  is {verdict}"
