"""``scripts/lpts/refinement_table.py``: what a variant changes, and the exit status of a wrong verdict."""

from __future__ import annotations

import pytest

from scripts.lpts import refinement_table
from symag.core.results import Verdict
from symag.core.values import replace

ROW = next(row for row in refinement_table.ROWS if row.name == "CSN(2)")


def test_a_variant_changes_the_search_and_not_the_verdict() -> None:
    problem = refinement_table.problem_of(ROW, wrong=False)
    rounds = {}
    for name, variant in refinement_table.VARIANTS.items():
        verdict, figures = refinement_table.searched(ROW, problem, "ASym-N", variant)
        assert verdict is Verdict.HOLDS
        rounds[name] = figures["rounds"]
    assert (rounds["as it is"], rounds["one conflict in a round"]) == (5, 6)
    # What a variant changes ends with it.
    assert refinement_table.searched(ROW, problem, "ASym-N", refinement_table.VARIANTS["as it is"])[1]["rounds"] == 5


def test_rows_and_their_status(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["--row", "CSN(2)", "--repeat", "1", "--variant", "as it is", "--rule", "ASym"]
    assert refinement_table.main([*given, "--wrong"]) == 0
    assert "| CSN(2) | ASym | as it is | 1 | 0 | 1 |" in capsys.readouterr().out
    right = refinement_table.problem_of(ROW, wrong=False)
    monkeypatch.setattr(refinement_table, "problem_of", lambda row, wrong: replace(right))
    assert refinement_table.main([*given, "--wrong"]) == 1
