"""Random systems with a random trace each: any values of the right types, for formats do not ask for runs."""

from __future__ import annotations

from hypothesis import strategies as st

from symag.core.trace import Step, Trace, Value
from symag.smv import read_text
from symag.smv.model.flat import FlatSystem, Variable, VariableKind
from symag.smv.model.types import values
from tests.strategies import models

#: Beside the random ones: names with dots and indices, mixed enumerations, negative numbers, wide words.
EVERY_KIND = """
MODULE cell(a)
VAR s : {idle, 3, busy, -2};
DEFINE t := s = busy & a;
MODULE main
FROZENVAR f : -7..-5;
VAR w : unsigned word[9]; sw : signed word[5]; b : boolean; a : array 0..1 of array -1..0 of boolean; c : cell(b);
IVAR i : {go, stop}; j : signed word[3]; k : boolean; l : -1..1;
DEFINE d := b & k; n := next(b); m := w + 0ud9_1; v := {1, 2}; x := !k;
INVARSPEC b
"""


@st.composite
def traced_systems(draw: st.DrawFn) -> tuple[FlatSystem, Trace]:
    """A system and a trace of it."""
    text = EVERY_KIND if draw(st.booleans()) else draw(models(largest=32))
    system = read_text(text)
    return system, draw(traces_of(system))


@st.composite
def traces_of(draw: st.DrawFn, system: FlatSystem) -> Trace:
    """A finite trace or a lasso of at most six steps; frozen variables keep their values."""
    frozen = {item.name: _value(draw, item) for item in system.variables if item.kind is VariableKind.FROZEN}
    lasso = draw(st.booleans())
    length = draw(st.integers(1, 6))
    steps = []
    for place in range(length):
        changing = {item.name: _value(draw, item) for item in system.variables if item.kind is VariableKind.STATE}
        inputs = {item.name: _value(draw, item) for item in system.variables if item.kind is VariableKind.INPUT}
        steps.append(Step({**frozen, **changing}, inputs if lasso or place < length - 1 else {}))
    return Trace("lasso", tuple(steps), draw(st.integers(0, length - 1))) if lasso else Trace("finite", tuple(steps))


def _value(draw: st.DrawFn, variable: Variable) -> Value:
    domain = values(variable.type)
    return domain[draw(st.integers(0, len(domain) - 1))]
