"""A counterexample as NuSMV prints it: state by state, changes only or everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symag.smv.flat import FlatSystem, Property
from symag.smv.types import VariableType, WordType
from symag.traces import Trace, Value


def value_text(value: Value, variable_type: VariableType | None) -> str:
    """A value in NuSMV's spelling: ``TRUE``, ``3``, ``idle``, ``0ud4_12``, ``-0sd4_3``."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(variable_type, WordType) and isinstance(value, int):
        sign = "-" if value < 0 else ""
        return f"{sign}0{'s' if variable_type.signed else 'u'}d{variable_type.width}_{abs(value)}"
    return str(value)


def trace_lines(system: FlatSystem, trace: Trace, number: int, full: bool) -> Iterator[str]:
    """The lines of a trace; ``number`` counts traces from 1; ``full`` repeats values that did not change."""
    shown_state: Mapping[str, Value] = {}
    shown_inputs: Mapping[str, Value] = {}
    for position, step in enumerate(trace.steps):
        if position > 0:
            inputs = trace.steps[position - 1].inputs
            lines = list(_assignments(system, inputs, {} if full else shown_inputs))
            if lines:
                yield f"  -> Input: {number}.{position + 1} <-"
                yield from lines
            shown_inputs = inputs
        if trace.loop == position:
            yield "  -- Loop starts here"
        yield f"  -> State: {number}.{position + 1} <-"
        yield from _assignments(system, step.state, {} if full else shown_state)
        shown_state = step.state


def _assignments(system: FlatSystem, values: Mapping[str, Value], shown: Mapping[str, Value]) -> Iterator[str]:
    for name, value in values.items():
        if name not in shown or shown[name] != value:
            variable = system.by_name.get(name)
            yield f"    {name} = {value_text(value, None if variable is None else variable.type)}"


def heading(item: Property) -> tuple[str, str, str]:
    """The three lines before a trace."""
    kind = "AG alpha" if item.kind == "INVARSPEC" else item.kind
    return (
        "-- as demonstrated by the following execution sequence",
        f"Trace Description: {kind} Counterexample",
        "Trace Type: Counterexample",
    )
