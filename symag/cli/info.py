"""``symag info``: how large a model is and what it asks."""

from __future__ import annotations

from typing import Any

import click

import symag
from symag.cli.settings import json_option, model_argument
from symag.cli.streams import print_json, warn
from symag.smv.flat import FlatSystem, VariableKind
from symag.smv.types import bit_count

#: Characters of a property that a list shows; real models have some of 10,000.
LONGEST_TEXT = 160


@click.command("info")
@model_argument
@json_option
def command(model: str, as_json: bool) -> int:
    """Count the variables, bits and properties of MODEL.

    \b
    Example:
      symag info models/counter.smv
    """
    system = symag.read(model)
    for warning in system.warnings:
        warn(f"warning: {warning}")
    sizes = _sizes(system)
    if as_json:
        print_json(sizes)
        return 0
    print(
        f"{sizes['variables']} variables, {sizes['bits']} bits: "
        f"{sizes['state_bits']} state, {sizes['input_bits']} input, {sizes['frozen_bits']} frozen"
    )
    for item in system.properties:
        name = f" {item.name}" if item.name else ""
        text = item.text if len(item.text) <= LONGEST_TEXT else item.text[:LONGEST_TEXT] + " ..."
        print(f"{item.index:4} {item.kind}{name} (line {item.line}): {text}")
    return 0


def _sizes(system: FlatSystem) -> dict[str, Any]:
    def bits(kind: VariableKind) -> int:
        return sum(bit_count(variable.type) for variable in system.variables if variable.kind is kind)

    return {
        "variables": len(system.variables),
        "bits": sum(bit_count(variable.type) for variable in system.variables),
        "state_bits": bits(VariableKind.STATE),
        "input_bits": bits(VariableKind.INPUT),
        "frozen_bits": bits(VariableKind.FROZEN),
        "properties": [
            {"index": item.index, "kind": item.kind, "name": item.name, "text": item.text, "line": item.line}
            for item in system.properties
        ],
    }
