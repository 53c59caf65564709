"""CTL that is true whatever a model does is accepted without a look at the model."""

from __future__ import annotations

import pytest

from symag.smv import read_text
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.temporal import Labelling
from symag.smv.certify import labelling
from symag.smv.certify.circuits.encoded import EncodedSystem

#: ``EX TRUE`` is true in every state, as runs are infinite: this is how public models ask for deadlocks.
TEXT = """MODULE main
VAR x : 0..3; y : 0..3;
ASSIGN init(x) := 0; next(x) := x = 3 ? 3 : x + 1; init(y) := 0; next(y) := y = 3 ? 3 : x;
SPEC AG (EX TRUE | x = 3 & FALSE)
SPEC AG (x = 1 -> EX x = 2)
SPEC AG x = 0
"""


def test_several_properties_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    system = read_text(TEXT)
    everything = Labelling(DiagramTable((), ()), (1,), ())
    assert labelling.check_together(system.properties, everything, EncodedSystem(system)) == {0, 1}

    def searched(*_: object) -> None:
        raise AssertionError("the model is encoded")

    monkeypatch.setattr(labelling, "reached_states", searched)
    assert labelling.check_together(system.properties[:1], everything, EncodedSystem(system)) == {0}
