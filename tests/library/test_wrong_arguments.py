"""What the library says to arguments without sense, and to one name where several are possible."""

from __future__ import annotations

import math
from pathlib import Path
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
    ("options", "message"),
    [
        ({"jobs": 0}, "at least 1 job runs at a time, not 0"),
        ({"timeout": 0}, "a limit of time is a positive number of seconds, not 0"),
        ({"cpu_time": math.nan}, "a limit of time is a positive number of seconds, not nan"),
        ({"memory": 0}, "a limit of memory is at least 1 MiB, not 0"),
        ({"methods": []}, "no method is given; without methods it is auto"),
        ({"evidence": COUNTER}, f"{COUNTER}: this is a file, expected a folder for evidence"),
    ],
)
def test_a_batch_without_sense(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        symag.batch(COUNTER, tmp_path / "r.sqlite", **options)
    assert str(caught.value) == message


def test_one_method_of_a_batch_needs_no_list(tmp_path: Path) -> None:
    found = symag.batch(COUNTER, tmp_path / "r.sqlite", methods="monolithic")
    assert [row.outcome.verdict for row in found] == ["holds", "violated"]


@pytest.mark.parametrize("options", [{"jobs": 0}, {"budget": -1}, {"budget": math.nan}, {"timeout": 0}])
def test_an_experiment_without_sense(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        symag.tune(COUNTER, "parity_right", **{"settings": 1, "budget": 1, **options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grain": "byte"}, "grain is one of variable, bit, word, instance, not 'byte'"),
        ({"wires": ""}, "wires is one of none, property, defines, cut, not ''"),
    ],
)
def test_a_cut_without_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        symag.partition(COUNTER, **options)
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
