"""The command ``symag``: its commands, and the life of its process."""

from __future__ import annotations

import atexit
import contextlib
import errno
import importlib
import io
import os
import sys
import threading
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn, cast

import click

import symag
from symag.cli.commands import COMMANDS
from symag.cli.running import NobodyReadsError, run_command
from symag.cli.status import ended_as_by_ctrl_c
from symag.core.input_files import inputs_kept


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without an import of any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (text, _) in COMMANDS.items()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(cmd_name, ()) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Click's ``resolve_command``; a module with ``command_for`` has a command for these words."""
        if args[0] not in COMMANDS:
            return super().resolve_command(ctx, args)
        return args[0], _command(args[0], args[1:]), args[1:]

    def invoke(self, ctx: click.Context) -> Any:
        """Click's ``invoke``, except for a closed pipe: click would end the process with status 1."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno == errno.EPIPE and error.filename is None:
                raise NobodyReadsError from error
            raise


def _command(name: str, words: Sequence[str]) -> click.Command:
    module = importlib.import_module(COMMANDS[name][1])
    command: click.Command = module.command_for(words) if hasattr(module, "command_for") else module.command
    return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(symag.__version__, prog_name="symag")
@click.pass_context
def group(context: click.Context) -> None:
    """Model checking by parts: of SMV, AIGER and BTOR2 models, labelled transition systems (FSP), and PRISM models.

    symag help shows the manual, symag COMMAND --help what a command does.

    \b
    Example:
      symag check models/counter.smv
    """
    if context.invoked_subcommand != "nusmv":  # whose shell goes on after Ctrl-C
        context.with_resource(ended_as_by_ctrl_c())


def main() -> None:
    """Entry point of the console script."""
    # dd imports networkx if it can, only for drawings: a quarter of the start-up time.
    sys.modules.update(cast(dict[str, ModuleType], {"networkx": None}))
    # A caller who closes a stream wants only the exit status. /dev/null keeps the stream's number from later files.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - for the whole process
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file name that is not UTF-8, or a terminal with few characters, must not end an answer.
        sys.stdout.reconfigure(errors="backslashreplace")
    _end(run(sys.argv[1:]))


def _end(status: int) -> NoReturn:
    """End the process without freeing what it holds, object by object, which takes longer than a small search."""
    if threading.active_count() > 1 or sys.getprofile() is not None:
        sys.exit(status)  # another thread, or Python's profiler, has something to finish
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError):
        sys.stderr.flush()  # standard output is flushed
    os._exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status (see ``symag.cli.status``)."""
    with inputs_kept():
        return run_command(group, arguments, "symag")
