"""Runs from a part of their values: values that a deterministic model determines are computed, others are 0.

Such a run is not yet checked: a replay has to do that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.core.errors import InputError
from symag.core.trace import Step, Trace, Value
from symag.smv.certify.runs.interpreter import Program
from symag.smv.certify.runs.operators import Failure
from symag.smv.model.flat import Assignment, FlatSystem, VariableKind
from symag.smv.model.types import BooleanType

#: The stated values of one step: numbers by the names of variables.
StatedFrame = Mapping[str, int]


def finite_run(system: FlatSystem, frames: Sequence[StatedFrame]) -> Trace:
    """The finite run of one or more steps. Linear in the system's size times the steps."""
    *before, last = _Run(system).steps(frames)
    return Trace("finite", (*before, Step(last.state)))


def lassos(system: FlatSystem, frames: Sequence[StatedFrame], path: str) -> tuple[Trace, ...]:
    """The infinite runs of one or more steps, one for each step to which the last can lead back.

    Raises InputError, for the file of that path, if there is none.
    """
    run = _Run(system)
    steps = run.steps(frames)
    loops = run.loops(steps)
    if not loops:
        raise InputError("no state repeats an earlier one: this is not a lasso", path)
    return tuple(Trace("lasso", tuple(steps), loop) for loop in loops)


class _Run:
    """The states that follow from a part of their values."""

    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._init, self._next = (
            [assignment for assignment in system.assignments if assignment.time == time] for time in ("init", "next")
        )
        self._first = Program(system, [assignment.value for assignment in self._init])
        self._moves = Program(system, [assignment.value for assignment in self._next])

    def steps(self, frames: Sequence[StatedFrame]) -> list[Step]:
        """The run, every step with its inputs."""
        result: list[Step] = []
        inputs = self._system.inputs
        current: dict[str, Value] = {}
        for number, frame in enumerate(frames):
            determined = self._following(current) if number else self._initial(frame)
            current = {**determined, **self._valuation(frame)}
            for variable in self._system.variables:
                current.setdefault(variable.name, False if isinstance(variable.type, BooleanType) else 0)
            result.append(
                Step(
                    {name: value for name, value in current.items() if name not in inputs},
                    {name: value for name, value in current.items() if name in inputs},
                )
            )
        return result

    def loops(self, run: Sequence[Step]) -> list[int]:
        """The steps to which the last one can lead back."""
        after = self._following({**run[-1].state, **run[-1].inputs})
        return [number for number, step in enumerate(run) if after.items() <= step.state.items()]

    def _valuation(self, frame: StatedFrame) -> dict[str, Value]:
        return {
            name: bool(value) if isinstance(self._system.by_name[name].type, BooleanType) else value
            for name, value in frame.items()
        }

    def _following(self, current: Mapping[str, Value]) -> dict[str, Value]:
        return dict(_values(self._next, self._moves, current))

    def _initial(self, frame: StatedFrame) -> dict[str, Value]:
        """The initial values, which may depend on each other without circles."""
        values = self._valuation(frame)
        initialised = {assignment.variable for assignment in self._init}
        for variable in self._system.variables:
            if variable.kind is VariableKind.STATE and variable.name not in initialised:
                values.setdefault(variable.name, False if isinstance(variable.type, BooleanType) else 0)
        while True:
            before = len(values)
            for name, value in _values(self._init, self._first, values):
                values.setdefault(name, value)
            if len(values) == before:
                return values


def _values(
    assignments: Sequence[Assignment], program: Program, current: Mapping[str, Value]
) -> Iterator[tuple[str, Value]]:
    for assignment, outcome in zip(assignments, program.run(current), strict=True):
        if not isinstance(outcome, Failure | frozenset):
            yield assignment.variable, outcome
