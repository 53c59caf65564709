"""``symag replay`` for labelled transition systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symag.cli.status import ALL_HOLD, UNDECIDED, VIOLATED
from symag.cli.streams import Output, print_json
from symag.core.limits import Limits
from symag.lts import read
from symag.lts.checking.traces import replayed
from symag.traces import actions


def replay_trace(
    path: str,
    components: Sequence[str],
    constants: Mapping[str, int],
    trace: str,
    targets: Sequence[str],
    wanted: Sequence[str],
    limits: Limits,
    output: Output,
) -> int:
    """Replay and print; the exit status. Raises what ``lts_traces.replayed`` raises."""
    model = read(path, components, constants)
    line = output.progress()
    found = replayed(trace, model, targets, wanted, limits, line)
    line.clear()
    judged = found.asked or next(iter(found.refuted), None)
    if output.as_json:
        print_json(
            {
                "schema": 1,
                "model": path,
                "trace": trace,
                "target": found.target or None,
                "index": judged and judged.index,
                "name": judged and judged.name,
                "text": judged and judged.text,
                "refuted": [each.index for each in found.refuted],
                "certified": found.reason is None,
                "reason": None if found.reason is None else found.reason.partition(":")[0],
            }
        )
    else:
        kind = None if judged is None else judged.kind
        for text in actions.lines(kind, found.trace) if found.trace.steps else ():
            print(text)
        if found.reason is not None:
            print(f"trace  undecided ({found.reason})")
        for each in found.refuted:
            print(f"trace against ||{found.target}: {each.text}  accepted: the property is violated")
        if found.reason is None and not found.refuted:
            print(f"trace accepted: a run of ||{found.target}, which violates nothing that can be replayed")
    if found.reason is not None:
        return UNDECIDED
    return VIOLATED if found.refuted else ALL_HOLD
