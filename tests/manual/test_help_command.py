"""``symag help``: pages, commands and words in the terminal; the page for ``man``."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from symag.cli.commands import COMMANDS
from symag.cli.main import group
from symag.cli.manual.command import PAGES, commands, glossary, written_page
from symag.cli.status import MEANINGS
from tests.cli.conftest import Symag


def test_without_a_topic_every_page_is_listed(symag: Symag) -> None:
    ran = symag("help")
    assert ran.status == 0
    assert re.findall(r"^ *(?:\S+ )?([a-z-]+)  ", ran.out, re.MULTILINE)
    for name in PAGES:
        assert re.search(rf"^\s*{name}\s{{2,}}\S", ran.out, re.MULTILINE), name


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_in_a_hundred_columns_without_escapes(symag: Symag, name: str) -> None:
    ran = symag("help", name)
    assert ran.status == 0
    assert "\x1b" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100
    assert len(ran.out) > 300


def test_markdown_is_the_file(symag: Symag) -> None:
    assert symag("help", "trust", "--markdown").out == written_page("trust")


def test_a_command_gives_its_help(symag: Symag) -> None:
    for name in set(COMMANDS) - set(PAGES):
        assert symag("help", name).out == symag(name, "--help").out


def test_a_word_is_explained(symag: Symag) -> None:
    ran = symag("help", "inductive", "set")
    assert ran.status == 0
    assert "that no step leaves" in " ".join(ran.out.split())
    assert len(ran.out.splitlines()) < 6
    words = [word for known, _ in glossary() for word in known.split(", ")]
    assert len(words) == len(set(words))


def test_what_is_no_topic_is_refused_with_what_is_near(symag: Symag) -> None:
    ran = symag("help", "start-nusvm")
    assert ran.status == 2
    assert "did you mean start-nusmv" in ran.err
    assert "symag help lists all pages" in symag("help", "qqqq").err


def test_a_word_without_an_entry_says_on_which_pages_it_stands(symag: Symag) -> None:
    ran = symag("help", "pdr")
    assert (ran.status, ran.out) == (2, "")
    assert "no page and no word 'pdr' in the manual; these pages have it: start-hardware, " in ran.err
    assert "these pages have it: options" in symag("help", "--bdd").err


def test_the_exit_statuses_of_the_manual_are_those_of_the_code() -> None:
    table = re.findall(r"^\| (\d+) \| (.+?) \|$", written_page("exit-statuses"), re.MULTILINE)
    assert sorted(int(status) for status, _ in table) == sorted(MEANINGS)
    for status, text in table:
        assert text.replace("`", "").startswith(MEANINGS[int(status)])


def test_the_man_page_has_every_command_and_option(symag: Symag, tmp_path: Path) -> None:
    ran = symag("help", "--man")
    assert ran.status == 0
    for name, command in commands(group):
        assert f".SH SYMAG {name.upper()}\n" in ran.out
        section = ran.out.split(f".SH SYMAG {name.upper()}\n")[1].split("\n.SH")[0]
        for each in command.params:
            if isinstance(each, click.Option):
                assert each.opts[-1].replace("-", r"\-") in section, (name, each.opts)
    if shutil.which("groff") is None:
        pytest.skip("no groff to read the page")
    page = tmp_path / "symag.1"
    page.write_text(ran.out)
    checked = subprocess.run(
        ["groff", "-man", "-ww", "-Tascii", str(page)], capture_output=True, text=True, timeout=60, check=True
    )
    assert checked.stderr == ""
    shown = re.sub(r"\x1b\[\d*m|.\x08", "", checked.stdout)
    assert "symag check models/counter.smv" in shown
