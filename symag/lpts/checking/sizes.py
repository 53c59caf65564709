"""How large a probabilistic system is, counted in a child process under limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec import Struct

from symag.core.limits import Limits, MemoryExhausted, Progress, no_progress
from symag.core.ranges import distinct
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.language.prism.chain import resolved
from symag.lpts.language.prism.exploration import explore
from symag.lpts.language.reading import ProbabilisticSystem, read_model, read_system
from symag.lpts.lpts import Lpts
from symag.lpts.readers import PRISM_SUFFIXES, lists_states, read_states
from symag.process.limited import deadline_of, limited

_Value = TypeVar("_Value")


class SystemSize(Struct, frozen=True):
    """Reachable states, choices (transitions of the LPTS) and transitions (entries of their distributions).

    Deadlock states have no choice. ``labels`` are names with the numbers of their states, ``components`` names with the
    numbers of states and choices.
    """

    type: str
    modules: int
    variables: int
    states: int
    initial_states: int
    choices: int
    transitions: int
    deadlock_states: int
    labels: tuple[tuple[str, int], ...] = ()
    components: tuple[tuple[str, int, int], ...] = ()


class SizeCount(Struct, frozen=True):
    """The size and warnings, or the reason why counting did not finish."""

    size: SystemSize | None
    warnings: tuple[str, ...]
    reason: str | None


def system_size(files: SimulationFiles, limits: Limits, progress: Progress = no_progress) -> SizeCount:
    """The size of one PRISM model as a whole, or of the composition of components (several files, .tra files).

    Raises InputError and UsageError.
    """

    path, further, constants, alphabets = files.path, files.further, files.constants, files.alphabets

    def work(report: Progress) -> tuple[SystemSize, tuple[str, ...]]:
        if path.endswith(PRISM_SUFFIXES) and not further and not alphabets:
            return _of_model(path, constants, report), ()
        if lists_states(path) and not further and not alphabets and not constants:
            return _of_states(path)
        system = read_system(path, further, constants, alphabets, report)
        return _of_components(system, report), system.warnings

    value, reason = under_limits("counting", work, limits, progress)
    return SizeCount(None, (), reason) if value is None else SizeCount(value[0], value[1], None)


def under_limits(
    name: str, work: Callable[[Progress], _Value], limits: Limits, progress: Progress
) -> tuple[_Value | None, str | None]:
    """The result of the work in a child process, or the reason why there is none. Raises what the work raises."""
    deadline = deadline_of(limits)

    def guarded(report: Progress) -> _Value:
        try:
            return work(report)
        except MemoryError as error:
            raise MemoryExhausted("out of memory") from error

    outcome = limited(name, guarded, limits, progress, deadline)
    return outcome.value, outcome.reason


def _of_model(path: str, constants: Mapping[str, str], progress: Progress) -> SystemSize:
    model = read_model(path, constants)
    explored = explore(model, "system", progress)
    lpts = explored.reached.lpts
    if model.type == "dtmc":
        lpts = resolved(lpts).lpts
    labels = tuple((name, int(explored.satisfying(condition).sum())) for name, condition in model.labels)
    return _size(lpts, model.type, len(model.modules), len(model.variables), explored.reached.initial_states, labels)


def _of_states(path: str) -> tuple[SystemSize, tuple[str, ...]]:
    """The size of a file of states as it is, without the state that symag adds before several initial states."""
    named = read_states(path)
    lpts = named.lpts
    parts = ((lpts.name, lpts.states, lpts.transitions),)
    labels = tuple((name, len(states)) for name, states in named.labels)
    return _size(lpts, "mdp", 1, 0, named.initial_states, labels, parts), named.warnings


def _of_components(system: ProbabilisticSystem, progress: Progress) -> SystemSize:
    lpts = system.composed(progress=progress)
    parts = tuple((component.name, component.states, component.transitions) for component in system.components)
    return _size(lpts, "mdp", len(parts), 0, 1, (), parts)


def _size(
    lpts: Lpts,
    kind: str,
    modules: int,
    variables: int,
    initial_states: int,
    labels: tuple[tuple[str, int], ...],
    components: tuple[tuple[str, int, int], ...] = (),
) -> SystemSize:
    deadlocks = lpts.states - len(distinct(lpts.source))
    return SystemSize(
        kind,
        modules,
        variables,
        lpts.states,
        initial_states,
        lpts.transitions,
        lpts.entries,
        deadlocks,
        labels,
        components,
    )
