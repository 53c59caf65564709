"""The command ``symag``: parses the command line, runs one command, and gives every ending an exit status."""

from __future__ import annotations

import atexit
import contextlib
import errno
import importlib
import io
import os
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NoReturn, cast

import click

import symag
from symag.cli.output.streams import error_object, print_json, warn
from symag.cli.status import BAD_INPUT, BROKEN_PIPE, INTERNAL_ERROR, INTERRUPTED, WRONG_USAGE, ended_as_by_ctrl_c
from symag.core.errors import CertificationError, InputError, UnsupportedError, UsageError

#: Adding a command is one file and one line here. A command's file is imported when the command is used.
COMMANDS: Mapping[str, str] = {
    "check": "symag.cli.check",
    "info": "symag.cli.info",
    "convert": "symag.cli.convert",
    "partition": "symag.cli.smv.partition",
    "facts": "symag.cli.smv.facts",
    "contracts": "symag.cli.smv.contracts",
    "certify": "symag.cli.certify",
    "replay": "symag.cli.replay",
    "simulate": "symag.cli.simulate",
    "batch": "symag.cli.batch",
    "report": "symag.cli.report",
    "tune": "symag.cli.smv.tune",
    "schema": "symag.cli.schema",
    "nusmv": "symag.cli.nusmv.command",
    "help": "symag.cli.manual.command",
}

#: Errors of standard output: the reader is gone, the disk is full, the device is broken.
_OUTPUT_ERRORS = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EIO)

#: What the operating system does not give: open files, processes, memory.
_SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)


class _NobodyReadsError(Exception):
    """The pipe behind standard output is closed: ``symag check MODEL | head -1``."""


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

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
                raise _NobodyReadsError from error
            raise


def _command(name: str, words: Sequence[str]) -> click.Command:
    module = importlib.import_module(COMMANDS[name])
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
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except (BrokenPipeError, _NobodyReadsError):
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:
        _drop_output()
        warn(f"cannot write standard output: {error.strerror}")
        return WRONG_USAGE


def _drop_output() -> None:
    """Redirect standard output to /dev/null, so that Python does not report the error again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str]) -> int:
    """``run``, but raises OSError if standard output cannot be written."""
    as_json = "--json" in arguments
    try:
        status = group.main(list(arguments), prog_name="symag", standalone_mode=False)
        sys.stdout.flush()
        return int(status or 0)
    except (KeyboardInterrupt, click.Abort):
        return _failed("interrupted", None, as_json, INTERRUPTED)
    except click.ClickException as error:
        if not as_json:
            error.show()
        return _failed(error.format_message(), None, as_json, WRONG_USAGE, shown=not as_json)
    except UsageError as error:
        return _failed(str(error), None, as_json, WRONG_USAGE)
    except UnsupportedError as error:
        return _failed(f"not supported: {error}", None, as_json, WRONG_USAGE)
    except InputError as error:
        return _failed(str(error), error, as_json, BAD_INPUT)
    except CertificationError as error:
        return _failed(f"the re-check refused the evidence: {error}", None, as_json, INTERNAL_ERROR)
    except _NobodyReadsError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _OUTPUT_ERRORS:
            raise
        if isinstance(error, MemoryError):
            return _failed("out of memory", None, as_json, INTERNAL_ERROR)
        if isinstance(error, OSError) and error.errno in _SHORTAGES:
            return _failed(f"the operating system refuses: {error.strerror}", None, as_json, INTERNAL_ERROR)
        traceback.print_exc()
        return _failed(f"internal error: {type(error).__name__}: {error}", None, as_json, INTERNAL_ERROR)


def _failed(message: str, error: InputError | None, as_json: bool, status: int, shown: bool = False) -> int:
    if not shown:
        warn(message)
    if as_json:
        print_json(error_object(message, error))
    return status
