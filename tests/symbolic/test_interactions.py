"""Component systems with interactions: against walks through the explicit state graph."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.methods.monolithic import decide
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.projected import ProjectedSpace
from symag.smv.symbolic.choices import interaction_variable
from symag.smv.symbolic.interactions import interactions_of
from symag.smv.symbolic.order import event_order, side_by_side, static_order
from symag.smv.symbolic.search_order import search_order
from symag.smv.symbolic.system import encode
from tests.brute_force import Explicit

NAMES = ("a", "b", "c")
INTERACTIONS = ("i1", "i2", "i3", "i4")


@st.composite
def component_systems(draw) -> str:
    """Components that say by themselves what they do in an interaction, some with a port that their place defines."""
    lines = [
        "MODULE main",
        "VAR i : {i1, i2, i3, i4}; " + " ".join(f"{name} : boolean; {name}_port : boolean;" for name in NAMES),
        "FROZENVAR f : boolean; IVAR go : boolean;",
    ]
    literals = [text for name in NAMES for text in (name, f"!{name}", f"{name}_port")] + ["f", "!f"]
    for name in NAMES:
        taking_part = draw(st.lists(st.sampled_from(INTERACTIONS), min_size=1, max_size=2, unique=True))
        moves = [
            f"(i = {draw(st.sampled_from(taking_part))} & {draw(st.sampled_from([*literals, 'go']))}"
            f" & next({name}) = {draw(st.sampled_from(['TRUE', 'FALSE', 'go', *(other for other in NAMES)]))})"
            for _ in range(draw(st.integers(1, 3)))
        ]
        kept = f"(!(i in {{{', '.join(taking_part)}}}) & next({name}) = {name})"
        lines.append(f"TRANS {' | '.join([*moves, kept])}")
        lines.append(f"INVAR {name}_port <-> {draw(st.sampled_from([name, '!' + name, 'TRUE']))}")
        if draw(st.booleans()):
            lines.append(f"INIT {draw(st.sampled_from(('', '!')))}{name}")
    guard = f"i = {draw(st.sampled_from(INTERACTIONS))} -> {draw(st.sampled_from(literals[:-2]))}"
    extra = (
        f"INVAR {guard}",
        "TRANS next(i) = i2 -> next(a_port)",
        "TRANS next(b_port) | next(i) != i1",
        "INIT i = i1",
    )
    lines += draw(st.lists(st.sampled_from(extra), max_size=3, unique=True))
    kind = draw(st.sampled_from(("INVARSPEC", "CTLSPEC AG", "LTLSPEC G")))
    lines.append(
        f"{kind} ({' | '.join(draw(st.lists(st.sampled_from([*literals, 'i = i1']), min_size=2, max_size=4)))})"
    )
    return "\n".join(lines) + "\n"


@settings(max_examples=80, deadline=None)
@given(component_systems())
def test_reached_states_verdicts_and_dead_ends(text):
    system = read_text(text)
    explicit = Explicit(system)
    symbolic = encode(system)
    context, encoding = symbolic.context, symbolic.encoding
    space = ProjectedSpace.of(symbolic)
    assume(space is not None)
    assert set(space.interactions.memory) == set(NAMES)
    states = explicit.reachable()
    reached = space.reached() & symbolic.invariant()
    assert reached == context.disjunction(encoding.valuation(explicit.valuation(state)) for state in states)
    stuck = [state for state in states if not list(explicit.edges(state))]
    assert (space.dead_end(space.reached()) is None) == (not stuck)
    (target,) = system.properties
    result = decide(system, target, SmvOptions(), no_progress)
    assert result.verdict is (Verdict.HOLDS if explicit.holds(target) else Verdict.VIOLATED)
    as_invariant = replace(target, kind="INVARSPEC", expression=target.expression)
    shortest = explicit.shortest_violation(as_invariant) if target.kind == "INVARSPEC" else None
    if shortest is not None and result.trace is not None and "interactions" in result.method:
        assert len(result.trace.steps) == len(shortest.steps)


def test_a_path_keeps_frozen_values_and_the_ports_of_each_state():
    text = """
        MODULE main
        VAR i : {tick, tock, idle}; a : boolean; b : boolean; p : boolean;
        FROZENVAR f : boolean;
        INIT !a & !b & i = tick
        INVAR p <-> (a & f)
        INVAR (i = tick -> !a) & (i = tock -> p)
        TRANS (i = tick & next(a)) | (i != tick & next(a) = a)
        TRANS (i = tock & f & next(b)) | (i != tock & next(b) = b)
        INVARSPEC !b
    """
    system = read_text(text)
    result = decide(system, system.properties[0], SmvOptions(cone_of_influence=False), no_progress)
    assert result.method == "monolithic (interactions)"
    assert result.trace is not None
    assert [(step.state["i"], step.state["p"]) for step in result.trace.steps[:2]] == [("tick", False), ("tock", True)]
    assert len(result.trace.steps) == 3
    assert all(step.state["f"] for step in result.trace.steps)


def test_components_stay_in_the_order_of_their_declaration():
    text = """
        MODULE main
        VAR i : {x, y, z}; a : 0..7; b : 0..7; c : 0..7;
        INVAR i = x -> a > 0
        TRANS (i = x & next(a) = b) | (i != x & next(a) = a)
        TRANS (i = y & next(b) = c) | (i != y & next(b) = b)
        TRANS (i = z & next(c) = a) | (i != z & next(c) = c)
    """
    system = read_text(text)
    assert interaction_variable(system) == "i"
    assert static_order(system) == side_by_side(system, system.by_name)
    assert search_order(system) is None
    plain = read_text(text.replace("INVAR i = x -> a > 0", ""))
    assert interaction_variable(plain) is None
    assert static_order(plain) != side_by_side(plain, plain.by_name)


def test_alternatives_of_one_component_do_not_order_the_system():
    many = " ".join(f"v{number} : boolean;" for number in range(9))
    text = (
        f"MODULE main VAR a : boolean; b : boolean; {many} TRANS (a & next(b) = b) | (!a & next(b) = b & next(a) = a)"
    )
    system = read_text(text)
    assert event_order(system) is None
    assert static_order(system) == side_by_side(system, system.by_name)


def test_a_selector_that_most_conjuncts_do_not_read_selects_nothing():
    text = "MODULE main VAR i : {x, y, z}; a : boolean; b : boolean; c : boolean; INVAR i = x -> a "
    trans = "TRANS i = x & next(a) | i != x & next(a) = a TRANS next(b) = c TRANS next(c) = b"
    assert interactions_of(encode(read_text(text + trans))) is None


def test_bits_without_a_value_do_not_hide_that_a_variable_is_kept():
    text = """
        MODULE main
        VAR i : {x, y, z}; a : {p, q, r, s, t}; b : {p, q, r, s, t};
        INVAR i = x -> a != p
        ASSIGN next(a) := case i = x : next(b); TRUE : a; esac;
        TRANS (i = y -> next(b) = a) & (i != y -> next(b) = b)
    """
    interactions = interactions_of(encode(read_text(text)))
    assert interactions is not None
    assert [interaction.changed for interaction in interactions.by_value] == [("a",), ("b",), ()]
