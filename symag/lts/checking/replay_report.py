"""A trace from a file, run again, as ``symag replay`` prints it."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lts import Model
from symag.lts.checking.traces import replayed
from symag.traces import actions


def replay_file(
    model: Model,
    trace: str,
    targets: Sequence[str],
    properties: Sequence[str],
    limits: Limits,
    progress: Progress,
) -> Report:
    """Run a trace again. Raises what ``replayed`` raises."""
    run = replayed(trace, model, targets, properties, limits, progress)
    judged = run.claimed or next(iter(run.refuted), None)
    lines = list(actions.lines(None if judged is None else judged.kind, run.trace)) if run.trace.steps else []
    if run.reason is not None:
        lines.append(f"trace  undecided ({run.reason})")
    for question in run.refuted:
        lines.append(f"trace against ||{run.target}: {question.text}  accepted: the property is violated")
    if run.reason is None and not run.refuted:
        lines.append(f"trace accepted: a run of ||{run.target}, which violates nothing that can be replayed")
    fields = {
        "target": run.target or None,
        "index": judged and judged.index,
        "name": judged and judged.name,
        "text": judged and judged.text,
        "refuted": [question.index for question in run.refuted],
    }
    return Report(fields, tuple(lines), reason=run.reason, violated=bool(run.refuted))
