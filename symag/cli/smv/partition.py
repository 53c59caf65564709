"""``symag partition``: the parts of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click
from msgspec import to_builtins

from symag.cli.options.declared import options_named
from symag.cli.options.settings import json_option, model_argument
from symag.cli.output.streams import print_json
from symag.core.files import write_file
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.checking.partitioning import CutRequest, cut_model
from symag.smv.methods.options import SmvOptions
from symag.smv.partition import Partition
from symag.smv.partition.dot import dot_text
from symag.smv.partition.reasons import PartReasons


@click.command("partition", short_help="Show the parts of an SMV model.")
@model_argument
@click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="NAME|N",
    help="Only what matters to the invariant with this name or NuSMV index.",
)
@options_named(
    SmvOptions,
    ("parts", "imbalance", "partitioner", "grain", "wires", "seed"),
    parts="How many parts (default: 2).",
    wires="What is cut at besides variables; cut: the DEFINEs that make the cut least (default: property).",
)
@click.option(
    "--cone-of-influence/--no-cone-of-influence", "cone", default=True, help="Drop what cannot matter to --property."
)
@click.option("--why", is_flag=True, help="Say of each part why it is what it is.")
@click.option("--dot", type=click.Path(), metavar="FILE", help="Write a picture in the language of Graphviz.")
@json_option
def command(
    model: str,
    properties: tuple[str, ...],
    options: SmvOptions,
    cone: bool,
    why: bool,
    dot: str | None,
    as_json: bool,
) -> int:
    """Show the parts of MODEL, their variables, and the I/O variables between them.

    With --property, the model is first reduced to that invariant's cone of influence, and the invariant is
    a wire that every part sees. --wires cut makes wires of the DEFINEs that narrow the border most, --grain word and
    --grain instance keep words and module instances whole, --why names them, the channels and wires at the border, and
    what the cheapest move would cost. mx is the objective of symbolic-learning-2008: the largest number of bits of one
    part together with the variables that it reads of others. "bits" of a part in --json is that number of the part.

    \b
    Example:
      symag partition models/counter.smv --parts 2
    """
    system = read_flat_system(model)
    parts, wires = options.parts or 2, options.wires or "property"
    request = CutRequest(parts, options.imbalance, options.partitioner, options.grain, wires, options.seed, cone)
    cut = cut_model(system, properties, request)
    best = cut.partition
    if dot is not None and best is not None:
        write_file(dot, dot_text(best, cut.read))
    if as_json:
        print_json({"schema": 1, "model": model, "partition": None if best is None else _json(best, cut.reasons)})
    elif best is None:
        print(f"no partition into {parts} parts is within the imbalance")
    else:
        print("\n".join(_lines(best, cut.reasons) if why else [str(best)]))
    return 0


def _lines(partition: Partition, why: Sequence[PartReasons]) -> Iterator[str]:
    """The partition's lines, with the reasons below each part."""
    head, *lines = str(partition).split("\n")
    yield head
    for number, item in enumerate(why):
        yield from lines[3 * number : 3 * number + 3]
        yield from (f"  why:     {line}" for line in item.lines())


def _json(partition: Partition, why: Sequence[PartReasons]) -> dict[str, Any]:
    reasons = map(to_builtins, why)
    return {
        "parts": [
            {"variables": list(names), "inputs": list(inputs), "outputs": list(outputs), "bits": size, "why": item}
            for names, inputs, outputs, size, item in zip(
                partition.parts, partition.inputs, partition.outputs, partition.sizes, reasons, strict=True
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
