"""The sizes of processes and composites, as ``symag info`` prints them."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Struct

from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lts import Model
from symag.process.race import limited


class _Size(Struct, frozen=True):
    """States (without ERROR) and transitions, or the ``reason`` why counting did not finish.

    For a composite these are the sizes after hiding and minimisation; ``product`` has those before.
    """

    name: str
    is_composite: bool
    states: int | None = None
    transitions: int | None = None
    product: tuple[int, int] | None = None
    reason: str | None = None


def info(model: Model, targets: tuple[str, ...], limits: Limits, progress: Progress) -> Report:
    """The sizes of all processes and composites, or of the composites ``targets`` only.

    The limits are for each of them. Raises InputError, and UsageError for a composite that is not there.
    """
    composites = model.chosen_targets(targets)
    processes = [] if targets else model.processes
    counted: list[_Size] = []
    warnings: dict[str, None] = {}
    named = [*((name, False) for name in processes), *((name, True) for name in composites)]
    for name, is_composite in named:
        work = partial(_counted, model, name, is_composite)
        outcome = limited(name, work, limits, progress)
        size, notes = outcome.value or (_Size(name, is_composite, reason=outcome.reason), ())
        counted.append(size)
        warnings.update(dict.fromkeys(notes))
    groups: dict[str, dict[str, Any]] = {"processes": {}, "composites": {}}
    for size in counted:
        groups["composites" if size.is_composite else "processes"][size.name] = _json(size)
    reason = next((size.reason for size in counted if size.reason), None)
    return Report(groups, tuple(map(_line, counted)), tuple(warnings), reason)


def _counted(model: Model, name: str, is_composite: bool, progress: Progress) -> tuple[_Size, list[str]]:
    """The size, and the warnings so far."""
    progress(f"composing {name}" if is_composite else f"compiling {name}")
    if not is_composite:
        lts = model.process(name)
        return _Size(name, False, lts.states, lts.transitions), model.warnings
    system = model.composite(name)
    product = system.product().lts.each_once()
    lts = system.finished(product)
    return _Size(name, True, lts.states, lts.transitions, (product.states, product.transitions)), model.warnings


def _json(size: _Size) -> dict[str, Any]:
    result: dict[str, Any] = {"states": size.states, "transitions": size.transitions}
    if size.product is not None:
        result["product"] = {"states": size.product[0], "transitions": size.product[1]}
    if size.reason is not None:
        result["reason"] = size.reason
    return result


def _line(size: _Size) -> str:
    name = f"||{size.name}" if size.is_composite else size.name
    if size.reason is not None:
        return f"{name}: unknown ({size.reason})"
    product = ""
    if size.product is not None and size.product != (size.states, size.transitions):
        product = f" (product: {size.product[0]} states, {size.product[1]} transitions)"
    return f"{name}: {size.states} states, {size.transitions} transitions{product}"
