"""Variables, bits, properties and reachable states, as ``symag info`` prints them."""

from __future__ import annotations

import math
from typing import Any

from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.smv.checking.reachable import ReachableStates, reachable_states
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.types import bit_count

#: A list shows at most this many characters of a property; some of real models have 10,000.
LONGEST_TEXT = 160


def info(system: FlatSystem, reachable: bool, order_file: str | None, limits: Limits, progress: Progress) -> Report:
    """The sizes of a model; with ``reachable`` also its states. Raises InputError."""
    sizes = _sizes(system)
    lines = [
        f"{sizes['variables']} variables, {sizes['bits']} bits: "
        f"{sizes['state_bits']} state, {sizes['input_bits']} input, {sizes['frozen_bits']} frozen"
    ]
    if not system.properties:
        lines.append("no properties")
    for item in system.properties:
        name = f" {item.name}" if item.name else ""
        text = item.text if len(item.text) <= LONGEST_TEXT else item.text[:LONGEST_TEXT] + " ..."
        lines.append(f"{item.index:4} {item.kind}{name} (line {item.line}): {text}")
    if not reachable:
        return Report(sizes, tuple(lines))
    states = reachable_states(system, order_file, limits, progress)
    sizes.update(reachable_states=states.count, diameter=states.diameter)
    if states.reason is not None:
        sizes["reason"] = states.reason
    return Report(sizes, (*lines, _reachable_line(states)), reason=states.reason)


def _reachable_line(states: ReachableStates) -> str:
    if states.count is None:
        return f"reachable states: unknown ({states.reason})"
    diameter = f"unknown ({states.reason})" if states.diameter is None else states.diameter
    return f"reachable states: {states.count} (2^{math.log2(max(1, states.count)):.2f}), diameter {diameter}"


def _sizes(system: FlatSystem) -> dict[str, Any]:
    def bits(kind: VariableKind) -> int:
        return sum(bit_count(variable.type) for variable in system.variables if variable.kind is kind)

    return {
        "variables": len(system.variables),
        "bits": sum(bit_count(variable.type) for variable in system.variables),
        "state_bits": bits(VariableKind.STATE),
        "input_bits": bits(VariableKind.INPUT),
        "frozen_bits": bits(VariableKind.FROZEN),
        "properties": [
            {"index": item.index, "kind": item.kind, "name": item.name, "text": item.text, "line": item.line}
            for item in system.properties
        ],
    }
