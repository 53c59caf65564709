"""Every fact holds in every reachable state, and every proof by facts is right: against the explicit-state judge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certificates.invariants import InductiveFacts
from symag.smv.certify import accept
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.inductive_facts import check_inductive_facts
from symag.smv.facts.finding import REACHES, FactFinder
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.parts import decide
from symag.smv.model.printer import flat_expression_text
from tests.brute_force import Explicit
from tests.strategies import models


def facts_of(system, reach, seed):
    finder = FactFinder(system, seed, no_progress)
    found = finder.facts(reach)
    return finder, found


@settings(max_examples=80, deadline=None)
@given(models(fairness=False, processes=False), st.sampled_from(REACHES), st.integers(0, 3))
def test_every_fact_is_true_in_every_reachable_state(text, reach, seed):
    system = read_text(text)
    explicit = Explicit(system)
    reachable = list(explicit.reachable())
    finder, found = facts_of(system, reach, seed)
    assert finder.is_empty == (not reachable)
    for fact in found.facts:
        assert explicit.satisfying(fact.expression, reachable) == set(reachable), flat_expression_text(fact.expression)
    texts = tuple(flat_expression_text(fact.expression) for fact in found.facts)
    certificate = InductiveFacts(texts, tuple(fact.uses for fact in found.facts))
    check_inductive_facts(EncodedSystem(system), None, certificate, Deadline(None))


@settings(max_examples=80, deadline=None)
@given(models(fairness=False), st.booleans(), st.integers(0, 3))
def test_verdicts_are_right_and_certified(text, cone, seed):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        result = decide(system, checked, SmvOptions(cone_of_influence=cone, seed=seed), no_progress)
        violation = explicit.shortest_violation(checked)
        if result.verdict is Verdict.HOLDS:
            assert violation is None
        elif result.verdict is Verdict.VIOLATED:
            assert violation is not None
        if result.verdict is not Verdict.UNKNOWN:
            assert accept(system, checked, result, None).certified


TOKENS = """MODULE stage(go, out)
VAR full : boolean;
ASSIGN init(full) := FALSE; next(full) := case go : TRUE; out : FALSE; TRUE : full; esac;
MODULE main
IVAR give : boolean; take : boolean; move : boolean;
VAR tokens : 0..20; left : stage(enter, pass); right : stage(pass, leave);
DEFINE enter := give & !left.full; pass := move & left.full & !right.full; leave := take & right.full & tokens > 0;
ASSIGN init(tokens) := 0;
next(tokens) := case enter & !leave & tokens < 20 : tokens + 1; leave & !enter : tokens - 1; TRUE : tokens; esac;
INVARSPEC NAME counted := tokens = toint(left.full) + toint(right.full);
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_counter_of_tokens(seed):
    system = read_text(TOKENS)
    _, found = facts_of(system, "variables", seed)
    texts = [flat_expression_text(fact.expression) for fact in found.facts if fact.form == "relation"]
    assert any("left.full" in text and "right.full" in text and "tokens" in text for text in texts)
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(seed=seed), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert accept(system, checked, result, None).certified


def test_the_same_seed_gives_the_same_facts():
    system = read_text(TOKENS)
    texts = [
        [(flat_expression_text(fact.expression), fact.uses) for fact in facts_of(system, "products", 5)[1].facts]
        for _ in range(2)
    ]
    assert texts[0] == texts[1]


def test_an_initial_state_that_no_run_visits_is_not_overlooked():
    # 1 of 2^24 initial states violates what all others satisfy.
    wide = " & ".join(f"!b{number}" for number in range(24))
    variables = " ".join(f"b{number} : boolean;" for number in range(24))
    text = f"MODULE main FROZENVAR {variables} VAR x : boolean; INIT x -> ({wide}) ASSIGN next(x) := x; INVARSPEC !x"
    system = read_text(text)
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(), no_progress)
    assert result.verdict is Verdict.VIOLATED
    assert accept(system, checked, result, None).certified
    _, found = facts_of(system, "variables", 0)
    assert "!x" not in [flat_expression_text(fact.expression) for fact in found.facts]


def test_the_next_state_is_computed_where_the_solver_does_not_know_it():
    # Only x and y are in the question; u must not be taken for FALSE after the step.
    text = """MODULE main VAR x : boolean; y : boolean; u : boolean;
    ASSIGN init(x) := FALSE; next(x) := {FALSE, TRUE}; init(y) := FALSE; next(y) := x; init(u) := TRUE; next(u) := u;
    """
    _, found = facts_of(read_text(text), "variables", 0)
    assert [flat_expression_text(fact.expression) for fact in found.facts] == ["u"]
