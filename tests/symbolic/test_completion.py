"""Runs of a part completed to runs of the whole system."""

from __future__ import annotations

import pytest

from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.traversal import completion

TEXT = """
MODULE main
VAR x : 0..3; y : 0..3; w : 0..3; z : 0..3;
DEFINE late := y;
ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; init(y) := 0; next(y) := x; init(w) := 0; next(w) := next(x); z := late;
"""


@pytest.mark.parametrize("most", [0, 300])
def test_each_step_has_the_values_that_the_assignments_give(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(completion, "_MOST_KEPT", most)
    counted = [0, 1, 2, 3, 0, 1, 2]
    run = completion.completed(read_text(TEXT), Trace("finite", tuple(Step({"x": value}) for value in counted)))
    late = [0, *counted[:-1]]
    assert [step.state for step in run.steps] == [
        {"x": now, "y": before, "w": now, "z": before} for now, before in zip(counted, late, strict=True)
    ]
