"""Help in groups: ``--help`` shows the options that most people need first, ``--help-all`` every option.

If the command line names a model, only the options for models of its kind are shown. rich-click draws the help; it is
imported only for help, because its import takes as long as the check of a small model.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from symag.cli.options.help_groups import family_named_in, grouped, needed_first, shown

_ARGUMENTS, _ALL = "symag.arguments", "symag.help all"
#: Columns of a help in a file or pipe, and the most columns on a terminal.
_WIDTH, _WIDEST = 100, 120


def _show_all(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        context.meta[_ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


class GroupedCommand(click.Command):
    """A command with ``--help-all`` and a help in groups."""

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
