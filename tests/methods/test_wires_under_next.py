"""A one-state set that mentions a wire, because a part reads a DEFINE in the next state, is still evidence."""

from __future__ import annotations

import pytest

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.methods.by_parts import rule_g
from symag.smv.methods.options import SmvOptions

MODEL = """
MODULE main
VAR a : boolean; b : boolean; c : boolean; s : {idle, run};
DEFINE go := a & b;
ASSIGN
  init(s) := idle; init(a) := FALSE; init(b) := FALSE; init(c) := FALSE;
  next(a) := !a; next(b) := c; next(c) := b | a;
  next(s) := case next(go) : run; TRUE : idle; esac;
INVARSPEC s = run -> go
"""


@pytest.mark.parametrize("parts", [2, 3])
def test_the_set_of_a_model_with_a_define_under_next_is_accepted(parts: int) -> None:
    system = read_text(MODEL)
    (target,) = system.properties
    result = rule_g.decide(system, target, SmvOptions(wires="defines", parts=parts), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert accept(system, target, result, None).certified
