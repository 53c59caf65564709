"""Facts as care sets of searches with decision diagrams: right against the explicit-state judge, and certified."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read, read_text
from symag.smv.certify import accept
from symag.smv.methods import invariants, monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_spaces import StateSpaces
from symag.smv.symbolic.relation import TransitionRelation
from symag.smv.traversal import projections, reachability
from tests.brute_force import Explicit
from tests.strategies import models

OPTIONS = st.builds(
    SmvOptions,
    facts=st.just(True),
    direction=st.sampled_from(("forward", "backward", "both")),
    bdd=st.sampled_from(("dd", "oxidd")),
    cone_of_influence=st.booleans(),
    seed=st.integers(0, 3),
)


def judge_invariants(system, decide):
    """Each invariant is decided as by the explicit-state judge, by a trace as short, and certified."""
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind == "INVARSPEC":
            result = decide(checked, no_progress)
            shortest = explicit.shortest_violation(checked)
            assert (result.verdict is Verdict.HOLDS) == (shortest is None)
            assert accept(system, checked, result, None).certified
            if shortest is not None:
                assert len(result.trace.steps) == len(shortest.steps)


@settings(max_examples=40, deadline=None)
@given(models(), OPTIONS)
def test_verdicts_are_right_and_certified(text, options):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        result = monolithic.decide(system, checked, options, no_progress)
        plain = monolithic.decide(system, checked, replace(options, facts=False), no_progress)
        assert (result.verdict is Verdict.HOLDS) == (explicit.shortest_violation(checked) is None)
        assert accept(system, checked, result, None).certified
        if result.trace is not None:
            assert len(result.trace.steps) == len(plain.trace.steps)
        # Other states may be known to have no successor, but whether the model has dead ends is the same.
        assert bool(result.warnings) == bool(plain.warnings)


@settings(max_examples=60, deadline=None)
@given(models(), OPTIONS, st.integers(1, 5))
def test_hard_searches_backward_are_right_and_certified(text, options, bits):
    system = read_text(text)
    explicit = Explicit(system)
    options = replace(options, facts=False, direction="backward")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(invariants, "HARD", -1)
        patch.setattr(invariants, "LARGE", -1)
        patch.setattr(projections, "WINDOW_BITS", bits)
        for checked in system.properties:
            if checked.kind != "INVARSPEC":
                continue
            result = monolithic.decide(system, checked, options, no_progress)
            shortest = explicit.shortest_violation(checked)
            assert (result.verdict is Verdict.HOLDS) == (shortest is None)
            assert accept(system, checked, result, None).certified
            if shortest is not None:
                assert len(result.trace.steps) == len(shortest.steps)


@settings(max_examples=60, deadline=None)
@given(models(), st.integers(1, 5))
def test_overlapping_projections_hold_all_reachable_states(text, bits):
    system = read_text(text)
    space = StateSpaces(system, SmvOptions()).over(frozenset(system.by_name), no_progress)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projections, "WINDOW_BITS", bits)
        outer = space.over_approximation()
    assert outer is not None
    nothing = space.symbolic.context.false
    assert space.initial & ~outer == nothing
    assert space.relation.image(outer) & ~outer == nothing
    assert space.reached() & ~outer == nothing


@settings(max_examples=60, deadline=None)
@given(models(properties=4, least=3), OPTIONS, st.integers(1, 5))
def test_hard_searches_after_others_are_right_and_certified(text, options, bits):
    system = read_text(text)
    decide = monolithic.session(system, replace(options, facts=False, direction="backward"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(invariants, "HARD", -1)
        patch.setattr(invariants, "LARGE", -1)
        patch.setattr(projections, "WINDOW_BITS", bits)
        judge_invariants(system, decide)


@settings(max_examples=200, deadline=None)
@given(models(properties=3, least=2), OPTIONS, st.sampled_from(["backward", "both"]), st.integers(0, 2))
def test_preimages_with_the_invariant_in_their_last_cluster_find_the_same(text, options, direction, after):
    system = read_text(text)
    decide = monolithic.session(system, replace(options, direction=direction))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reachability, "_WORTH_A_LOOK", after)
        patch.setattr(reachability, "_OUTSIDE", 0)
        judge_invariants(system, decide)


@pytest.mark.parametrize(("name", "times"), [("robot_sp2", 1), ("guidance_sp2", 0)])
def test_the_invariant_is_in_the_last_cluster_where_products_are_large(suites, name, times, monkeypatch):
    system = read(suites / "smv" / "paper" / f"{name}.smv")
    restricted = []
    original = TransitionRelation.within_invariant

    def counted(relation):
        restricted.append(relation)
        return original(relation)

    projected = []
    monkeypatch.setattr(TransitionRelation, "within_invariant", counted)
    monkeypatch.setattr(projections, "overlapping_projections", lambda *given: projected.append(given))
    monolithic.decide(system, system.properties[0], SmvOptions(direction="backward"), no_progress)
    # Many small rings, of over 3,000 nodes together, cause no projections.
    assert (len(restricted), len(projected)) == (times, times)


#: The cone of each invariant is a part of the next one's. ``d`` is in no cone.
NESTED = """MODULE main IVAR i : boolean; VAR a : 0..3; b : 0..3; c : boolean; e : boolean; d : 0..3;
ASSIGN init(a) := 0; init(b) := 0; init(c) := FALSE; init(e) := FALSE;
next(a) := i ? (a + 1) mod 4 : a; next(b) := i ? (b + 3) mod 4 : b;
next(c) := (a + b) mod 4 = 0 ? c : !c; next(e) := c ? !e : e;
INVARSPEC (a + b) mod 4 = 0; INVARSPEC !c; INVARSPEC a != 3; INVARSPEC !e; INVARSPEC e | a != 2
"""


@pytest.mark.parametrize("bdd", ["dd", "oxidd"])
def test_projections_serve_larger_cones(bdd):
    system = read_text(NESTED)
    explicit = Explicit(system)
    decide = monolithic.session(system, SmvOptions(direction="backward", bdd=bdd))
    searched = []
    projected = projections.overlapping_projections

    def counted(*arguments):
        searched.append(projected(*arguments))
        return searched[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(invariants, "HARD", -1)
        patch.setattr(invariants, "LARGE", -1)
        patch.setattr(projections, "overlapping_projections", counted)
        for checked in system.properties:
            result = decide(checked, no_progress)
            assert (result.verdict is Verdict.HOLDS) == (explicit.shortest_violation(checked) is None)
            assert accept(system, checked, result, None).certified
    assert len(searched) == 2  # of a and b, and of a alone


#: Pairs of neighbours are equal: a window over both, or over all, tells; one over each variable does not.
PAIRS = """MODULE main IVAR i : boolean; j : boolean; VAR a : 0..3; b : 0..3; c : 0..3; d : 0..3;
ASSIGN init(a) := 0; init(b) := 0; init(c) := 0; init(d) := 0; next(a) := i ? (a + 1) mod 4 : a;
next(b) := i ? (b + 1) mod 4 : b; next(c) := j ? (c + 1) mod 4 : c; next(d) := j ? (d + 1) mod 4 : d;
INVARSPEC a = b & c = d
"""


@pytest.mark.parametrize(("bits", "states"), [(2, 256), (4, 16)])
def test_windows_of_neighbours(bits, states):
    system = read_text(PAIRS)
    order = (*((name, bit) for name in "abcd" for bit in (0, 1)), ("i", 0), ("j", 0))
    space = StateSpaces(system, SmvOptions(reordering=False), order=order).over(frozenset(system.by_name), no_progress)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projections, "WINDOW_BITS", bits)
        outer = space.over_approximation()
    bits_of_all = space.symbolic.encoding.current_bits("abcd")
    assert len(list(space.symbolic.context.valuations(outer, bits_of_all))) == states


@pytest.mark.parametrize("limit", ["MOST_IMAGES", "MOST_IMAGE_NODES", "MOST_NODES"])
def test_projections_that_take_long_are_given_up(limit):
    system = read_text(PAIRS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projections, limit, 1)
        space = StateSpaces(system, SmvOptions()).over(frozenset(system.by_name), no_progress)
        assert space.over_approximation() is None
        patch.setattr(invariants, "HARD", -1)
        patch.setattr(invariants, "LARGE", -1)
        result = monolithic.decide(system, system.properties[0], SmvOptions(direction="backward"), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert accept(system, system.properties[0], result, None).certified


#: Queues that fill and drain together: backward, almost every difference of their numbers leads to a violation.
QUEUES = """MODULE main IVAR put : boolean; get : boolean;
VAR a : 0..60; b : 0..60; c : 0..60; ASSIGN init(a) := 0; init(b) := 0; init(c) := 0;
DEFINE up := put & !get & a < 60; down := get & !put & a > 0;
ASSIGN next(a) := up ? a + 1 : down ? a - 1 : a;
next(b) := up & b < 60 ? b + 1 : down & b > 0 ? b - 1 : b;
next(c) := up & c < 60 ? c + 1 : down & c > 0 ? c - 1 : c;
INVARSPEC !(a = 60 & b = 59) & !(a = 60 & c = 59)
"""


@pytest.mark.parametrize("bdd", ["dd", "oxidd"])
def test_backward_search_stays_where_the_facts_are_true(bdd):
    system = read_text(QUEUES)
    (checked,) = system.properties
    rings = {}
    for facts in (False, True):
        options = SmvOptions(direction="backward", bdd=bdd, facts=facts)
        result = monolithic.decide(system, checked, options, no_progress)
        assert result.verdict is Verdict.HOLDS
        assert accept(system, checked, result, None).certified
        rings[facts] = result.statistics["rings_backward"]
    assert rings[True] < rings[False]
    assert result.statistics["facts"] > 0
    assert len(result.certificate.conjuncts) == 1 + result.statistics["facts"]
