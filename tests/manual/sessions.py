"""The sessions that a text shows, run as its reader would run them."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from symag.cli.main import run
from tests.conftest import ROOT

#: What only a shell understands.
_SHELL = re.compile(r"[|<>;&*$`~]")


@dataclass(frozen=True)
class Shown:
    """A command of a text, with the lines that follow it."""

    command: str
    expected: tuple[str, ...]


def sessions(text: str) -> list[Shown]:
    """Every command after ``$`` in an indented block, or in a fenced one that is marked ``console``."""
    found: list[Shown] = []
    for block in _blocks(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            while command.endswith("\\"):
                command = command[:-1] + lines.pop(0).strip()
            found.append(Shown(command, tuple(lines)))
    return found


def _blocks(text: str) -> Iterator[str]:
    fences = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    yield from (found[2] for found in fences.finditer(text) if found[1] == "console")
    for block in re.findall(r"(?:^    .*\n)+", fences.sub("", text), re.MULTILINE):
        yield textwrap.dedent(block)


class Reader:
    """Somebody who types the commands of one text, one after the other, in one folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for name in ("models", "scripts"):
            (folder / name).symlink_to(ROOT / name)
        self._capsys = capsys
        self._status = 0

    def check(self, shown: Shown) -> None:
        """Run a command and compare: times apart; ``...`` stands for lines left out, also at the end."""
        out, errors = self._typed(shown.command)
        expected = [line for line in shown.expected if not line.startswith("symag: ")]
        pattern = "\n".join(
            r"(?:.*\n)*?.*" if line.strip() == "..." else re.escape(_timeless(line)) for line in expected
        )
        assert re.fullmatch(pattern, _timeless(out).rstrip("\n")), f"{shown.command}:\n{out}{errors}"
        for line in shown.expected:
            assert not line.startswith("symag: ") or _timeless(line) in _timeless(errors), f"{shown.command}:\n{errors}"

    def _typed(self, command: str) -> tuple[str, str]:
        """What the command prints: symag in this process, all else by bash."""
        self._capsys.readouterr()
        if command.startswith("symag ") and not _SHELL.search(command.replace("'", "")):
            self._status = run(shlex.split(command)[1:])
            captured = self._capsys.readouterr()
            return captured.out, captured.err
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        script = f"(exit {self._status}); {command}"
        ran = subprocess.run(
            ["bash", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=120
        )
        self._status = ran.returncode
        return ran.stdout, ran.stderr


def _timeless(text: str) -> str:
    """Without trailing blanks and without seconds, which differ from run to run."""
    text = re.sub(r"\d+\.\d\d? s\b", "T s", text)
    return "\n".join(line.rstrip() for line in text.splitlines())
