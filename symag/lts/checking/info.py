"""The sizes of processes and composites, as ``symag info`` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lts.checking.sizes import Size, sizes

if TYPE_CHECKING:
    from symag.lts import Model


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
