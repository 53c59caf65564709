"""Which properties are invariants of the states."""

from __future__ import annotations

import pytest

from symag.smv import read_text
from symag.smv.model.properties import invariant_of

HEAD = "MODULE main\nVAR x : boolean;\nIVAR i : boolean;\nDEFINE d := i; e := next(x); f := !x;\n"


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("INVARSPEC x", True),
        ("INVARSPEC f", True),
        ("SPEC AG f", True),
        ("SPEC !(EF x)", True),
        ("SPEC EF x", False),
        ("SPEC AG AF x", False),
        ("INVARSPEC i | x", False),
        ("INVARSPEC d", False),
        ("INVARSPEC next(x)", False),
        ("INVARSPEC e", False),
        ("LTLSPEC G x", True),
    ],
)
def test_invariants_read_the_present_state_only(text, judged):
    system = read_text(HEAD + text + "\n")
    assert (invariant_of(system, system.properties[0]) is not None) == judged
