"""Labelled and probabilistic systems for the library: what ``symag.check`` does for them, as the command line does."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from symag.core.errors import UsageError
from symag.core.limits import Limits, Progress
from symag.core.results import PropertyResult, Verdict
from symag.engine.answers import Answer
from symag.lpts.checking.check import SimulationFiles, decide_simulation, read_problem
from symag.lpts.checking.methods import ChosenLptsMethod
from symag.lts import Model
from symag.lts.checking.check import Chosen, decisions, select
from symag.lts.checking.methods import ChosenMethod
from symag.lts.methods.options import LtsOptions

#: What ``check`` takes for FSP besides the fields of LtsOptions.
_FOR_LTS = ("targets", "groups", "order", "balance")


def check_labelled(
    model: Model,
    properties: Sequence[str | int],
    method: str,
    limits: Limits,
    certify: bool,
    progress: Progress,
    settings: Mapping[str, Any],
) -> list[Answer]:
    """The answers about a model's composites. Raises UsageError and InputError."""
    if not isinstance(model, Model):
        raise UsageError(f"check() takes a path or what symag.read gives, not {type(model).__name__}")
    fields = {each.name for each in dataclasses.fields(LtsOptions)} - {"groups", "order"}
    told = {name: value for name, value in settings.items() if name in fields}
    _only(settings, (*_FOR_LTS, *fields))
    chosen = ChosenMethod(
        method,
        LtsOptions(**told),
        _several(settings.get("groups")),
        settings.get("order"),
        bool(settings.get("balance", False)),
    )
    asked = select(model, Chosen(_several(settings.get("targets")), tuple(map(str, properties))))
    return [Answer(question, result) for question, result in decisions(model, asked, limits, certify, progress, chosen)]


def check_probabilistic(
    path: str, method: str, limits: Limits, certify: bool, progress: Progress, settings: Mapping[str, Any]
) -> Answer:
    """Whether a specification simulates the system, or a formula is true of it. Raises as ``check_labelled``."""
    named = ("specification", "formula", "components", "constants", "alphabets", "engine", "groups", "order")
    _only(settings, named)
    given: dict[str, Any] = {name: settings.get(name) for name in named}
    if (given["specification"] is None) == (given["formula"] is None):
        raise UsageError("give a specification or a formula, one of the two")
    files = SimulationFiles(
        path,
        tuple(given["components"] or ()),
        given["specification"],
        given["formula"],
        {name: str(value) for name, value in (given["constants"] or {}).items()},
        given["alphabets"] or {},
    )
    chosen = ChosenLptsMethod(method, given["engine"] or "worklist", _several(given["groups"]), given["order"])
    read = read_problem(files, limits, progress)
    if read.problem is None:
        return Answer(files.question, PropertyResult(Verdict.UNKNOWN, chosen.name, reason=read.reason))
    judged = decide_simulation(read.problem, chosen, limits, certify, progress, read.values, files)
    return Answer(files.question, judged.result)


def _several(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """One name is a text, several are a sequence of texts."""
    return (names,) if isinstance(names, str) else tuple(names or ())


def _only(settings: Mapping[str, Any], known: Sequence[str]) -> None:
    unknown = sorted(settings.keys() - set(known))
    if unknown:
        raise UsageError(f"check() has no argument '{unknown[0]}' for this kind of model; there are {', '.join(known)}")
