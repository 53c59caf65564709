"""The system over bits has the runs of the system; its bits can be cut apart where nothing holds them together."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from symag.smv import read_text
from symag.smv.model.bit_of_value import bit_name
from symag.smv.model.bits import bitwise
from symag.smv.model.flat import VariableKind
from symag.smv.model.supports import Supports
from symag.smv.model.types import BooleanType, bit_count, values
from symag.smv.partition import partitions
from tests.brute_force import Explicit
from tests.strategies import models

COUNTER = """
MODULE main
VAR x : 0..5; w : signed word[3]; e : {a, 3, b}; one : {only}; s : boolean;
IVAR i : 0..2;
ASSIGN
  init(x) := 0; next(x) := case i = 2 & x < 5 : x + 1; TRUE : x; esac;
  init(w) := 0sd3_0; next(w) := w + 0sd3_1;
  next(e) := case x = 1 : {a, b}; TRUE : e; esac;
INVARSPEC x < 5
INVARSPEC w = -0sd3_4 -> e != 3 | s
"""


def _encoded(system, valuation):
    """A valuation of a system's variables as the bits that the law in certificates gives them."""
    bits = {}
    for variable in system.variables:
        if variable.name not in valuation:
            continue
        if isinstance(variable.type, BooleanType):
            bits[variable.name] = valuation[variable.name]
            continue
        code = list(values(variable.type)).index(valuation[variable.name])
        for index in range(bit_count(variable.type)):
            bits[bit_name(variable.name, index)] = bool(code >> index & 1)
    return bits


def _check_same_runs(text):
    system = read_text(text)
    split = bitwise(system)
    original, over_bits = Explicit(system), Explicit(split.system)
    assert set(split.bits) == set(split.system.by_name)

    def states(explicit, found):
        named = (explicit.valuation(state) for state in found)
        return {tuple(sorted(_encoded(explicit.system, each).items())) for each in named}

    assert states(original, original.reachable()) == states(over_bits, over_bits.reachable())
    for mine, other in zip(system.properties, split.system.properties, strict=True):
        assert original.holds(mine) == over_bits.holds(other)


OPERATORS = """
MODULE main
VAR a : word[3]; b : word[3]; c : signed word[3]; r : 1..5; q : 1..3; s : boolean;
ASSIGN
  init(a) := 0ud3_1; init(b) := 0ud3_6; init(c) := -0sd3_3; init(r) := 2; init(q) := 1;
  next(a) := case s : (b[1:0] :: word1(a = b)) + a; TRUE : !(a xor b) - 0ud3_3; esac;
  next(b) := extend(a[2:1], 1) * b & (b | a);
  next(c) := signed(a) + -c;
  next(r) := case s : q; r < 5 : r + 1; TRUE : 1; esac;
INVARSPEC a != b | c > 0sd3_1
"""


@pytest.mark.long
@pytest.mark.parametrize("text", [COUNTER, OPERATORS])
def test_words_ranges_and_mixed_sets_over_bits(text) -> None:
    _check_same_runs(text)


def test_low_bits_of_a_sum_do_not_read_the_high_ones() -> None:
    system = bitwise(read_text("MODULE main VAR w : word[4]; ASSIGN next(w) := w + 0ud4_1; INVARSPEC w = w")).system
    supports = Supports(system)
    reads = {each.variable: supports.of(each.value).current for each in system.assignments}
    assert reads["w.0"] == {"w.0"}
    assert reads["w.2"] == {"w.0", "w.1", "w.2"}


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(properties=1, largest=32))
def test_the_system_over_bits_has_the_same_states_and_verdicts(text):
    _check_same_runs(text)


def test_kinds_and_order_are_kept() -> None:
    split = bitwise(read_text(COUNTER)).system
    names = [variable.name for variable in split.variables]
    assert names == ["x.0", "x.1", "x.2", "w.2", "w.1", "w.0", "e.0", "e.1", "s", "i.0", "i.1"]
    assert split.by_name["i.1"].kind is VariableKind.INPUT
    assert {assignment.variable for assignment in split.assignments} == {*names[:6]}  # next(e) may be a set


def test_bits_of_one_variable_may_go_to_different_parts() -> None:
    text = "MODULE main VAR w : word[4]; ASSIGN next(w) := w[1:0] :: w[3:2]; INVARSPEC w = w"
    (best, *_) = partitions(bitwise(read_text(text)).system, 2, 1.0)
    assert best.io == ()
    assert {frozenset(part) for part in best.parts} == {frozenset(("w.3", "w.1")), frozenset(("w.2", "w.0"))}
