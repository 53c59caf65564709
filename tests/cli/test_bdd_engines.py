"""``--bdd``: every package of decision diagrams gives the same answers, on the command line and from Python."""

from __future__ import annotations

import sys

import pytest

import symag as library
from symag.core.errors import UsageError
from tests.cli.conftest import Symag


@pytest.mark.long
@pytest.mark.parametrize(("method", "digit"), [("monolithic", "violated"), ("rule-g", "unknown")])
def test_the_answers_are_the_same(symag: Symag, method: str, digit: str) -> None:
    pytest.importorskip("oxidd")
    answers = []
    for engine in ("dd", "oxidd", "auto"):
        ran = symag("check", "models/counter.smv", "--bdd", engine, "--method", method, "--json")
        answers.append([(each["verdict"], each["certified"], each["trace"]) for each in ran.json["results"]])
    assert answers[0] == answers[1] == answers[2]
    assert [verdict for verdict, _, _ in answers[0]] == ["holds", digit]


def test_a_package_that_is_not_there_is_said_so(symag: Symag, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "oxidd", None)
    ran = symag("check", "models/counter.smv", "--bdd", "oxidd", "--json")
    assert ran.status == 30
    assert {each["reason"] for each in ran.json["results"]} == {"unsupported"}
    assert "the package oxidd is not installed (pip install oxidd)" in ran.json["warnings"][0]


def test_from_python() -> None:
    pytest.importorskip("oxidd")
    model = library.read("models/counter.smv")
    assert [each.result.verdict for each in library.check(model, bdd="oxidd")] == [
        each.result.verdict for each in library.check(model, bdd="dd")
    ]
    with pytest.raises(UsageError, match="bdd is one of auto, dd, oxidd"):
        library.check(model, bdd="cudd")


def test_another_language_has_no_use_for_it(symag: Symag) -> None:
    ran = symag("check", "models/lts/mer.lts", "--bdd", "dd")
    assert ran.status == 2
    assert "--bdd is for SMV models" in ran.err
