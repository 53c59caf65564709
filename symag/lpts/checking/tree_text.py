"""Stochastic trees as text."""

from __future__ import annotations

from collections.abc import Iterator

from symag.core.trace import Step, Trace


def tree_lines(trace: Trace) -> Iterator[str]:
    """Each node under its parent: action, probability if less than 1, states of the components."""
    below: dict[int, list[int]] = {}
    for number, step in enumerate(trace.steps):
        below.setdefault(int(step.inputs["parent"]), []).append(number)
    waiting = [(number, 0) for number in reversed(below.get(-1, []))]
    while waiting:
        number, depth = waiting.pop()
        step = trace.steps[number]
        probability = str(step.inputs["probability"])
        label = "" if step.action is None else f"{step.action or '(no label)'}  "
        share = "" if probability == "1" else f"{probability}  "
        yield f"{'  ' * (depth + 1)}{label}{share}{_states(step)}"
        waiting += [(child, depth + 1) for child in reversed(below.get(number, []))]


def _states(step: Step) -> str:
    return "(" + ", ".join(f"{name}={state}" for name, state in step.state.items()) + ")"
