"""Counterexamples of AIGER models in AIGER's own format (Biere, "AIGER format", witnesses of HWMCC).

A line ``1``, a line that names the property (``b0``, ``j0``), the latches' values at step 0, the inputs' values at
every step, and a line ``.``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.core.input_files import content_of_model
from symag.core.trace import Step, Trace
from symag.smv.aiger.bit_names import bit_names
from symag.smv.aiger.reader import parse
from symag.smv.model.flat import FlatSystem, Property, Variable


def text(system: FlatSystem, checked: Property | None, trace: Trace) -> str:
    """The witness of a trace of a system that was read from an AIGER file, for that file.

    Without a property it claims the first bad literal. Outputs that count as bad literals are ``b`` too, as in
    ``aigsim -m``.
    """
    return "".join(f"{line}\n" for line in _lines(system, checked, trace))


def _lines(system: FlatSystem, checked: Property | None, trace: Trace) -> Iterator[str]:
    latches = {assignment.variable for assignment in system.assignments if assignment.time == "next"}
    yield "1"
    yield property_name(system, checked)
    start = _values([variable for variable in system.variables if variable.name in latches], trace.steps[0])
    yield "".join(str(int(digit) ^ inverted) for digit, inverted in zip(start, inverted_latches(system), strict=True))
    inputs = [variable for variable in system.variables if variable.name not in latches]
    for step in trace.steps:
        yield _values(inputs, step)
    yield "."


def inverted_latches(system: FlatSystem) -> list[bool]:
    """For every latch of the file whether its variable in the system is its negation, as its name says."""
    path = system.source.path
    graph = parse(content_of_model(path), path)
    names = bit_names(graph, path)
    return [("l", number) in names and names["l", number][0].inverted for number in range(len(graph.latches))]


def property_name(system: FlatSystem, checked: Property | None) -> str:
    """``b`` or ``j`` and the number of the property among its kind."""
    if checked is None:
        return "b0"
    letter = "j" if checked.kind == "LTL" else "b"
    earlier = [other for other in system.properties if other.kind == checked.kind and other.index < checked.index]
    return f"{letter}{len(earlier)}"


def _values(variables: Sequence[Variable], step: Step) -> str:
    """A digit for each; 0 for an input of a transition that the trace does not have."""
    return "".join(str(int(step.state.get(variable.name, step.inputs.get(variable.name, 0)))) for variable in variables)
