"""Fair lassos from states that lie on no cycle."""

from __future__ import annotations

import pytest

from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.runs.replay import replay
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions


@pytest.mark.parametrize(
    "rest",
    ["INIT !x TRANS next(x)", "INIT !x TRANS next(x) FAIRNESS x", "IVAR i : boolean; INIT !x TRANS next(x) & !i"],
)
def test_a_violation_on_no_cycle_is_continued_to_one(rest: str) -> None:
    system = read_text(f"MODULE main VAR x : boolean; {rest} SPEC AG x")
    result = monolithic.decide(system, system.properties[0], SmvOptions(), lambda _: None)
    assert result.verdict is Verdict.VIOLATED
    assert result.trace is not None
    replay(system, system.properties[0], result.trace)
