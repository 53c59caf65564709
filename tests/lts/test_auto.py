"""auto: the monolithic method, and reduce beside it where only safety is asked."""

from __future__ import annotations

from pathlib import Path

from symag import check, read
from symag.core.results import Verdict

#: 2 to the power of 40 states, of which the property needs two.
MANY = """
WORKER = (begin -> end -> WORKER).
property TURNS = (w[1].begin -> w[1].end -> TURNS).
||SYS = (w[1..40]:WORKER || TURNS).
"""


def _model(folder: Path, text: str) -> Path:
    path = folder / "m.lts"
    path.write_text(text)
    return path


def test_a_system_that_cannot_be_explored_is_decided_by_reduce(tmp_path: Path) -> None:
    (answer,) = check(read(_model(tmp_path, MANY)), properties=["safety"], timeout=120)
    assert (answer.verdict, answer.certified, answer.result.method) == (Verdict.HOLDS, True, "reduce")
    assert [entry.method for entry in answer.result.race] == ["monolithic", "reduce"]
    assert answer.result.race[0].outcome == "overtaken"


def test_where_more_is_asked_all_is_explored(tmp_path: Path) -> None:
    answers = check(read(_model(tmp_path, MANY.replace("40", "2"))), properties=["deadlock", "safety"])
    assert [(answer.result.method, len(answer.result.race)) for answer in answers] == [("monolithic", 1)] * 2
