"""The property's parts in every state, against evaluation of each part by itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.certify.runs.interpreter import Program
from symag.smv.checking.reports.trace_formulas import MOST_FORMULAS, formulas, parts_of
from symag.smv.checking.reports.trace_page import opening
from symag.smv.expression_reader import expression
from symag.smv.model.flat import FlatSystem
from tests.traces.random_traces import traced_systems


@settings(max_examples=60, deadline=None)
@given(traced_systems())
def test_every_truth_is_that_of_the_text(pair: tuple[FlatSystem, Trace]) -> None:
    system, trace = pair
    for checked in system.properties:
        found = formulas(system, checked, trace)
        assert 1 <= len(found) <= MOST_FORMULAS
        assert found[0].depth == 0
        for formula in found:
            if checked.kind == "CTL" and re.search(r"\b[AE][XFG]\b|\[", formula.text):
                continue  # what a run shows of it: below
            assert None not in formula.truths
            program = Program(system, [expression(system, formula.text)])
            values = [program.run({**step.state, **step.inputs})[0] for step in trace.steps]
            assert list(formula.truths) == values, formula.text


def test_chains_and_defines_are_taken_apart() -> None:
    system = read_text(
        "MODULE main VAR a : boolean; b : boolean; x : 0..3; DEFINE d := a & b & x < 2; INVARSPEC d -> !(x = 1 | a)"
    )
    trace = Trace("finite", (Step({"a": True, "b": True, "x": 1}), Step({"a": False, "b": True, "x": 1})))
    assert [(one.text, one.depth, one.truths) for one in formulas(system, system.properties[0], trace)] == [
        ("d -> !(x = 1 | a)", 0, (False, True)),
        ("d", 1, (True, False)),
        ("(a & b) & x < 2", 2, (True, False)),
        ("x < 2", 3, (True, True)),
        ("!(x = 1 | a)", 1, (False, False)),
        ("x = 1 | a", 2, (True, True)),
        ("x = 1", 3, (True, True)),
    ]


def test_ltl_along_a_lasso() -> None:
    system = read_text("MODULE main VAR x : 0..3; LTLSPEC G (x = 1 -> F x = 3) & O x = 0")
    trace = Trace("lasso", tuple(Step({"x": number}) for number in (0, 1, 3, 1, 2)), 3)
    assert [(one.text, one.depth, one.truths) for one in formulas(system, system.properties[0], trace)] == [
        ("G (x = 1 -> F x = 3) & O x = 0", 0, (False,) * 5),
        ("G (x = 1 -> F x = 3)", 1, (False,) * 5),
        ("x = 1 -> F x = 3", 2, (True, True, True, False, True)),
        ("x = 1", 3, (False, True, False, True, False)),
        ("F x = 3", 3, (True, True, True, False, False)),
        ("x = 3", 4, (False, False, True, False, False)),
        ("O x = 0", 1, (True,) * 5),
        ("x = 0", 2, (True, False, False, False, False)),
    ]


def test_what_a_run_shows_of_a_branching_time_formula() -> None:
    """The states before one that violates p violate AG p; of a run that may not go on nothing is said."""
    text = "MODULE main VAR x : 0..3; SPEC AG (x < 2) & EF x = 1"
    trace = Trace("finite", tuple(Step({"x": number}) for number in (0, 1, 2, 0)))
    system = read_text(text)
    truths = {one.text: one.truths for one in formulas(system, system.properties[0], trace)}
    assert truths["AG x < 2"] == (False, False, False, None)
    assert truths["EF x = 1"] == (True, True, None, None)
    assert truths["AG x < 2 & EF x = 1"] == (False, False, False, None)
    unknown = read_text(text + " TRANS x < 3")
    truths = {one.text: one.truths for one in formulas(unknown, unknown.properties[0], trace)}
    assert truths["AG x < 2"] == (None,) * 4


@pytest.mark.parametrize(
    ("specification", "step", "because"),
    [
        ("LTLSPEC G (x = 1 -> F x = 3)", 3, "F x = 3 is false in state 4 and will not become true"),
        ("LTLSPEC G (x < 3 & x > 0) & F x = 0", 0, "x > 0 is false in state 1"),
        ("LTLSPEC X X X (x = 0 | x = 3)", 3, "x = 0 | x = 3 is false in state 4"),
        ("LTLSPEC G (x != 2)", 4, "x != 2 is false in state 5"),
        ("INVARSPEC x != 3", 2, "x != 3 is false in state 3"),
        ("SPEC AG (x = 1 -> x = 3)", 1, "x = 3 is false in state 2"),
        ("SPEC EF x = 1", 3, ""),
    ],
)
def test_where_the_page_opens(specification: str, step: int, because: str) -> None:
    system = read_text(f"MODULE main VAR x : 0..3; {specification}")
    trace = Trace("lasso", tuple(Step({"x": number}) for number in (0, 1, 3, 1, 2)), 3)
    checked = system.properties[0]
    assert opening(system, checked, trace, parts_of(system, checked, trace)) == (step, because)


def test_what_only_a_tree_could_say_is_left_open() -> None:
    system = read_text("MODULE main VAR x : 0..3; SPEC AG (x = 1 -> EF x = 3)")
    trace = Trace("finite", (Step({"x": 1}),))
    assert [(one.text, one.truths) for one in formulas(system, system.properties[0], trace)] == [
        ("AG (x = 1 -> EF x = 3)", (None,)),
        ("x = 1 -> EF x = 3", (None,)),
        ("x = 1", (True,)),
        ("EF x = 3", (None,)),
        ("x = 3", (False,)),
    ]
