"""Options that several commands share, and the values that methods take made from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from symag.cli.languages import LPTS_SUFFIXES, LTS_SUFFIXES
from symag.cli.number_types import SECONDS, FiniteRange
from symag.core.limits import LONGEST

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: The commands that take probabilistic and labelled models.
_COMMANDS_FOR_LPTS = ("info", "check", "certify", "replay", "convert", "simulate")
_COMMANDS_FOR_LTS = ("check", "info", "convert", "certify", "simulate", "replay")


def _model(context: click.Context, parameter: click.Parameter, value: str) -> str:
    later: list[str] = []
    if context.info_name not in _COMMANDS_FOR_LTS:
        later += LTS_SUFFIXES
    if context.info_name not in _COMMANDS_FOR_LPTS:
        later += LPTS_SUFFIXES
    for suffix in later:
        if value.endswith(suffix):
            raise click.UsageError(f"{value}: symag {context.info_name} does not take models in {suffix} files yet")
    return value


#: The argument MODEL; whether it can be read is the reader's to say.
model_argument = click.argument("model", type=click.Path(), callback=_model)

component_option = click.option(
    "--component",
    "components",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A further component of the system (LTS: an .aut file; PRISM: .nm, .tra; repeatable).",
)


def _constants(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in ",".join(values).split(",") if values else ():
        name, equals, value = (part.strip() for part in each.partition("="))
        if not (name and equals and value):
            raise click.BadParameter(f"expected NAME=VALUE, found '{each}'")
        if name in found:
            raise click.BadParameter(f"the constant {name} is given twice")
        found[name] = value
    return found


const_option = click.option(
    "--const",
    "constants",
    multiple=True,
    callback=_constants,
    metavar="NAME=VALUE,...",
    help="Values of constants (FSP, PRISM; repeatable).",
)


def _alphabets(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in values:
        name, equals, actions = each.partition("=")
        labels = [action.strip() for action in actions.split(",")]
        if not (name and equals and all(labels)):
            raise click.BadParameter(f"expected COMPONENT=ACTION,..., found '{each}'")
        found.setdefault(name, []).extend(labels)
    return found


alphabet_option = click.option(
    "--alphabet",
    "alphabets",
    multiple=True,
    callback=_alphabets,
    metavar="COMPONENT=ACTION,...",
    help="Actions that a component has in its alphabet too, and so blocks (PRISM; repeatable).",
)


target_option = click.option("--target", "targets", multiple=True, metavar="NAME", help="This composite process (LTS).")


def _use_settings(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        from symag.batch.tuned import read as read_tuned

        tuned = read_tuned(Path(value))
        given, _, _ = context.command.make_parser(context).parse_args(list(tuned.options))
        named = {name: each for name, each in given.items() if name in _names(context) and each is not None}
        context.default_map = {**named, **({"wanted": (tuned.property,)} if tuned.property is not None else {})}
    return value


def _names(context: click.Context) -> set[str | None]:
    return {each.name for each in context.command.params if isinstance(each, click.Option)}


settings_option = click.option(
    "--settings",
    type=click.Path(),
    metavar="FILE.toml",
    is_eager=True,
    expose_value=False,
    callback=_use_settings,
    help="Options from a file, as symag tune --apply writes it; those given here come first.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")

property_option = click.option(
    "--property",
    "wanted",
    multiple=True,
    metavar="NAME|N",
    help="Only the property with this name or NuSMV index (repeatable).",
)


def _together(*decorators: Callable[[_Function], _Function]) -> Callable[[_Function], _Function]:
    def decorate(function: _Function) -> _Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def verbosity_options(function: _Function) -> _Function:
    """``--quiet`` and ``--verbose``."""
    return _together(
        click.option("--quiet", "-q", is_flag=True, help="No progress, no warnings."),
        click.option("--verbose", "-v", is_flag=True, help="Progress as lines, and the statistics of every answer."),
    )(function)


def limit_options(function: _Function) -> _Function:
    """``--timeout`` and ``--memory``."""
    return _together(
        click.option(
            "--timeout",
            type=SECONDS,
            metavar="SECONDS",
            help="Wall-clock seconds for each property, its re-check included.",
        ),
        click.option("--memory", type=click.IntRange(min=1), metavar="MIB", help="MiB of memory for each process."),
    )(function)


def batch_limit_options(function: _Function) -> _Function:
    """``--timeout``, ``--cpu-time`` and ``--memory`` of a job, all its processes together."""
    return _together(
        click.option("--timeout", type=SECONDS, metavar="SECONDS", help="Wall-clock seconds for each job."),
        click.option("--cpu-time", "processor_time", type=SECONDS, metavar="SECONDS", help="CPU seconds for each job."),
        click.option("--memory", type=click.IntRange(min=1), metavar="MIB", help="MiB of memory for each job."),
    )(function)


def partition_options(function: _Function) -> _Function:
    """How the variables are cut into parts."""
    return _together(
        click.option("--parts", type=click.IntRange(min=2), metavar="N", help="How many parts (default: chosen)."),
        click.option(
            "--imbalance",
            type=FiniteRange(min=1.0),
            metavar="X",
            help="How far a part may exceed an equal share (default: the best of 1.0, 1.2 .. 2.0).",
        ),
        click.option("--partitioner", type=click.Choice(["metis", "mtkahypar"]), default="metis", show_default=True),
        click.option(
            "--grain",
            type=click.Choice(["variable", "bit"]),
            default="variable",
            show_default=True,
            help="What the partitioner moves: whole variables, or their bits one by one.",
        ),
        click.option(
            "--wires",
            type=click.Choice(["none", "property", "defines"]),
            help="What the parts can be cut at besides variables (default: property; rule-g tries defines first).",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same output."),
    )(function)


steps_option = click.option(
    "--steps",
    type=click.IntRange(min=0),
    metavar="N",
    help="FSP, quotient: refine the abstraction of the first part at most N times; any N gives a right answer.",
)


group_option = click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="NAMES",
    help="FSP, PRISM: components that are one part, by name or number (A,B,3); others are parts of their own.",
)


abstraction_option = click.option(
    "--abstraction/--no-abstraction",
    default=None,
    help="FSP, quotient: refine an abstraction of the first part, or use its own states (default: if they are many).",
)


def quotient_options(function: _Function) -> _Function:
    """How a part of a composite process is replaced by its quotient."""
    return _together(
        click.option(
            "--quotient",
            is_flag=True,
            help="FSP: the system with everything but the first part replaced by its quotient, by which ERROR is "
            "reached exactly if it is without.",
        ),
        group_option,
        click.option("--order", metavar="NAMES", help="FSP: components, as in --group, whose parts come first."),
        steps_option,
        abstraction_option,
        click.option(
            "--timeout",
            type=FiniteRange(min=0, max=LONGEST),
            metavar="SECONDS",
            help="FSP: how long to look for a quotient.",
        ),
    )(function)


specification_option = click.option(
    "--specification",
    type=click.Path(),
    metavar="FILE",
    help="PRISM: the system that has to simulate MODEL strongly (.nm, .pm, .prism, .tra).",
)

formula_option = click.option(
    "--formula",
    metavar="TEXT",
    help="PRISM: a safety formula of pCTL, such as 'P<=0.1 [F send]' or 'P<=0.1 [F \"done\"]': an action means that it "
    "is possible, a label in quotes the states that have it.",
)
