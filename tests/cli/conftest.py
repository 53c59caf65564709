"""Running the command line in this process, as ``symag ARGUMENT...`` would."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from symag.cli.main import run
from tests.conftest import ROOT


@dataclass(frozen=True)
class Ran:
    """How one command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Symag = Callable[..., Ran]


@pytest.fixture
def symag(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Symag:
    """Runs a command line in the project's root."""
    monkeypatch.chdir(ROOT)

    def command(*arguments: object) -> Ran:
        capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return command
