"""The README is true: its sessions print what it says, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symag.cli.commands import COMMANDS
from symag.cli.main import group
from symag.cli.manual.command import PAGES, commands
from tests.conftest import ROOT
from tests.manual.sessions import Reader, sessions

README = (ROOT / "README.md").read_text()


def test_the_sessions_are_true(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path, capsys)
    shown = sessions(README)
    assert len(shown) >= 4
    for each in shown:
        reader.check(each)


def test_it_is_a_screen_and_a_half() -> None:
    assert len(README.splitlines()) <= 95


def test_files_options_and_pages_that_it_names_exist() -> None:
    files = re.findall(r"(?:models|scripts|symag)/[\w./-]*\w(?![\w*])", README)
    assert len(files) > 5
    assert [name for name in files if not (ROOT / name).exists()] == []
    known = {flag for _, each in commands(group) for option in each.params for flag in option.opts}
    assert set(re.findall(r"(?<=`| )--[a-z-]+", README)) - known == set()
    table = README.split("## Next steps")[1]
    named = set(re.findall(r"`([a-z-]+)`", table))
    assert named <= {*PAGES, *COMMANDS}
    assert len(named) > 10
