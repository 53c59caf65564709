"""``-certify``: answers are re-checked before they are printed."""

from __future__ import annotations

import pytest

from symag.core.errors import CertificationError
from tests.cli.nusmv.conftest import Nusmv

MODEL = """MODULE main
VAR x : 0..3;
ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
CTLSPEC AG EF x = 3
LTLSPEC G F x = 3
INVARSPEC x < 3
"""
VERDICTS = [
    "-- specification AG (EF x = 3)  is true",
    "-- specification  G ( F x = 3)  is true",
    "-- invariant x < 3  is false",
]


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object, **__: object) -> None:
        raise CertificationError("premise 2 fails")

    monkeypatch.setattr("symag.smv.certify.accept", refusing)


def test_right_answers_are_printed_as_without_it(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-certify")
    assert said.status == 0
    assert said.verdicts() == VERDICTS
    assert "not certified" not in said.text


def test_refused_answers_are_not_printed(nusmv: Nusmv, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch)
    assert nusmv(MODEL).verdicts() == VERDICTS
    said = nusmv(MODEL, "-certify")
    assert said.verdicts() == []
    assert said.text.count("symag: not decided (re-check refused: premise 2 fails; the evidence is kept in ") == 3


def test_it_can_be_set_between_commands(nusmv: Nusmv, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch)
    said = nusmv(MODEL, "-int", given="go\ncheck_invar\nset symag_certify\ncheck_ltlspec\nquit\n")
    assert "-- invariant x < 3  is false" in said.text
    assert "G ( F x = 3)  is true" not in said.text


def test_what_is_set_between_commands_has_its_evidence(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-int", given="go\ncheck_invar\nset symag_certify\ncheck_ltlspec\ncheck_ctlspec\nquit\n")
    assert [line for line in VERDICTS if line not in said.text] == []
    assert "not certified" not in said.text
