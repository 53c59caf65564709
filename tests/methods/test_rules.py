"""Rule-S and Rule-G against the brute-force checker, with everything that can be switched drawn at random."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from symag.core.errors import UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read, read_text
from symag.smv.certify import accept
from symag.smv.methods.by_parts import rule_g, rule_s
from symag.smv.methods.options import SmvOptions
from tests.brute_force import Explicit
from tests.conftest import examples
from tests.strategies import models

QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@st.composite
def options(draw):
    return SmvOptions(
        cone_of_influence=draw(st.booleans()),
        reordering=draw(st.booleans()),
        parts=draw(st.sampled_from([None, 2, 3])),
        imbalance=draw(st.sampled_from([None, 1.0, 1.5, 2.0])),
        grain=draw(st.sampled_from(["variable", "bit", "word", "instance"])),
        seed=draw(st.integers(0, 3)),
        early_falsification=draw(st.booleans()),
        edge_deletion=draw(st.booleans()),
        one_state_first=draw(st.booleans()),
        small_alphabet_first=draw(st.booleans()),
        partitions=draw(st.integers(1, 3)),
        refinement=draw(st.sampled_from(["guided", "paper"])),
        look_ahead=draw(st.sampled_from([None, False, True])),
        learner=draw(st.sampled_from(["lstar", "separating"])),
        facts=draw(st.booleans()),
        wires=draw(st.sampled_from([None, "none", "property", "defines", "cut"])),
    )


def _agrees_with_brute_force(method, chosen, least=1):
    """Random models: the rule's verdict is right and its evidence accepted. Most of the properties are decided.

    ``least`` is how many variables the models have beyond the parts.
    """
    ends = Counter()

    @settings(QUIET, max_examples=examples(120))
    @given(models(properties=1, largest=64), chosen)
    def agrees(text, chosen):
        system = read_text(text)
        assume(len(system.variables) >= (chosen.parts or 2) + least)
        explicit = Explicit(system)
        for checked in system.properties:
            end = _end(method, system, checked, chosen, explicit.holds(checked))
            ends[end] += 1
            event(end)

    agrees()
    assert ends["decided"] > ends.total() / 2, ends


def _end(method, system, checked, chosen, holds):
    try:
        result = method.decide(system, checked, chosen, no_progress)
    except UnsupportedError as error:
        if re.fullmatch(r"\d parts are more than the \d+ variables that matter", str(error)):
            return "too few variables in the cone of influence"
        raise
    if result.verdict is Verdict.UNKNOWN:
        assert result.reason == "unsupported: no feasible partition"
        return "no partition within the imbalance"
    assert (result.verdict is Verdict.HOLDS) == holds, (checked.text, chosen)
    if result.certificate is None and result.trace is None:  # AG p holds by fairness alone
        assert "monolithic" in result.method
        return "decided without the rule"
    assert accept(system, checked, result, None).certified, (checked.text, chosen)
    return "decided"


@pytest.mark.long
def test_rule_g_agrees_with_brute_force_and_its_evidence_is_accepted():
    _agrees_with_brute_force(rule_g, options())


@st.composite
def learning(draw):
    """Settings that leave nothing but learning, in both loops and with both kinds of endings."""
    return replace(
        draw(options()),
        one_state_first=False,
        cone_of_influence=False,
        early_falsification=False,
        small_alphabet_first=draw(st.booleans()),
        wires=draw(st.sampled_from(["none", "property"])),
    )


@pytest.mark.long
def test_learning_alone_agrees_with_brute_force():
    _agrees_with_brute_force(rule_g, learning())


@pytest.mark.long
def test_rule_s_agrees_with_brute_force_and_its_evidence_is_accepted():
    _agrees_with_brute_force(rule_s, options().filter(lambda chosen: chosen.parts != 3), least=0)


def test_a_violation_before_the_first_separating_automaton_is_answered():
    """Once a crash: the words of early falsification had no run of the assumption, which had no letters yet."""
    text = """
