"""Wires: the same runs with one more column, and fewer bits to read."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symag.smv.model.flat import FlatSystem
from symag.smv.model.supports import references
from symag.smv.model.typed import Operation, VariableReference
from symag.smv.model.types import SetType
from symag.smv.model.wires import candidate_wires, fresh_name, is_function_of_the_state, publish
from tests.small_systems import ANY, BOOLEAN, TRUE, define, denotes, explore, op, small_systems, system, var


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_systems(), st.booleans())
def test_the_runs_are_the_same_with_one_more_column(flat: FlatSystem, property_too: bool) -> None:
    wires = [("w0", define("d0")), ("w1", define("d1"))]
    if property_too:
        wires.append(("p", op("or", define("d1"), var("x0"))))
    with_wires = publish(flat, wires)
    before, after = explore(flat), explore(with_wires)
    assert after.names == (*before.names, *(name for name, _ in wires))

    def widened(state: tuple) -> tuple:
        now = dict(zip(before.names, state, strict=True))
        return (*state, *(value for _, e in wires for value in denotes(flat, e, now, None)))

    assert after.initial == {widened(s) for s in before.initial}
    assert after.reachable == {widened(s) for s in before.reachable}
    assert after.steps == {(widened(s), letter, widened(t)) for s, letter, t in before.steps}


def test_readers_of_a_define_read_the_wire_now_and_next() -> None:
    flat = system(
        "abx",
        defines={"low": op("and", var("a"), var("b")), "high": op("not", define("low"))},
        assign=[("x", "next", op("xor", define("low"), define("low", True)))],
        invar=[op("or", define("high"), var("x"))],
    )
    wired = publish(flat, [("low.wire", define("low"))])
    assert references(wired, wired.assignments[0].value) == ({"low.wire"}, {"low.wire"})
    assert references(wired, wired.invar[0].expression).current == {"low.wire", "x"}
    assert wired.assignments[-1].variable == "low.wire"
    assert references(wired, wired.assignments[-1].value).current == {"a", "b"}
    # Names for the same DEFINE beyond the first read the first.
    twice = publish(flat, [("w", define("low")), ("v", define("low"))])
    assert references(twice, twice.assignments[-1].value).current == {"w"}
    assert publish(flat, []).assignments[0].value is flat.assignments[0].value


def test_what_is_no_function_of_the_state_is_refused() -> None:
    flat = system("ab", "i", defines={"later": var("a", True), "read": var("i"), "choice": ANY})
    partial = Operation("case", (var("a"), TRUE, var("b"), var("b")), BOOLEAN, 0)
    total = Operation("case", (var("a"), TRUE, TRUE, var("b")), BOOLEAN, 0)
    member = op("in", var("a"), ANY)
    for expression in (define("later"), define("read"), var("i"), var("a", True), partial, op("/", var("a"), var("b"))):
        assert not is_function_of_the_state(flat, expression)
        with pytest.raises(ValueError, match="not a function"):
            publish(flat, [("w", expression)])
    assert not is_function_of_the_state(flat, define("choice"))
    assert not is_function_of_the_state(flat, Operation("case", (var("a"), ANY, TRUE, TRUE), SetType(BOOLEAN), 0))
    with pytest.raises(ValueError, match="finite type"):
        publish(flat, [("w", ANY)])
    for expression in (total, member, op("not", member)):
        assert is_function_of_the_state(flat, expression)
    for taken in ("a", "i", "read"):
        with pytest.raises(ValueError, match="taken"):
            publish(flat, [(taken, var("b"))])


def test_candidates_are_used_total_and_more_than_one_bit() -> None:
    flat = system(
        "abx",
        "i",
        defines={
            "pair": op("and", var("a"), var("b")),
            "pair.wire": op("not", define("pair")),
            "alias": define("pair"),
            "single": op("not", var("a")),
            "with_input": op("and", var("a"), var("i")),
            "unused": op("or", var("a"), var("b")),
        },
        assign=[("x", "next", op("and", define("alias"), define("single"), define("with_input"), define("pair.wire")))],
    )
    found = candidate_wires(flat)
    assert [name for name, _ in found] == ["pair.wire2", "pair.wire.wire"]
    wired = publish(flat, found)
    value = wired.assignments[0].value
    assert isinstance(value, Operation)
    assert [n.name for n in value.operands if isinstance(n, VariableReference)] == ["pair.wire.wire"]
    assert references(wired, value).current == {"pair.wire2", "pair.wire.wire", "a", "i"}
    assert fresh_name(flat, "b") == "b2"


@pytest.mark.long
def test_deep_expressions_are_rewritten_without_recursion() -> None:
    deep = define("d")
    for _ in range(20_000):
        deep = op("not", deep)
    flat = system("ab", defines={"d": op("and", var("a"), var("b"))}, assign=[("a", "next", deep)])
    wired = publish(flat, [("w", define("d"))])
    assert references(wired, wired.assignments[0].value).current == {"w"}
