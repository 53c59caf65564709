"""The circuits of expressions against the interpreter, valuation by valuation."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import Deadline
from symag.core.trace import Value
from symag.smv import expression as read_expression
from symag.smv import read_text
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import TRUE, Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.scalars import Number, Symbol, Word
from symag.smv.certify.runs.interpreter import EvaluationError, evaluate
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression
from symag.smv.model.types import values
from tests.strategies import Declared, Scope, condition

MODEL = """
MODULE main
VAR u : unsigned word[3]; v : unsigned word[3]; s : signed word[3]; t : signed word[3];
    x : -4..3; y : -3..4; e : {red, 2, blue, 0}; n : {5, -3, 1}; b : boolean; wide : unsigned word[5];
DEFINE several := case b : {x, y}; TRUE : {0, 2}; esac;
"""


class Simulation:
    """The signals of a circuit under one valuation of some inputs; the others are false."""

    def __init__(self, encoder: Encoder, valuation: Mapping[str, Value]) -> None:
        self._circuit = encoder.circuit
        self._known = {TRUE: True}
        for name, value in valuation.items():
            code = list(values(encoder.type_of(name))).index(value)
            for place, bit in enumerate(encoder.bits(name, False)):
                self._known[bit] = bool(code >> place & 1)

    def signal(self, signal: int) -> bool:
        for number in self._circuit.cone([signal], skip=self._known):
            match self._circuit.gates[number]:
                case ("and", a, b):
                    found = self._literal(a) and self._literal(b)
                case ("xor", a, b):
                    found = self._literal(a) is not self._literal(b)
                case ("ite", c, a, b):
                    found = self._literal(a) if self._literal(c) else self._literal(b)
            self._known[number] = found
        return self._literal(signal)

    def _literal(self, signal: int) -> bool:
        return self._known.get(abs(signal), False) is (signal > 0)

    def number(self, bits: tuple[int, ...], signed: bool = True) -> int:
        found = sum(1 << place for place, bit in enumerate(bits) if self.signal(bit))
        return found - (1 << len(bits)) if signed and self.signal(bits[-1]) else found

    def value(self, scalar: object, signed: bool) -> Value:
        match scalar:
            case int():
                return self.signal(scalar)
            case Word(bits):
                return self.number(bits, signed)
            case Number(bits):
                return self.number(bits)
            case Symbol(signals, is_number, number):
                chosen: list[Value] = [name for name, signal in signals.items() if self.signal(signal)]
                if self.signal(is_number):
                    chosen.append(self.number(number))
                (only,) = chosen
                return only
        raise AssertionError(scalar)


def names_in(system: FlatSystem, text: str) -> list[str]:
    words = re.findall(r"\w+", text.replace("several", "b x y"))
    return [item.name for item in system.variables if item.name in words]


def check_everywhere(text: str) -> None:
    system = read_text(MODEL)
    typed: Expression = read_expression(system, text)
    encoder = Encoder(system, Circuit())
    scalar = encoder.value(typed)
    names = names_in(system, text)
    checked = 0
    for chosen in itertools.product(*(list(values(system.by_name[name].type)) for name in names)):
        valuation = dict(zip(names, chosen, strict=True))
        try:
            (expected,) = evaluate(system, typed, valuation)
        except EvaluationError:
            continue
        found = Simulation(encoder, valuation).value(scalar, getattr(typed.type, "signed", True))
        assert (found, type(found)) == (expected, type(expected)), valuation
        checked += 1
    assert checked > 0


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "mod", "=", "!=", "<", "<=", ">", ">="])
@pytest.mark.parametrize(("left", "right"), [("u", "v"), ("s", "t"), ("x", "y"), ("n", "y")])
def test_arithmetic_everywhere(left: str, operator: str, right: str) -> None:
    check_everywhere(f"({left} {operator} {right})")


@pytest.mark.parametrize(
    "text",
    [
        "u & v", "u | v", "u xor v", "u xnor v", "s -> t", "s <-> t", "! s", "- s", "- u", "- x", "abs(x)", "min(x, y)",
        "max(y, n)", "u << v", "u >> v", "s << v", "s >> v", "s >> y", "u :: s", "s[2:1]", "wide[3:1]", "extend(s, 2)",
        "extend(u, 2)", "resize(s, 2)", "resize(wide, 3)", "resize(s, 5)", "signed(u)", "unsigned(s)", "toint(s)",
        "toint(wide)", "toint(b)", "word1(b)", "bool(u[0:0])", "bool(x)", "count(b, x > 0, y > 0)", "e = 2", "e = red",
        "e != n", "e in {red, 2}", "{x, y} in {0, 1, 2}", "x in several", "several in {0, 1, 2}", "b ? e : blue",
        "case b : x; y > 0 : y * y; TRUE : n; esac", "case b : e; TRUE : x; esac = 2", "wide * wide", "x * y * n",
    ],
)  # fmt: skip
def test_operators_everywhere(text: str) -> None:
    check_everywhere(text)


SCOPE = Scope(
    (
        Declared("u", "unsigned", "unsigned word[3]", width=3),
        Declared("s", "signed", "signed word[3]", width=3),
        Declared("wide", "unsigned", "unsigned word[5]", width=5),
        Declared("x", "range", "-4..3", -4, 3),
        Declared("y", "range", "-3..4", -3, 4),
        Declared("e", "enumeration", "{red, 2, blue, 0}", values=("red", "2", "blue", "0")),
        Declared("b", "boolean", "boolean"),
    )
)


@st.composite
def conditions(draw: st.DrawFn) -> str:
    return condition(draw, SCOPE, 4)


@settings(max_examples=100, deadline=None)
@given(conditions(), st.data())
def test_random_conditions(text: str, data: st.DataObject) -> None:
    system = read_text(MODEL)
    typed = read_expression(system, text)
    encoder = Encoder(system, Circuit())
    signal = encoder.truth(typed)
    for _ in range(5):
        valuation = {item.name: data.draw(st.sampled_from(list(values(item.type)))) for item in system.variables}
        (expected,) = evaluate(system, typed, valuation)
        assert Simulation(encoder, valuation).signal(signal) is expected


@pytest.mark.parametrize("text", ["x / (y - y) = 1", "case b & y > 4 : b; esac", "u << wide = v"])
def test_an_error_denotes_any_value(text: str) -> None:
    """At a valuation where evaluation fails, neither the condition nor its negation can be proved."""
    system = read_text(MODEL)
    encoder = Encoder(system, Circuit())
    signal = encoder.truth(read_expression(system, text))
    with Satisfiability(encoder.circuit, Deadline(None)) as solver:
        for name in names_in(system, text):
            for bit in encoder.bits(name, False):  # every variable has its last value
                solver.require([bit])
        assert solver.is_satisfiable([signal])
        assert solver.is_satisfiable([-signal])
