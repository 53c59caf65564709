"""Assertions: LTSA's answers, and laws that any semantics under fair choice obeys."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.lts import System, read_text
from symag.lts.certify.assertion_words import cannot_hold
from symag.lts.certify.properties import check_violation
from symag.lts.composition import composed
from symag.lts.language.fluents import FALSE, TRUE, ActionOccurs, FluentInstance, Temporal, negation
from symag.lts.lts import Lts
from symag.lts.methods.assertions import violation
from symag.lts.methods.monolithic import decide
from symag.lts.questions import CompositeQuestion, questions
from tests.lts.ltsa_examples import examples
from tests.lts.strategies import systems


@pytest.mark.long
def test_answers_are_those_of_ltsa(suites: Path) -> None:
    compared = 0
    for name, model, known in examples(suites):
        for target in known["targets"]:
            if not target.get("asserts"):
                continue
            asked = [each for each in questions(model, target["name"], False) if each.kind == "assert"]
            for question, result in zip(
                asked, decide(model.composite(target["name"]), asked, no_progress), strict=True
            ):
                expected = target["asserts"][question.name]
                assert (result.trace is None) == (expected["verdict"] == "ok"), (name, target["name"], question.name)
                if result.trace is not None and result.trace.loop is None:
                    assert len(result.trace.steps) - 1 == len(expected["trace"])
                compared += 1
    assert compared == 46


ATOMS: tuple[FluentInstance | ActionOccurs, ...] = (
    ActionOccurs(frozenset("a")),
    ActionOccurs(frozenset(("b", "c"))),
    FluentInstance("F", frozenset("a"), frozenset("b"), True),
    FluentInstance("G", frozenset("c"), frozenset(("a", "b.x")), False),
)


def formulas() -> st.SearchStrategy[Temporal]:
    leaves = st.sampled_from(ATOMS).flatmap(
        lambda atom: st.sampled_from((Temporal("atom", (), atom), Temporal("not atom", (), atom)))
    )

    def larger(inner: st.SearchStrategy[Temporal]) -> st.SearchStrategy[Temporal]:
        binary = st.builds(
            lambda op, one, two: Temporal(op, (one, two)), st.sampled_from(("and", "or", "U", "R")), inner, inner
        )
        return binary | st.builds(lambda one: Temporal("X", (one,)), inner)

    return st.recursive(leaves | st.sampled_from((TRUE, FALSE)), larger, max_leaves=4)


def _components() -> st.SearchStrategy[list[Lts]]:
    return st.lists(systems(states=3, errors=False), min_size=1, max_size=2)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(_components(), formulas())
def test_a_formula_or_its_negation_is_violated_wherever_runs_go_on(components: list[Lts], formula: Temporal) -> None:
    composition = composed(components, "C")
    assume(not len(composition.deadlocks) and composition.lts.end is None)
    found = violation(composition, formula), violation(composition, negation(formula))
    assert found != (None, None)
    for each, wrong in zip(found, (formula, negation(formula)), strict=True):
        if each is not None and each.loop is None:
            labels = composition.lts.alphabet
            names = [each.free[-1 - t] if t < 0 else labels[composition.lts.action[t]] for t in each.transitions]
            assert cannot_hold(wrong, names)
            assert not cannot_hold(wrong, names[:-1])


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(_components(), st.sampled_from((("a",), ("b", "c"), ("b.x",))))
def test_always_eventually_is_progress(components: list[Lts], actions: tuple[str, ...]) -> None:
    """Where no action of the assertion is free and nothing ends, and with "never again" for the other half."""
    system = System("C", tuple(components), None, None, False, frozenset())
    composition = system.product()
    assume(not len(composition.deadlocks) and composition.lts.end is None)
    assume(set(actions) <= set(composition.lts.alphabet))
    happens = Temporal("atom", (), ActionOccurs(frozenset(actions)))
    again = Temporal("R", (FALSE, Temporal("U", (TRUE, happens))))
    (progress,) = decide(system, [CompositeQuestion(0, "progress", None, "", None, "C", actions)], no_progress)
    assert (violation(composition, again) is None) == (progress.verdict is Verdict.HOLDS)


TOGGLE = """
fluent ON = <on, off>
assert NEVER = []!ON
assert AGAIN = []<>ON
assert STAYS = <>[]ON
assert NEXT = X ON
assert UNTIL = (on U ON)
assert WEAK(N=1) = (off W rigid (N > 0))
T = (on -> off -> T).
||S = T.
"""


def test_operators_on_a_toggle() -> None:
    model = read_text(TOGGLE)
    asked = [each for each in questions(model, "S", False) if each.kind == "assert"]
    system = model.composite("S")
    found = dict(zip([each.name for each in asked], decide(system, asked, no_progress), strict=True))
    holds = {name for name, result in found.items() if result.verdict is Verdict.HOLDS}
    assert holds == {"AGAIN", "UNTIL", "WEAK"}
    finite = {name for name, result in found.items() if result.trace is not None and result.trace.loop is None}
    assert finite == {"NEVER", "NEXT"}
    trace = found["STAYS"].trace
    assert trace is not None
    assert {step.action for step in trace.steps[trace.loop :]} == {"on", "off"}
    for question in asked:
        trace = found[question.name].trace
        if trace is not None:
            check_violation(system, question, trace, Deadline(None))


ENDING = """
fluent UP = <a, b>
assert COMES = <> b
assert AGAIN = [] <> a
assert FOLLOWED = [] (a -> X b)
assert DOWN = <> (UP && X !UP)
T = (a -> TT), TT = (c -> STOP | a -> END) + {b}.
||S = T.
assert NEVER = !a
assert SOMETIME = <> a
N = STOP + {a}.
||NOTHING = N.
"""


def test_what_a_run_still_owes_when_it_ends_is_not_delivered() -> None:
    """LTSA's answers, run by hand; its traces end in a terminal set without a cycle."""
    model = read_text(ENDING)
    violated = {}
    for target in ("S", "NOTHING"):
        asked = [each for each in questions(model, target, False) if each.kind == "assert"]
        system = model.composite(target)
        for question, result in zip(asked, decide(system, asked, no_progress), strict=True):
            if result.trace is not None:
                check_violation(system, question, result.trace, Deadline(None))
                waits = question.name in ("COMES", "AGAIN", "DOWN") if target == "S" else question.name == "SOMETIME"
                said = [warning for warning in result.warnings if "it can happen at any time" not in warning]
                assert bool(said) == waits, question.name
                violated[target, question.name] = [step.action for step in result.trace.steps[:-1]]
    assert violated["NOTHING", "SOMETIME"] == []
    assert ("NOTHING", "NEVER") not in violated
    assert {name for target, name in violated if target == "S"} == {"COMES", "AGAIN", "FOLLOWED", "DOWN", "NEVER"}
    assert violated["S", "AGAIN"] == ["a", "c"]


def test_an_action_of_the_assertion_alone_is_not_judged_beside_priorities() -> None:
    """In LTSA other, which nothing hinders, starves a, which has low priority."""
    model = read_text("T = (a -> T).\n||S = (T) >> {a}.\nassert A = <> a\nassert B = !(<> other)\n")
    asked = [each for each in questions(model, "S", False) if each.kind == "assert"]
    first, second = decide(model.composite("S"), asked, no_progress)
    assert first.verdict is Verdict.HOLDS
    assert (second.verdict, second.trace) == (Verdict.UNKNOWN, None)
    assert second.reason is not None
    assert "other" in second.reason


def test_a_name_of_a_fluent_and_an_assertion_is_the_fluent() -> None:
    model = read_text("P = (a -> b -> P). ||S = P. fluent F = <a, b> assert F = [] a assert G = F")
    asked = questions(model, "S", False)
    assert asked[-1].formula == Temporal("atom", (), FluentInstance("F", frozenset("a"), frozenset("b"), False))
