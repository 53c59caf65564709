"""Safety LTL by a monitor: Rule-G, Rule-S and the searches against the explicit judge."""

from __future__ import annotations

import random

import pytest

from symag.core.errors import UnsupportedError
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.methods import monolithic
from symag.smv.methods.by_parts import rule_g, rule_s
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.safety import by_monitor
from symag.smv.temporal.safety import violation
from tests.explicit_ltl import holds, true_on
from tests.linear_models import linear_model


def _agrees(text: str, decide, evidence: bool = True) -> bool:
    """Whether the property was decided; it then has the right verdict, and with ``evidence`` is certified."""
    system = read_text(text)
    (checked,) = system.properties
    assert checked.expression is not None
    try:
        result = decide(system, checked, SmvOptions(evidence=evidence), lambda _: None)
    except UnsupportedError:
        return False
    assert result.verdict is (Verdict.HOLDS if holds(system, checked.expression) else Verdict.VIOLATED), text
    if result.trace is not None:
        assert not true_on(system, checked.expression, result.trace), text
    assert not evidence or accept(system, checked, result, None).certified, text
    return True


@pytest.mark.long
def test_monitors_agree_with_the_explicit_judge() -> None:
    def decide(*arguments):
        return by_monitor(monolithic.decide, *arguments)

    decided = sum(_agrees(linear_model(random.Random(seed), future="XGVXG"), decide, False) for seed in range(80))
    assert decided > 40


@pytest.mark.long
@pytest.mark.parametrize("decide", [rule_g.decide, rule_s.decide])
def test_rules_agree_with_the_explicit_judge(decide) -> None:
    decided = sum(_agrees(linear_model(random.Random(seed), future="XGVXG"), decide) for seed in range(200, 212))
    assert decided > 5


@pytest.mark.parametrize(
    ("formula", "safe"),
    [
        ("G (a -> X b)", True),
        ("G (a -> X (b V !a))", True),
        ("G (a -> F [0,2] b)", True),
        ("G a | G b", True),
        ("!F (a & X !b)", True),
        ("!(a U b)", True),
        ("G (O a -> H b)", True),
        ("G F a", False),
        ("F a", False),
        ("G (a -> F b)", False),
        ("a U b", False),
        ("Y (F a)", False),
        ("G (G a | X G b)", False),
    ],
)
def test_what_is_safe(formula: str, safe: bool) -> None:
    system = read_text(f"MODULE main VAR a : boolean; b : boolean; LTLSPEC {formula}")
    expression = system.properties[0].expression
    assert expression is not None
    assert (violation(expression) is not None) == safe


def test_a_bad_prefix_that_nothing_fair_extends_is_no_violation() -> None:
    model = "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := case x = 0 : {0, 1}; TRUE : 2; esac; "
    for rest, verdict in (("", Verdict.VIOLATED), ("FAIRNESS x = 0", Verdict.HOLDS), ("TRANS x != 2", Verdict.HOLDS)):
        system = read_text(f"{model} {rest} LTLSPEC G (x = 0 -> X x = 0)")
        for decide in (monolithic.decide, rule_g.decide):
            assert decide(system, system.properties[0], SmvOptions(), lambda _: None).verdict is verdict
