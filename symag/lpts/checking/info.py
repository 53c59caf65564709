"""States, choices and transitions, as ``symag info`` prints them, counted in a child process under limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symag.core.files import has_suffix
from symag.core.limits import Limits, Progress
from symag.core.ranges import distinct
from symag.core.reports import Report
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.language.prism.exploration import explore
from symag.lpts.language.reading import ProbabilisticSystem, read_model, read_system, resolved
from symag.lpts.lpts import Lpts
from symag.lpts.readers import PRISM_SUFFIXES, lists_states, read_states
from symag.process.race import limited


def info(files: SimulationFiles, limits: Limits, progress: Progress) -> Report:
    """The size of one PRISM model as a whole, or of the composition of components (several files, .tra files).

    Choices (transitions of the LPTS) and transitions (entries of their distributions) count a self-loop for each
    deadlock state, as Storm does. Raises InputError and UsageError.
    """
    path, further, constants, alphabets = files.path, files.further, files.constants, files.alphabets

    def work(report: Progress) -> tuple[dict[str, Any], tuple[str, ...]]:
        if has_suffix(path, PRISM_SUFFIXES) and not further and not alphabets:
            return _of_model(path, constants, report), ()
        if lists_states(path) and not further and not alphabets and not constants:
            return _of_states(path)
        system = read_system(path, further, constants, alphabets, report)
        return _of_components(system, report), system.warnings

    outcome = limited("counting", work, limits, progress)
    if outcome.value is None:
        return Report({"reason": outcome.reason}, (f"unknown ({outcome.reason})",), reason=outcome.reason)
    document, warnings = outcome.value
    return Report(document, tuple(_lines(document)), warnings)


def _of_model(path: str, constants: Mapping[str, str], progress: Progress) -> dict[str, Any]:
    model = read_model(path, constants)
    explored = explore(model, "system", progress)
    lpts = explored.reached.lpts
    if model.type == "dtmc":
        lpts = resolved(lpts).lpts
    labels = {name: int(explored.satisfying(condition).sum()) for name, condition in model.labels}
    sizes = len(model.modules), len(model.variables), explored.reached.initial_states
    return _document(lpts, model.type, sizes, labels)


def _of_states(path: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The size of a file of states as it is, without the state that symag adds before several initial states."""
    named = read_states(path)
    labels = {name: len(states) for name, states in named.labels}
    return _document(named.lpts, "mdp", (1, 0, named.initial_states), labels, [named.lpts]), named.warnings


def _of_components(system: ProbabilisticSystem, progress: Progress) -> dict[str, Any]:
    return _document(system.composed(progress), "mdp", (len(system.components), 0, 1), {}, system.components)


def _document(
    lpts: Lpts, kind: str, sizes: tuple[int, int, int], labels: dict[str, int], components: Sequence[Lpts] = ()
) -> dict[str, Any]:
    """The members of the report; ``sizes`` are the numbers of modules, of variables, and of initial states."""
    deadlocks = lpts.states - len(distinct(lpts.source))
    modules, variables, initial_states = sizes
    document: dict[str, Any] = {
        "type": kind,
        "modules": modules,
        "states": lpts.states,
        "choices": lpts.transitions + deadlocks,
        "transitions": lpts.entries + deadlocks,
        "deadlock_states": deadlocks,
        "deadlock_self_loops_counted": True,
        "variables": variables,
        "initial_states": initial_states,
        "labels": labels,
    }
    if components:
        document["components"] = [
            {"name": part.name, "states": part.states, "choices": part.transitions} for part in components
        ]
    return document


def _lines(document: Mapping[str, Any]) -> list[str]:
    """The counts in words: states of a model are those that can be reached, of a file of states all that it lists."""
    components = document.get("components", ())
    modules = _counted(document["modules"], "component" if components else "module")
    variables = "" if components else f", {_counted(document['variables'], 'variable')}"
    state = "state" if len(components) == 1 else "reachable state"
    counts = f"{_counted(document['states'], state)}, {_counted(document['choices'], 'choice')}"
    transitions = _counted(document["transitions"], "transition")
    lines = [
        f"{document['type']}, {modules}{variables}",
        f"{counts}, {transitions} ({_deadlocks(document['deadlock_states'])})",
    ]
    if document["initial_states"] > 1:
        lines.append(f"{document['initial_states']} initial states")
    lines += [f'label "{name}": {_counted(count, "state")}' for name, count in document["labels"].items()]
    lines += [
        f"component {part['name']}: {_counted(part['states'], 'state')}, {_counted(part['choices'], 'choice')}"
        for part in components
    ]
    return lines


def _deadlocks(states: int) -> str:
    if not states:
        return "no deadlock states"
    return f"a self-loop counted for each of {_counted(states, 'deadlock state')}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