MODULE main
VAR a : boolean; b : boolean; n : 0..3; m : 0..3;
ASSIGN init(n) := 0; next(n) := b & n < 3 ? n + 1 : n; init(m) := 0; next(m) := a & m < 3 ? m + 1 : m;
next(a) := n = 1; next(b) := m = 1;
INVARSPEC n != 2 | m != 1
"""
    system = read_text(text)
    result = rule_s.decide(system, system.properties[0], SmvOptions(learner="separating"), no_progress)
    assert result.verdict is Verdict.VIOLATED
    assert accept(system, system.properties[0], result, None).certified


def test_a_free_frozen_variable_may_be_hidden_from_the_letters():
    """Once a crash: the last premise's word gave a value to a variable that its module did not show."""
    text = """
MODULE main
VAR v0 : -1..0; c0 : cell(f0 = (v0 = 0)); c1 : cell(v0 != 0);
FROZENVAR f0 : boolean;
ASSIGN init(v0) := case f0 : -1; TRUE : 0; esac; next(v0) := v0;
INVARSPEC TRUE xnor (v0 = -1 ? FALSE : f0)
MODULE cell(given)
VAR own : boolean;
ASSIGN next(own) := given;
"""
    system = read_text(text)
    chosen = SmvOptions(cone_of_influence=False, imbalance=1.0, seed=2, early_falsification=False)
    result = rule_g.decide(system, system.properties[0], chosen, no_progress)
    assert result.verdict is Verdict.VIOLATED
    assert accept(system, system.properties[0], result, None).certified


def test_a_violation_of_ag_is_continued_to_a_fair_lasso():
    text = """
MODULE main
VAR a : boolean; b : boolean; n : 0..3;
ASSIGN
  init(a) := FALSE; next(a) := {a, TRUE};
  init(b) := FALSE; next(b) := case n = 3 : a; TRUE : b; esac;
  init(n) := 0; next(n) := case n < 3 : n + 1; TRUE : 0; esac;
FAIRNESS n = 1
FAIRNESS !a
SPEC AG !(b & n = 0)
SPEC AG !(a & n = 2)
SPEC AG (n = 2 -> !b)
SPEC AG (n < 3)
"""
    system = read_text(text)
    verdicts = []
    for checked in system.properties:
        for method in (rule_g, rule_s):
            result = method.decide(system, checked, SmvOptions(cone_of_influence=False, wires="property"), no_progress)
            verdicts.append(result.verdict is Verdict.HOLDS)
            assert verdicts[-1] == Explicit(system).holds(checked)
            if result.verdict is Verdict.VIOLATED:
                assert result.trace.kind == "lasso"
                assert accept(system, checked, result, None).certified
    assert True in verdicts
    assert False in verdicts


PAPER = {
    "simple4": "holds",
    "syncarb6_sp1": "violated",
    "syncarb6_sp2": "holds",
    "msi3": "holds",
    "robot_sp1": "violated",
    "guidance_sp2": "holds",
}


@pytest.mark.long
@pytest.mark.parametrize(("name", "verdict"), PAPER.items())
def test_models_of_the_paper(suites: Path, name, verdict):
    system = read(str(suites / "smv" / "paper" / f"{name}.smv"))
    for checked in system.properties:
        result = rule_g.decide(system, checked, SmvOptions(), no_progress)
        assert result.verdict.value == verdict
        assert accept(system, checked, result, None).certified


def test_simple_needs_two_states_without_edge_deletion_as_in_table_3(suites: Path):
    system = read(str(suites / "smv" / "paper" / "simple4.smv"))
    chosen = SmvOptions(
        parts=2, cone_of_influence=False, one_state_first=False, edge_deletion=False, early_falsification=False
    )
    result = rule_g.decide(system, system.properties[0], chosen, no_progress)
    assert result.verdict is Verdict.HOLDS
    assert max(result.statistics["assumption_states"]) <= 2
    assert not result.statistics["edge_deletion"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "states"), [("simple4", (1, 1)), ("simple8", (1, 1)), ("syncarb6_sp1", None), ("msi3", (1, 1))]
)
def test_the_papers_exact_setting(suites: Path, name, states):
    """One partition, cuts at variables, the paper's loop. Table 3 has 2,2 states with the sink, which is none here."""
    system = read(str(suites / "smv" / "paper" / f"{name}.smv"))
    chosen = SmvOptions(
        one_state_first=False,
        small_alphabet_first=False,
        wires="none",
        partitions=1,
        refinement="paper",
        look_ahead=True,
        parts=None if name == "syncarb6_sp1" else 2,
    )
    result = rule_g.decide(system, system.properties[0], chosen, no_progress)
    assert result.verdict is (Verdict.VIOLATED if name == "syncarb6_sp1" else Verdict.HOLDS)
    assert states is None or tuple(result.statistics["assumption_states"]) == states
    assert accept(system, system.properties[0], result, None).certified


