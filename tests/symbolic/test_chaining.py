"""Chaining: sub-relations of any groups against walks, and which systems get groups by themselves."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.values import replace
from symag.smv import read, read_text
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.chaining import Group, independent_groups, moves
from symag.smv.symbolic.counting import count
from symag.smv.symbolic.relation import TransitionRelation, transition_relation
from symag.smv.symbolic.system import encode
from symag.smv.traversal.reachability import reachable, reachable_states
from symag.smv.traversal.trace import SingleTransitions, path_through_layers
from tests.strategies import models
from tests.symbolic.test_closures import DrawnStates, walked


def _parts(symbolic, whole, data):
    """The relations in which only a few variables move, for any groups of variables."""
    encoding = symbolic.encoding
    moving = encoding.names(VariableKind.STATE)
    group = st.sets(st.sampled_from(moving), min_size=1) if moving else st.nothing()
    groups = [Group(tuple(sorted(each))) for each in data.draw(st.lists(group, max_size=3 if moving else 0))]
    everything = frozenset(encoding.variables)
    inputs = encoding.names(VariableKind.INPUT)
    return tuple(
        TransitionRelation.of(
            encoding, moves(symbolic, everything, each), each.variables, inputs, invariant=whole.invariant
        )
        for each in groups
    )


@settings(max_examples=100, deadline=None)
@given(models(properties=1, largest=24), st.data())
def test_closures_with_any_groups_are_walks(text, data):
    graph = DrawnStates(text, data)
    whole, diagram, start, within = graph.relation, graph.diagram, graph.start, graph.within
    implies = graph.symbolic.context.implies
    relation = replace(whole, parts=_parts(graph.symbolic, whole, data))
    for part in relation.parts:
        assert implies(part.image(diagram(start)), whole.image(diagram(start)))
        assert implies(part.preimage(diagram(start)), whole.preimage(diagram(start)))
    graph.check_closures(relation)
    inside = diagram(within)
    if within:
        for each in (relation, *relation.parts):
            confined = each.confined(inside)
            assert confined.image(diagram(start & within)) == each.image(diagram(start & within))
            assert confined.preimage(diagram(start)) == each.preimage(diagram(start)) & inside
        here = relation.confined(inside).backward_closure(diagram(start & within), inside)
        assert here == diagram(walked(graph.reversed_edges, start & within, within))


RACE = """
MODULE main
  VAR a : boolean; b : boolean; c : 0..2;
  ASSIGN
    init(a) := FALSE; init(b) := FALSE; init(c) := 0;
    next(a) := {a, !b}; next(b) := {b, !a};
    next(c) := case a & b : {c, 1}; TRUE : c; esac;
"""


def test_moves_at_once_are_found_too():
    """a and b both rise only if they move in the same step."""
    system = encode(read_text(RACE))
    relation = transition_relation(system)
    alone = [
        TransitionRelation.of(system.encoding, moves(system, frozenset("abc"), Group((name,))), (name,), ())
        for name in ("a", "b", "c")
    ]
    both = system.encoding.valuation({"a": True, "b": True})
    assert replace(relation, parts=tuple(alone)).forward_closure(system.initial_states()) & both != system.context.false


PROCESSES = """
MODULE station(left, right)
  VAR at : {idle, busy};
  ASSIGN
    init(at) := idle;
    next(at) := case at = idle & left & !right : busy; at = busy : idle; TRUE : at; esac;
    next(left) := case at = idle & left & !right : FALSE; TRUE : left; esac;
    next(right) := case at = busy : TRUE; TRUE : right; esac;
MODULE main
  VAR
    x : boolean; y : boolean;
    one : process station(x, y);
    two : process station(y, x);
  ASSIGN init(x) := TRUE; init(y) := FALSE;
"""


def test_a_group_for_each_process():
    system = encode(read_text(PROCESSES))
    groups = independent_groups(system, frozenset(system.encoding.variables))
    assert {group.process: set(group.variables) for group in groups} == {
        "one": {"one.at", "x", "y"},
        "two": {"two.at", "x", "y"},
    }
    relation = transition_relation(system)
    breadth_first = reachable(relation, system.initial_states())
    assert reachable_states(system).states == breadth_first.states


@pytest.mark.parametrize(
    ("section", "groups"),
    [
        ("ASSIGN next(x) := {x, !y};", [("w",), ("x", "y")]),
        ("ASSIGN next(x) := {x, !y}; TRANS !(next(x) & next(y))", [("w",), ("x", "y")]),
        ("ASSIGN next(x) := !x;", []),  # never waits
        ("VAR z : boolean; ASSIGN z := x & y;", []),  # follows at once
        ("VAR z : boolean; TRANS next(z) = x", []),  # moves by a constraint alone
    ],
)
def test_groups_of_variables_that_may_wait(section, groups):
    text = f"MODULE main VAR w : unsigned word[40]; x : boolean; y : boolean; ASSIGN next(y) := {{y, x}}; {section}"
    system = encode(read_text(text))
    found = independent_groups(system, frozenset(system.encoding.variables))
    assert [group.variables for group in found] == groups


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "states"), [("smv-dist/dme1.smv", 6579), ("example_irst/dme4.smv", 69599163), ("brp/brp.smv", 22432)]
)
def test_public_models(suites, name, states):
    system = encode(read(suites / "smv" / "nusmv" / name))
    found = reachable_states(system)
    assert found.rings == ()
    assert count(system.context, found.states, system.encoding.current_bits(system.encoding.state_names())) == states


@settings(max_examples=100, deadline=None)
@given(models(properties=1, largest=24), st.data())
def test_paths_through_layers_are_paths(text, data):
    graph = DrawnStates(text, data)
    whole, diagram, start, goal = graph.relation, graph.diagram, graph.start, graph.within
    relation = whole if whole.disjunctive else replace(whole, parts=_parts(graph.symbolic, whole, data))
    layers = relation.layers(diagram(start), diagram(goal))
    reached = walked(graph.edges, start, graph.states)
    if not reached & goal:
        assert layers[-1].states == diagram(reached)
        return
    path = path_through_layers(SingleTransitions.of(graph.symbolic), layers, diagram(goal))
    visited = [tuple(state[name] for name in graph.explicit.names) for state in path]
    assert visited[0] in start
    assert visited[-1] in goal
    assert graph.edges.issuperset(itertools.pairwise(visited))
