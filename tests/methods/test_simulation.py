"""Random runs: what they find is a violation, and deep ones that many runs meet are found."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.runs.replay import replay
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.methods.sat.posing import posed
from symag.smv.methods.simulation import brief, decide
from tests.brute_force import Explicit
from tests.strategies import models

#: 200 steps to the violation; a run that is stopped early begins anew. The words are no work for decision diagrams.
DEEP = """MODULE main IVAR stop : boolean; VAR n : 0..250; a : unsigned word[6]; b : unsigned word[6];
ASSIGN init(n) := 0; init(a) := 0ud6_13; init(b) := 0ud6_7;
next(n) := stop & n < 2 ? 0 : n < 250 ? n + 1 : n;
next(a) := a * b + 0ud6_7; next(b) := (a xor (b >> 3)) * 0ud6_5;
INVARSPEC n = 200 -> a = 0ud6_0 & b = 0ud6_1
"""


@settings(max_examples=40, deadline=None)
@given(models(fairness=False), st.booleans(), st.integers(0, 5))
def test_what_is_found_is_a_violation(text, cone, seed):
    system = read_text(text)
    explicit = Explicit(system)
    options = SmvOptions(cone_of_influence=cone, seed=seed, bound=4)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        result = decide(system, checked, options, no_progress)
        if result.verdict is Verdict.VIOLATED:
            assert explicit.shortest_violation(checked) is not None
            replay(system, checked, result.trace)
        elif not explicit.initial_states():
            assert result.verdict is Verdict.HOLDS
        else:
            assert str(result.reason).startswith("bound: no violation on")


# The same examples each time: a run may miss what one of some hundred initial states shows.
@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(models(fairness=False))
def test_what_one_state_shows_is_found_where_nothing_is_constrained(text):
    system = read_text(text)
    checked_any = False
    for checked in system.properties:
        shortest = Explicit(system).shortest_violation(checked) if checked.kind == "INVARSPEC" else None
        if shortest is not None and len(shortest.steps) <= 2:
            circuit = posed(system, checked, coi=True).circuit
            # An initial value that reads other variables confines the initial states.
            if not (circuit.initial or circuit.invariants or circuit.steps):
                checked_any = True
                assert decide(system, checked, SmvOptions(bound=4), no_progress).verdict is Verdict.VIOLATED
    assume(checked_any)


def test_a_deep_violation():
    system = read_text(DEEP)
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(bound=220), no_progress)
    assert result.verdict is Verdict.VIOLATED
    replay(system, checked, result.trace)
    assert result.trace == decide(system, checked, SmvOptions(bound=220), no_progress).trace


def test_constraints_do_not_end_the_runs():
    """They allow one in sixteen inputs at each of forty steps, and one value of the next state of ``c``."""
    system = read_text(
        "MODULE main IVAR a : unsigned word[4]; b : 0..3; VAR n : 0..40; c : boolean; "
        "ASSIGN init(n) := 0; init(c) := FALSE; next(n) := n < 40 ? n + 1 : n; "
        "TRANS a = 0ud4_5; TRANS b = n mod 4 -> next(c) != c; INVARSPEC n != 40 | c"
    )
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(bound=40), no_progress)
    assert result.verdict is Verdict.VIOLATED
    assert len(result.trace.steps) == 41
    replay(system, checked, result.trace)


def test_runs_that_no_step_is_allowed_to_end():
    system = read_text(
        "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4; TRANS n != 2; INVARSPEC n != 3"
    )
    result = decide(system, system.properties[0], SmvOptions(), no_progress)
    assert str(result.reason).startswith("bound: no violation on")


def test_it_goes_first_in_pdr_when_it_is_told_to():
    system = read_text(
        "MODULE main IVAR i : boolean; VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := i;INVARSPEC !x"
    )
    (checked,) = system.properties
    assert pdr.decide(system, checked, SmvOptions(simulation_first=True), no_progress).method == "simulation"
    assert pdr.decide(system, checked, SmvOptions(), no_progress).method == "pdr"


def test_pdr_begins_with_it_where_no_earlier_proof_helps():
    system = read_text(
        "MODULE main IVAR i : boolean; VAR x : boolean; y : boolean; z : boolean; ASSIGN init(x) := FALSE; "
        "init(y) := FALSE; init(z) := FALSE; next(x) := x | y; next(y) := y & i; next(z) := i; "
        "INVARSPEC !x; INVARSPEC z -> x"
    )
    proved, refuted = system.properties
    for order, method in (([refuted], "simulation"), ([proved, refuted], "pdr")):
        decided = pdr.session(system, SmvOptions(simulation_first=True))
        result = [decided(checked, no_progress) for checked in order][-1]
        assert (result.verdict, result.method) == (Verdict.VIOLATED, method)


def test_the_brief_runs_of_a_deterministic_model_go_far():
    system = read_text(
        "MODULE main VAR n : 0..250; a : unsigned word[16]; ASSIGN init(n) := 0; init(a) := 0ud16_13;\n"
        "next(n) := n < 250 ? n + 1 : n; next(a) := a * a + 0ud16_7; INVARSPEC n != 201"
    )
    (checked,) = system.properties
    result = brief(posed(system, checked), 0, no_progress)
    assert result is not None
    assert len(result.trace.steps) == 202
    replay(system, checked, result.trace)
