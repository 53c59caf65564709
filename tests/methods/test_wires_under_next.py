"""A one-state set that mentions a wire, because a part reads a DEFINE in the next state, is still evidence."""

from __future__ import annotations

import pytest

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
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


DEFINE_OF_A_DEFINE = """
MODULE main
VAR v : 0..7; d : -1..2; b : boolean; own : {p, q, s};
DEFINE low := d in 0..1; one := (count(low) < 1) ? word1(low) : 0ub1_1;
ASSIGN
  init(v) := 5; next(v) := d = 1 ? v : 4;
  init(d) := 0; next(d) := 1..2;
  init(own) := {p, q}; next(own) := b ? s : {q, s};
TRANS v = toint(next(one) & one)
INVARSPEC -2 in {-2, d}
LTLSPEC G (-2 in {-2, d})
"""


@pytest.mark.parametrize("index", [0, 1])
def test_a_transition_reads_a_wire_through_another_define_under_next(index: int) -> None:
    """Once refused: the re-check did not look for the wire of ``low`` in ``next(one)``."""
    system = read_text(DEFINE_OF_A_DEFINE)
    target = system.properties[index]
    options = SmvOptions(early_falsification=False, edge_deletion=False, one_state_first=False)
    result = rule_g.decide(system, target, options, no_progress)
    assert result.verdict is Verdict.HOLDS
    assert isinstance(result.certificate, AssumeGuarantee)
    assert ("low.wire", "low") in result.certificate.wires
    assert accept(system, target, result, None).certified
