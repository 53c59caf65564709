"""Scores, tables and the page of a batch's results; the page in a real browser."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from symag.cli.main import group
from symag.core.errors import UsageError
from symag.core.limits import JobLimits
from symag.core.values import replace
from symag.suites.jobs import Job
from symag.suites.report.page import below, common_folder, page
from symag.suites.report.plots import cactus
from symag.suites.report.scores import MethodComparison, changes, method_of, model_of, no_change_text
from symag.suites.report.tables import TextTable, results_table, scores_table
from symag.suites.store import JobOutcome, Results, Row

MACHINE = json.dumps(
    {"symag": "0", "python": "3", "libraries": {"dd": "0.6"}, "processor": "P", "cores": 2, "memory_mib": 1}
)


def row(model: str, method: str, verdict: str, seconds: float, expected: str | None = None, text: str = "p") -> Row:
    job = Job(model, "0", "INVARSPEC", text, None, None, method, (), expected)
    reason = "timeout" if verdict == "unknown" else None
    outcome = JobOutcome(
        verdict, reason=reason, certified=True, cpu_seconds=seconds, wall_seconds=seconds, statistics={"parts": 2}
    )
    return Row(f"{model}{method}", job, outcome, JobLimits(wall=10), f"symag check {model}", "2026", 1, MACHINE)


ROWS = [
    row("a.smv", "fast", "holds", 1.0),
    row("a.smv", "slow", "holds", 2.0),
    row("b.smv", "fast", "unknown", 10.0),
    row("b.smv", "slow", "violated", 4.0),
    row("c.smv", "fast", "holds", 3.0, "violated"),
    row("c.smv", "slow", "violated", 3.1, "violated", "p"),
    row("<d> & \\_.smv", "fast", "holds", 0.5, None, "x < 3 & " + "y" * 100),
]


def test_scores() -> None:
    comparison = MethodComparison.of(ROWS)
    fast, slow = comparison.scores()
    assert (fast.method, fast.answers, fast.solved, fast.unsolved, fast.wrong, fast.wins) == ("fast", 4, 2, 2, 1, 1)
    # 1.0 and 0.5 solved; the timeout and the wrong answer count twice the limit.
    assert fast.par2 == pytest.approx((1.0 + 0.5 + 20 + 20) / 4)
    assert (slow.answers, slow.solved, slow.wins, slow.par2) == (3, 3, 2, pytest.approx(9.1 / 3))
    assert comparison.seconds("fast") == [0.5, 1.0]
    ((problem, answers),) = comparison.disagreements()
    assert problem[0] == "c.smv"
    assert answers == {"fast": "holds", "slow": "violated"}


def test_what_is_asked_and_how_it_is_decided() -> None:
    """Constants and the specification belong to the problem, everything else to the method."""
    job = row("a/l.nm", "agar", "holds", 1.0).job
    options = ("--specification", "a/p.nm", "--const", "N=3", "--order", "smallest")
    simulation = replace(job, kind="simulation", text="simulated by p.nm", options=options)
    count = replace(job, kind="count", options=("--const", "N=3"), method="explicit")
    labelled = replace(job, kind="safety", options=("--const=N=3", "--no-alphabet-refinement"))
    rows = [replace(ROWS[0], job=each) for each in (simulation, count, labelled)]
    assert [model_of(each) for each in rows] == ["a/l.nm --const N=3", "a/l.nm --const N=3", "a/l.nm --const=N=3"]
    assert [method_of(each) for each in rows] == ["agar --order smallest", "explicit", "agar --no-alphabet-refinement"]


def test_models_under_short_names() -> None:
    rows = [row(f"/suites/{name}", "fast", "holds", 1.0) for name in ("smv/a.smv", "smv/b/c.smv", "fsp/d.lts")]
    assert common_folder(rows) == "/suites"
    assert [each.job.model for each in below(rows, "/suites")] == ["smv/a.smv", "smv/b/c.smv", "fsp/d.lts"]
    assert below(rows, "/suites")[0].command == "symag check /suites/smv/a.smv"
    assert common_folder(rows[:1]) == "/suites/smv"
    assert [common_folder(each) for each in ([], ROWS, [*rows, *ROWS], [row("/a.smv", "f", "holds", 1)])] == [""] * 4
    text = page("results", rows)
    assert "Models are below /suites." in text
    assert "<td>smv/b/c.smv</td>" in text


def test_columns_without_an_entry_are_left_out() -> None:
    table = TextTable("T", ("a", "b", "c"), (("1", "", ""), ("2", "", "x")), (True, True, False))
    assert table.compact() == TextTable("T", ("a", "c"), (("1", ""), ("2", "x")), (True, False))
    assert TextTable("T", ("a",), (), (True,)).compact().header == ("a",)


def test_more_methods_than_colours_are_told_apart() -> None:
    picture = cactus({f"m{number}": [1.0, 2.0] for number in range(10)}, 60)
    styles = re.findall(r'<path d="[^"]*" clip-path="[^"]*" style="(fill: none; [^"]*)"', picture)
    lines = [style for style in styles if "stroke-width: 1.2" in style]
    assert len(lines) == len(set(lines)) == 10


def test_changes_between_two_results() -> None:
    later = [
        row("a.smv", "fast", "holds", 3.0),
        row("a.smv", "slow", "holds", 2.1),
        row("b.smv", "fast", "violated", 1.0),
        row("b.smv", "slow", "unknown", 10.0),
        row("c.smv", "slow", "violated", 0.2, "violated"),
        row("e.smv", "fast", "holds", 1.0),
    ]
    found = {(change.problem[0], change.method): change.what for change in changes(ROWS, later)}
    assert found == {
        ("a.smv", "fast"): "slower",
        ("b.smv", "fast"): "newly solved",
        ("b.smv", "slow"): "no longer solved",
        ("c.smv", "slow"): "faster",
    }


def test_results_without_a_common_method_cannot_be_compared() -> None:
    before, after = [row("a.smv", "fast", "holds", 1.0)], [row("a.smv", "slow", "holds", 1.0)]
    text = no_change_text(before, after)
    assert text == (
        "nothing can be compared: no problem was asked with the same method in both files "
        "(the methods of the earlier file are fast, of this one slow)"
    )
    assert "Nothing can be compared: no problem" in page("t", after, before)
    assert no_change_text(before, before) == "nothing changed in 1 problem that both files have"
    assert "Nothing changed in 1 problem" in page("t", before, before)
    text = no_change_text([row("a/m", "auto", "holds", 1)], [row("b/m", "auto", "holds", 1)])
    assert text.endswith("(the earlier file has other models, such as a/m, and this one b/m)")
    text = no_change_text([row("m", "auto", "holds", 1)], [row("m", "auto", "holds", 1, text="q")])
    assert "their models have other properties" in text


def test_properties_with_equal_texts_are_two_problems() -> None:
    first = row("a.smv", "fast", "holds", 1.0)
    second = replace(first, key="2", job=replace(first.job, property="1"))
    third = replace(first, key="3", job=replace(first.job, property="2", name="again"))
    comparison = MethodComparison.of([first, second, third])
    assert len(comparison.problems) == 3
    assert comparison.scores()[0].solved == 3
    assert "3 jobs on 3 problems · 3 solved" in page("t", [first, second, third])


def test_the_header_counts_as_the_table_does() -> None:
    """A job that was asked again with other limits counts once in both."""
    first = row("a.smv", "fast", "unknown", 1.0)
    again = replace(row("a.smv", "fast", "holds", 5.0), key="2", limits=JobLimits(wall=60), finished="2027")
    text = page("t", [first, again])
    assert "2 jobs on 1 problems · 1 asked again with other limits, and not counted · 1 solved · 0 undecided" in text
    assert scores_table(MethodComparison.of([first, again])).rows[0][1:4] == ("1", "1", "0")


def test_tables_as_csv_and_latex() -> None:
    table = results_table(ROWS)
    found = list(csv.DictReader(io.StringIO(table.csv())))
    assert len(found) == len(ROWS)
    assert found[0]["answer"] == "WRONG: holds"
    assert found[-1]["property"] == "x < 3 & " + "y" * 100
    assert {each["parts"] for each in found} == {"2"}
    latex = table.latex()
    assert r"\textless{}d\textgreater{} \& \textbackslash{}\_\allowbreak{}.\allowbreak{}smv" in latex
    assert latex.count(r"\\") == latex.count(r"\begin{longtable}") * (len(ROWS) + 2)
    assert scores_table(MethodComparison.of(ROWS)).rows[0][:5] == ("fast", "4", "2", "2", "1")


def test_the_page_stands_alone_and_is_the_same_every_time() -> None:
    text = page("A <title>", ROWS, ROWS[:2])
    assert text == page("A <title>", ROWS, ROWS[:2])
    assert "http" not in text.replace("http://www.w3.org/", "")
    assert "src=" not in text
    assert "A &lt;title&gt;" in text
    # Wrong verdicts come first.
    assert text.index("Wrong verdicts") < text.index("<h2>Methods")
    assert text.count("<svg") == 2


def test_without_the_library_that_draws_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    text = page("A title", ROWS)
    assert "<svg" not in text
    assert "pip install &#x27;symag[plots]&#x27;" in text
    assert "<h2>Methods" in text


@pytest.mark.long
def test_rows_open_pages_and_say_their_command(tmp_path: Path) -> None:
    """A batch with --pages, its report, and the page of a trace behind a row, in a real browser."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("there is no Chromium on PATH")
    from playwright.sync_api import sync_playwright

    model, results, report = tmp_path / "m.smv", tmp_path / "r.sqlite", tmp_path / "out" / "report.html"
    model.write_text("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; INVARSPEC x < 3 INVARSPEC x < 4")
    asked = ["batch", model, "--output", results, "--evidence", tmp_path / "a folder", "--pages", "--quiet"]
    assert CliRunner().invoke(group, list(map(str, asked)), standalone_mode=False).exception is None
    asked = ["report", results, "--html", report]
    assert CliRunner().invoke(group, list(map(str, asked)), standalone_mode=False).exception is None
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        shown = chromium.new_page(color_scheme="dark")
        shown.goto(report.as_uri())
        mark = "cell => getComputedStyle(cell, '::before').content"
        assert "\u2717" in shown.locator("#results td.violated").evaluate(mark)
        assert "\u2713" in shown.locator("#results td.holds").evaluate(mark)
        row = shown.locator("#results tr", has=shown.locator("td.violated"))
        row.get_by_text("command").click()
        assert f"symag check {model} --property 0" in row.locator("code").inner_text()
        row.get_by_role("link", name="trace").click()
        assert shown.locator("#where").inner_text() == "state 2 of 2"
        shown.go_back()
        shown.get_by_role("link", name="proof").click()
        assert "Who trusts what" in shown.locator("#trust").inner_text()
        chromium.close()


