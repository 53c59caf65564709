"""A terminal: verdicts in colours unless NO_COLOR is set, and completion by Tab."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.conftest import ROOT

PROGRAM = [sys.executable, "-c", "from symag.cli.main import main; main()"]


def on_a_terminal(environment: dict[str, str]) -> str:
    """What ``symag check`` writes to a terminal."""
    leader, follower = pty.openpty()
    command = [*PROGRAM, "check", "models/counter.smv", "--quiet"]
    environment = {**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **environment}
    with subprocess.Popen(command, cwd=ROOT, stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        found = b""
        while True:
            try:
                data = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            found += data
        process.wait(timeout=60)
    os.close(leader)
    return found.decode()


def test_colours() -> None:
    shown = on_a_terminal({})
    assert "\x1b[32mholds\x1b[0m" in shown
    assert "\x1b[31mis violated\x1b[0m" in shown
    assert "\x1b" not in on_a_terminal({"NO_COLOR": "1"})


@pytest.mark.parametrize(
    ("words", "place", "expected"),
    [
        ("symag ch", 1, {"check"}),
        ("symag check --help-", 2, {"--help-all"}),
        ("symag check --method rule-", 3, {"rule-s", "rule-g"}),
        ("symag schema ", 2, {"check", "info"}),
    ],
)
def test_completion_in_bash(words: str, place: int, expected: set[str]) -> None:
    """What bash gets when Tab is pressed behind these words, by the function that symag gives it."""
    source = subprocess.run(
        PROGRAM, env={**os.environ, "_SYMAG_COMPLETE": "bash_source"}, capture_output=True, text=True, check=False
    ).stdout
    assert "complete -o nosort -F _symag_completion symag" in source
    given = {**os.environ, "_SYMAG_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(place)}
    done = subprocess.run(PROGRAM, env=given, capture_output=True, text=True, check=False, cwd=ROOT)
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == expected
