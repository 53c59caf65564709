"""``symag info`` for labelled transition systems: the sizes of processes and composites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symag.cli.status import ALL_HOLD, UNDECIDED
from symag.cli.streams import Output, print_json
from symag.core.limits import Limits
from symag.lts import read
from symag.lts.checking.sizes import Size, sizes


def show_sizes(
    path: str,
    components: Sequence[str],
    constants: Mapping[str, int],
    targets: Sequence[str],
    limits: Limits,
    output: Output,
) -> int:
    """Print them; the exit status. Raises InputError and UsageError."""
    line = output.progress()
    found, warnings = sizes(read(path, components, constants), targets, limits, line)
    line.clear()
    output.warn(warnings, path)
    if output.as_json:
        groups: dict[str, dict[str, Any]] = {"processes": {}, "composites": {}}
        for each in found:
            groups["composites" if each.is_composite else "processes"][each.name] = _json(each)
        print_json({"schema": 1, "model": path, **groups})
    else:
        for each in found:
            print(_line(each))
    return UNDECIDED if any(each.reason for each in found) else ALL_HOLD


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
