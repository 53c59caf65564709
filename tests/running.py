"""Runs symag and keeps what it prints."""

from __future__ import annotations

import contextlib
import io
import subprocess

from symag.cli.main import run


def symag(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command line with these arguments, in this process: to start Python takes as long as a small check."""
    words, out, errors = list(map(str, arguments)), io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = run(words)
    return subprocess.CompletedProcess(words, status, out.getvalue(), errors.getvalue())
