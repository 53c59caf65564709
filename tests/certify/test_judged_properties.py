"""Which properties have a re-check, and of which invariant."""

from __future__ import annotations

import pytest

from symag.smv import read_text
from symag.smv.certify.properties import invariant
from symag.smv.certify.runs.interpreter import evaluate

MODEL = """
MODULE main
VAR x : boolean; y : boolean;
IVAR i : boolean;
FROZENVAR f : boolean;
DEFINE d := x & y; later := next(x); kept := f; same := next(kept); told := i; yes := TRUE;
"""


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("INVARSPEC x", True),
        ("SPEC AG x", True),
        ("SPEC !(EF !x)", True),
        ("SPEC !!!(EF !x)", True),
        ("SPEC !(!(AG x))", True),
        ("SPEC !(AG x)", False),
        ("SPEC EF x", False),
        ("SPEC !!(EF x)", False),
        ("SPEC AG (x & EX y)", False),
        ("SPEC AG AG x", False),
        ("SPEC x", False),
        ("LTLSPEC G x", True),
        ("LTLSPEC !F !x", True),
        ("LTLSPEC F x", False),
        ("LTLSPEC G next(x)", False),
        ("PSLSPEC always x;", True),
        ("PSLSPEC AG x;", True),
        ("INVARSPEC x & (d | !d)", True),
        ("INVARSPEC x & (next(f) | !f)", True),
        ("INVARSPEC x & (next(kept) | !same)", True),
        ("INVARSPEC x & next(yes)", True),
        ("INVARSPEC x & (next(d) | !next(d))", False),
        ("INVARSPEC x & (later | !later)", False),
        ("INVARSPEC x & (told | !told)", False),
    ],
)
def test_the_invariant_of_a_property(text: str, judged: bool) -> None:
    system = read_text(MODEL + text)
    found = invariant(system, system.properties[0])
    assert (found is not None) is judged
    if found is not None:
        for x in (False, True):
            assert evaluate(system, found, {"x": x, "y": True, "f": True}) == {x}
