"""States, choices and transitions, as ``symag info`` prints them."""

from __future__ import annotations

from typing import Any

from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.checking.sizes import SystemSize, system_size


def info(files: SimulationFiles, limits: Limits, progress: Progress) -> Report:
    """The size of a system. Choices and transitions count a self-loop for each deadlock state, as Storm does.

    Raises InputError and UsageError.
    """
    counted = system_size(files, limits, progress)
    if counted.size is None:
        lines = (f"unknown ({counted.reason})",)
        return Report({"reason": counted.reason}, lines, tuple(counted.warnings), counted.reason)
    return Report(_json(counted.size), tuple(_lines(counted.size)), tuple(counted.warnings))


def _json(size: SystemSize) -> dict[str, Any]:
    document: dict[str, Any] = {
        "type": size.type,
        "modules": size.modules,
        "states": size.states,
        "choices": size.choices + size.deadlock_states,
        "transitions": size.transitions + size.deadlock_states,
        "deadlock_states": size.deadlock_states,
        "deadlock_self_loops_counted": True,
        "variables": size.variables,
        "initial_states": size.initial_states,
        "labels": dict(size.labels),
    }
    if size.components:
        document["components"] = [
            {"name": name, "states": states, "choices": choices} for name, states, choices in size.components
        ]
    return document


def _lines(size: SystemSize) -> list[str]:
    modules = _counted(size.modules, "component" if size.components else "module")
    variables = "" if size.components else f", {_counted(size.variables, 'variable')}"
    lines = [f"{size.type}, {modules}{variables}"]
    choices, transitions = size.choices + size.deadlock_states, size.transitions + size.deadlock_states
    counts = f"{size.states} states, {choices} choices, {transitions} transitions"
    lines.append(f"{counts} ({_deadlocks(size.deadlock_states)})")
    if size.initial_states > 1:
        lines.append(f"{size.initial_states} initial states")
    lines += [f'label "{name}": {count} states' for name, count in size.labels]
    lines += [f"component {name}: {states} states, {choices} choices" for name, states, choices in size.components]
    return lines


def _deadlocks(states: int) -> str:
    if not states:
        return "no deadlock states"
    return f"a self-loop counted for each of {_counted(states, 'deadlock state')}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
