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
from symag.limits import Limits
from symag.lts import read
from symag.lts.questions import Question
from symag.results import PropertyResult, Verdict
from symag.traces import Trace


def check_specification(
    path: str,
    components: Sequence[str],
    constants: Mapping[str, int],
    chosen: Chosen,
    method: ChosenMethod,
    files: CertificateFiles,
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
    files.expecting(len([each for each in asked if method.name == MONOLITHIC or each.kind == "safety"]))
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
            warnings.update(dict.fromkeys((*model.warnings, *result.warnings)))
            if not as_json:
                _show(answers[-1], verbose)
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
        for line in _trace_lines(question, answer.result.trace):
            print(line)
    print(end="", flush=True)


def _trace_lines(question: Question, trace: Trace) -> Sequence[str]:
    """The actions, as LTSA prints them."""
    labels = [step.action for step in trace.steps if step.action is not None]
    if question.kind == "progress" or trace.loop is not None:
        loop = len(labels) if trace.loop is None else trace.loop
        cycle = labels[loop:] or ["(nothing: a deadlock)"]
        titles = ["Trace to terminal set of states:", "Cycle in terminal set:"]
        return [titles[0], *(f"\t{label}" for label in labels[:loop]), titles[1], *(f"\t{label}" for label in cycle)]
    title = "Trace to DEADLOCK:" if question.kind == "deadlock" else "Trace to property violation:"
    return [title, *(f"\t{label}" for label in labels)]
