"""Only what matters, on the page of a command's counterexample, in a real Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Symag, symag  # noqa: F401 - a fixture
from tests.traces.conftest import Shown

MODEL = """MODULE main
VAR a : boolean; b : boolean; c : 0..3; noise : 0..7;
IVAR go : boolean;
ASSIGN init(b) := FALSE; init(c) := 0; next(b) := go; next(c) := b ? 3 : 0; next(noise) := {noise, 0};
INVARSPEC c < 2 | noise > 3
"""


@pytest.mark.long
def test_only_what_matters(symag: Symag, shown: Shown, tmp_path: Path) -> None:  # noqa: F811
    model, file = tmp_path / "m.smv", tmp_path / "t.html"
    model.write_text(MODEL)
    assert symag("check", model, "--trace", file).status == 10
    page = shown(file)
    page.locator("#core").check()
    rows = {
        row.locator(".label").inner_text(): row.locator(".cell").all_inner_texts()
        for row in page.locator(".row[data-signal]").all()
    }
    marked = {name: [text for text in texts if text[0] in "◆◇"] for name, texts in rows.items()}
    assert marked["c"] == ["◇ 3"]
    assert marked["b"] == ["◇ TRUE"]
    assert marked["go"] == ["◆ TRUE"]
    assert [text[2:] for text in marked["noise"]][-1:] <= ["3"]
    assert "a" not in rows
    assert "nothing else matters" in page.locator("#details").inner_text()
    page.keyboard.press("m")
    assert "a" in page.locator(".row .label").all_inner_texts()
    assert not page.locator("#core").is_checked()
