"""Traces of labelled transition systems: writing them, also as the text that LTSA prints, and their replay."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from symag.core.errors import CertificationError, InputError, UsageError
from symag.core.evidence.documents import is_page
from symag.core.files import write_file
from symag.core.limits import Deadline, Limits, OutOfTimeError, Progress
from symag.core.reports import Report
from symag.core.source import text_of_file
from symag.core.trace import Trace
from symag.core.values import replace
from symag.lts import Model
from symag.lts.certify.properties import check_run, check_violation
from symag.lts.certify.traces import read_labelled_trace, runs
from symag.lts.checking.trace_formats import WrittenRun, format_named, format_of
from symag.lts.language.evaluation import existing
from symag.lts.questions import CompositeQuestion, questions
from symag.lts.words import local_names
from symag.process.race import limited_recheck
from symag.traces import actions
from symag.traces.actions import parsed, text_of

#: The largest number of runs that are tried for one list of actions.
MOST_RUNS = 1000


def write_trace(path: str | Path, run: WrittenRun, form: str) -> None:
    """Write a trace of a composite process. Raises UsageError."""
    write_file(path, format_named(form).text(replace(run, file=str(path))))


class LabelledReplay(Struct, frozen=True):
    """A trace that is a run; ``refuted`` are the questions that it refutes. ``claimed`` is the question that the file
    or the user names. ``reason``: why the replay did not finish.
    """

    target: str
    trace: Trace
    claimed: CompositeQuestion | None
    refuted: tuple[CompositeQuestion, ...]
    reason: str | None = None


def _read(
    path: str, model: Model, targets: Sequence[str], properties: Sequence[str]
) -> tuple[str, CompositeQuestion | None, list[Trace]]:
    """The composite, the question if one is named, and the runs that the file may mean."""
    content = text_of_file(path)
    if content.lstrip().startswith("{") or is_page(content):
        target, named_question, trace = read_labelled_trace(path, model)
        if targets and tuple(targets) != (target,):
            raise InputError(f"this is a trace of ||{target}, not of ||{', ||'.join(targets)}", path)
        return target, _named(model, target, properties) or named_question, [trace]
    written = format_of(path).parsed(content, path)
    names = targets or ([written.target] if written.target is not None else model.targets)
    if len(names) != 1 or names[0] not in model.targets:
        raise UsageError(f"choose one composite process with --target; {existing(model.targets)}")
    target = names[0]
    every = questions(model, target, True)
    if written.name is not None and not _has(model, target, every, written.name):
        raise InputError(f"trace of a property that the model does not have: {written.name[:200]}", path)
    named_question = _named(model, target, properties)
    if named_question is None and written.text is not None:
        named_question = next((question for question in every if question.text == written.text), None)
        if named_question is None:
            raise InputError(f"trace of a property that the model does not have: {written.text[:200]}", path)
    if named_question is None and written.kind in ("deadlock", "safety"):
        named = [question for question in every if question.kind == "assert" and question.name == written.name]
        named_question = next(iter(named), None) or next(
            question for question in every if question.kind == written.kind
        )
    candidates = list(itertools.islice(runs(model.composite(target), written.actions, written.loop), MOST_RUNS))
    if not candidates:
        raise CertificationError("the trace is not accepted: its cycle does not return to the state where it begins")
    return target, named_question, candidates


def _has(model: Model, target: str, every: Sequence[CompositeQuestion], name: str) -> bool:
    """Whether a name is that of an assertion or, without prefixes and parameters, of a process or a component.

    LTSA and symag may give the same component other prefixes.
    """
    asserted = {question.name for question in every if question.kind == "assert"}
    known = {*local_names(model.composite(target).components), *model.processes, *model.targets}
    return name in asserted or _plain(name) in map(_plain, known)


def _plain(name: str) -> str:
    """``SAFE`` of ``x:Q.SAFE(2)``."""
    return re.split("[.:]", name.partition("(")[0].partition("#")[0])[-1]


def _named(model: Model, target: str, properties: Sequence[str]) -> CompositeQuestion | None:
    if not properties:
        return None
    selected = [
        question
        for question in questions(model, target, True)
        if properties[0] in (question.kind, question.name, str(question.index))
    ]
    if len(properties) > 1 or len(selected) > 1:
        raise UsageError("a trace is replayed against one --property at a time")
    if not selected:
        raise UsageError(f"no property '{properties[0]}' of ||{target}")
    return selected[0]


def _judged(
    model: Model,
    target: str,
    claimed: CompositeQuestion | None,
    traces: Sequence[Trace],
    deadline: Deadline,
) -> LabelledReplay:
    system = model.composite(target)
    for trace in traces:
        check_run(system, trace)
    candidates = questions(model, target, True) if claimed is None else (claimed,)
    refuted: list[CompositeQuestion] = []
    shown = traces[0]
    refusal: CertificationError | None = None
    for question in candidates:
        for trace in traces:
            try:
                check_violation(system, question, trace, deadline)
            except OutOfTimeError:
                return LabelledReplay(target, shown, claimed, tuple(refuted), "timeout")
            except CertificationError as error:
                refusal = refusal or error
                continue
            refuted.append(question)
            shown = trace
            break
    if claimed is not None and not refuted and refusal is not None:
        raise refusal
    return LabelledReplay(target, shown, claimed, tuple(refuted))


def replay_file(
    model: Model,
    path: str,
    targets: Sequence[str],
    properties: Sequence[str],
    limits: Limits,
    progress: Progress,
) -> Report:
    """Run the trace in a file again, JSON or text as LTSA prints it.

    Raises InputError for a file that is not a trace of this model, UsageError if the composite or the question is not
    clear, CertificationError for a trace that is not a run or does not refute the question that it claims to refute.
    """

    def work(report: Progress) -> LabelledReplay:
        report("replaying")
        target, question, traces = _read(path, model, targets, properties)
        return _judged(model, target, question, traces, Deadline(limits.seconds))

    outcome = limited_recheck("replay", work, limits, progress)
    run: LabelledReplay = outcome.value or LabelledReplay(
        "", Trace("finite", ()), None, (), outcome.reason or "timeout"
    )
    judged = run.claimed or next(iter(run.refuted), None)
    lines = list(actions.lines(None if judged is None else judged.kind, run.trace)) if run.trace.steps else []
    if run.reason is not None:
        lines.append(f"trace  undecided ({run.reason})")
    for question in run.refuted:
        lines.append(f"trace against ||{run.target}: {question.text}  accepted: the property is violated")
    if run.reason is None and not run.refuted:
        lines.append(f"trace accepted: a run of ||{run.target}, which violates none of its properties")
        lines.append("(--property NAME says why it does not violate that one)")
    fields = {
        "target": run.target or None,
        "index": judged and judged.index,
        "name": judged and judged.name,
        "text": judged and judged.text,
        "refuted": [question.index for question in run.refuted],
    }
    return Report(fields, tuple(lines), reason=run.reason, violated=bool(run.refuted))


__all__ = ["parsed", "text"]


def text(run: WrittenRun) -> str:
    """See ``trace_formats.TraceFormat``."""
    question = run.question
    return text_of(
        run.target, None if question is None else question.text, None if question is None else question.kind, run.trace
    )
