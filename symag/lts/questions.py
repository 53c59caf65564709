"""The questions about a composite process: deadlock, safety, progress, and assertions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from symag.lts.language.composites import Model
from symag.lts.language.fluents import Temporal, assertion


class CompositeQuestion(Struct, frozen=True):
    """One property of one composite process.

    ``deadlock``: every reachable state has a successor, unless everything has ended. ``safety``: ERROR cannot be
    reached. ``progress``: under fair choice some action of ``actions`` happens infinitely often (with ``condition``:
    if an action of it does); if ``actions`` is None, every action of the alphabet does.
    """

    index: int
    kind: Literal["deadlock", "safety", "progress", "assert"]
    name: str | None
    text: str
    line: int | None
    target: str
    actions: tuple[str, ...] | None = None
    condition: tuple[str, ...] | None = None
    formula: Temporal | None = None


def questions(model: Model, target: str, default_progress: bool) -> tuple[CompositeQuestion, ...]:
    """All questions about a composite, numbered from 0.

    ``default_progress`` adds progress of every action if the specification defines no progress property.
    Raises InputError.
    """
    result = [
        CompositeQuestion(0, "deadlock", None, "no deadlock", None, target),
        CompositeQuestion(1, "safety", None, "ERROR is not reached", None, target),
    ]
    result.extend(_progress(model, target, len(result)))
    if default_progress and not model.specification.progress:
        result.append(CompositeQuestion(2, "progress", None, "every action happens infinitely often", None, target))
    for declared in model.specification.assertions:
        line, _ = model.source.location(declared.position)
        text = f"assert {declared.name}"
        formula = assertion(model.definitions, model.specification, declared)
        result.append(CompositeQuestion(len(result), "assert", declared.name, text, line, target, formula=formula))
    return tuple(result)


def _progress(model: Model, target: str, first: int) -> Iterator[CompositeQuestion]:
    index = first
    for progress in model.specification.progress:
        line, _ = model.source.location(progress.position)
        for suffix, scope in model.definitions.expansions(progress.ranges, {}):
            name = f"{progress.name}.{suffix}" if suffix else progress.name
            actions = model.definitions.labels(progress.actions, scope)
            condition = None if progress.condition is None else model.definitions.labels(progress.condition, scope)
            text = f"{{{', '.join(actions)}}}"
            if condition is not None:
                text = f"if {{{', '.join(condition)}}} then {text}"
            yield CompositeQuestion(
                index, "progress", name, f"progress {name} = {text}", line, target, actions, condition
            )
            index += 1
