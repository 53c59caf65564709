"""The options that families declare, as options of click: one for each flag."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from symag.cli.options.help_groups import GroupedCommand
from symag.cli.options.settings import FiniteRange, packed
from symag.core.options import OptionDeclaration, check_read, declarations, made
from symag.core.values import replace
from symag.engine.families import FAMILIES
from symag.process.family import Family

_Function = TypeVar("_Function", bound=Callable[..., Any])


def family_options(
    command: str, families: Sequence[Family] = FAMILIES, *, methods: bool = False
) -> Callable[[_Function], _Function]:
    """Adds the options of the families' requests for a command, and with ``methods`` those of their methods.

    The command gets the values as keyword arguments; ``request_of`` and ``options_of`` read them.
    """
    by_flag: dict[str, list[tuple[Family | None, OptionDeclaration]]] = {}
    for family in families:
        for kind in (family.request, *([family.options] if methods else [])):
            for declaration in declarations(kind, command):
                by_flag.setdefault(declaration.flag, []).append((family, declaration))

    def decorate(function: _Function) -> _Function:
        for declared in reversed(by_flag.values()):
            function = _click_option(declared)(function)
        return function

    return decorate


def options_named(options: type, names: Sequence[str], **helps: str) -> Callable[[_Function], _Function]:
    """Adds some of the declared options of a dataclass to a command, which gets the dataclass as ``options``.

    ``helps`` replaces help texts that say what is true of other commands only.
    """
    declared = {declaration.keyword: declaration for declaration in declarations(options)}
    declared |= {name: replace(declared[name], help=text) for name, text in helps.items()}

    def make(*values: Any) -> Any:
        return made(options, dict(zip(names, values, strict=True)))

    def decorate(function: _Function) -> _Function:
        function = packed("options", make, *(parameter_of(declared[name].flag) for name in names))(function)
        for name in reversed(names):
            function = _click_option([(None, declared[name])])(function)
        return function

    return decorate


def request_of(family: Family, context: click.Context) -> Any:
    """The family's request from the command line. Raises UsageError for options of other families."""
    _refuse_others(family, context)
    return made(family.request, _values(family.request, context))


def options_of(family: Family, method: str, context: click.Context, **further: Any) -> Any:
    """The family's options from the command line. Raises UsageError for one that the method does not read.

    ``further`` are fields that symag itself sets.
    """
    deciding = family.methods.deciding(method)
    check_read(family.options, _given(family.options, context), deciding, family.methods.names())
    own = {name: value for name, value in further.items() if name in family.options.__struct_fields__}
    return made(family.options, _values(family.options, context), **own)


def _click_option(declared: Sequence[tuple[Family | None, OptionDeclaration]]) -> Callable[[_Function], _Function]:
    first = declared[0][1]
    settings: dict[str, Any] = {"help": _help(declared), "metavar": first.metavar}
    flags = [first.flag]
    match first.kind:
        case "switch":
            if first.only_yes:
                settings |= {"is_flag": True}
            else:
                flags = [f"{first.flag}/{first.negative}"]
                settings |= {"default": first.default}
        case "choice":
            settings |= {"type": click.Choice(first.choices), "default": first.default}
            settings |= {"show_default": first.default is not None}
        case "whole":
            least = None if first.least is None else int(first.least)
            settings |= {"type": click.IntRange(min=least) if least is not None else int, "default": first.default}
            settings |= {"show_default": first.default is not None}
        case "number":
            settings |= {"type": FiniteRange(min=first.least), "default": first.default}
        case "list":
            settings |= {"multiple": True}
        case _:
            settings |= {"default": first.default, "show_default": first.default is not None}
    return click.option(*flags, parameter_of(first.flag), **settings)


def parameter_of(flag: str) -> str:
    """The name of click's parameter for a flag."""
    return flag.removeprefix("--").replace("-", "_")


def _help(declared: Sequence[tuple[Family | None, OptionDeclaration]]) -> str:
    """The help of every family with the option; if not all have it or texts differ, after the families' labels."""
    labels: dict[str, list[str]] = {}
    for family, declaration in declared:
        labels.setdefault(declaration.help, []).append("" if family is None else family.label)
    if len(labels) == 1 and (len(declared) == len(FAMILIES) or declared[0][0] is None):
        return next(iter(labels))
    return " ".join(f"{', '.join(names)}: {text}" for text, names in labels.items())


def declared_parameters(command: str, families: Sequence[Family]) -> set[str]:
    """The names of click's parameters for the options that requests declare for a command."""
    return {parameter_of(item.flag) for family in families for item in declarations(family.request, command)}


class CommandOfFamilies(click.Command):
    """A command with the options of some ``families``. If they do not suffice for a command line, it is parsed by the
    command ``of_all``, which also says what is wrong.
    """

    def __init__(
        self, *arguments: Any, families: Sequence[Family], of_all: Callable[[], click.Command], **settings: Any
    ) -> None:
        super().__init__(*arguments, **settings)
        self.families = families
        self.of_all = of_all

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        try:
            return super().make_context(info_name, list(args), parent, **extra)
        except click.UsageError:
            if len(self.families) == len(FAMILIES):
                raise
            return self.of_all().make_context(info_name, args, parent, **extra)


class GroupedCommandOfFamilies(CommandOfFamilies, GroupedCommand):
    """A command of families with its options in groups; help is about the families that the command line names."""


class ReportCommand(CommandOfFamilies):
    """A command of families whose help is about all of them."""

    def get_help(self, ctx: click.Context) -> str:
        return super().get_help(ctx) if len(self.families) == len(FAMILIES) else self.of_all().get_help(ctx)


def _refuse_others(family: Family, context: click.Context) -> None:
    """Raises UsageError for an option on the command line that only other families declare."""
    own = _flags(family, context)
    for other in context.command.families if isinstance(context.command, CommandOfFamilies) else FAMILIES:
        for flag in sorted(_flags(other, context) - own):
            if context.get_parameter_source(parameter_of(flag)) is ParameterSource.COMMANDLINE:
                names = [owner.name for owner in FAMILIES if flag in _flags(owner, context)]
                raise click.UsageError(f"{flag} is for {' and '.join(names)}")


def _flags(family: Family, context: click.Context) -> set[str]:
    """The flags that the family declares for the command; those of methods only if the command takes a method."""
    kinds = (family.request, family.options) if "method" in context.params else (family.request,)
    return {declaration.flag for kind in kinds for declaration in declarations(kind, context.info_name)}


def _is_given(declaration: OptionDeclaration, context: click.Context) -> bool:
    return context.get_parameter_source(parameter_of(declaration.flag)) is ParameterSource.COMMANDLINE


def _given(options: type, context: click.Context) -> dict[str, Any]:
    """What the command line says of these options, by keyword."""
    return {
        declaration.keyword: context.params[parameter_of(declaration.flag)]
        for declaration in declarations(options)
        if _is_given(declaration, context)
    }


def _values(options: type, context: click.Context) -> Mapping[str, Any]:
    """The values by keyword; texts are parsed as declared."""
    values = {}
    for declaration in declarations(options, context.info_name):
        name = parameter_of(declaration.flag)
        if name not in context.params:
            continue
        value = context.params[name]
        if declaration.parse is not None and isinstance(value, str | tuple):
            try:
                value = declaration.parse(value)
            except ValueError as error:
                raise click.BadParameter(str(error), context, param_hint=declaration.flag) from None
        values[declaration.keyword] = value
    return values
