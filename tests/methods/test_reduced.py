"""Searches of a reduced system: what is left out is right, and the evidence is that of the whole."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.runs.interpreter import Program, value_set
from symag.smv.certify.runs.replay import replay
from symag.smv.methods import outside_cone, state_spaces
from symag.smv.methods.monolithic import decide, session
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import Property
from symag.smv.reduction.equal_variables import redundancy
from symag.smv.symbolic.order import in_order_of, static_order
from tests.brute_force import Explicit
from tests.strategies import models

#: Values of latches; many coincide, and several make constants.
VALUES = ("FALSE", "TRUE", "a", "b", "c", "d", "!a", "a & b", "b & a", "a | e", "next(a)", "i", "{a, b}", "n = 0", "k")
NUMBERS = ("0", "1", "n", "m", "case a : n; TRUE : m; esac", "case b : 0; TRUE : n; esac", "{0, 2}", "(n + 1) mod 3")


@st.composite
def latches(draw: st.DrawFn) -> str:
    """A model of four latches, a DEFINE, two numbers, a frozen variable and an input."""
    lines = ["MODULE main", "IVAR i : boolean; VAR a : boolean; b : boolean; c : boolean; d : boolean;"]
    lines.append("VAR n : 0..2; m : 0..2; FROZENVAR k : boolean; DEFINE e := a & c; ASSIGN")
    for name in "abcd":
        value = draw(st.sampled_from([each for each in VALUES if each != "next(a)" or name in "bcd"]))
        if draw(st.integers(0, 9)) == 0:
            earlier = [each for each in ("FALSE", "n = 0", "TRUE") if each] + [each for each in "abcd" if each < name]
            lines.append(f"{name} := {draw(st.sampled_from(earlier))};")
            continue
        if draw(st.integers(0, 5)):
            start = draw(st.sampled_from(("FALSE", "FALSE", "FALSE", "TRUE", "n = 0", "k")))
            lines.append(f"init({name}) := {start};")
        if draw(st.integers(0, 5)) and not (value == "next(a)" and "a := " in "".join(lines[3:]).replace("(a)", "")):
            lines.append(f"next({name}) := {value};")
    for name in "nm":
        lines.append(f"init({name}) := {draw(st.sampled_from(('0', '0', '2', '{1, 2}')))};")
        lines.append(f"next({name}) := {draw(st.sampled_from(NUMBERS))};")
    if draw(st.integers(0, 4)) == 0:
        lines.append(draw(st.sampled_from(("INVAR a -> b;", "INIT a = b;", "TRANS next(c) -> c;", "INVAR n != 1;"))))
    for text in draw(st.lists(st.sampled_from(PROPERTIES), min_size=1, max_size=4)):
        lines.append(text)
    return "\n".join(lines) + "\n"


PROPERTIES = (
    "INVARSPEC a = b;",
    "INVARSPEC !(c & d);",
    "INVARSPEC a | !b;",
    "INVARSPEC n = m;",
    "INVARSPEC n < 2;",
    "INVARSPEC next(a) -> i;",
    "INVARSPEC TRUE;",
    "INVARSPEC !e;",
    "SPEC AG (a -> c);",
    "SPEC AG m != 1;",
    "LTLSPEC G (b -> d);",
)


@settings(max_examples=150, deadline=None)
@given(latches())
def test_what_is_called_redundant_is(text):
    system = read_text(text)
    explicit = Explicit(system)
    found = redundancy(system)
    for state in explicit.reachable():
        values = explicit.valuation(state)
        for name, value in found.constants.items():
            assert values[name] == value
        for name, other in found.equal.items():
            assert values[name] == values[other]


def expected(explicit: Explicit, checked: Property) -> bool:
    if "next(" not in checked.text:
        return explicit.holds(checked, compassion=True)
    program = Program(explicit.system, [checked.expression])
    return all(
        value_set(program.run(explicit.valuation(state, inputs), explicit.valuation(target))[0]) == {True}
        for state in explicit.reachable()
        for state, inputs, target in explicit.edges(state)
    )


@settings(max_examples=120, deadline=None)
@given(latches(), st.sampled_from(("forward", "backward", "both")))
def test_a_session_agrees_with_the_judge(text, direction):
    system = read_text(text)
    explicit = Explicit(system)
    decided = session(system, SmvOptions(direction=direction))
    for checked in system.properties:
        result = decided(checked, no_progress)
        assert (result.verdict is Verdict.HOLDS) == expected(explicit, checked)
        if result.verdict is Verdict.VIOLATED:
            replay(system, checked, result.trace)
        elif result.certificate is not None:
            check_certificate(system, checked, result.certificate)


@settings(max_examples=60, deadline=None)
@given(models(total=True))
def test_random_models_in_one_session(text):
    system = read_text(text)
    explicit = Explicit(system)
    decided = session(system, SmvOptions(direction="forward"))
    for checked in system.properties:
        result = decided(checked, no_progress)
        assert (result.verdict is Verdict.HOLDS) == explicit.holds(checked, compassion=True)
        if result.verdict is Verdict.VIOLATED:
            replay(system, checked, result.trace)


CHAIN = """
MODULE main
IVAR i : boolean;
VAR x : boolean; y : boolean; s : boolean; big : 0..7; w : unsigned word[4]; t : boolean;
ASSIGN
  init(x) := FALSE; next(x) := i;
  init(y) := FALSE; next(y) := i;
  init(s) := FALSE; next(s) := s & x;
  init(big) := 0; next(big) := case x : 7 - big; TRUE : big; esac;
  init(w) := 0ud4_3; next(w) := w + 0ud4_1;
  t := w[0:0] = 0ud1_1 xor y;
