"""The options that a help shows, and their headings.

Options of families are grouped by their declarations: those of requests, those that methods of several families read,
and those that methods of one family read. The groups of all other options are listed here.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from symag.core.options import OptionDeclaration, declarations
from symag.engine.families import FAMILIES
from symag.process.family import Family

#: The options that most people need first, in this order. ``--help`` shows the first ten that apply to the model.
_FIRST = (
    *("--property", "--method", "--timeout", "--memory", "--trace", "--certificate", "--json"),
    *(
        "--const",
        "--target",
        "--formula",
        "--properties",
        "--specification",
        "--component",
        "--certify",
        "--full",
        "--verbose",
    ),
)
_TEN = 10
MODEL, METHOD, LIMITS, OUTPUT = "Model and property", "Method", "Limits", "Output"
#: The group of each option that no family declares.
_GROUPS: Mapping[str, Sequence[str]] = {
    METHOD: ("--method", "--certify", "--settings"),
    LIMITS: ("--timeout", "--cpu-time", "--memory"),
    OUTPUT: (
        *("--json", "--trace", "--trace-format", "--certificate", "--junit", "--sarif", "--csv"),
        *("--full", "--quiet", "--verbose"),
    ),
}
#: The methods that decide by parts; options that only they read have a group of their own.
_BY_PARTS = frozenset(("rule-s", "rule-g", "parts"))


def family_named_in(arguments: Sequence[str]) -> Family | None:
    """The family of the first model among the words of a command line, None if there is none."""
    named = (FAMILIES.of([word]) for word in arguments if not word.startswith("-"))
    return next((families[0] for families in named if families), None)


def shown(options: Sequence[click.Option], family: Family | None, command: str) -> list[click.Option]:
    """The options of a command that apply to models of a family (None: all), with their help for that family."""
    if family is None:
        return list(options)
    declared = _declared(command)
    narrowed = []
    for option in options:
        own = next((declaration for declaration in _of_families(option, declared) if declaration[0] is family), None)
        if own is not None or not _of_families(option, declared):
            narrowed.append(_narrowed(option, family, None if own is None else own[1]))
    return narrowed


def needed_first(options: Sequence[click.Option]) -> list[click.Option]:
    """The ten options that most people need first."""
    listed = [option for option in options if option.opts[0] in _FIRST]
    return sorted(listed, key=lambda option: _FIRST.index(option.opts[0]))[:_TEN]


def grouped(options: Sequence[click.Option], command: str) -> Iterator[tuple[str, list[click.Option]]]:
    """The options of a command under their headings."""
    declared = _declared(command)
    names = {id(option): _group(option, _of_families(option, declared)) for option in options}
    singles = [f"{family.label}{suffix}" for family in FAMILIES for suffix in ("", ": search", ": by parts")]
    for name in (MODEL, METHOD, LIMITS, OUTPUT, *singles, "Other"):
        chosen = [option for option in options if names[id(option)] == name]
        if chosen:
            yield name, chosen


def _narrowed(option: click.Option, family: Family, declaration: OptionDeclaration | None) -> click.Option:
    """The option with this family's choices and help."""
    copied = copy.copy(option)
    words = {"--method": family.methods.names(), "--trace-format": family.trace_formats}.get(option.opts[0])
    if words is not None:
        copied.type = click.Choice(words)
    if declaration is not None:
        copied.help = declaration.help
    return copied


def _group(option: click.Option, declared: Sequence[tuple[Family, OptionDeclaration, bool]]) -> str:
    if not declared:
        return next((name for name, flags in _GROUPS.items() if set(option.opts) & set(flags)), "Other")
    if all(is_request for _, _, is_request in declared):
        return MODEL
    if len(declared) > 1:
        return METHOD
    family, declaration, _ = declared[0]
    others = [other for other in declarations(family.options) if not _is_by_parts(other)]
    if len(others) == len(declarations(family.options)):
        return family.label
    return f"{family.label}: by parts" if _is_by_parts(declaration) else f"{family.label}: search"


def _is_by_parts(declaration: OptionDeclaration) -> bool:
    return bool(declaration.methods) and _BY_PARTS.issuperset(declaration.methods)


def _of_families(
    option: click.Option, declared: Sequence[tuple[Family, OptionDeclaration, bool]]
) -> list[tuple[Family, OptionDeclaration, bool]]:
    return [pair for pair in declared if pair[1].flag in option.opts]


def _declared(command: str) -> list[tuple[Family, OptionDeclaration, bool]]:
    """The declarations of families for a command; the last entry is true for an option of the request."""
    return [
        (family, declaration, kind is family.request)
        for family in FAMILIES
        for kind in (family.request, family.options)
        for declaration in declarations(kind, command)
    ]


_ARGUMENTS, _ALL = "symag.arguments", "symag.help all"
#: Columns of a help in a file or pipe, and the most columns on a terminal.
_WIDTH, _WIDEST = 100, 120


def _show_all(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        context.meta[_ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


class GroupedCommand(click.Command):
    """A command whose ``--help`` shows the options that most people need first, and ``--help-all`` all, in groups.

    If the command line names a model, only the options for models of its kind are shown. rich-click draws the help; it
    is imported only for help, because its import takes as long as the check of a small model.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help="Show every option, in groups, and exit.",
            )
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # For start-up: only help needs it.
        from rich_click import RichCommand, RichContext, RichHelpConfiguration

        name = self.name or ""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        family = family_named_in(ctx.meta.get(_ARGUMENTS, ()))
        own = [option for option in shown(options, family, name) if not {"--help", "--help-all"} & set(option.opts)]
        helps = [option for option in options if {"--help", "--help-all"} & set(option.opts)]
        if ctx.meta.get(_ALL):
            groups = [*grouped(own, name), ("Help", helps)]
            footer = None
        else:
            first = needed_first(own)
            groups = [("Options", [*first, *helps])]
            subject = f"options for {family.name}" if family is not None else "options"
            footer = f"{len(own) - len(first)} more {subject}: --help-all"
            if family is None:
                footer += "; with a MODEL before it, those for models of its kind only"
        arguments = [param for param in self.get_params(ctx) if isinstance(param, click.Argument)]
        drawn = RichCommand(
            name=self.name,
            help=self.help,
            params=[*arguments, *(option for _, those in groups for option in those)],
            add_help_option=False,
        )
        config = RichHelpConfiguration(
            option_groups={
                ctx.command_path: [
                    {"name": name, "options": [option.opts[0] for option in those]} for name, those in groups
                ]
            },
            footer_text=footer,
            max_width=_WIDEST,
            width=None if sys.stdout.isatty() else _WIDTH,
            text_markup="ansi",
            text_paragraph_linebreaks="\n\n",
            show_arguments=False,
        )
        context = RichContext(drawn, parent=ctx.parent, info_name=ctx.info_name, rich_help_config=config)
        formatter.write(drawn.get_help(context))
