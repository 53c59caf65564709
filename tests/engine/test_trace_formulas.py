"""The property's parts in every state, against evaluation of each part by itself."""

from __future__ import annotations

from hypothesis import given, settings

from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.certify.runs.interpreter import Program
from symag.smv.checking.reports.trace_formulas import MOST_FORMULAS, formulas
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
            if None in formula.truths:
                assert checked.kind == "CTL"
                continue
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
