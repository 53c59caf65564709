"""``symag convert``: a model in another format."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

import symag
from symag.aiger.writer import ascii_text, binary_bytes
from symag.cli.settings import model_argument, property_option, verbosity_options
from symag.cli.streams import warn
from symag.convert.aiger import is_expressible, needs_tableau, to_aiger
from symag.convert.dependencies import dependency_graph
from symag.convert.document import system_document
from symag.engine.check import select
from symag.errors import InputError, UsageError
from symag.smv.flat import FlatSystem, Property
from symag.smv.printer import flat_text
from symag.symbolic.system import encode

#: Format by the output's suffix, where ``--to`` does not say it.
SUFFIXES: Mapping[str, str] = {
    ".smv": "smv",
    ".aig": "aiger",
    ".aag": "aiger",
    ".aiger": "aiger",
    ".json": "json",
    ".dot": "dot",
}


@click.command("convert")
@model_argument
@click.argument("output", type=click.Path())
@click.option("--to", "target", type=click.Choice(["smv", "aiger", "json", "dot"]), help="Default: by OUTPUT's suffix.")
@property_option
@verbosity_options
def command(model: str, output: str, target: str | None, wanted: tuple[str, ...], quiet: bool, verbose: bool) -> int:
    """Write MODEL to OUTPUT (``-`` for standard output) as flat SMV, AIGER, JSON or a Graphviz picture.

    AIGER is written in its binary form, or as text to a name that ends in .aag and to standard output. Its
    bad states are the invariants and, where no fairness matters, AG p; with fairness, AG p is a justice
    property, and so is an LTL property that --property chooses alone. All others are left out with a
    warning. The variables' bits stand in the symbol table. (ABC's command "read" takes 0 for the value of
    latches without a reset; "&r FILE; &put; fold; pdr" takes any, as the format has it.)

    \b
    Example:
      symag convert models/counter.smv - --to aiger
    """
    kind = target or SUFFIXES.get(Path(output).suffix)
    if kind is None:
        raise UsageError(f"{output}: the suffix says no format; use --to smv, aiger, json or dot")
    system = symag.read(model)
    chosen = select(system, wanted)
    content, warnings = _CONVERSIONS[kind](system, chosen, output)
    for warning in () if quiet else (*system.warnings, *warnings):
        warn(f"warning: {warning}")
    _write(output, content)
    if output != "-" and not quiet:
        print(f"{output}: {kind}, {len(content)} bytes")
    return 0


def _smv(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    left_out = [each for each in chosen if each.expression is None]
    text = flat_text(_with_properties(system, chosen))
    return text.encode(), [f"left out, as symag does not represent it: {each.kind} {each.text}" for each in left_out]


def _aiger(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    kept = [each for each in chosen if is_expressible(system, each)]
    if len(kept) > 1:
        kept = [each for each in kept if not needs_tableau(system, each)]
    exported = to_aiger(system, kept)
    if not exported.is_total:
        encode(system)  # it says what fails, if something does
    graph = exported.graph
    warnings = [_why_left_out(system, each) for each in chosen if each not in kept]
    as_text = output == "-" or output.endswith(".aag")
    return ascii_text(graph).encode() if as_text else binary_bytes(graph), warnings


def _why_left_out(system: FlatSystem, candidate: Property) -> str:
    if needs_tableau(system, candidate) and not system.compassion:
        return f"left out, as an LTL property needs a file of its own (--property): {candidate.text}"
    return f"left out, as AIGER cannot say it: {candidate.kind} {candidate.text}"


def _json(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    document = system_document(_with_properties(system, chosen))
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode(), []


def _dot(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    return dependency_graph(_with_properties(system, chosen)).encode(), []


def _with_properties(system: FlatSystem, chosen: Sequence[Property]) -> FlatSystem:
    return replace(system, properties=tuple(chosen))


#: Each format's text, and warnings about what it leaves out, for a system, some properties, and the output's name.
_CONVERSIONS: Mapping[str, Callable[[FlatSystem, Sequence[Property], str], tuple[bytes, list[str]]]] = {
    "smv": _smv,
    "aiger": _aiger,
    "json": _json,
    "dot": _dot,
}


def _write(output: str, content: bytes) -> None:
    if output == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        Path(output).write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", output) from None
