"""The README is true: its sessions print what it says, its code runs, and what it names is there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from symag.cli.main import COMMANDS, group
from tests.cli.conftest import Symag
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text()


def sessions() -> list[tuple[str, str]]:
    """Every command of the README with the output that follows it."""
    found: list[tuple[str, list[str]]] = []
    inside = False
    for line in README.splitlines():
        if line.startswith("    $ symag "):
            found.append((line.removeprefix("    $ symag "), []))
            inside = True
        elif inside and line.startswith("    "):
            found[-1][1].append(line[4:])
        else:
            inside = False
    return [(command, "\n".join(lines)) for command, lines in found]


def test_the_sessions_are_true(symag: Symag, tmp_path: Path) -> None:
    """Times apart; ``...`` stands for lines left out."""
    shown = sessions()
    assert len(shown) >= 15
    for command, expected in shown:
        written = (word for word in shlex.split(command) if "/" not in word and re.search(r"\.[a-z]+$", word))
        places = {word: str(tmp_path / word) for word in written}
        out = symag(*(places.get(word, word) for word in shlex.split(command))).out.rstrip("\n")
        out = re.sub(r"\d+\.\d\d s", "T s", out.replace(f"{tmp_path}/", ""))
        lines = [re.sub(r"\d+\.\d\d s", "T s", line) for line in expected.splitlines()]
        pattern = "\n".join(r"(?:.*\n)*?.*" if line.strip() == "..." else re.escape(line) for line in lines)
        assert re.fullmatch(pattern, out), f"{command}:\n{out}"


def test_the_code_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    lines = README.split("\n    import symag\n")[1].split("\n\n")[0].splitlines()
    exec("import symag\n" + "\n".join(line[4:] for line in lines), {})
    assert "digit < 5 is violated" in capsys.readouterr().out


def test_files_and_options_that_it_names_exist() -> None:
    files = re.findall(r"(?:models|scripts|symag)/[\w./-]*\w(?![\w*])", README)
    assert len(files) > 10
    assert [name for name in files if not (ROOT / name).exists()] == []
    context = click.Context(group)
    options = {
        name
        for command in COMMANDS
        for parameter in (group.get_command(context, command) or group).params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    named = re.findall(r"(?<=`)--[a-z-]+", README)
    assert len(named) > 20
    assert sorted(set(named) - options) == []
