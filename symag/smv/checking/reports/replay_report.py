"""A trace from a file, run again, as ``symag replay`` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.core.errors import UsageError
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.smv.checking.check import select
from symag.smv.checking.evidence import Replay, recheck_trace
from symag.smv.checking.reports.trace_report import shown_report
from symag.smv.model.flat import FlatSystem
from symag.traces import plain


def replay_file(
    system: FlatSystem,
    trace: str,
    properties: Sequence[str],
    number: int | None,
    full: bool,
    limits: Limits,
    progress: Progress,
) -> Report:
    """Run a trace again; ``number`` chooses one of several in a text. Raises what ``recheck_trace`` raises."""
    if len(properties) > 1:
        raise UsageError("a trace is replayed against one --property at a time")
    checked = select(system, properties)[0] if properties else None
    replayed = recheck_trace(trace, system, limits, progress, checked=checked, number=number)
    judged = replayed.property or next(iter(replayed.refuted), None)
    lines = [*plain.steps(shown_report(system, replayed.trace, judged), full)]
    lines += _verdicts(system.source.path, replayed)
    fields = {
        "index": judged and judged.index,
        "name": judged and judged.name,
        "text": judged and judged.text,
        "refuted": [item.index for item in replayed.refuted],
    }
    return Report(fields, tuple(lines), reason=replayed.reason, violated=bool(replayed.refuted))


def _verdicts(model: str, replayed: Replay) -> Iterator[str]:
    if replayed.reason is not None:
        text = "a run" if replayed.property is None else f"against {replayed.property.text}"
        yield f"trace {text}  undecided ({replayed.reason})"
        return
    for item in replayed.refuted:
        yield f"trace against {item.text}  accepted: the property is violated"
    if not replayed.refuted:
        yield f"trace accepted: a run of {model}, which violates none of its properties that can be replayed"
