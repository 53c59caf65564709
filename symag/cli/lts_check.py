"""``symag check`` for labelled transition systems: deadlock, safety, progress and assertions of composite processes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from symag.cli.reporting import print_answer, print_answers
from symag.cli.status import INTERRUPTED, of_results
from symag.cli.streams import Output
from symag.core.limits import Limits
from symag.core.results import PropertyResult, Verdict
from symag.engine.answers import Answer, counted
from symag.lts import read
from symag.lts.checking.check import Chosen, decisions, select
from symag.lts.checking.evidence_files import EvidenceFiles
from symag.lts.checking.methods import MONOLITHIC, ChosenMethod
from symag.lts.questions import Question
from symag.traces import actions


def check_specification(
    path: str,
    components: Sequence[str],
    constants: Mapping[str, int],
    chosen: Chosen,
    method: ChosenMethod,
    evidence: tuple[str | None, str | None, str | None],
    limits: Limits,
    certify: bool,
    output: Output,
) -> int:
    """Decide and print; the exit status. Raises InputError and UsageError.

    ``evidence``: where certificates and traces go, and the format of traces.
    """
    started = time.monotonic()
    model = read(path, components, constants)
    asked = select(model, chosen)
    decided = [each for each in asked if method.name == MONOLITHIC or each.kind == "safety"]
    files = EvidenceFiles.of(*evidence, decided)
    line = output.progress()
    answers: list[Answer] = []
    warnings = dict.fromkeys(model.warnings)
    if not asked:
        warnings["the specification has no composite process"] = None
    interrupted = False
    try:
        for question, result in decisions(model, asked, limits, certify, line, method):
            line.clear()
            kept = files.write(model, question, result)
            answers.append(Answer(question, result, kept.certificate, kept.trace))
            warnings.update(dict.fromkeys((*model.warnings, *result.warnings)))
            if not output.as_json:
                _show(answers[-1], output.verbose)
            elif ":" in (result.reason or ""):
                warnings[f"||{question.target}, property {question.index}: {result.reason}"] = None
    except KeyboardInterrupt:
        interrupted = True
        line.clear()
        answers.extend(
            Answer(question, PropertyResult(Verdict.UNKNOWN, method.name, reason="interrupted"))
            for question in asked[len(answers) :]
        )
    output.warn(warnings, path)
    if output.as_json:
        print_answers(path, time.monotonic() - started, warnings, answers)
    elif len(answers) > 1:
        print(f"-- {counted(answers)}")
    return INTERRUPTED if interrupted else of_results([answer.result for answer in answers])


def _show(answer: Answer, verbose: bool) -> None:
    question = answer.property
    assert isinstance(question, Question)
    print_answer(f"-- ||{question.target}: {question.text}", answer, verbose)
    if answer.result.trace is not None:
        for line in actions.lines(question.kind, answer.result.trace):
            print(line)
    print(end="", flush=True)
