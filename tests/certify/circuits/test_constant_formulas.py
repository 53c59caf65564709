"""CTL formulas that are the same everywhere, and what is said about dead ends that they do not see."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symag
from symag.smv import read_text
from symag.smv.certify.operator_tree import constant_truth

DEAD = """MODULE main
VAR x : 0..3; y : boolean;
INIT x = 0 & !y
TRANS (x < 2 & next(x) = x + 1 & next(y) = y) | (x = 0 & next(x) = x & next(y) = y) | (next(y) & x = 1 & next(x) = x)
SPEC """


def formulas(draw, depth: int) -> str:
    if depth == 0:
        return draw(st.sampled_from(("TRUE", "FALSE", "p")))
    kind = draw(st.sampled_from(("!", "&", "|", "->", "EX", "AX", "EF", "AF", "EG", "AG", "E", "A")))
    first = formulas(draw, depth - 1)
    if kind in ("&", "|", "->"):
        return f"({first} {kind} {formulas(draw, depth - 1)})"
    if kind in ("E", "A"):
        return f"{kind} [{first} U {formulas(draw, depth - 1)}]"
    return f"{kind} ({first})"


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_constant_formulas_do_not_depend_on_the_model(data):
    text = formulas(data.draw, 3)
    verdicts = set()
    for model in (
        "VAR p : boolean;",
        "VAR p : boolean; INVAR p",
        "VAR p : boolean; INVAR !p",
        "VAR p : boolean; ASSIGN next(p) := !p;",
    ):
        system = read_text(f"MODULE main {model}\nSPEC {text}\n")
        expression = system.properties[0].expression
        (answer,) = symag.check(system, method="monolithic", certify=False)
        verdicts.add((constant_truth(expression), answer.result.verdict.value))
    truths = {truth for truth, _ in verdicts}
    assert len(truths) == 1
    if truths != {None}:
        assert {verdict for _, verdict in verdicts} == {"holds" if truths == {True} else "violated"}


@pytest.mark.parametrize(
    ("formula", "warning"),
    [
        ("AG EX TRUE", "a reachable state has no successor: x = 2"),
        ("AG (EX TRUE | x = 2)", "a reachable state that the property allows for has no successor: x = 2"),
        ("AG (EX TRUE | x = 2 & y)", "a reachable state has no successor: x = 2, y = FALSE"),
    ],
)
def test_dead_ends_are_named(formula, warning):
    (answer,) = symag.check(read_text(DEAD + formula), method="monolithic")
    assert answer.result.verdict.value == "holds"
    assert answer.result.certified
    assert any(warning in each for each in answer.result.warnings)
