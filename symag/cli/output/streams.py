"""The output of commands: results on standard output, everything else on standard error."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from symag.core.errors import InputError

if TYPE_CHECKING:
    from rich.live import Live


# A text, compiled when it is first used: for start-up.
_SURROGATE = "[\ud800-\udfff]"


def warn(message: str) -> None:
    """Print one line on standard error."""
    print(f"symag: {message}", file=sys.stderr)


def print_json(value: object) -> None:
    """Print one JSON object on standard output."""
    # For start-up: only with --json.
    import json

    text = json.dumps(value, indent=2, ensure_ascii=False)
    # A file name may contain bytes that are not UTF-8, which Python keeps as surrogates.
    print(re.sub(_SURROGATE, lambda match: f"\\u{ord(match.group()):04x}", text), flush=True)


def error_object(message: str, error: InputError | None) -> dict[str, Any]:
    """The ``error`` object of the JSON contract."""
    return {
        "error": {
            "message": message if error is None else error.message,
            "file": None if error is None else error.file,
            "line": None if error is None else error.line,
            "column": None if error is None else error.column,
        }
    }


def coloured(text: str, colour: str) -> str:
    """The text in a colour if standard output is a terminal and NO_COLOR (https://no-color.org) is not set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return click.style(text, fg=colour)


class Output(Struct, frozen=True):
    """How a command prints: ``--json``, ``--quiet`` and ``--verbose``."""

    as_json: bool
    quiet: bool
    verbose: bool

    def progress(self) -> ProgressLine:
        """The progress of a long computation."""
        return ProgressLine(self.quiet, self.verbose)

    def warn(self, warnings: Iterable[str], file: str | None = None) -> None:
        """Print each warning on standard error, unless the command is quiet; ``file`` is named before each.

        The lines after the first one, a traceback, are only for ``--verbose``.
        """
        for warning in () if self.quiet else warnings:
            line, _, details = warning.partition("\n")
            shown = warning if self.verbose or not details else f"{line} (--verbose shows where)"
            warn(f"warning: {shown}" if file is None else f"warning: {file}: {shown}")


class ProgressLine:
    """The progress of a computation: one changing line on a terminal, plain lines if ``verbose``, else nothing.

    It never starts a thread, because child processes are forked while it is shown.
    """

    def __init__(self, quiet: bool, verbose: bool) -> None:
        self._shown = sys.stderr.isatty() and not quiet
        self._verbose = verbose and not self._shown
        self._live: Live | None = None

    def __call__(self, line: str) -> None:
        if self._verbose:
            print(line, file=sys.stderr, flush=True)
        if not self._shown:
            return
        # For start-up: only on a terminal.
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        if self._live is None:
            self._live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(Text(line, no_wrap=True, overflow="ellipsis", style="dim"), refresh=True)

    def clear(self) -> None:
        """Remove the line, so that results can be printed."""
        if self._live is not None:
            self._live.stop()
            self._live = None
