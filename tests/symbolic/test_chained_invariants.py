"""Invariants of random processes, whose states are found by chaining, against the explicit-state judge."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.runs.replay import replay
from symag.smv.methods.monolithic import session
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_spaces import StateSpaces
from tests.brute_force import Explicit

TERMS = ("x", "!x", "y & n < 2", "x xor z", "y | z", "{x, y}", "n = 1", "n > 0 & !y", "TRUE")
NUMBERS = ("n", "case n < 3 & x : n + 1; TRUE : n; esac", "case y : 0; z : {n, 1}; TRUE : n; esac")
#: Constraints on a third process, which the invariants do not read: some keep the other two from running.
OUTSIDE = (
    "TRANS !(next(third.own) & next(d))",
    "TRANS next(third.own) != third.own",
    "TRANS third.own = next(d)",
    "INVAR d | !third.own",
)
CLAIMS = ("n < 3", "!(a & b)", "!(b & c & n = 2)", "a | b | n != 1", "n < 2 | one.own")


@st.composite
def processes(draw):
    """Two processes that write some of the shared variables a, b, c, n, and one variable of their own."""
    kinds = []
    for name in ("first", "second"):
        moves = [f"next({each}) := {draw(st.sampled_from(TERMS))};" for each in ("x", "y") if draw(st.booleans())]
        if name == "first" or draw(st.booleans()):
            moves.append(f"next(n) := {draw(st.sampled_from(NUMBERS))};")
        moves.append(f"next(own) := {draw(st.sampled_from(TERMS))};")
        kinds.append(
            f"MODULE {name}(x, y, z, n)\nVAR own : boolean;\nASSIGN init(own) := FALSE;\n  " + "\n  ".join(moves)
        )
    claims = draw(st.lists(st.sampled_from(CLAIMS), min_size=2, max_size=3, unique=True))
    properties = "\n".join(f"INVARSPEC {claim}" for claim in claims)
    if draw(st.booleans()):
        properties += (
            "\nVAR third : process alone(d); d : boolean;\nASSIGN init(d) := FALSE;\n"
            + draw(st.sampled_from(OUTSIDE))
            + "\nMODULE alone(d)\nVAR own : boolean;\nASSIGN init(own) := FALSE;\n"
            f"  next(own) := {draw(st.sampled_from(('!own', '{own, d}')))};\n  next(d) := {{d, !own}};"
        )
    return "\n".join(kinds) + (
        "\nMODULE main\nVAR a : boolean; b : boolean; c : boolean; n : 0..3;\n"
        "  one : process first(a, b, c, n);\n  two : process second(b, c, a, n);\n"
        "ASSIGN init(a) := FALSE; init(b) := FALSE; init(n) := 0; init(c) := TRUE;\n" + properties
    )


@settings(max_examples=60, deadline=None)
@given(processes(), st.booleans())
def test_agrees_with_the_judge(text, cone):
    system = read_text(text)
    explicit = Explicit(system)
    decide = session(system, SmvOptions(cone_of_influence=cone))
    for checked in system.properties:
        result = decide(checked, no_progress)
        shortest = explicit.shortest_violation(checked)
        assert (result.verdict is Verdict.VIOLATED) == (shortest is not None)
        if result.verdict is Verdict.VIOLATED:
            replay(system, checked, result.trace)
            if not cone:
                assert len(result.trace.steps) == len(shortest.steps)
        else:
            check_certificate(system, checked, result.certificate)


def test_the_states_are_found_by_chaining():
    text = (
        "MODULE cell(other)\nVAR n : 0..2;\nASSIGN init(n) := 0;\n"
        "  next(n) := case n < 2 & n <= other : n + 1; TRUE : n; esac;\n"
        "MODULE main\nVAR x : process cell(y.n); y : process cell(x.n);\n"
        "INVARSPEC x.n - y.n < 2\nINVARSPEC x.n != y.n | x.n < 2"
    )
    system = read_text(text)
    decide = session(system, SmvOptions())
    within, reached = (decide(checked, no_progress) for checked in system.properties)
    assert (within.verdict, within.method) == (Verdict.HOLDS, "monolithic (chaining)")
    assert reached.verdict is Verdict.VIOLATED
    assert len(reached.trace.steps) == 5


def test_processes_that_are_not_read_are_not_searched():
    """The rings of NuSMV's dme6.smv: TRANS of one ring says nothing about the other."""
    text = (
        "MODULE cell(other, first)\nVAR has : boolean;\nASSIGN init(has) := first; next(has) := has | other;\n"
        "MODULE main\nVAR a : process cell(b.has, TRUE); b : process cell(a.has, FALSE);\n"
        "  c : process cell(d.has, TRUE); d : process cell(c.has, FALSE);\n"
        "TRANS !(next(c.has) & next(d.has))\nINVARSPEC a.has | b.has\nINVARSPEC !(a.has & b.has)"
    )
    system = read_text(text)
    spaces = StateSpaces(system, SmvOptions())
    invariant = system.properties[0].expression
    assert [sorted(cone) for cone in spaces.cones(invariant)] == [
        ["_process_selector_", "a.has", "b.has"],
        ["_process_selector_", "a.has", "b.has", "c.has", "d.has"],
    ]
    decide = session(system, SmvOptions())
    holds, violated = (decide(checked, no_progress) for checked in system.properties)
    assert (holds.verdict, violated.verdict) == (Verdict.HOLDS, Verdict.VIOLATED)
    check_certificate(system, system.properties[0], holds.certificate)
    replay(system, system.properties[1], violated.trace)
