"""``symag convert``: a model in another format."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

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
    model_argument,
    property_option,
    quotient_options,
    verbosity_options,
)
from symag.cli.streams import Output, warn
from symag.core.errors import UsageError
from symag.core.files import write_file
from symag.smv.aiger.writer import ascii_text, binary_bytes
from symag.smv.checking.check import select
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.convert.aiger import is_expressible, needs_tableau, to_aiger
from symag.smv.convert.dependencies import dependency_graph
from symag.smv.convert.document import system_document
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import flat_text
from symag.smv.symbolic.system import encode

#: Format by the output's suffix, where ``--to`` does not say it.
SUFFIXES: Mapping[str, str] = {
    ".smv": "smv",
    ".aig": "aiger",
    ".aag": "aiger",
    ".aiger": "aiger",
    ".json": "json",
    ".dot": "dot",
    ".aut": "aut",
    ".lts": "fsp",
    ".fsp": "fsp",
    ".tra": "tra",
    ".lab": "lab",
    ".sta": "sta",
    ".drn": "drn",
}


@click.command("convert")
@model_argument
@click.argument("output", type=click.Path())
@click.option(
    "--to",
    "form",
    type=click.Choice(["smv", "aiger", "json", "dot", "aut", "fsp", "tra", "lab", "sta", "drn"]),
    help="Default: by OUTPUT's suffix.",
)
@property_option
@click.option("--target", "targets", multiple=True, metavar="NAME", help="This process, composed if need be (LTS).")
@component_option
@const_option
@alphabet_option
@click.option("--decimals", is_flag=True, help="Probabilities in a .tra file as rounded decimals (PRISM).")
@click.option("--unquoted", is_flag=True, help="Labels in an .aut file without quotation marks.")
@click.option(
    "--silent",
    type=click.Choice(["tau", "i"]),
    default="tau",
    show_default=True,
    help="How .aut files spell the silent action.",
)
@click.option(
    "--minimise",
    "equivalence",
    type=click.Choice(["strong", "weak", "traces"]),
    help="Write a smallest equivalent system (LTS): by strong or weak bisimulation, or deterministic.",
)
@quotient_options
@verbosity_options
def command(
    model: str,
    output: str,
    form: str | None,
    wanted: tuple[str, ...],
    targets: tuple[str, ...],
    components: tuple[str, ...],
    constants: dict[str, str],
    alphabets: dict[str, list[str]],
    decimals: bool,
    unquoted: bool,
    silent: str,
    equivalence: str | None,
    quotient: bool,
    groups: tuple[str, ...],
    order: str | None,
    steps: int | None,
    abstraction: bool | None,
    timeout: float | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Write MODEL to OUTPUT (``-`` for standard output) as flat SMV, AIGER, JSON or a Graphviz picture.

    A labelled transition system (.lts, .fsp, .aut) is written as .aut (Aldebaran's format), .dot or FSP text: the
    only composite process, or the process that --target names; in FSP text its components stay apart. In an .aut
    file ERROR is a state without transitions. With --quotient the parts of the composite process but the first
    are replaced by the quotient that --method quotient finds, however soon --steps or --timeout ends its search.

    A PRISM model (.nm, .pm, .prism, .tra) is written as PRISM's explicit files (.tra with exact fractions, .lab,
    .sta), as Storm's .drn (with a self-loop for each deadlock state) or as .dot; several components as one.

    AIGER is written in its binary form, or as text to a name that ends in .aag and to standard output. Its
    bad states are the invariants and, where no fairness matters, AG p; with fairness, AG p is a justice
    property, and so is an LTL property that --property chooses alone. All others are left out with a
    warning; one that --property names is an error. The variables' bits stand in the symbol table. (ABC's command
    "read" takes 0 for the value of latches without a reset; "&r FILE; &put; fold; pdr" takes any, as the format has
    it.)

    \b
    Example:
      symag convert models/counter.smv - --to aiger
      symag convert models/lpts/client_server3.nm - --to drn
    """
    kind = form or SUFFIXES.get(Path(output).suffix)
    if kind is None:
        raise UsageError(f"{output}: the suffix says no format; use --to {_formats(model)}")
    said = Output(False, quiet, verbose)
    check_components(model, components)
    if quotient and not model.endswith(LTS_SUFFIXES):
        raise click.UsageError("--quotient is for FSP")
    if equivalence is not None and not model.endswith(LTS_SUFFIXES):
        raise click.UsageError("--minimise is for labelled transition systems")
    if model.endswith(LPTS_SUFFIXES):
        from symag.cli.lpts_convert import converted_system

        content, warnings = converted_system(model, components, constants, alphabets, kind, decimals)
    elif model.endswith(LTS_SUFFIXES):
        from symag.cli.lts_convert import QuotientWish, converted

        check_no_alphabets(alphabets)
        numbers = whole_constants(model, constants)
        if not quotient and (groups or any(each is not None for each in (order, steps, abstraction, timeout))):
            raise click.UsageError("--group, --order, --steps, --abstraction and --timeout are for --quotient")
        line = said.progress()
        report = _said_to_nobody if quiet else warn
        wish = QuotientWish(groups, order, steps, abstraction, timeout, line, report) if quotient else None
        content, warnings = converted(model, components, numbers, targets, kind, unquoted, silent, wish, equivalence)
        line.clear()
    else:
        check_no_alphabets(alphabets)
        whole_constants(model, constants)
        if kind not in _CONVERSIONS:
            raise UsageError(f"{model}: an SMV model is not written as {kind}; use --to smv, aiger, json or dot")
        system = read_flat_system(model)
        content, warnings = _CONVERSIONS[kind](system, select(system, wanted), output)
        if wanted and warnings:
            # The user has named it: a file without it would be taken for one with it.
            raise UsageError(f"{output} is not written: {warnings[0].removeprefix('left out, as ')}")
        warnings = [*system.warnings, *warnings]
    said.warn(warnings)
    _write(output, content)
    if output != "-" and not quiet:
        print(f"{output}: {kind}, {len(content)} bytes")
    return 0


def _said_to_nobody(_: str) -> None:
    """Reports of a quiet command."""


def _formats(model: str) -> str:
    """What a model can be written as."""
    if model.endswith(LPTS_SUFFIXES):
        return "tra, lab, sta, drn or dot"
    return "aut, dot or fsp" if model.endswith(LTS_SUFFIXES) else "smv, aiger, json or dot"


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
    write_file(output, content)