@pytest.mark.parametrize("wires", ["none", "property"])
def test_look_ahead_where_letters_show_frozen_variables(wires):
    text = (
        "MODULE main FROZENVAR f : boolean; g : boolean; VAR x : boolean; y : boolean;"
        "ASSIGN init(x) := TRUE; init(y) := f; next(x) := f = y & (g | !g); next(y) := f;"
        "INVARSPEC x; SPEC AG (x | y); INVARSPEC y = f & x; INVARSPEC y"
    )
    system = read_text(text)
    explicit = Explicit(system)
    for seed in range(3):
        chosen = SmvOptions(parts=2, look_ahead=True, one_state_first=False, wires=wires, seed=seed)
        for checked in system.properties:
            assert _end(rule_g, system, checked, chosen, explicit.holds(checked)) != "decided without the rule"


@st.composite
def handshakes(draw):
    """Two users and an arbiter that reads a DEFINE of theirs under next; the conditions are drawn."""
    states = st.sampled_from(["idle", "waiting", "busy"])
    grant, back = draw(states), draw(states)
    moves = "".join(
        f"state = {old} {draw(st.sampled_from(['', '& token']))} : {draw(states)}; " for old in ("idle", "waiting")
    )
    return f"""
MODULE User(token)
VAR state : {{idle, waiting, busy}};
ASSIGN init(state) := idle; next(state) := case {moves} TRUE : {{idle, state}}; esac;
DEFINE done := state = {back};
MODULE main
VAR first : User(owner = 1); second : User(owner = 2); owner : 0..2;
ASSIGN init(owner) := 0; next(owner) := case
  owner = 0 & first.state = {grant} & !next(first.done) : 1;
  owner = 0 & second.state = {grant} : 2;
  owner = 1 & next(first.done) | owner = 2 & next(second.done) : 0;
  TRUE : owner; esac;
INVARSPEC !(first.state = busy & second.state = busy)
INVARSPEC first.state = busy -> owner = 1
"""


@settings(max_examples=15, deadline=None)
@given(handshakes())
def test_a_wire_can_be_read_under_next(text):
    """Once refused: the re-check did not know that a transition holds with the wire in the place of its DEFINE."""
    system = read_text(text)
    explicit = Explicit(system)
    chosen = SmvOptions(wires="defines", parts=2, one_state_first=False)
    for checked in system.properties:
        result = rule_g.decide(system, checked, chosen, no_progress)
        assert (result.verdict is Verdict.HOLDS) == explicit.holds(checked)
        assert accept(system, checked, result, None).certified


def test_the_token_of_an_arbiter_is_proved_by_parts():
    system = read(Path("models/token.smv"))
    result = rule_g.decide(system, system.properties[0], SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert accept(system, system.properties[0], result, None).certified


@pytest.mark.parametrize("method", [rule_g, rule_s])
@pytest.mark.parametrize("formula", ["TRUE", "1 < 2", "a | !a", "n < 4"])
def test_what_no_valuation_violates_needs_no_parts(method, formula):
    system = read_text(f"MODULE main VAR a : boolean; n : 0..3; ASSIGN next(n) := n; INVARSPEC {formula}")
    (target,) = system.properties
    result = method.decide(system, target, SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert accept(system, target, result, None).certified


@pytest.mark.parametrize("method", [rule_g, rule_s])
def test_one_variable_that_can_violate_has_no_feasible_partition(method):
    system = read_text("MODULE main VAR a : boolean; b : boolean; INVARSPEC a")
    result = method.decide(system, system.properties[0], SmvOptions(), no_progress)
    assert result.reason == "unsupported: no feasible partition"
