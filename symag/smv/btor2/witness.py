"""Counterexamples of BTOR2 models in BTOR2's own format (Niemetz, Preiner, Wolf, Biere, CAV 2018, section 2).

A line ``sat``, a line that names properties (``b0``, ``j0``), and for every step k a line ``#k`` with values of
states, where the model leaves them open, and a line ``@k`` with the values of inputs; a line ``.`` ends it. A value
is ``number digits symbol``, or ``number [address] digits symbol`` for an element of an array. A witness of another tool
may leave out values that the model determines; they are computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from symag.core.errors import InputError
from symag.core.trace import Step, Trace, Value
from symag.smv.aiger.witness import property_name
from symag.smv.btor2.format import Array, Btor2, Btor2Node, elements, names_of
from symag.smv.btor2.reader import parse
from symag.smv.convert.completed_run import finite_run, lassos
from symag.smv.model.flat import FlatSystem, Property


def text(system: FlatSystem, checked: Property, trace: Trace) -> str:
    """The witness of a trace of a system that was read from a BTOR2 file, for that file."""
    return "".join(f"{line}\n" for line in _lines(system, checked, trace))


def _lines(system: FlatSystem, checked: Property, trace: Trace) -> Iterator[str]:
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


_HEADER = re.compile(r"([#@])([0-9]{1,9})\Z")
_VALUE = re.compile(r"([0-9]{1,9})(?: \[([01]+|\*)\])? ([01]+)(?: .*)?\Z")


def read_witness(
    content: str, path: str, system: FlatSystem, expected: Property | None = None
) -> tuple[Property | None, tuple[Trace, ...]]:
    """The run of a witness, and the property that it claims to violate: ``expected``, or the first that it names.

    A witness of a justice property is a lasso; there is one trace for each step to which the last one can lead back.
    Raises InputError, with the line where one is wrong. Linear in the system's size times the steps.
    """
    reader = _Reader(content, path, system)
    claimed, frames = reader.frames()
    checked = expected if expected is not None else claimed
    if checked is None or checked.kind != "LTL":
        return checked, (finite_run(system, frames),)
    return checked, lassos(system, frames, path)


class _Reader:
    def __init__(self, content: str, path: str, system: FlatSystem) -> None:
        self._path = path
        self._system = system
        self._lines = [
            (number, line.strip())
            for number, line in enumerate(content.splitlines(), start=1)
            if line.strip() and not line.lstrip().startswith(";")
        ]
        self._last = len(content.splitlines())
        model = parse(system.source)
        self._names = names_of(model).of
        self._nodes = {"#": tuple(model.having("state")), "@": tuple(model.having("input"))}

    def frames(self) -> tuple[Property | None, list[dict[str, int]]]:
        lines = iter(self._lines)
        self._expect(lines, "sat", "a witness: a line with sat")
        claimed = self._property(lines)
        frames: list[dict[str, int]] = []
        part: str | None = None
        state_part = False  # whether the last step has no input part yet
        for number, line in lines:
            if line == ".":
                if not frames:
                    raise InputError("expected at least one step before the dot", self._path, number)
                return claimed, frames
            header = _HEADER.match(line)
            if header is None:
                self._value(number, line, part, frames)
                continue
            part = header[1]
            continued = part == "@" and state_part
            step = len(frames) - continued
            if int(header[2]) != step:
                raise InputError(f"expected the header of step {step}, found {line}", self._path, number)
            if not continued:
                frames.append({})
            state_part = part == "#"
        raise InputError("the file ends where a line with a dot was expected", self._path, max(self._last, 1))

    def _expect(self, lines: Iterator[tuple[int, str]], expected: str, what: str) -> None:
        number, line = next(lines, (max(self._last, 1), ""))
        if line != expected:
            raise InputError(f"expected {what}, found '{line[:40]}'", self._path, number)

    def _property(self, lines: Iterator[tuple[int, str]]) -> Property | None:
        number, line = next(lines, (max(self._last, 1), ""))
        by_name = {property_name(self._system, property_): property_ for property_ in self._system.properties}
        names = line.split()
        if not names or not all(re.fullmatch("[bj][0-9]+", name) for name in names):
            raise InputError(f"expected properties such as b0, found '{line[:40]}'", self._path, number)
        for name in names:
            if name not in by_name:
                raise InputError(f"the model has no property {name}: is this a witness of it?", self._path, number)
        return by_name[names[0]]

    def _value(self, number: int, line: str, part: str | None, frames: Sequence[dict[str, int]]) -> None:
        match = _VALUE.match(line)
        if match is None or part is None or not frames:
            raise InputError(f"expected a header, a value or a dot, found '{line[:40]}'", self._path, number)
        nodes = self._nodes[part]
        kind = "states" if part == "#" else "inputs"
        if int(match[1]) >= len(nodes):
            message = f"the model has {len(nodes)} {kind}, and none has number {match[1]}: is this a witness of it?"
            raise InputError(message, self._path, number)
        for name, width in self._variables(nodes[int(match[1])], match[2], number):
            if len(match[3]) != width:
                message = f"expected {width} binary digits for {name}, found {len(match[3])}"
                raise InputError(message, self._path, number)
            frames[-1][name] = int(match[3], 2)

    def _variables(self, node: Btor2Node, address: str | None, number: int) -> Sequence[tuple[str, int]]:
        name, sort = self._names[node.identifier], node.sort
        assert sort is not None
        own = elements(name, sort)
        if address is None:
            return own
        if not isinstance(sort, Array):
            raise InputError(f"{name} is not an array and has no elements", self._path, number)
        if address == "*":
            return own
        if len(address) != sort.index:
            raise InputError(f"expected an address of {sort.index} binary digits", self._path, number)
        return [own[int(address, 2)]]
