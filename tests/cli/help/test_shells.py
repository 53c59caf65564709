"""Completion by the shells themselves, with the lines that the manual tells their users to write."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from symag.cli.manual.command import written_page
from tests.conftest import ROOT

#: What a shell does when Tab is pressed behind words, and prints what it is offered.
TAB = {
    "bash": 'COMP_WORDS=({words}); COMP_CWORD={place}; _symag_completion symag; printf "%s\\n" "${{COMPREPLY[@]}}"',
    # Outside its line editor zsh has no completion to ask: these take what the function hands over.
    "zsh": "words=({words}); CURRENT={place}+1; _symag_completion",
    "fish": "complete -C '{words}'",
}
BEFORE = {
    "bash": "",
    "zsh": 'compdef() {}; _describe() { print -l -- "${(P@)3}" }; compadd() { print -l -- "${(P@)@[-1]}" }; ',
    "fish": "",
}


def line_of(shell: str) -> str:
    """What the manual tells users of the shell to write."""
    found = re.search(rf"^\| {shell}\b[^|]*\| [^:]*: `((?:[^`\\]|\\.)+)` \|$", written_page("shells"), re.MULTILINE)
    assert found is not None
    return found[1].replace("\\|", "|")


@pytest.mark.parametrize("shell", TAB)
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("symag ch", {"check"}),
        ("symag check --method rule-", {"rule-s", "rule-g"}),
        ("symag check --help-", {"--help-all"}),
    ],
)
def test_completion(shell: str, words: str, expected: set[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}")
    script = f"{BEFORE[shell]}{line_of(shell)}; {TAB[shell].format(words=words, place=len(words.split()) - 1)}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    options = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    ran = subprocess.run(
        [shell, *options, "-c", script],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        check=False,
    )
    assert ran.stderr == ""
    offered = {re.split(r"[\t:]", line)[0] for line in ran.stdout.splitlines()}
    assert offered - {""} == expected
