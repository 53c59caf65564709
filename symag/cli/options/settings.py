"""Options that several commands share, and the values made from them."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from symag.cli.output.streams import Output
from symag.core.limits import LONGEST, JobLimits, Limits
from symag.engine.families import FAMILIES, family_of

_Function = TypeVar("_Function", bound=Callable[..., Any])


class FiniteRange(click.FloatRange):
    """A number in a range; nan and infinity are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


class Mebibytes(click.IntRange):
    """A number of MiB, or of KiB, MiB or GiB with the suffix K, M or G."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        match = re.fullmatch(r"(-?[0-9]+)([KMG]?)", str(value).upper())
        if match is None:
            self.fail(f"{value!r} is not a whole number of MiB, nor one with the suffix K, M or G.", param, ctx)
        number = int(match[1]) * {"K": 1, "M": 1 << 10, "G": 1 << 20}[match[2] or "M"] >> 10
        return super().convert(number, param, ctx)


def memory_option(what: str) -> Callable[[_Function], _Function]:
    """``--memory``, a limit for ``what``."""
    text = f"MiB of memory for {what}; 3G is 3072."
    return click.option("--memory", type=Mebibytes(min=1), metavar="MIB", help=text)


#: A limit of time.
SECONDS = FiniteRange(min=0, min_open=True, max=LONGEST)


def _model(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Raises UsageError for a model of a family that the command does not take."""
    family = family_of(value)
    if context.info_name not in family.further_commands and context.info_name in own_commands():
        takes = " and ".join(family.name for family in FAMILIES if context.info_name in family.further_commands)
        raise click.UsageError(f"{value}: symag {context.info_name} takes {takes}, not {family.name}")
    return value


def own_commands() -> set[str]:
    """The commands that are not for every family."""
    return {command for family in FAMILIES for command in family.further_commands}


#: The argument MODEL of a command that is not for every family; the reader checks whether it can be read.
model_argument = click.argument("model", type=click.Path(), callback=_model)


def _use_settings(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        # For start-up: only with settings of symag tune.
        from symag.suites.tuning.settings import read as read_tuned

        tuned = read_tuned(Path(value))
        given, _, _ = context.command.make_parser(context).parse_args(list(tuned.options))
        named = {name: setting for name, setting in given.items() if name in _names(context) and setting is not None}
        context.default_map = {**named, **({"property": (tuned.property,)} if tuned.property is not None else {})}
    return value


def _names(context: click.Context) -> set[str | None]:
    return {param.name for param in context.command.params if isinstance(param, click.Option)}


settings_option = click.option(
    "--settings",
    type=click.Path(),
    metavar="FILE.toml",
    is_eager=True,
    expose_value=False,
    callback=_use_settings,
    help="Options from a file that symag tune --apply wrote; options on the command line override them.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")

property_option = click.option(
    "--property",
    "properties",
    multiple=True,
    metavar="NAME|N",
    help="Only the property with this name or NuSMV index (repeatable).",
)


def together(*decorators: Callable[[Any], Any]) -> Callable[[_Function], _Function]:
    """All of these decorators, the last one first."""

    def decorate(function: _Function) -> _Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def packed(name: str, make: Callable[..., Any], *taken: str) -> Callable[[_Function], _Function]:
    """Replaces the options ``taken`` of a command by one argument ``name``: ``make`` of their values in this order."""

    def decorate(function: _Function) -> _Function:
        @functools.wraps(function)
        def called(*arguments: Any, **settings: Any) -> Any:
            value = make(*(settings.pop(option) for option in taken))
            return function(*arguments, **settings, **{name: value})

        return cast(_Function, called)

    return decorate


def verbosity_options(function: _Function) -> _Function:
    """``--quiet`` and ``--verbose`` as ``output``, for a command without JSON."""

    def make(quiet: bool, verbose: bool) -> Output:
        return Output(False, quiet, verbose)

    return _verbosity(packed("output", make, "quiet", "verbose")(function))


def output_options(function: _Function) -> _Function:
    """``--json``, ``--quiet`` and ``--verbose`` as ``output``."""
    return json_option(_verbosity(packed("output", Output, "as_json", "quiet", "verbose")(function)))


def _verbosity(function: _Function) -> _Function:
    return together(
        click.option("--quiet", "-q", is_flag=True, help="No progress, no warnings."),
        click.option("--verbose", "-v", is_flag=True, help="Progress as lines, and the statistics of every answer."),
    )(function)


def limit_options(function: _Function) -> _Function:
    """``--timeout`` and ``--memory`` as ``limits``."""
    return together(
        click.option(
            "--timeout",
            type=SECONDS,
            metavar="SECONDS",
            help="Wall-clock seconds for each property, its re-check included (default: no limit).",
        ),
        memory_option("each process (default: three quarters of the machine's for all)"),
        packed("limits", Limits, "timeout", "memory"),
    )(function)


def batch_limit_options(function: _Function) -> _Function:
    """``--timeout``, ``--cpu-time`` and ``--memory`` for all processes of a job together, as ``limits``."""
    return together(
        click.option("--timeout", type=SECONDS, metavar="SECONDS", help="Wall-clock seconds for each job."),
        click.option("--cpu-time", "processor_time", type=SECONDS, metavar="SECONDS", help="CPU seconds for each job."),
        memory_option("each job"),
        packed("limits", JobLimits, "timeout", "processor_time", "memory"),
    )(function)
