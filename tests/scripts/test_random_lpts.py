"""A slice of the random probabilistic problems, and what the script says of an answer that differs."""

from __future__ import annotations

import pytest

from scripts.lpts import random_lpts
from symag.core.limits import no_progress
from symag.lpts.methods import monolithic
from symag.lpts.methods.options import LptsOptions


def test_all_methods_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert random_lpts.main(["--problems", "6", "--every", "6"]) == 0
    assert capsys.readouterr().out.startswith("6 problems, ")


def test_an_answer_that_differs_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_lpts, "simulated", lambda whole, specification: False)
    assert random_lpts.main(["--problems", "2", "--every", "2"]) == 1
    assert "monolithic, blocks" in capsys.readouterr().out


def test_evidence_for_another_problem_is_not_accepted() -> None:
    """The proof of a problem that holds says nothing of the others."""
    problems = [random_lpts.random_problem(random_lpts.random.Random(f"1 {number}"))[0] for number in range(8)]
    proof = monolithic.decide(problems[0], LptsOptions(), no_progress)
    assert random_lpts.accepted(problems[0], proof)
    assert not all(random_lpts.accepted(problem, proof) for problem in problems)
