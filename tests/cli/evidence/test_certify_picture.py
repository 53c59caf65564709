"""``symag certify --picture``: the learned assumptions as a file that a browser draws."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner

from symag.cli.main import group
from symag.core.errors import UsageError

COUNTER = str(Path(__file__).resolve().parents[3] / "models" / "counter.smv")


def run(*arguments: str) -> int:
    result = CliRunner().invoke(group, arguments, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    status: int = result.return_value
    return status


def test_assumptions_are_drawn(tmp_path: Path) -> None:
    certificate, picture = str(tmp_path / "c.json"), tmp_path / "a.svg"
    run("check", COUNTER, "--property", "parity_right", "--method", "rule-g", "--certificate", certificate)
    assert run("certify", COUNTER, certificate, "--picture", str(picture)) == 0
    texts = [element.text or "" for element in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")]
    assert any(text.startswith("assumption 0, for part 0") for text in texts)
    assert any("digit" in text for text in texts)


def test_what_has_no_picture(tmp_path: Path) -> None:
    certificate = str(tmp_path / "c.json")
    run("check", COUNTER, "--property", "parity_right", "--method", "monolithic", "--certificate", certificate)
    with pytest.raises(UsageError, match="no picture"):
        run("certify", COUNTER, certificate, "--picture", str(tmp_path / "a.svg"))
    with pytest.raises(click.UsageError, match="SMV"):
        run("certify", "m.lts", certificate, "--picture", str(tmp_path / "a.svg"))
    assert not (tmp_path / "a.svg").exists()
