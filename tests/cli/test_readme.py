"""The README's session prints what the README says, times apart; ``...`` stands for lines left out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Symag
from tests.conftest import ROOT


def sessions() -> list[tuple[str, str]]:
    """Every command of the README with the output that follows it."""
    found: list[tuple[str, list[str]]] = []
    for line in (ROOT / "README.md").read_text().splitlines():
        if line.startswith("    $ symag "):
            found.append((line.removeprefix("    $ symag "), []))
        elif found and line.startswith("    ") and not line.startswith("    import"):
            found[-1][1].append(line[4:])
        elif found and found[-1][1] and found[-1][1][-1] != "":
            found[-1][1].append("")
    return [(command, "\n".join(lines).split("\n\n")[0].rstrip("\n")) for command, lines in found]


def test_the_session_is_true(symag: Symag, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = sessions()
    assert len(shown) >= 4
    for command, expected in shown:
        arguments = [str(tmp_path / word) if word == "parity.json" else word for word in shlex.split(command)]
        out = symag(*arguments).out.rstrip("\n").replace(str(tmp_path) + "/", "")
        lines = [re.sub(r"\d+\.\d\d s", "T s", line) for line in expected.splitlines()]
        pattern = "\n".join(r"(?:.*\n)*?.*" if line.strip() == "..." else re.escape(line) for line in lines)
        assert re.fullmatch(pattern, re.sub(r"\d+\.\d\d s", "T s", out)), f"{command}:\n{out}"
