"""``symag info``: how large a model is and what it asks."""

from __future__ import annotations

import math
from typing import Any

import click

from symag.cli.languages import (
    LPTS_SUFFIXES,
    LTS_SUFFIXES,
    check_components,
    check_no_alphabets,
    whole_constants,
)
from symag.cli.settings import (
    alphabet_option,
    component_option,
    const_option,
    json_option,
    limit_options,
    model_argument,
    verbosity_options,
)
from symag.cli.status import ALL_HOLD, UNDECIDED
from symag.cli.streams import Output, print_json
from symag.core.limits import Limits
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.checking.reachable import ReachableStates, reachable_states
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.types import bit_count

#: Characters of a property that a list shows; real models have some of 10,000.
LONGEST_TEXT = 160


@click.command("info")
@model_argument
@click.option("--reachable", is_flag=True, help="Count the reachable states, exactly, and the diameter.")
@click.option("--target", "targets", multiple=True, metavar="NAME", help="Only this composite process (LTS).")
@component_option
@const_option
@alphabet_option
@click.option("--order", "order_file", type=click.Path(), metavar="FILE", help="Read a NuSMV .ord file.")
@limit_options
@json_option
@verbosity_options
def command(
    model: str,
    reachable: bool,
    targets: tuple[str, ...],
    components: tuple[str, ...],
    constants: dict[str, str],
    alphabets: dict[str, list[str]],
    order_file: str | None,
    timeout: float | None,
    memory: int | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Count the variables, bits and properties of MODEL; with --reachable, also its states.

    Of labelled transition systems (FSP: .lts, .fsp; Aldebaran: .aut) count the states and transitions of every
    process and composite; DEFAULT is the composition of all processes where there is no composite.

    Of a PRISM model (.nm, .pm, .prism; explicit: .tra) count the reachable states, choices and transitions, with a
    self-loop for each deadlock state as Storm does; of several files (--component) those of their composition.

    The diameter is counted as NuSMV does: the initial states are the first of its steps. Exit status 30
    says that the count, or the search for the diameter, came to no end.

    \b
    Example:
      symag info --reachable models/counter.smv
      symag info models/lpts/client_server3.nm
    """
    output = Output(as_json, quiet, verbose)
    check_components(model, components)
    if model.endswith(LPTS_SUFFIXES):
        from symag.cli.lpts_info import show_system_size

        return show_system_size(model, components, constants, alphabets, Limits(timeout, memory), output)
    check_no_alphabets(alphabets)
    numbers = whole_constants(model, constants)
    if model.endswith(LTS_SUFFIXES):
        from symag.cli.lts_info import show_sizes

        return show_sizes(model, components, numbers, targets, Limits(timeout, memory), output)
    system = read_flat_system(model)
    output.warn(system.warnings)
    sizes = {"schema": 1, "model": model, **_sizes(system)}
    states = None
    if reachable:
        line = output.progress()
        states = reachable_states(system, order_file, Limits(timeout, memory), line)
        line.clear()
        sizes.update(reachable_states=states.count, diameter=states.diameter)
        if states.reason is not None:
            sizes["reason"] = states.reason
    if as_json:
        print_json(sizes)
        return _status(states)
    print(
        f"{sizes['variables']} variables, {sizes['bits']} bits: "
        f"{sizes['state_bits']} state, {sizes['input_bits']} input, {sizes['frozen_bits']} frozen"
    )
    if not system.properties:
        print("no properties")
    for item in system.properties:
        name = f" {item.name}" if item.name else ""
        text = item.text if len(item.text) <= LONGEST_TEXT else item.text[:LONGEST_TEXT] + " ..."
        print(f"{item.index:4} {item.kind}{name} (line {item.line}): {text}")
    if states is not None:
        print(_reachable_line(states))
    return _status(states)


def _status(states: ReachableStates | None) -> int:
    return UNDECIDED if states is not None and states.reason is not None else ALL_HOLD


def _reachable_line(states: ReachableStates) -> str:
    if states.count is None:
        return f"reachable states: unknown ({states.reason})"
    diameter = f"unknown ({states.reason})" if states.diameter is None else states.diameter
    return f"reachable states: {states.count} (2^{math.log2(max(1, states.count)):.2f}), diameter {diameter}"


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
