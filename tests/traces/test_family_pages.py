"""Pages of composite processes and of probabilistic systems, as the commands write them, in a real Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Symag, symag  # noqa: F401 - a fixture
from tests.traces.conftest import Shown

FSP = """USER = (ask -> get -> give -> USER).
SERVER = (u.ask -> u.get -> u.give -> SERVER | v.ask -> v.get -> v.give -> SERVER).
property CALM = (u.get -> v.get -> CALM).
||S = (u:USER || SERVER).
||T = (u:USER || v:USER || SERVER || CALM).
fluent BUSY = <u.get, u.give>
assert IDLE = []!BUSY
assert QUIET = <>[]!BUSY
"""
WALK = """mdp
module coin x : [0..1]; [flip] x=0 -> 1/3:(x'=0) + 2/3:(x'=1); [tell] x=1 -> (x'=0); endmodule
module ear b : bool; [tell] true -> (b'=!b); endmodule
"""


def test_lanes_of_processes(symag: Symag, shown: Shown, tmp_path: Path) -> None:  # noqa: F811
    model, file = tmp_path / "m.lts", tmp_path / "t.html"
    model.write_text(FSP)
    ran = symag("check", model, "--target", "T", "--property", "safety", "--trace", file)
    assert ran.status == 10
    page = shown(file)
    assert "violates CALM" in page.locator("header").inner_text()
    page.locator("#view-lanes").click()
    lanes = page.locator(".lane .name")
    assert lanes.all_inner_texts() == ["u:USER", "v:USER", "SERVER", "CALM"]
    joins = page.locator(".join text").all_text_contents()
    assert joins == page.locator(".join title").all_text_contents()
    last = joins[-1]
    assert page.locator("#crossed li").inner_text().startswith(f"{last} joins ")
    assert "CALM" in page.locator("#crossed li").inner_text()
    assert symag("replay", model, file).status == 10


def test_the_truth_of_fluents(symag: Symag, shown: Shown, tmp_path: Path) -> None:  # noqa: F811
    model, file = tmp_path / "m.lts", tmp_path / "t.html"
    model.write_text(FSP)
    assert symag("check", model, "--target", "S", "--property", "IDLE", "--trace", file).status == 10
    page = shown(file, 400)
    rows = {
        row.locator(".label").inner_text(): row.locator(".cell").all_inner_texts()
        for row in page.locator(".row[data-signal]").all()
    }
    assert rows["action"] == ["u.ask", "u.get", "·"]
    assert rows["[]!BUSY"] == ["·", "✗ false", "✗ false"]
    assert rows["!BUSY"] == ["·", "✓ true", "✗ false"]
    assert page.locator("#where").inner_text() == "state 3 of 3"
    assert symag("replay", model, file).status == 10


def test_a_loop_of_a_process(symag: Symag, shown: Shown, tmp_path: Path) -> None:  # noqa: F811
    model, file = tmp_path / "m.lts", tmp_path / "t.html"
    model.write_text(FSP)
    assert symag("check", model, "--target", "S", "--property", "QUIET", "--trace", file).status == 10
    page = shown(file)
    assert page.locator(".head-cell.back").count() == 1
    wrong = page.locator(".row", has_text="<>[]!BUSY").locator(".cell").all_inner_texts()
    assert set(wrong) == {"·", "✗ false"}
    fluent = page.locator(".row", has_text="!BUSY").last.locator(".cell").all_inner_texts()
    assert {"✓ true", "✗ false"} <= set(fluent)


def test_branches_of_a_tree(symag: Symag, shown: Shown, tmp_path: Path) -> None:  # noqa: F811
    model, file = tmp_path / "m.nm", tmp_path / "t.html"
    model.write_text(WALK)
    assert symag("check", model, "--formula", "P<=1/10 [F tell]", "--trace", file).status == 10
    page = shown(file)
    assert page.locator("#where").inner_text().startswith("state 3 of 3")
    page.locator("#view-lanes").click()
    assert page.locator(".lane .name").all_inner_texts() == ["coin", "ear"]
    assert page.locator(".join text").all_text_contents() == ["flip", "tell"]
    page.locator("#previous").click()
    assert page.locator("#inputs li").all_inner_texts() == ["action flip", "probability 2/3"]
    assert symag("replay", model, "--formula", "P<=1/10 [F tell]", file).status == 10


def test_a_walk(symag: Symag, shown: Shown, tmp_path: Path) -> None:  # noqa: F811
    model, file = tmp_path / "m.nm", tmp_path / "t.html"
    model.write_text(WALK)
    assert symag("simulate", model, "--steps", "5", "--trace", file).status == 0
    page = shown(file)
    assert page.locator("#where").inner_text() == "state 1 of 6"
    assert not page.locator("#shown").is_visible()


@pytest.mark.parametrize(
    "content", ["<!DOCTYPE html>", '<!DOCTYPE html><script type="application/json" id="symag-evidence">{']
)
def test_a_page_without_a_trace_is_refused(symag: Symag, tmp_path: Path, content: str) -> None:  # noqa: F811
    model, file = tmp_path / "m.lts", tmp_path / "t.html"
    model.write_text(FSP)
    file.write_text(content)
    ran = symag("replay", model, file, "--target", "S")
    assert (ran.status, ran.err.strip()) == (3, f"symag: {file}: a page that carries no trace, or a truncated one")
