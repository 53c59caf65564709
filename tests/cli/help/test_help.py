"""The help of every command shows an example that runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from symag.cli.commands import COMMANDS
from symag.cli.main import group
from tests.cli.conftest import Symag
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the examples run: our models, and nothing that they write gets into the project."""
    found = tmp_path_factory.mktemp("examples")
    (found / "models").symlink_to(ROOT / "models")
    return found


# "report" shows what "batch" has written.
@pytest.mark.long
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_examples_run(symag: Symag, folder: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    shown = symag(*command.split(), "--help")
    assert shown.status == 0
    examples = re.findall(r"^ +symag (.+)$", shown.out.split("Example:")[1], re.MULTILINE)
    assert examples
    for example in examples:
        ran = symag(*shlex.split(example))
        assert ran.status in (0, 10), ran.err
        assert ran.out


def test_every_command_is_summed_up_in_one_line(symag: Symag) -> None:
    shown = symag("--help").out
    assert re.findall(r"^  (\w+)  .+[^.]\.$", shown.split("Commands:")[1], re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_of_itself_what_the_list_says(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    assert command.get_short_help_str(100) == COMMANDS[name][0]


def test_version(symag: Symag) -> None:
    assert re.fullmatch(r"symag, version \d+\.\d+\.\d+\n", symag("--version").out)
