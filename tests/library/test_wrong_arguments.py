"""What the library says to arguments without sense, and to one name where several are possible."""

from __future__ import annotations

import math
from typing import Any

import pytest

import symag
from symag.core.errors import UsageError
from tests.conftest import ROOT

COUNTER = ROOT / "models" / "counter.smv"
MER = ROOT / "models" / "lts" / "mer.lts"


def test_one_property_and_one_target_need_no_list() -> None:
    model = symag.read(COUNTER)
    for wanted in ("below_five", 1, ["below_five"]):
        (answer,) = symag.check(model, wanted, certify=False)
        assert answer.property.text == "digit < 5"
    (answer,) = symag.check(MER, "safety", targets="MER", certify=False)
    assert answer.property.target == "MER"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"direction": "sideways"}, "direction is one of forward, backward, both, not 'sideways'"),
        ({"grain": "byte"}, "grain is one of variable, bit, word, instance, not 'byte'"),
        ({"wires": ""}, "wires is one of none, property, defines, cut, not ''"),
        ({"parts": 0}, "parts is at least 2, not 0"),
        ({"imbalance": math.nan}, "imbalance is at least 1.0, not nan"),
        ({"timeout": 0}, "a timeout is a positive number of seconds up to 1,000,000,000, not 0"),
    ],
)
def test_options_without_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        symag.check(COUNTER, **options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("option", "flag"),
    [
        ({"look_ahead": True}, "--look-ahead"),
        ({"refinement": "paper"}, "--refinement"),
        ({"edge_deletion": False}, "--no-edge-deletion"),
    ],
)
@pytest.mark.parametrize("method", ["rule-g", "auto"])
def test_options_of_the_other_learner(method: str, option: dict[str, Any], flag: str) -> None:
    with pytest.raises(UsageError) as caught:
        symag.check(COUNTER, method=method, learner="separating", **option)
    assert str(caught.value) == f"{flag} means nothing with --learner separating"
    symag.check(COUNTER, "parity_right", method="rule-g", learner="lstar", **option)


def test_what_is_no_model() -> None:
    with pytest.raises(UsageError, match=r"takes a path or what symag\.read gives, not NoneType"):
        symag.check(None)  # type: ignore[arg-type]
