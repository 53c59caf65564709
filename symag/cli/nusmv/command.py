"""``symag nusmv``: NuSMV's command line."""

from __future__ import annotations

import sys

import click

import symag
from symag.cli.nusmv.batch import run_batch
from symag.cli.nusmv.options import BadOption, help_lines, parse
from symag.cli.nusmv.streams import Quit, Streams

_WRONG_OPTION = 255
_HELP = 2


class _UnparsedCommand(click.Command):
    """A command that leaves its arguments unparsed, because NuSMV's options are not click's; except ``--help``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args == ["--help"]:
            return super().parse_args(ctx, args)
        ctx.params["arguments"] = tuple(args)
        return []


@click.command("nusmv", short_help="Behave as NuSMV: its options, commands, texts.", cls=_UnparsedCommand)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """NuSMV's own options, commands and texts: replace the word NuSMV in a script by `symag nusmv`.

    The exit status is NuSMV's: 0 for any verdicts, 1 for errors in the model, 255 for wrong options.

    \b
    Example:
      symag nusmv -coi -dynamic models/counter.smv
    """
    streams = Streams()
    try:
        line = parse(arguments)
    except BadOption as error:
        streams.error(str(error))
        return _WRONG_OPTION
    for warning in line.warnings:
        streams.error(warning)
    if line.help:
        for text in help_lines():
            streams.error(text)
        return _HELP
    if not line.quiet:
        streams.lines(banner())
    streams.flush()
    try:
        if line.script is None and not line.interactive:
            return run_batch(line, streams)
        # For start-up: runs without a script need no shell.
        from symag.cli.nusmv.shell import Shell

        return Shell(line.environment, streams).run(line.script, sys.stdin)
    except Quit as end:
        return end.status


def banner() -> tuple[str, ...]:
    """Lines that begin with ``***`` as NuSMV's do, with as many blank lines between them."""
    return (
        f"*** This is symag {symag.__version__}, with the texts of NuSMV 2.6.0",
        "*** For more information on symag see its README",
        "",
        "*** Verdicts are symag's own; texts and options are NuSMV's",
        "",
        "*** BDDs: dd (CUDD) or OxiDD",
        "",
        "*** Exit status as NuSMV's: 0 whatever the verdicts are",
        "",
    )
