"""Running ``symag nusmv`` in this process, with both of its streams in one."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from symag.cli.main import run


class Said:
    """What a run printed: ``lines`` of both streams in order, without the banner and without blank lines."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.text = text
        self.lines = [line for line in text.splitlines() if line.strip() and not line.startswith("***")]

    def verdicts(self) -> list[str]:
        """The lines with verdicts."""
        return [line for line in self.lines if line.startswith("-- ") and "  is " in line]


Nusmv = Callable[..., Said]


@pytest.fixture
def nusmv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nusmv:
    """``nusmv(model, *arguments, given="commands for standard input")``; the model is a text for ``e.smv``."""
    monkeypatch.chdir(tmp_path)

    def command(model: str | None, *arguments: str, given: str = "") -> Said:
        files: tuple[str, ...] = ()
        if model is not None:
            Path("e.smv").write_text(model)
            files = ("e.smv",)
        stream = io.StringIO()
        monkeypatch.setattr("sys.stdin", io.StringIO(given))
        with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            status = run(["nusmv", *arguments, *files])
        return Said(status, stream.getvalue())

    return command
