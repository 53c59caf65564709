"""Variables, bits, properties and reachable states, as ``symag info`` prints them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.process.child import ChildOutcome
from symag.process.race import deadline_of, limited
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.types import bit_count

if TYPE_CHECKING:
    from symag.smv.symbolic.system import SymbolicSystem

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
    warnings = _order_warnings(system, order_file)
    states = reachable_states(system, order_file, limits, progress)
    sizes.update(reachable_states=states.count, diameter=states.diameter)
    if states.reason is not None:
        sizes["reason"] = states.reason
    return Report(sizes, (*lines, _reachable_line(states)), warnings, reason=states.reason)


def _order_warnings(system: FlatSystem, order_file: str | None) -> tuple[str, ...]:
    if order_file is None:
        return ()
    # For start-up: few give an order.
    from symag.smv.symbolic.orderfile import order_warnings

    return order_warnings(system, order_file)


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


class ReachableStates(Struct, frozen=True):
    """``count`` valuations of state and frozen variables are reachable; ``diameter`` is the number of breadth-first
    rings, with that of the initial states, as NuSMV counts it. ``reason`` says why a search did not end (``timeout``,
    ``memory`` ...); both numbers or the diameter are None then.
    """

    count: int | None
    diameter: int | None
    reason: str | None = None


def reachable_states(system: FlatSystem, order_file: str | None, limits: Limits, progress: Progress) -> ReachableStates:
    """Search through the whole system. Raises InputError as ``encode`` does.

    If the search for states is not breadth first, a second search in the time that is left gives the diameter.
    """
    deadline = deadline_of(limits)

    def run(work: Callable[[Progress], Any]) -> ChildOutcome:
        return limited("reachable", work, limits, progress, deadline)

    def count(report: Progress) -> tuple[int, int]:
        return _count(_encoded(system, order_file, limits), report)

    def distances(report: Progress) -> int:
        return _diameter(_encoded(system, order_file, limits), report)

    outcome = run(count)
    if outcome.value is None:
        return ReachableStates(None, None, outcome.reason)
    states, diameter = outcome.value
    if diameter:
        return ReachableStates(states, diameter)
    outcome = run(distances)
    return ReachableStates(states, outcome.value, outcome.reason)


def _encoded(system: FlatSystem, order_file: str | None, limits: Limits) -> SymbolicSystem:
    """The system in a context of its own, in the order of a file if there is one."""
    # In the child only: the command does not wait for BDDs.
    from symag.smv.symbolic.orderfile import chosen_order
    from symag.smv.symbolic.system import encode

    return encode(system, chosen_order(system, order_file), memory=limits.memory)


def _count(symbolic: SymbolicSystem, progress: Progress) -> tuple[int, int]:
    """The number of reachable states, and of rings (0 if the search was not breadth first)."""
    # In the child only: the command does not wait for BDDs.
    from symag.smv.symbolic.counting import count
    from symag.smv.traversal.reachability import reachable_states

    reached = reachable_states(symbolic, progress)
    encoding = symbolic.encoding
    bits = encoding.current_bits(encoding.state_names())
    return count(symbolic.context, reached.states, bits), len(reached.rings)


def _diameter(symbolic: SymbolicSystem, progress: Progress) -> int:
    # In the child only: the command does not wait for BDDs.
    from symag.smv.symbolic.relation import transition_relation
    from symag.smv.traversal.reachability import diameter

    return diameter(transition_relation(symbolic), symbolic.initial_states(), progress)
