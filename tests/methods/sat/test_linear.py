"""LTL against the explicit judge: verdicts, and counterexamples that are fair lassos which violate the property."""

from __future__ import annotations

import random

import pytest

from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from tests.explicit_ltl import holds, true_on
from tests.linear_models import linear_model


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_random_models_agree_with_the_explicit_judge(first: int) -> None:
    for seed in range(first, first + 10):
        text = linear_model(random.Random(seed))
        system = read_text(text)
        (checked,) = system.properties
        assert checked.expression is not None
        result = monolithic.decide(system, checked, SmvOptions(), lambda _: None)
        expected = Verdict.HOLDS if holds(system, checked.expression) else Verdict.VIOLATED
        assert result.verdict is expected, text
        if result.trace is not None:
            assert not true_on(system, checked.expression, result.trace), text


@pytest.mark.parametrize(
    ("property_", "expected"),
    [
        ("F [0,2] x > 0", "violated"),
        ("O [0,2] x = 0", "holds"),
        ("G [1,2] x >= 0", "holds"),
        ("H [1,3] x = 1", "violated"),
        ("Z FALSE", "holds"),
        ("Y TRUE", "violated"),
        ("(x = 0) S (x = 1)", "violated"),
        ("(x = 0) T (x = 0)", "holds"),
        ("G (i -> X x > 0 | x = 3)", "holds"),
        ("G (next(x) >= x)", "holds"),
    ],
)
def test_verdicts_of_nusmv(property_: str, expected: str) -> None:
    system = read_text(
        "MODULE main VAR x : 0..3; IVAR i : boolean; "
        "ASSIGN init(x) := 0; next(x) := case x < 3 & i : x + 1; TRUE : x; esac; "
        f"LTLSPEC {property_}"
    )
    result = monolithic.decide(system, system.properties[0], SmvOptions(), lambda _: None)
    assert result.verdict.value == expected
