"""Bounded search for lassos that violate LTL with past: the shortest ones, against all lassos of small systems."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.certify.runs.lasso import holds_along
from symag.smv.certify.runs.replay import replay
from symag.smv.checking.methods import METHODS
from symag.smv.circuits.clauses import SatSolver
from symag.smv.methods import bmc
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.bounded import BoundedSearch
from tests.brute_force import Explicit

#: Brute force looks at lassos of at most this many states.
LONGEST = 4
SYSTEMS = (
    "VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;",
    "VAR x : 0..2; ASSIGN next(x) := {x, (x + 1) mod 3};",
    "VAR x : 0..3; ASSIGN init(x) := 1; next(x) := case x = 0 : 0; TRUE : {0, x}; esac;",
    "VAR x : 0..1; IVAR i : boolean; ASSIGN init(x) := 0; next(x) := i ? 1 - x : x;",
    "VAR x : 0..2; ASSIGN init(x) := 0; next(x) := x = 2 ? 1 : x + 1; JUSTICE x = 2",
)
#: Once b is 0 it never is 5 again.
_OUTSIDE = """
MODULE main
VAR a : boolean; b : 0..5;
IVAR i : boolean;
ASSIGN init(a) := FALSE; next(a) := !a; init(b) := 5; next(b) := b = 0 ? 0 : {{0, b}};
LTLSPEC {formula}
"""
UNARY = ("Y", "Z", "O", "H", "!", "X", "F", "O [1, 2]", "H [0, 1]")
BINARY = ("S", "T", "&", "->", "xor", "U", "V")


def formulas() -> st.SearchStrategy[str]:
    """LTL of up to seven operators in one another, most of which look back."""
    atoms = st.sampled_from(("(x = 0)", "(x = 1)", "(x < 2)"))

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        one = st.builds("({} {})".format, st.sampled_from(UNARY), inner)
        return one | st.builds("({} {} {})".format, inner, st.sampled_from(BINARY), inner)

    ahead = st.sampled_from(("G", "F", "G F", "F G", "X X", "H"))
    return st.builds("{} {}".format, ahead, st.builds("({} -> {})".format, *[larger(larger(atoms))] * 2))


def _lassos(graph: Explicit, length: int) -> Iterator[Trace]:
    """All lassos of this many states."""

    def paths(steps: list[Step], state: tuple) -> Iterator[Trace]:
        for _, inputs, target in graph.edges(state):
            here = Step(graph.valuation(state), dict(zip(graph.input_names, inputs, strict=True)))
            taken = [*steps, here]
            if len(taken) < length:
                yield from paths(taken, target)
            for loop, step in enumerate(taken if len(taken) == length else ()):
                if step.state == graph.valuation(target):
                    yield Trace("lasso", tuple(taken), loop)

    for first in graph.initial_states():
        yield from paths([], first)


def _is_fair(system, trace: Trace) -> bool:
    return not system.justice or any(step.state["x"] == 2 for step in trace.steps[trace.loop :])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SYSTEMS), formulas())
def test_no_lasso_is_shorter(declarations: str, formula: str) -> None:
    system = read_text(f"MODULE main {declarations}\nLTLSPEC {formula}")
    (checked,) = system.properties
    graph = Explicit(system)
    search = BoundedSearch(system, checked.expression)
    bounded = bmc.decide(system, checked, SmvOptions(bound=LONGEST), no_progress)
    shortest = LONGEST + 1 if bounded.trace is None else len(bounded.trace.steps)
    if bounded.trace is not None:
        replay(system, checked, bounded.trace)
    try:
        for length in range(1, LONGEST + 1):
            expected = {
                trace.loop
                for trace in _lassos(graph, length)
                if _is_fair(system, trace) and not holds_along(system, checked.expression, trace)
            }
            assert bool(expected) == (length == shortest) or length > shortest, (formula, length)
            for loop in range(length):
                trace = search.lasso(length, range(loop, loop + 1))
                assert (trace is not None) == (loop in expected), (formula, length, loop)
                if trace is not None:
                    replay(system, checked, trace)
    finally:
        search.close()


@pytest.mark.parametrize(("formula", "length"), [("G (x = 0 -> !O x = 3)", 4), ("G !O (x = 3 & O x = 2)", 4)])
def test_a_loop_need_not_repeat_the_values_of_past_operators(formula: str, length: int) -> None:
    """Values of past operators repeat one round or two later than the states."""
    system = read_text(f"MODULE main {SYSTEMS[0]}\nLTLSPEC {formula}")
    search = BoundedSearch(system, system.properties[0].expression)
    lengths = [length for length in range(LONGEST + 1) if search.lasso(length, range(length)) is not None]
    search.close()
    assert lengths == [length]


@pytest.mark.parametrize("cone", [True, False])
def test_a_formula_that_no_state_violates_is_violated_by_no_lasso(cone: bool) -> None:
    text = "MODULE main VAR a : boolean; ASSIGN next(a) := !a; LTLSPEC !a -> (a <-> H a)"
    system = read_text(text)
    options = SmvOptions(bound=4, cone_of_influence=cone)
    assert bmc.decide(system, system.properties[0], options, no_progress).trace is None


@pytest.mark.parametrize("depth", [8, 9])
def test_deep_past_is_searched_too(depth: int) -> None:
    """Rounds stand side by side up to a depth; beyond it a lasso waits until the values of past operators repeat."""
    system = read_text(f"MODULE main {SYSTEMS[0]}\nLTLSPEC G !({'Y ' * depth} x = 3)")
    result = bmc.decide(system, system.properties[0], SmvOptions(bound=20), no_progress)
    assert result.trace is not None
    assert len(result.trace.steps) == 4
    replay(system, system.properties[0], result.trace)


@pytest.mark.parametrize("formula", ["F G a", "F G (a | !i | Y i)"])
def test_variables_outside_the_cone_come_back_at_once_where_they_can(formula: str) -> None:
    """The search chooses values of ``a`` and ``i``; those of ``b`` that close the loop are chosen for its lasso."""
    system = read_text(_OUTSIDE.format(formula=formula))
    (checked,) = system.properties
    result = bmc.decide(system, checked, SmvOptions(), no_progress)
    assert result.trace is not None
    replay(system, checked, result.trace)
    assert len(result.trace.steps) == 2


def test_a_loop_that_is_hard_to_close_at_once_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    system = read_text(_OUTSIDE.format(formula="F G a"))
    (checked,) = system.properties
    monkeypatch.setattr(SatSolver, "solve_within", lambda *_: None)  # as after too many conflicts
    result = bmc.decide(system, checked, SmvOptions(), no_progress)
    assert result.trace is not None
    replay(system, checked, result.trace)
    assert len(result.trace.steps) > 2


@pytest.mark.parametrize("method", ["monolithic", "bmc", "pdr", "rule-g"])
def test_traces_leave_out_rounds_that_only_past_operators_need(method: str) -> None:
    system = read_text(f"MODULE main {SYSTEMS[0]}\nLTLSPEC G (x = 0 -> !O x = 3)")
    (checked,) = system.properties
    result = METHODS.function(method)(system, checked, SmvOptions(), no_progress)
    assert result.trace is not None
    assert (len(result.trace.steps), result.trace.loop) == (4, 0)
    replay(system, checked, result.trace)
