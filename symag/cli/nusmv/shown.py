"""A trace as NuSMV shows it: which names in which order, and the values of DEFINEs beside the variables."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from symag.engine.trace_report import value_text
from symag.smv.dependencies import Supports
from symag.smv.flat import FlatSystem, VariableKind
from symag.smv.typed import Constant, Expression, VariableReference
from symag.smv.types import BooleanType, EnumerationType, RangeType, Type, VariableType, WordType
from symag.traces import Step, Trace, Value

if TYPE_CHECKING:
    from symag.certify.interpreter import Program

#: Texts of values by name, in the order in which they are printed.
Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """One state of a shown trace.

    ``state`` holds variables and DEFINEs of states, ``combinatorial`` DEFINEs that also read the next
    state, ``inputs`` the inputs (and their DEFINEs) of the transition that LEAVES the state; the last two
    are empty at the end. ``loop``: the last state is this one again.
    """

    state: Texts
    combinatorial: Texts
    inputs: Texts
    loop: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """The names that a trace shows, by block."""

    state: tuple[str, ...]
    combinatorial: tuple[str, ...]
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownTrace:
    """A numbered trace; ``counterexample`` or else a simulation; ``description`` as NuSMV prints it."""

    number: int
    description: str
    counterexample: bool
    columns: Columns
    rows: tuple[Row, ...]

    def without(self, defines: frozenset[str]) -> ShownTrace:
        """The trace without these names."""

        def kept(texts: Texts) -> Texts:
            return {name: text for name, text in texts.items() if name not in defines}

        columns = Columns(*(tuple(name for name in block if name not in defines) for block in self.blocks()))
        rows = tuple(Row(kept(row.state), kept(row.combinatorial), kept(row.inputs), row.loop) for row in self.rows)
        return replace(self, columns=columns, rows=rows)

    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """State, combinatorial and input names."""
        return self.columns.state, self.columns.combinatorial, self.columns.inputs


class Viewer:
    """Shows traces of one system; ``only`` are the variables that matter (None: all of them).

    DEFINEs are shown if all that they read is; evaluating them costs time linear in their size for
    every state.
    """

    def __init__(self, system: FlatSystem, only: frozenset[str] | None = None, hidden: str = "__") -> None:
        self._system = system
        supports = Supports(system)
        chosen = frozenset(system.by_name) if only is None else only
        self._state: list[str] = []
        self._inputs: list[str] = []
        for variable in system.variables:
            if variable.name in chosen and not variable.name.startswith(hidden):
                (self._inputs if variable.kind is VariableKind.INPUT else self._state).append(variable.name)
        self._state_defines: list[str] = []
        self._input_defines: list[str] = []
        self._next_defines: list[str] = []
        for name in define_order(system):
            expression = system.defines[name]
            support = supports.of(expression)
            if name.startswith(hidden) or not support.variables <= chosen or not _has_one_value(expression.type):
                continue
            if support.next:
                self._next_defines.append(name)
            elif any(system.by_name[each].kind is VariableKind.INPUT for each in support.current):
                self._input_defines.append(name)
            else:
                self._state_defines.append(name)
        self._programs: dict[str, Program] = {}

    @property
    def defines(self) -> frozenset[str]:
        """All DEFINEs that are shown."""
        return frozenset((*self._state_defines, *self._input_defines, *self._next_defines))

    def show(self, trace: Trace, number: int, description: str, counterexample: bool) -> ShownTrace:
        """The trace with its DEFINEs; a lasso's first state of the loop is repeated at the end."""
        steps = list(trace.steps)
        if trace.loop is not None:
            steps.append(Step(steps[trace.loop].state))
        columns = Columns(
            (*self._state, *self._state_defines),
            tuple(self._next_defines),
            (*self._inputs, *self._input_defines),
        )
        return ShownTrace(number, description, counterexample, columns, tuple(self._rows(steps, counterexample)))

    def state_texts(self, state: Mapping[str, Value]) -> Texts:
        """A state's variables."""
        return dict(self._variables(self._state, state))

    def input_texts(self, inputs: Mapping[str, Value]) -> Texts:
        """The input variables."""
        return dict(self._variables(self._inputs, inputs))

    def define_texts(self, state: Mapping[str, Value]) -> Texts:
        """A state's DEFINEs."""
        return dict(self._evaluated("state", self._state_defines, state, None))

    def _rows(self, steps: Sequence[Step], counterexample: bool) -> Iterator[Row]:
        last = steps[-1].state
        for position, step in enumerate(steps):
            state = {**self.state_texts(step.state), **self.define_texts(step.state)}
            loop = counterexample and position + 1 < len(steps) and _same(self._state, step.state, last)
            if position + 1 == len(steps):
                yield Row(state, {}, {}, False)
                continue
            current = {**step.state, **step.inputs}
            following = steps[position + 1].state
            combinatorial = dict(self._evaluated("next", self._next_defines, current, following))
            inputs = dict(self._variables(self._inputs, step.inputs))
            inputs.update(self._evaluated("input", self._input_defines, current, None))
            yield Row(state, combinatorial, inputs, loop)

    def _variables(self, names: Sequence[str], values: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
        for name in names:
            if name in values:
                yield name, value_text(values[name], self._system.by_name[name].type)

    def _evaluated(
        self, block: str, names: Sequence[str], current: Mapping[str, Value], following: Mapping[str, Value] | None
    ) -> Iterator[tuple[str, str]]:
        if not names:
            return
        expressions: list[Expression] = [self._system.defines[name] for name in names]
        if block not in self._programs:
            from symag.certify.interpreter import Program

            self._programs[block] = Program(self._system, expressions)
        found = self._programs[block].run(current, following)
        for name, expression, value in zip(names, expressions, found, strict=True):
            if isinstance(value, frozenset) and len(value) == 1:
                (value,) = value
            if isinstance(value, bool | int | str):  # not one value: a set, or an evaluation that fails
                yield name, value_text(value, _variable_type(expression.type))


def define_order(system: FlatSystem) -> list[str]:
    """The DEFINEs as NuSMV lists them: by instance, the outer ones first; each DEFINE section backwards."""
    sections = [found.start() for found in re.finditer(r"\bM?DEFINE\b", system.source.text)]
    scopes: dict[str, int] = {}
    for name in (*(variable.name for variable in system.variables), *system.defines):
        parts = name.split(".")
        for length in range(len(parts)):
            scopes.setdefault(".".join(parts[:length]), len(scopes))
    section = 0
    keys: dict[str, tuple[int, int, int, int]] = {}
    bases: dict[str, int] = {}
    for place, (name, value) in enumerate(system.defines.items()):
        if isinstance(value, Constant) and isinstance(value.type, EnumerationType | RangeType):
            section = len(sections) + 1  # a variable with one value
        elif not isinstance(value, VariableReference):  # references are shared, their positions with them
            section = bisect.bisect(sections, value.position)
        base = bases.setdefault(name.partition("[")[0], place)
        keys[name] = (scopes[name.rpartition(".")[0]], section, -base, place)
    return sorted(keys, key=keys.__getitem__)


def _same(names: Sequence[str], one: Mapping[str, Value], other: Mapping[str, Value]) -> bool:
    return all(one.get(name) == other.get(name) for name in names)


def _has_one_value(of: Type) -> bool:
    return type(of).__name__ not in ("SetType", "ArrayType")


def _variable_type(of: Type) -> VariableType | None:
    return of if isinstance(of, BooleanType | EnumerationType | RangeType | WordType) else None
