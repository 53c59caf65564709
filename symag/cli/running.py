"""Runs one command of the command line and gives every ending an exit status and one line."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

import click

from symag.cli.output.streams import error_object, print_json, warn
from symag.cli.status import BAD_INPUT, BROKEN_PIPE, INTERNAL_ERROR, INTERRUPTED, WRONG_USAGE
from symag.core.errors import CertificationError, InputError, UnsupportedError, UsageError

#: Errors of standard output: the reader is gone, the disk is full, the device is broken.
_OUTPUT_ERRORS = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EIO)

#: What the operating system does not give: open files, processes, memory.
_SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)


class NobodyReadsError(Exception):
    """The pipe behind standard output is closed: ``symag check MODEL | head -1``."""


def run_command(command: click.Command, arguments: Sequence[str], name: str, **context: Any) -> int:
    """Run a command, called ``name`` on the command line, and return its exit status (see ``symag.cli.status``).

    ``context`` is for click's context of the command, such as a ``parent``.
    """
    try:
        status = _run(command, arguments, name, context)
        sys.stdout.flush()
        return status
    except (BrokenPipeError, NobodyReadsError):
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:
        _drop_output()
        warn(f"cannot write standard output: {error.strerror}")
        return WRONG_USAGE


def _drop_output() -> None:
    """Redirect standard output to /dev/null, so that Python does not report the error again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(command: click.Command, arguments: Sequence[str], name: str, context: Mapping[str, Any]) -> int:
    """``run_command``, but raises OSError if standard output cannot be written."""
    as_json = "--json" in arguments
    try:
        status = command.main(list(arguments), prog_name=name, standalone_mode=False, **context)
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
    except NobodyReadsError:
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
