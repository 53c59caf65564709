"""Counterexamples of AIGER models in AIGER's own format (Biere, "AIGER format", witnesses of HWMCC).

A line ``1``, a line that names the property (``b0``, ``j0``), the latches' values at step 0, the inputs' values at
every step, and a line ``.``. A witness is read back as runs of the system.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.core.trace import Step, Trace
from symag.smv.convert.completed_run import finite_run, lassos
from symag.smv.convert.witness import WitnessLines
from symag.smv.model.flat import FlatSystem, Property


def text(system: FlatSystem, checked: Property, trace: Trace) -> str:
    """The witness of a trace of a system that was read from an AIGER file, for that file.

    Outputs that count as bad literals are ``b`` too, as in
    ``aigsim -m``.
    """
    return "".join(f"{line}\n" for line in _lines(system, checked, trace))


def _lines(system: FlatSystem, checked: Property, trace: Trace) -> Iterator[str]:
    latches = {assignment.variable for assignment in system.assignments if assignment.time == "next"}
    yield "1"
    yield property_name(system, checked)
    yield _values(system, [name for name in system.by_name if name in latches], trace.steps[0])
    inputs = [name for name in system.by_name if name not in latches]
    for step in trace.steps:
        yield _values(system, inputs, step)
    yield "."


def _turned(system: FlatSystem, names: Sequence[str], digits: str) -> str:
    """The digits, negated where the model's file has the negation of the variable; ``x`` stays."""
    turned = digits.translate(str.maketrans("01", "10"))
    return "".join(
        other if name in system.inverted else own for name, own, other in zip(names, digits, turned, strict=True)
    )


def property_name(system: FlatSystem, checked: Property) -> str:
    """``b`` or ``j`` and the number of the property among its kind."""
    letter = "j" if checked.kind == "LTL" else "b"
    earlier = [other for other in system.properties if other.kind == checked.kind and other.index < checked.index]
    return f"{letter}{len(earlier)}"


def _values(system: FlatSystem, names: Sequence[str], step: Step) -> str:
    """A digit for each; that of FALSE for an input of a transition that the trace does not have."""
    digits = "".join(str(int(step.state.get(name, step.inputs.get(name, 0)))) for name in names)
    return _turned(system, names, digits)


def read_witness(
    content: str, path: str, system: FlatSystem, expected: Property | None
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
    start = _turned(system, latches, lines.digits(line, len(latches), "latches"))
    reset = {assignment.variable for assignment in system.assignments if assignment.time == "init"}
    initial = {
        name: int(digit) for name, digit in zip(latches, start, strict=True) if digit != "x" and name not in reset
    }
    steps: list[dict[str, int]] = []
    while (line := lines.next("a line with a dot")) != ".":
        digits = _turned(system, inputs, lines.digits(line, len(inputs), "inputs"))
        steps.append({name: int(digit) for name, digit in zip(inputs, digits, strict=True) if digit != "x"})
    if not steps:
        raise lines.error("expected at least one step before the dot")
    steps[0] |= initial
    checked = expected if expected is not None or not claimed else claimed[0]
    if checked is None or checked.kind != "LTL":
        return checked, (finite_run(system, steps),)
    return checked, lassos(system, steps, path)
