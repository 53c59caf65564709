"""``symag check`` for labelled transition systems: deadlock, safety, progress and assertions of composite processes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from symag.cli.status import INTERRUPTED, of_results
from symag.cli.streams import ProgressLine, print_json, warn
from symag.engine.answers import Answer, counted
from symag.engine.lts_check import Chosen, decisions, select
from symag.engine.lts_evidence import CertificateFiles
from symag.engine.lts_methods import MONOLITHIC, ChosenMethod
from symag.engine.lts_traces import TraceFiles
from symag.limits import Limits
from symag.lts import read
from symag.lts.questions import Question
from symag.results import PropertyResult, Verdict
from symag.traces import actions


def check_specification(
    path: str,
    components: Sequence[str],
    constants: Mapping[str, int],
    chosen: Chosen,
    method: ChosenMethod,
    files: CertificateFiles,
    traces: TraceFiles,
    limits: Limits,
    certify: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Decide and print; the exit status. Raises InputError, UsageError and CertificationError."""
    started = time.monotonic()
    model = read(path, components, constants)
    asked = select(model, chosen)
    decided = len([each for each in asked if method.name == MONOLITHIC or each.kind == "safety"])
    files.expecting(decided)
    traces.expecting(decided)
    line = ProgressLine(quiet, verbose)
    answers: list[Answer] = []
    warnings = dict.fromkeys(model.warnings)
    if not asked:
        warnings["the specification has no composite process"] = None
    interrupted = False
    try:
        for question, result in decisions(model, asked, limits, certify, line, method):
            line.clear()
            answers.append(Answer(question, result, files.write(model, question, result)))
            traces.write(model, question, result)
            warnings.update(dict.fromkeys((*model.warnings, *result.warnings)))
            if not as_json:
                _show(answers[-1], verbose)
            elif ":" in (result.reason or ""):
                warnings[f"||{question.target}, property {question.index}: {result.reason}"] = None
    except KeyboardInterrupt:
        interrupted = True
        line.clear()
        answers.extend(
            Answer(question, PropertyResult(Verdict.UNKNOWN, method.name, reason="interrupted"))
            for question in asked[len(answers) :]
        )
    if not quiet:
        for warning in warnings:
            warn(f"warning: {path}: {warning}")
    if as_json:
        print_json(
            {
                "schema": 1,
                "model": path,
                "seconds": round(time.monotonic() - started, 4),
                "warnings": list(warnings),
                "results": [answer.to_json() for answer in answers],
            }
        )
    elif len(answers) > 1:
        print(f"-- {counted(answers)}")
    return INTERRUPTED if interrupted else of_results([answer.result for answer in answers])


def _show(answer: Answer, verbose: bool) -> None:
    question = answer.property
    assert isinstance(question, Question)
    print(f"-- ||{question.target}: {question.text}")
    print(f"     {answer.verdict_text()}: {answer.evidence_text()}")
    if verbose:
        for name, value in sorted(answer.result.statistics.items()):
            print(f"     {name} = {value}")
    if answer.result.trace is not None:
        for line in actions.lines(question.kind, answer.result.trace):
            print(line)
    print(end="", flush=True)
