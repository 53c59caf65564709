"""Tables for LaTeX: a TeX that is there compiles them, and no row is wider than a page."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from symag.core.values import replace
from symag.suites.report.scores import MethodComparison
from symag.suites.report.tables import (
    STATISTICS,
    TextTable,
    disagreements_table,
    paper_tables,
    results_table,
    scores_table,
)
from tests.batch.test_report import ROWS, row

TEXT = "AG (request_of_the_first_master -> AF grant[3].acknowledge & counter >= 17 | mode = \u03b1_waiting\u00e9)"
LONG = row("models/industrial_designs/zip_rxuartlite.smv", "rule-g", "unknown", 12345.67, "violated", TEXT)


def all_tables() -> list[TextTable]:
    wide = dict.fromkeys(STATISTICS, 123456)
    rows = [replace(each, outcome=replace(each.outcome, statistics=wide)) for each in (*ROWS, LONG)]
    learned = [replace(each, job=replace(each.job, method="rule-g")) for each in rows]
    comparison = MethodComparison.of(rows)
    odd = TextTable(
        "Odd {title}_$", ("model", "WWWWWWWW", "n"), (("%" * 60, "W" * 80, "9" * 40),), (False, False, True)
    )
    papers = paper_tables(learned)
    assert papers
    return [
        results_table(rows),
        results_table(ROWS),
        *papers,
        scores_table(comparison),
        odd,
        disagreements_table(comparison),
    ]


def test_columns_that_do_not_fit_follow_in_a_table_below() -> None:
    table = results_table([LONG])
    latex = table.latex()
    assert latex.count(r"\begin{longtable}") >= 2
    heads = [line.removesuffix(r" \\").split(" & ") for line in re.findall(r"\\hline\n(.*)\n\\hline", latex)]
    assert {heading for head in heads for heading in head} == set(table.header)
    assert all({"model", "property", "method"} <= {*head} for head in heads[1:])
    assert r"request\_\allowbreak{}of" in latex
    narrow = scores_table(MethodComparison.of(ROWS)).latex()
    assert narrow.count(r"\begin{longtable}{lrrrrrrrr}") == narrow.count("longtable}") / 2 == 1


def test_a_page_is_wide_enough(tmp_path: Path) -> None:
    """In the class article, whose lines are the shortest; nothing but the base of a TeX distribution is needed."""
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no pdflatex on PATH")
    document = r"\documentclass{article}\usepackage{array,longtable}\begin{document}" + "\n"
    document += "\n".join(table.latex() for table in all_tables()) + "\n" + r"\end{document}" + "\n"
    (tmp_path / "tables.tex").write_text(document)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    for _ in range(2):  # longtable reads the widths of the first run in the second
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout[-2000:]
    log = (tmp_path / "tables.log").read_text(errors="replace")
    assert [line for line in log.splitlines() if line.startswith("Overfull")] == []
