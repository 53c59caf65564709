"""Witnesses in AIGER's format, as other tools write them, as runs of the system that the graph came from.

A witness is a line ``1``, a line that names properties (``b0``, ``j0``), the latches' values at step 0, the inputs'
values at every step, and a line ``.``; ``x`` is any value. The graph is made again and run on these values, so the
witness must be for the graph that ``symag convert`` makes of the system.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.core.errors import InputError
from symag.core.trace import Step, Trace, Value
from symag.smv.aiger.format import Aiger
from symag.smv.convert.aiger import AigerExport, is_expressible, needs_tableau, to_aiger
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.types import code_count, value_of


def read_witness(content: str, path: str, system: FlatSystem, expected: Property | None = None) -> Trace:
    """The run of a witness, for the graph of all properties or of ``expected`` alone: one of them may have a latch of
    its own or a tableau.

    A witness of a justice property is a lasso. Raises InputError with the wrong line. Linear in the graph's size times
    the steps.
    """
    first: InputError | None = None
    for properties in _properties(system, expected):
        try:
            return run_of_witness(content, path, system, to_aiger(system, properties))
        except InputError as error:
            first = first or error
    assert first is not None  # there is a graph
    raise first


def run_of_witness(content: str, path: str, system: FlatSystem, exported: AigerExport) -> Trace:
    """The run of a witness for one export of a system; see ``read_witness``."""
    graph = exported.graph
    lines = WitnessLines(content, path)
    if lines.next("a line with 1") != "1":
        raise lines.error("expected a witness: a line with 1")
    names: list[str] = []
    while (line := lines.next("the latches' values"))[:1] in ("b", "o", "j"):
        names.append(line)
    run = _Run(exported, lines.bits(line, len(graph.latches), "latches"))
    steps: list[dict[str, int]] = []
    while (line := lines.next("a line with a dot")) != ".":
        steps.append(run.step(lines.bits(line, len(graph.inputs), "inputs")))
    if not steps:
        raise lines.error("expected at least one step before the dot")
    if any(name.startswith("j") for name in names):
        return Trace("lasso", tuple(_steps(system, steps, lines)), run.loop(lines))
    return Trace("finite", tuple(_steps(system, steps, lines, finite=True)))


def _properties(system: FlatSystem, expected: Property | None) -> Iterator[Sequence[Property]]:
    """The properties of the graphs that the witness may be for; of one graph at least."""
    alone = expected is not None and is_expressible(system, expected)
    if expected is None or not (alone and needs_tableau(system, expected)):
        yield [
            property_
            for property_ in system.properties
            if is_expressible(system, property_) and not needs_tableau(system, property_)
        ]
    if expected is not None and alone:
        yield [expected]


class WitnessLines:
    """The lines of a witness, without comments (``c``) and lines about the progress of a solver (``u``)."""

    def __init__(self, content: str, path: str) -> None:
        self._lines = content.splitlines()
        self._number = 0
        self._path = path

    def next(self, expected: str) -> str:
        """The next line. Raises InputError at the end of the file."""
        while self._number < len(self._lines):
            self._number += 1
            line = self._lines[self._number - 1].strip()
            if line[:1] not in ("c", "u"):
                return line
        raise self.error(f"the file ends where {expected} was expected")

    def bits(self, line: str, count: int, what: str) -> list[bool]:
        """The values on a line; ``x`` is FALSE."""
        return [bit == "1" for bit in self.digits(line, count, what)]

    def digits(self, line: str, count: int, what: str) -> str:
        """A line of values."""
        if set(line) - set("01x") or len(line) != count:
            raise self.error(f"expected the values of {count} {what} (0, 1 or x): is this a witness of this model?")
        return line

    def error(self, message: str) -> InputError:
        """An error at the line that was read last."""
        return InputError(message, self._path, max(self._number, 1))


class _Run:
    """The graph's latches, step by step; ``seen`` are their values before each step and after the last."""

    def __init__(self, exported: AigerExport, start: Sequence[bool]) -> None:
        self._exported = exported
        self.seen = [
            tuple(
                bool(latch.reset) if latch.reset in (0, 1) else value
                for latch, value in zip(self._graph.latches, start, strict=True)
            )
        ]

    @property
    def _graph(self) -> Aiger:
        return self._exported.graph

    def step(self, inputs: Sequence[bool]) -> dict[str, int]:
        """The codes of all variables at one step; the latches go on."""
        values = {0: False, 1: True}

        def put(literal: int, value: bool) -> None:
            values[literal], values[literal ^ 1] = value, not value

        for literal, value in zip(self._graph.inputs, inputs, strict=True):
            put(literal, value)
        for latch, value in zip(self._graph.latches, self.seen[-1], strict=True):
            put(latch.literal, value)
        for left, first, second in self._exported.ands:
            put(left, values[first] and values[second])
        self.seen.append(tuple(values[latch.next] for latch in self._graph.latches))
        bits = self._exported.bits.items()
        return {name: sum(1 << k for k, literal in enumerate(own) if values[literal]) for name, own in bits}

    def loop(self, lines: WitnessLines) -> int:
        """The step to which the last one leads back."""
        for number, before in enumerate(self.seen[:-1]):
            if before == self.seen[-1]:
                return number
        raise lines.error("the latches never repeat earlier values: this is not a lasso")


def _steps(
    system: FlatSystem, codes: Sequence[Mapping[str, int]], lines: WitnessLines, finite: bool = False
) -> Iterator[Step]:
    for number, code in enumerate(codes):
        state: dict[str, Value] = {}
        inputs: dict[str, Value] = {}
        for variable in system.variables:
            if variable.kind is VariableKind.INPUT and finite and number + 1 == len(codes):
                continue  # no transition leaves the last step
            if code[variable.name] >= code_count(variable.type):
                raise lines.error(f"step {number + 1} gives {variable.name} no value of its type")
            of_step = inputs if variable.kind is VariableKind.INPUT else state
            of_step[variable.name] = value_of(variable.type, code[variable.name])
        yield Step(state, inputs)
