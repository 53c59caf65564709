"""The page of a trace in a real Chromium, by the tasks of its readers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.checking.reports.trace_formulas import formulas
from symag.smv.checking.reports.trace_report import trace_report
from symag.traces import html
from symag.traces.report import Domain, TraceReport
from tests.traces.conftest import Shown

MODEL = """MODULE cell(a)
VAR s : {idle, busy};
MODULE main
VAR x : 0..9; b : boolean; c : cell(b); still : boolean;
IVAR go : boolean;
DEFINE safe := x < 3 | b;
INVARSPEC safe
"""
STEPS = (
    Step({"x": 0, "b": True, "c.s": "idle", "still": False}, {"go": False}),
    Step({"x": 2, "b": True, "c.s": "idle", "still": False}, {"go": True}),
    Step({"x": 2, "b": True, "c.s": "busy", "still": False}, {"go": True}),
    Step({"x": 7, "b": False, "c.s": "busy", "still": False}, {"go": False}),
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("page"), Trace("finite", STEPS))


def written(folder: Path, trace: Trace) -> Path:
    system = read_text(MODEL, "m.smv")
    checked = system.properties[0]
    path = folder / "t.html"
    path.write_text(html.text(trace_report(system, trace, checked, formulas=formulas(system, checked, trace))))
    return path


@pytest.mark.long
@pytest.mark.parametrize("width", [400, 1400])
def test_it_opens_at_the_violation(shown: Shown, file: Path, width: int) -> None:
    page = shown(file, width)
    assert page.locator("#where").inner_text() == "state 4 of 4"
    current = page.locator(".head-cell.current")
    assert current.inner_text() == "4 ✗"
    box = current.bounding_box()
    assert box is not None
    assert 0 <= box["x"] < width
    assert page.locator("#details .no").inner_text() == "The property is false ✗ here."
    assert page.locator("#changed li").all_inner_texts() == ["x 2 → 7", "b TRUE → FALSE", "safe TRUE → FALSE"]
    assert page.locator("#inputs li").all_inner_texts() == ["go TRUE"]
    # Nothing of the page is wider than the window.
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_rows_are_filtered_pinned_and_hidden(shown: Shown, file: Path) -> None:
    page = shown(file)
    names = page.locator("#sheet .row .label")
    every = ["safe", "x < 3 | b", "x < 3", "x", "b", "c.s", "still", "go", "safe"]
    assert names.all_inner_texts() == every
    page.locator("#still").check()
    assert names.all_inner_texts() == [name for name in every if name != "still"]
    page.locator("#filter").fill("c. =busy")
    assert names.all_inner_texts() == ["c.s"]
    page.locator("#filter").fill("x=7")
    assert names.all_inner_texts() == ["x"]
    page.locator("#filter").fill("x=8")
    assert names.all_inner_texts() == []
    page.locator("#filter").fill("")
    page.get_by_label("Pin c.s").click()
    assert names.all_inner_texts()[0] == "c.s"
    assert names.all_inner_texts().count("c.s") == 1
    # The address brings all of it back.
    again = shown(file, fragment="#" + page.url.partition("#")[2])
    assert again.locator("#sheet .row .label").all_inner_texts() == names.all_inner_texts()
    page.get_by_label("Unpin c.s").click()
    assert names.all_inner_texts()[0] == "safe"


def test_from_change_to_change_with_keys(shown: Shown, file: Path) -> None:
    page = shown(file)
    where = page.locator("#where")
    page.keyboard.press("Home")
    assert where.inner_text() == "state 1 of 4"
    page.locator(".name", has_text="c.s").locator(".label").click()
    page.keyboard.press("n")
    assert where.inner_text() == "state 3 of 4"
    page.keyboard.press("n")
    assert where.inner_text() == "state 3 of 4"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("N")
    assert where.inner_text() == "state 3 of 4"
    page.keyboard.press("ArrowUp")
    assert page.locator(".row.selected .label").inner_text() == "b"
    page.keyboard.press("/")
    page.keyboard.type("x")
    assert page.locator("#filter").input_value() == "x"
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    page.keyboard.type("x >= 1")
    page.keyboard.press("Enter")
    assert where.inner_text() == "state 2 of 4"
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    assert where.inner_text() == "state 4 of 4"
    assert page.url.endswith("#step=4&filter=x&signal=x")


def test_copied_text_reads_like_a_trace(shown: Shown, file: Path) -> None:
    page = shown(file)
    page.locator("#filter").fill("c.s")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#copy").click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").splitlines() == [
        "safe",
        "-> State: 1.1 <-",
        "  c.s = idle",
        "-> State: 1.2 <-",
        "-> State: 1.3 <-",
        "  c.s = busy",
        "-> State: 1.4 <-",
    ]


def test_a_loop_is_marked(shown: Shown, tmp_path: Path) -> None:
    page = shown(written(tmp_path, Trace("lasso", STEPS, 1)))
    heads = page.locator(".head-cell")
    assert heads.all_inner_texts() == ["1", "⟳ 2", "3", "4 ✗", "↩ 2"]
    assert page.locator(".head-cell.in-loop").count() == 4
    page.keyboard.press("End")
    assert page.locator("#where").inner_text() == "state 2 again"
    assert "x 7 → 2" in page.locator("#changed li").all_inner_texts()


def test_waves_are_drawn(shown: Shown, file: Path) -> None:
    page = shown(file, dark=True)
    page.locator("#view-waves").click()
    assert page.locator("svg.wave").count() == 9
    truth = page.locator("svg[aria-label=b]")
    # High for three states of 30 pixels, then low.
    assert truth.locator(".line").get_attribute("d") == "M0 6H90V26H120"
    assert page.locator("svg[aria-label=x] text").all_text_contents() == ["0", "2", "7"]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark == "rgb(20, 23, 26)"
    page.locator("#wider").click()
    assert truth.locator(".line").get_attribute("d") == "M0 6H117V26H156"


@pytest.mark.long
def test_ten_thousand_steps_of_500_variables_open_in_a_second(shown: Shown, tmp_path: Path) -> None:
    """Every tenth value changes in a step; the page is asked how long it took from the start of loading.

    That is wall-clock time: on a busy machine some of the tries wait for others.
    """
    chance = random.Random(1)
    domains = {f"m{number // 10}.s{number}": Domain("integer" if number % 2 else "boolean") for number in range(500)}
    names = list(domains)
    values = {name: 0 if number % 2 else False for number, name in enumerate(names)}
    steps = []
    for _ in range(10_000):
        for number in chance.sample(range(500), 50):
            values[names[number]] = chance.randrange(200) if number % 2 else not values[names[number]]
        steps.append(Step(dict(values)))
    path = tmp_path / "large.html"
    report = TraceReport(Trace("finite", tuple(steps)), domains, {}, property="p", word="invariant", model="m.smv")
    path.write_text(html.text(report))
    took = []
    for _ in range(10):
        page = shown(path)
        took.append(int(page.evaluate("document.documentElement.dataset.ready")))
        if took[-1] < 1000:
            break
    assert min(took) < 1000
    assert page.locator("#where").inner_text() == "state 10000 of 10000"
    assert page.locator(".cell").count() < 3000
    moved = page.evaluate(
        """() => { const start = performance.now();
        for (const id of ["previous", "view-waves", "first", "view-table"]) document.getElementById(id).click();
        return performance.now() - start; }"""
    )
    assert moved < 1000
    assert page.locator("#where").inner_text() == "state 1 of 10000"
    last = page.locator(".row").last.get_attribute("data-signal")
    page.locator("#grid").evaluate("grid => { grid.scrollTop = 1e6; grid.scrollLeft = 1e7; }")
    page.locator('[data-column="9998"]').first.wait_for(state="attached")
    assert page.locator(".row").last.get_attribute("data-signal") == "499" != last
