"""Relations that are disjunctions of events: against walks through the explicit state graph."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.smv import read, read_text
from symag.smv.symbolic.chaining import events
from symag.smv.symbolic.counting import count
from symag.smv.symbolic.relation import transition_relation
from symag.smv.symbolic.system import encode
from symag.smv.traversal.reachability import reachable_states
from tests.symbolic.test_closures import DrawnStates

NAMES = ("a", "b", "c", "d")
VALUES = {"a": ("TRUE", "FALSE"), "b": ("red", "green", "blue"), "c": ("1", "2", "3"), "d": ("TRUE", "FALSE")}


@st.composite
def event_systems(draw) -> str:
    """A TRANS with one operand for each event, partly through defines, and now and then something beside it."""

    def literal(name: str, primed: bool) -> str:
        value = draw(st.sampled_from(VALUES[name]))
        text = f"next({name})" if primed else name
        return f"{text} {draw(st.sampled_from(('=', '!=')))} {value}"

    def event() -> str:
        changed = draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True))
        parts = [literal(name, primed=True) for name in changed if draw(st.booleans())]
        parts += [literal(name, primed=False) for name in draw(st.lists(st.sampled_from(NAMES), max_size=2))]
        if draw(st.integers(0, 4)) == 0:
            parts.append("go")
        kept = [name for name in NAMES if name not in changed]
        if len(kept) == 2 and draw(st.booleans()):
            parts.append(f"still_{''.join(kept)}")
        else:
            parts += [draw(st.sampled_from((f"next({name}) = {name}", f"{name} = next({name})"))) for name in kept]
        return " & ".join(draw(st.permutations(parts)))

    alternatives = [f"({event()})" for _ in range(draw(st.integers(2, 6)))]
    if len(alternatives) > 3:
        alternatives = [f"({' | '.join(alternatives[:2])})", *alternatives[2:]]
    lines = [
        "MODULE main",
        "VAR a : boolean; b : {red, green, blue}; c : 1..3; d : boolean;",
        "IVAR go : boolean;",
        "DEFINE "
        + " ".join(f"still_{x}{y} := next({x}) = {x} & {y} = next({y});" for x in NAMES for y in NAMES if x < y),
        "TRANS " + " | ".join(alternatives),
    ]
    extra = ("INVAR a | b != red", "TRANS d -> next(c) != 2", "TRANS !(next(a) & next(d))", "INVAR c = 1 -> d", "")
    lines += draw(st.lists(st.sampled_from(extra), max_size=2, unique=True))
    return "\n".join(lines) + "\n"


@settings(max_examples=60, deadline=None)
@given(event_systems(), st.data())
def test_the_disjunction_is_the_relation(text, data):
    graph = DrawnStates(text, data)
    relation, diagram, start, edges = graph.relation, graph.diagram, graph.start, graph.edges
    assert relation.disjunctive
    assert relation.image(diagram(start)) == diagram({target for source, target in edges if source in start})
    assert relation.preimage(diagram(start)) == diagram({source for source, target in edges if target in start})
    assert relation.preimage(graph.symbolic.context.true) == diagram({source for source, _ in edges})
    graph.check_closures(relation)


def test_a_stopped_closure_is_a_part_of_it():
    keep = "next(a) = a"
    head = "MODULE main VAR a : boolean; n : 0..7; INIT n = 0"
    text = f"{head} TRANS (n < 7 & next(n) = n + 1 & {keep}) | (n = 7 & next(n) = n & {keep})"
    symbolic = encode(read_text(text))
    relation, initial = transition_relation(symbolic), symbolic.initial_states()
    asked = iter((False, False, False, True, True, True))
    some = relation.forward_closure(initial, stop=lambda: next(asked))
    implies, everything = symbolic.context.implies, relation.forward_closure(initial)
    assert implies(initial, some)
    assert implies(some, everything)
    assert some != everything


@pytest.mark.parametrize(
    "trans",
    [
        "next(x) = x & next(y) = y",  # one event
        "(next(x) = x & y) | next(y)",  # an operand that keeps nothing
        "(next(x) = x & y) | (next(x) = x & !y)",  # keeps too little: y and z move in every event
    ],
)
def test_no_events(trans):
    system = encode(read_text(f"MODULE main VAR x : boolean; y : boolean; z : unsigned word[2]; TRANS {trans}"))
    assert events(system, frozenset("xyz")) == ()


@pytest.mark.long
@pytest.mark.parametrize(("name", "states"), [("dartes", 10388647123220), ("over12", 66638767546)])
def test_public_models(suites, name, states):
    system = encode(read(suites / "smv" / "nusmv" / "deadlock" / f"{name}.smv"))
    found = reachable_states(system)
    assert count(system.context, found.states, system.encoding.current_bits(system.encoding.state_names())) == states