def test_pages_are_evidence(tmp_path: Path) -> None:
    asked = ["batch", "models/counter.smv", "--output", str(tmp_path / "r.sqlite"), "--pages"]
    with pytest.raises(UsageError, match="--pages is for --evidence FOLDER"):
        CliRunner().invoke(group, asked, standalone_mode=False, catch_exceptions=False)


def test_the_page_sorts_and_filters_in_a_browser(tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("there is no Chromium on PATH")
    from playwright.sync_api import sync_playwright

    file = tmp_path / "page.html"
    file.write_text(page("results", ROWS, ROWS[:2]))
    said: list[str] = []
    requests: list[str] = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        shown = chromium.new_page()
        shown.on("pageerror", lambda error: said.append(str(error)))
        shown.on("console", lambda message: said.append(message.text))
        shown.on("request", lambda request: requests.append(request.url))
        shown.set_viewport_size({"width": 900, "height": 300})
        shown.goto(file.as_uri())
        # The headings stay in sight when the rows below them are scrolled.
        box = shown.locator(".scroll", has=shown.locator("#results"))
        box.evaluate("box => { box.scrollIntoView({block: 'center'}); box.scrollTop = box.scrollHeight; }")
        heading, last = shown.locator("#results th").first, shown.locator("#results tbody tr").last
        top, bottom = (each.bounding_box()["y"] for each in (heading, last))
        assert box.evaluate("box => box.scrollTop") > 0
        assert 0 <= top < bottom < 300
        shown.set_viewport_size({"width": 1280, "height": 720})
        column = "#results tbody tr:visible td:nth-child({})"
        seconds = shown.locator(column.format(9)).all_inner_texts()
        shown.locator("#results th button", has_text="CPU s").click()
        ascending = [float(each) for each in shown.locator(column.format(9)).all_inner_texts()]
        assert ascending == sorted(map(float, seconds)) != list(map(float, seconds))
        assert shown.locator("#results th[aria-sort=ascending]").count() == 1
        shown.locator("#results th button", has_text="CPU s").click()
        assert [float(each) for each in shown.locator(column.format(9)).all_inner_texts()] == ascending[::-1]
        shown.locator("#results th button", has_text="model").click()
        models = shown.locator(column.format(1)).all_inner_texts()
        assert models == sorted(models)
        shown.locator("#filter").fill("slow violated")
        assert sorted(shown.locator(column.format(1)).all_inner_texts()) == ["b.smv", "c.smv"]
        assert shown.locator("#shown").inner_text() == f"2 of {len(ROWS)} rows"
        shown.locator("#filter").fill(
            "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
        )
        assert shown.locator(column.format(1)).count() == 1
        chromium.close()
    assert not said
    assert requests == [file.as_uri()]


def test_the_command(tmp_path: Path) -> None:
    before, after = tmp_path / "before.sqlite", tmp_path / "after.sqlite"
    for path, rows in ((before, ROWS[:3]), (after, [row("b.smv", "fast", "holds", 1.0), *ROWS[4:]])):
        with Results(path, writing=True) as results:
            for each in rows:
                results.add(each.key, each.job, each.limits, each.outcome, 1)
            results.commit()
    html, tables = tmp_path / "new" / "page.html", tmp_path / "tables"
    arguments = ["report", after, "--html", html, "--csv", tables, "--latex", tables, "--compare", before]
    done = CliRunner().invoke(group, list(map(str, arguments)), standalone_mode=False)
    assert done.return_value == 20
    lines = done.output.splitlines()
    assert lines[0].startswith("WRONG VERDICT: c.smv: p [fast]: WRONG holds instead of violated")
    assert lines[-1] == "newly solved: b.smv INVARSPEC p [fast]"
    assert html.read_text().startswith("<!DOCTYPE html>")
    names = {"methods", "disagreements", "results", "changes"}
    assert {each.name for each in tables.iterdir()} == {
        f"{name}.{suffix}" for name in names for suffix in ("csv", "tex")
    }


def test_missing_pages_of_evidence_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = row("a.smv", "fast", "holds", 1.0)
    with Results(tmp_path / "r.sqlite", writing=True) as results:
        results.add("k", shown.job, shown.limits, replace(shown.outcome, certificate="proof.html"), 1)
        results.commit()
    command = ["report", "r.sqlite", "--html", "r.html"]
    warned = CliRunner().invoke(group, command, standalone_mode=False).stderr
    assert "1 of 1 pages of evidence are not there, such as proof.html" in warned
    (tmp_path / "proof.html").write_text("")
    assert "pages of evidence" not in CliRunner().invoke(group, command, standalone_mode=False).stderr