INVARSPEC x = y
INVARSPEC !s
INVARSPEC !x
"""


def test_constant_and_equal_variables_are_found():
    found = redundancy(read_text(CHAIN))
    assert found.constants == {"s": False}
    assert found.equal == {"y": "x"}


def test_only_what_matters_is_encoded():
    system = read_text(CHAIN)
    equal, constant, violated = (decide(system, each, SmvOptions(), no_progress) for each in system.properties)
    assert equal.verdict is constant.verdict is Verdict.HOLDS
    assert equal.statistics["encoded_bits"] == constant.statistics["encoded_bits"] == 0
    check_certificate(system, system.properties[0], equal.certificate)
    check_certificate(system, system.properties[1], constant.certificate)
    assert violated.statistics["encoded_bits"] == 2
    replay(system, system.properties[2], violated.trace)
    assert [step.state["w"] for step in violated.trace.steps] == [3, 4]
    assert [step.state["t"] for step in violated.trace.steps] == [True, True]


@pytest.mark.parametrize(
    "outside",
    [
        "init(n) := 0; next(n) := n + 1;",
        "init(n) := 0; next(n) := case x : 1; esac;",
        "init(n) := 0; next(n) := 6 / n;",
        "init(n) := 0; next(n) := 9;",
    ],
)
def test_what_fails_outside_the_cone_is_still_an_error(outside):
    text = f"MODULE main VAR x : boolean; n : 0..6; ASSIGN init(x) := FALSE; next(x) := x; {outside} INVARSPEC !x"
    system = read_text(text)
    with pytest.raises(InputError):
        decide(system, system.properties[0], SmvOptions(), no_progress)


def test_constraints_outside_that_cannot_be_met_still_count():
    text = "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := TRUE; INIT y & !y; INVARSPEC !x"
    system = read_text(text)
    result = decide(system, system.properties[0], SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert "initial states is empty" in result.warnings[0]


@pytest.mark.parametrize(
    ("trans", "verdict", "states"), [("FALSE", Verdict.HOLDS, 0), ("TRUE", Verdict.VIOLATED, 2)], ids=["none", "some"]
)
@pytest.mark.parametrize("direction", ["forward", "backward", "both"])
def test_a_next_value_that_is_constant_still_needs_a_transition(
    trans: str, verdict: Verdict, states: int, direction: str
) -> None:
    """v is always TRUE, so ``!next(v)`` is false wherever it is asked; without a transition it is asked nowhere."""
    text = (
        f"MODULE main\nVAR v : boolean;\nASSIGN init(v) := TRUE; next(v) := TRUE;\nTRANS {trans}\nINVARSPEC !next(v)\n"
    )
    system = read_text(text)
    result = decide(system, system.properties[0], SmvOptions(direction=direction), no_progress)  # type: ignore[arg-type]
    assert result.verdict is verdict
    assert (0 if result.trace is None else len(result.trace.steps)) == states


def test_the_next_cone_starts_in_the_order_of_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = [f"{side}{k}" for side in "ab" for k in range(6)]
    lines = ["MODULE main", "IVAR", *(f"i{bit} : boolean;" for bit in bits), "VAR"]
    lines += [*(f"{bit} : boolean;" for bit in bits), "c : boolean; d : boolean;", "ASSIGN"]
    lines += [f"init({bit}) := FALSE; next({bit}) := i{bit};" for bit in bits]
    equal = " & ".join(f"a{k} = b{k}" for k in range(6))
    lines += [f"init({out}) := TRUE; next({out}) := {equal} & i{bit};" for out, bit in (("c", "a0"), ("d", "b1"))]
    system = read_text("\n".join([*lines, "INVARSPEC c | a0 | TRUE & !c", "INVARSPEC d | b0 | !d", "INVARSPEC d"]))
    encoded = []

    def encode(of, order, **options):
        encoded.append((of, order, state_space_encode(of, order, **options)))
        return encoded[-1][2]

    state_space_encode = state_spaces.encode
    monkeypatch.setattr(state_spaces, "encode", encode)
    ask = session(system, SmvOptions(direction="forward"))
    for checked in system.properties:
        ask(checked, no_progress)
    (_, _, first), (second, order, _), *_ = encoded
    owners = [first.encoding.variable_of_bit[bit] for bit in first.context.order()]
    earlier = [(name, index) for name, index, primed in owners if not primed]
    assert order == in_order_of(earlier, static_order(second)) != static_order(second)


def test_a_relation_with_a_huge_conjunct_is_sifted_before_the_search() -> None:
    names = [f"{side}{k}" for side in "ab" for k in range(14)]
    equal = " & ".join(f"a{k} = b{k}" for k in range(14))
    variables = " ".join(f"{name} : boolean;" for name in (*names, "c"))
    system = read_text(f"MODULE main VAR {variables} ASSIGN init(c) := TRUE; next(c) := {equal}; INVARSPEC c")
    spaces = state_spaces.StateSpaces(system, SmvOptions(), only_searches=True)
    space = spaces.over(frozenset((*names, "c")), no_progress)
    assert sum(map(space.relation.context.size, space.relation.clusters())) < 1000


def test_a_property_is_searched_in_its_own_cone_until_there_were_many() -> None:
    names = [f"x{k}" for k in range(10)]
    lines = ["MODULE main", "IVAR", *(f"i{name} : boolean;" for name in names), "VAR"]
    lines += [*(f"{name} : boolean;" for name in names), "z : boolean;", "ASSIGN"]
    lines += [f"next({name}) := i{name};" for name in names]
    for first in range(10):
        read = [names[(first + k) % 10] for k in range(6)]
        lines.append(f"INVARSPEC {' | '.join(read)} | !{read[0]}")
    system = read_text("\n".join(lines))
    ask = session(system, SmvOptions(direction="forward"))
    cones = [ask(checked, no_progress).statistics["cone_variables"] for checked in system.properties]
    assert cones == [12] * 8 + [20] * 2


def test_an_assignment_that_may_fail_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["MODULE main VAR n : 0..6; a : boolean; b : boolean; c : boolean;", "ASSIGN next(n) := 6 / (n + 1);"]
    lines += [f"next({name}) := !{name};" for name in "abc"]
    system = read_text("\n".join([*lines, *(f"INVARSPEC {name}" for name in "abc")]))
    encoded = []
    encode = outside_cone.encode
    monkeypatch.setattr(outside_cone, "encode", lambda of, **options: encoded.append(of) or encode(of, **options))
    ask = session(system, SmvOptions(direction="forward"))
    assert all(ask(checked, no_progress).verdict is Verdict.VIOLATED for checked in system.properties)
    assert len(encoded) == 1
