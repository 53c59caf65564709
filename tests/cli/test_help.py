"""The help of every command shows an example that runs."""

from __future__ import annotations

import re
import shlex

import pytest

from symag.cli.main import COMMANDS
from tests.cli.conftest import Symag


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_examples_run(symag: Symag, command: str) -> None:
    shown = symag(*command.split(), "--help")
    assert shown.status == 0
    examples = re.findall(r"^ +symag (.+)$", shown.out.split("Example:")[1], re.MULTILINE)
    assert examples
    for example in examples:
        ran = symag(*shlex.split(example))
        assert ran.status in (0, 10), ran.err
        assert ran.out


def test_version(symag: Symag) -> None:
    assert re.fullmatch(r"symag, version \d+\.\d+\.\d+\n", symag("--version").out)
