"""What matters in a lasso: every run of its shape that has the chosen values violates the property too."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from symag.core.limits import Deadline
from symag.core.results import Verdict
from symag.core.trace import Step, Trace, Value
from symag.smv import read_text
from symag.smv.certify.runs.lasso import holds_along
from symag.smv.checking.reports.trace_core import core_of
from symag.smv.checking.reports.trace_truths import false_because, linear_formula
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.typed import Constant, Expression
from symag.smv.model.types import RangeType
from tests.small_systems import Explored, explore, op, small_systems, var

UNARY = ("not", "X", "F", "G", "Y", "Z", "O", "H")
BINARY = ("and", "or", "implies", "iff", "xor", "U", "V", "S", "T")


def linear(names: list[str]) -> st.SearchStrategy[Expression]:
    bounds = st.tuples(st.integers(0, 2), st.integers(0, 2)).map(
        lambda two: [Constant(k, RangeType(k, k), 0) for k in two]
    )

    def larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        return (
            st.builds(op, st.sampled_from(UNARY), inner)
            | st.builds(op, st.sampled_from(BINARY), inner, inner)
            | st.builds(lambda name, part, two: op(name, part, *two), st.sampled_from("FGOH"), inner, bounds)
        )

    return st.recursive(st.sampled_from(names).map(var), larger, max_leaves=5)


def lassos(explored: Explored, inputs: tuple[str, ...], length: int, loop: int) -> Iterator[Trace]:
    """All of the system with so many steps, the last of which returns to the step ``loop``."""
    leaving: dict[tuple[Value, ...], list[tuple[tuple[Value, ...], tuple[Value, ...]]]] = {}
    for before, letter, after in explored.steps:
        leaving.setdefault(before, []).append((letter, after))
    paths = [((state,), ()) for state in explored.initial]
    for _ in range(length):
        paths = [
            ((*states, after), (*letters, letter))
            for states, letters in paths
            for letter, after in leaving.get(states[-1], [])
        ]
        assume(len(paths) < 4000)
    for states, letters in paths:
        if states[-1] == states[loop]:
            steps = (
                Step(dict(zip(explored.names, state, strict=True)), dict(zip(inputs, letter, strict=True)))
                for state, letter in zip(states[:-1], letters, strict=True)
            )
            yield Trace("lasso", tuple(steps), loop)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(small_systems(), st.data())
def test_every_lasso_with_the_chosen_values_violates(flat: FlatSystem, data: st.DataObject) -> None:
    """Against all lassos of the shape, and those that go through the loop once more before they repeat."""
    names = [v.name for v in flat.variables if v.kind is not VariableKind.INPUT]
    inputs = tuple(v.name for v in flat.variables if v.kind is VariableKind.INPUT)
    formula = data.draw(linear([*names, *inputs]))
    checked = Property(0, "LTL", None, "f", 1, formula, None, None)
    explored = explore(flat)
    assume(0 < len(explored.steps) < 60)
    length = data.draw(st.integers(1, 2))
    loop = data.draw(st.integers(0, length - 1))
    same = list(lassos(explored, inputs, length, loop))
    trace = next((each for each in same if not holds_along(flat, formula, each)), None)
    if trace is None:
        return
    core = core_of(flat, checked, trace)
    assert core is not None
    event(f"{len(core.chosen)} variables of {len(names) + len(inputs)}")
    round_more = lassos(explored, inputs, 2 * length - loop, length)
    for other in itertools.chain(same, round_more):
        visits = [k if k < length else k - (length - loop) for k in range(len(other.steps))]
        values = [{**step.state, **step.inputs} for step in other.steps]
        wanted = [{**step.state, **step.inputs} for step in trace.steps]

        def has(marked: dict[str, tuple[int, ...]]) -> bool:
            return all(
                values[k][name] == wanted[visit][name]  # noqa: B023
                for name, steps in marked.items()
                for k, visit in enumerate(visits)  # noqa: B023
                if visit in steps
            )

        if has(dict(core.chosen)):
            assert has(dict(core.steps)), (core, other)
            assert not holds_along(flat, formula, other), (core, other)


MODEL = """MODULE main
VAR wait : boolean; c : 0..3; noise : 0..7;
IVAR stay : boolean;
ASSIGN init(c) := 0; init(wait) := FALSE;
  next(wait) := c = 1 | wait; next(c) := stay & c = 2 ? 2 : (c + 1) mod 4; next(noise) := {noise, 0};
DEFINE done := c = 3;
"""


@pytest.mark.parametrize(
    "text",
    [
        "LTLSPEC G (wait -> F done)",
        "CTLSPEC AG (wait -> AF done)",
        "CTLSPEC !EF (wait & EG !done)",
        "LTLSPEC F G (wait -> O [0, 3] done)",
    ],
)
def test_a_lasso_that_waits(text: str) -> None:
    system = read_text(f"{MODEL} {text}")
    answer = monolithic.session(system, SmvOptions())(system.properties[0], lambda _: None)
    assert answer.verdict is Verdict.VIOLATED
    assert answer.trace is not None
    core = core_of(system, system.properties[0], answer.trace)
    assert core is not None
    assert "noise" not in core.steps
    assert set(core.chosen) <= {"stay", "wait", "c"}
    assert "stay" in core.chosen


def test_of_the_truths_few_are_needed() -> None:
    """F is false for every step of the loop; of ``G (p -> X q)`` two truths at one step are enough."""
    system = read_text("MODULE main VAR p : boolean; q : boolean; LTLSPEC F (p & q) LTLSPEC G (p -> X q)")
    steps = tuple(Step({"p": p, "q": q}) for p, q in ((True, False), (True, False), (False, False), (True, False)))
    trace = Trace("lasso", steps, 1)
    for checked, expected in zip(system.properties, (4, 2), strict=True):
        formula = linear_formula(checked)
        assert formula is not None
        truths = false_because(system, formula, trace, Deadline(None))
        assert truths is not None
        assert len(truths) == expected


@pytest.mark.parametrize("text", ["CTLSPEC EF done", "CTLSPEC AG EF done", "CTLSPEC (AF done) <-> (AG wait)"])
def test_what_one_run_does_not_violate_has_no_core(text: str) -> None:
    assert linear_formula(read_text(f"{MODEL} {text}").properties[0]) is None
