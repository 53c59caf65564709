"""The sizes of processes and composites, as ``symag info`` prints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from symag.core.errors import UsageError
from symag.core.limits import Limits, Progress, no_progress
from symag.core.reports import Report
from symag.lts import Model
from symag.process.race import limited


class Size(Struct, frozen=True):
    """States (without ERROR) and transitions, or the ``reason`` why counting did not finish.

    For a composite these are the sizes after hiding and minimisation; ``product`` has those before.
    """

    name: str
    is_composite: bool
    states: int | None
    transitions: int | None
    product: tuple[int, int] | None = None
    reason: str | None = None


def sizes(
    model: Model, targets: Sequence[str], limits: Limits, progress: Progress = no_progress
) -> tuple[list[Size], list[str]]:
    """The sizes of all processes and composites, or of the composites ``targets`` only, and warnings.

    The limits are for each of them. Raises InputError, and UsageError for a composite that is not there.
    """
    composites = model.targets
    missing = [name for name in targets if name not in composites]
    if missing:
        existing = f"there are {', '.join(composites)}" if composites else "the specification has none"
        raise UsageError(f"no composite '{missing[0]}'; {existing}")
    processes = [] if targets else model.processes
    counted: list[Size] = []
    warnings: list[str] = []
    for name in [*processes, *(targets or composites)]:
        size, notes = _one(model, name, name not in processes, limits, progress)
        counted.append(size)
        warnings.extend(line for line in notes if line not in warnings)
    return counted, warnings


def _one(model: Model, name: str, is_composite: bool, limits: Limits, progress: Progress) -> tuple[Size, list[str]]:
    def work(report: Progress) -> tuple[Size, list[str]]:
        report(f"composing {name}" if is_composite else f"compiling {name}")
        return (_composite(model, name) if is_composite else _process(model, name)), model.warnings

    outcome = limited(name, work, limits, progress)
    if outcome.value is None:
        return Size(name, is_composite, None, None, reason=outcome.reason), []
    size, warnings = outcome.value
    return size, warnings


def _process(model: Model, name: str) -> Size:
    lts = model.process(name)
    return Size(name, False, lts.states, lts.transitions)


def _composite(model: Model, name: str) -> Size:
    system = model.composite(name)
    product = system.product().lts
    lts = system.finished(product)
    return Size(name, True, lts.states, lts.transitions, (product.states, product.transitions))


def info(model: Model, targets: tuple[str, ...], limits: Limits, progress: Progress) -> Report:
    """The sizes of all processes and composites, or of the targets. Raises InputError and UsageError."""
    counted, warnings = sizes(model, targets, limits, progress)
    groups: dict[str, dict[str, Any]] = {"processes": {}, "composites": {}}
    for size in counted:
        groups["composites" if size.is_composite else "processes"][size.name] = _json(size)
    reason = next((size.reason for size in counted if size.reason), None)
    return Report(groups, tuple(map(_line, counted)), tuple(warnings), reason)


def _json(size: Size) -> dict[str, Any]:
    result: dict[str, Any] = {"states": size.states, "transitions": size.transitions}
    if size.product is not None:
        result["product"] = {"states": size.product[0], "transitions": size.product[1]}
    if size.reason is not None:
        result["reason"] = size.reason
    return result


def _line(size: Size) -> str:
    name = f"||{size.name}" if size.is_composite else size.name
    if size.reason is not None:
        return f"{name}: unknown ({size.reason})"
    product = ""
    if size.product is not None and size.product != (size.states, size.transitions):
        product = f" (product: {size.product[0]} states, {size.product[1]} transitions)"
    return f"{name}: {size.states} states, {size.transitions} transitions{product}"
