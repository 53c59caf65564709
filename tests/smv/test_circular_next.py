"""Next values that depend on themselves through variables that are assigned in every state: conditions on the step."""

from __future__ import annotations

from pathlib import Path

import pytest

import symag
from symag.smv import read_text

MODEL = """
MODULE main
VAR x : boolean; y : boolean; z : boolean; n : 0..3; m : 0..7;
DEFINE large := next(m) > 3;
ASSIGN
  init(x) := FALSE; next(x) := next(y) & x; y := x & z;
  init(n) := 0; next(n) := case large : n; TRUE : (n + 1) mod 4; esac;
  m := n + (z ? 1 : 0);
INVARSPEC !x
INVARSPEC n < 3
INVARSPEC n != 3 | m >= 3
"""
#: NuSMV's.
VERDICTS = ["holds", "violated", "holds"]


def test_the_variables_of_circles() -> None:
    assert read_text(MODEL).circular == {"x", "n"}
    straight = (
        "MODULE main VAR x : boolean; y : boolean; z : boolean; ASSIGN next(x) := next(y); y := !z; next(z) := !z;"
    )
    assert read_text(straight).circular == frozenset()


@pytest.mark.parametrize("method", ["auto", "monolithic", "k-induction", "pdr", "parts"])
def test_verdicts(tmp_path: Path, method: str) -> None:
    model = tmp_path / "model.smv"
    model.write_text(MODEL)
    answers = symag.check(str(model), method=method)
    assert [answer.verdict.value for answer in answers] == VERDICTS
    assert all(answer.certified for answer in answers)


def test_a_bounded_search(tmp_path: Path) -> None:
    model = tmp_path / "model.smv"
    model.write_text(MODEL)
    assert [answer.verdict.value for answer in symag.check(str(model), method="bmc")] == [
        "unknown",
        "violated",
        "unknown",
    ]


def test_a_circuit_has_no_circle(tmp_path: Path) -> None:
    model, circuit = tmp_path / "model.smv", tmp_path / "model.aig"
    model.write_text(MODEL)
    symag.convert(str(model), str(circuit))
    assert [answer.verdict.value for answer in symag.check(str(circuit))] == VERDICTS
