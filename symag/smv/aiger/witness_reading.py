"""Witnesses in AIGER's format of a model that was read from an AIGER file, as runs of the system."""

from __future__ import annotations

from symag.core.trace import Trace
from symag.smv.aiger.witness import inverted_latches, property_name
from symag.smv.convert.completed_run import finite_run, lassos
from symag.smv.convert.witness import WitnessLines
from symag.smv.model.flat import FlatSystem, Property


def read_witness(
    content: str, path: str, system: FlatSystem, expected: Property | None = None
) -> tuple[Property | None, tuple[Trace, ...]]:
    """The run of a witness, and the property that it claims to violate: ``expected``, or the first that it names.

    A witness of a justice property is a lasso; there is one trace for each step to which the last one can lead back.
    Raises InputError, with the line where one is wrong. Linear in the system's size times the steps.
    """
    lines = WitnessLines(content, path)
    if lines.next("a line with 1") != "1":
        raise lines.error("expected a witness: a line with 1")
    by_name = {property_name(system, property_): property_ for property_ in system.properties}
    claimed: list[Property] = []
    while (line := lines.next("the latches' values"))[:1] in ("b", "o", "j"):
        for name in line.split():
            if name.replace("o", "b") not in by_name:
                raise lines.error(f"the model has no property {name}: is this a witness of it?")
            claimed.append(by_name[name.replace("o", "b")])
    moving = {assignment.variable for assignment in system.assignments if assignment.time == "next"}
    latches = [variable.name for variable in system.variables if variable.name in moving]
    inputs = [variable.name for variable in system.variables if variable.name not in moving]
    start = lines.digits(line, len(latches), "latches")
    reset = {assignment.variable for assignment in system.assignments if assignment.time == "init"}
    initial = {
        name: int(digit) ^ inverted
        for name, digit, inverted in zip(latches, start, inverted_latches(system), strict=True)
        if digit != "x" and name not in reset
    }
    steps: list[dict[str, int]] = []
    while (line := lines.next("a line with a dot")) != ".":
        digits = lines.digits(line, len(inputs), "inputs")
        steps.append({name: int(digit) for name, digit in zip(inputs, digits, strict=True) if digit != "x"})
    if not steps:
        raise lines.error("expected at least one step before the dot")
    steps[0] |= initial
    checked = expected if expected is not None or not claimed else claimed[0]
    if checked is None or checked.kind != "LTL":
        return checked, (finite_run(system, steps),)
    return checked, lassos(system, steps, path)
