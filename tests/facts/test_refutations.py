"""Invariants that random runs violate: parts gives a shortest trace, or says why it has none; it ends always."""

from __future__ import annotations

import pytest

from symag.core.limits import no_progress
from symag.core.results import Reason, Verdict, kind_of
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.methods import parts
from symag.smv.methods.options import SmvOptions

#: x = 2 has no successor, so it is on no infinite run, of which CTL and LTL speak.
DEAD_END = """MODULE main
VAR x : 0..3;
ASSIGN init(x) := 0; next(x) := {{x, (x + 1) mod 4}};
TRANS x != 2
{}
"""


@pytest.mark.parametrize("claim", ["SPEC AG x != 2", "LTLSPEC G x != 2"])
def test_a_violation_that_no_infinite_run_shows(claim: str) -> None:
    system = read_text(DEAD_END.format(claim))
    result = parts.decide(system, system.properties[0], SmvOptions(), no_progress)
    assert result.verdict is Verdict.UNKNOWN
    assert kind_of(result.reason) is Reason.BOUND
    assert "no run within" in str(result.reason)


def test_deep_violations_have_traces() -> None:
    text = "MODULE main VAR x : 0..255; ASSIGN init(x) := 0; next(x) := x < 255 ? x + 1 : 0; INVARSPEC x < {}"
    for depth in (1, 60):
        system = read_text(text.format(depth))
        result = parts.decide(system, system.properties[0], SmvOptions(), no_progress)
        assert (result.verdict, len(result.trace.steps)) == (Verdict.VIOLATED, depth + 1)
        assert accept(system, system.properties[0], result, None).certified
