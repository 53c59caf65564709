"""``symag partition``: how a model is cut into parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import click

from symag.cli.options.declared import options_named
from symag.cli.options.settings import json_option, model_argument, property_option
from symag.cli.output.streams import print_json
from symag.core.errors import UsageError
from symag.smv.checking.check import select
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.checking.trace_files import write_text
from symag.smv.methods.options import SmvOptions
from symag.smv.model.bits import bitwise
from symag.smv.model.dependencies import cone_of_influence, references
from symag.smv.model.flat import FlatSystem
from symag.smv.model.properties import invariant_of
from symag.smv.model.typed import Expression
from symag.smv.model.wires import wired
from symag.smv.partition import Partition, partitions
from symag.smv.partition.dot import dot_text
from symag.smv.partition.quiet import libraries_silent


@click.command("partition")
@model_argument
@property_option
@options_named(SmvOptions, ("parts", "imbalance", "partitioner", "grain", "wires", "seed"))
@click.option(
    "--cone-of-influence/--no-cone-of-influence", "cone", default=True, help="Drop what cannot matter to --property."
)
@click.option("--dot", type=click.Path(), metavar="FILE", help="Write a picture in the language of Graphviz.")
@json_option
def command(
    model: str,
    properties: tuple[str, ...],
    parts: int | None,
    imbalance: float | None,
    partitioner: str,
    grain: Literal["variable", "bit"],
    seed: int,
    wires: Literal["none", "property", "defines"] | None,
    cone: bool,
    dot: str | None,
    as_json: bool,
) -> int:
    """Show the parts of MODEL, their variables, and the I/O variables between them.

    With --property, the model is cut down to that invariant's cone of influence first, and the invariant is
    a wire that every part sees. mx is the paper's objective: the largest number of bits that one part has
    with all I/O variables.

    \b
    Example:
      symag partition models/counter.smv --parts 2
    """
    system = read_flat_system(model)
    expression = _expression(system, properties) if properties else None
    if grain == "bit":
        system = bitwise(system).system
        expression = _expression(system, properties) if properties else None
    if expression is not None and cone:
        system = cone_of_influence(system, expression)
    cut = wired(system, expression, wires or "property")
    weightless = [name for name, _ in cut.wires]
    with libraries_silent():
        candidates = partitions(cut.system, parts or 2, imbalance, partitioner, seed, weightless)
    best = candidates[0] if candidates else None
    if dot is not None and best is not None:
        read = set() if expression is None else {*references(system, expression).current}
        write_text(dot, dot_text(best, read))
    if as_json:
        print_json({"schema": 1, "model": model, "partition": None if best is None else _json(best)})
    elif best is None:
        print(f"no partition into {parts or 2} parts is within the imbalance")
    else:
        for line in _lines(best, system.words):
            print(line)
    return 0


def _expression(system: FlatSystem, names: tuple[str, ...]) -> Expression:
    chosen = select(system, names)
    expression = invariant_of(system, chosen[0]) if len(chosen) == 1 else None
    if expression is None:
        raise UsageError("the cone of influence is that of one invariant: give --property once, with one")
    return expression


def _lines(partition: Partition, words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    origin = partition.origin
    yield (
        f"{len(partition.parts)} parts, {len(partition.io)} I/O variables ({partition.io_bits} bits), "
        f"mx {partition.mx} bits, imbalance {partition.imbalance:g} "
        f"({origin.partitioner}, {origin.expansion}, seed {origin.seed})"
    )
    for number, names in enumerate(partition.parts):
        yield f"part {number}: {', '.join(_in_words(names, words))}"
        yield f"  reads:   {', '.join(_in_words(partition.inputs[number], words)) or 'nothing'}"
        yield f"  is read: {', '.join(_in_words(partition.outputs[number], words)) or 'nothing'}"


def _in_words(names: Iterable[str], words: Mapping[str, Sequence[str]]) -> list[str]:
    """The names, a word in the place of its bits where all of them are there."""
    shown = list(names)
    for word, bits in words.items():
        if set(bits) <= set(shown):
            shown[shown.index(next(name for name in shown if name in bits))] = word
            shown = [name for name in shown if name not in bits]
    return shown


def _json(partition: Partition) -> dict[str, Any]:
    return {
        "parts": [
            {"variables": list(names), "inputs": list(inputs), "outputs": list(outputs), "bits": size}
            for names, inputs, outputs, size in zip(
                partition.parts, partition.inputs, partition.outputs, partition.sizes, strict=True
            )
        ],
        "io": list(partition.io),
        "io_bits": partition.io_bits,
        "mx": partition.mx,
        "imbalance": partition.imbalance,
        "partitioner": partition.origin.partitioner,
        "expansion": partition.origin.expansion,
        "seed": partition.origin.seed,
    }
