"""A slice of the random properties: evidence of all kinds is accepted, and what is wrong would be said."""

from __future__ import annotations

from collections import Counter

import pytest

from scripts.nusmv import random_properties
from scripts.nusmv.random_models import model
from scripts.nusmv.random_properties import compared, judged, options_of
from symag.core.errors import CertificationError
from symag.core.results import PropertyResult, Verdict
from symag.smv.methods.options import SmvOptions


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 16, 4))
def test_every_answer_is_certified(first: int) -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(first, first + 4):
        report = judged(model(seed), options_of(seed))
        assert report.wrong == (), f"seed {seed}"
        outcomes += report.outcomes
    assert sum(outcomes.values()) == 28
    assert outcomes["LTL holds"] > 0
    assert outcomes["LTL violated"] > 0


def test_a_model_is_the_same_whenever_it_is_made() -> None:
    assert model(7) == model(7)
    assert model(7) != model(8)


TEXT = (
    "MODULE main VAR b : boolean; ASSIGN init(b) := FALSE; next(b) := !b; CTLSPEC AG EF b; LTLSPEC G F b; INVARSPEC b"
)


def test_a_refusal_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object) -> None:
        raise CertificationError("premise 2 fails")

    monkeypatch.setattr(random_properties, "accept", refusing)
    report = judged(TEXT, SmvOptions())
    assert report.outcomes["refused"] == 3
    assert "refused (monolithic (tableau), holds: premise 2 fails): LTL G ( F b)" in report.wrong


def test_a_missing_certificate_is_said() -> None:
    report = judged(TEXT, SmvOptions(evidence=False))
    assert any(line.startswith("not certified (monolithic (ctl), holds)") for line in report.wrong)


def test_another_verdict_of_nusmv_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ran:
        stdout = (
            "-- specification AG (EF b)  is true\n-- specification  G ( F b)  is false\n-- invariant case\nb : b;\n"
            "esac  is false\n"
        )

    monkeypatch.setattr("subprocess.run", lambda *_, **__: Ran())
    report = judged(TEXT, SmvOptions(), nusmv="NuSMV")
    assert report.outcomes["compared"] == 3
    assert report.wrong == ("WRONG: NuSMV false, symag holds: LTL G ( F b)",)


def test_answers_of_all_methods_are_certified() -> None:
    text = "MODULE main VAR b : boolean; ASSIGN init(b) := FALSE; next(b) := !b; LTLSPEC G (b -> X !b)"
    report = compared(text, [("rule-g", SmvOptions()), ("k-induction", SmvOptions())])
    assert report.wrong == ()
    assert report.outcomes["rule-g holds"] == 1
    assert report.outcomes["k-induction unsupported"] == 1


def test_an_uncertified_answer_of_any_method_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = PropertyResult(Verdict.HOLDS, "pdr")
    monkeypatch.setattr(random_properties, "check", lambda system, items, *_: [(items[0], answer)])
    assert any(line.startswith("not certified (monolithic, holds") for line in compared(TEXT, []).wrong)
