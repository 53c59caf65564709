"""Counterexamples of BTOR2 models in BTOR2's own format (Niemetz, Preiner, Wolf, Biere, CAV 2018, section 2).

A line ``sat``, a line that names properties (``b0``, ``j0``), and for every step k a line ``#k`` with values of
states, where the model leaves them open, and a line ``@k`` with the values of inputs; a line ``.`` ends it. A value
is ``number digits symbol``, or ``number [address] digits symbol`` for an element of an array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.core.trace import Step, Trace, Value
from symag.smv.aiger.witness import property_name
from symag.smv.btor2.format import Array, Btor2, Btor2Node
from symag.smv.btor2.names import names_of
from symag.smv.btor2.reader import parse
from symag.smv.model.flat import FlatSystem, Property


def text(system: FlatSystem, checked: Property | None, trace: Trace) -> str:
    """The witness of a trace of a system that was read from a BTOR2 file, for that file.

    Without a property it claims the first bad node.
    """
    return "".join(f"{line}\n" for line in _lines(system, checked, trace))


def _lines(system: FlatSystem, checked: Property | None, trace: Trace) -> Iterator[str]:
    model = parse(system.source)
    names = names_of(model).of
    states, inputs = list(model.having("state")), list(model.having("input"))
    initialised, moving = defined(model, "init"), defined(model, "next")
    yield "sat"
    yield property_name(system, checked)
    for number, step in enumerate(trace.steps):
        determined = initialised if number == 0 else moving
        shown = [(index, node) for index, node in enumerate(states) if node.identifier not in determined]
        if shown:
            yield f"#{number}"
            yield from _values(shown, names, step, f"#{number}")
        yield f"@{number}"
        yield from _values(list(enumerate(inputs)), names, step, f"@{number}")
    yield "."


def defined(model: Btor2, tag: str) -> set[int]:
    """The states that have an initial value (``init``) or a next value (``next``)."""
    return {node.operands[0] for node in model.having(tag)}


def _values(nodes: Sequence[tuple[int, Btor2Node]], names: Mapping[int, str], step: Step, suffix: str) -> Iterator[str]:
    for number, node in nodes:
        name, sort = names[node.identifier], node.sort
        symbol = f" {node.symbol}{suffix}" if node.symbol else ""
        if not isinstance(sort, Array):
            assert sort is not None
            value = _value(step, name)
            if value is not None:
                yield f"{number} {int(value):0{sort.width}b}{symbol}"
            continue
        for address in range(1 << sort.index):
            value = _value(step, f"{name}[{address}]")
            if value is not None:
                yield f"{number} [{address:0{sort.index}b}] {int(value):0{sort.element}b}{symbol}"


def _value(step: Step, name: str) -> Value | None:
    """A variable's value; None for an input of a transition that the trace does not have."""
    return step.state.get(name, step.inputs.get(name))
