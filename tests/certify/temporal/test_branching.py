"""Labels of CTL properties, made by the explicit judge, and forged ones; traces that refute by themselves."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.temporal import AvoidedCondition, FormulaLabel, Labelling, RemovalStep
from symag.smv.certify import check_certificate
from symag.smv.certify.runs.replay import is_refutation, replay
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import CTL_OPERATORS, Expression, Operation
from tests.brute_force import State
from tests.certify.diagram_builder import DiagramBuilder
from tests.certify.packages import is_accepted_by_both
from tests.ctl.formulas import ctl_models
from tests.explicit_ctl import ExplicitCtl


def temporal_parts(expression: Expression) -> list[Expression]:
    """Every occurrence of a CTL operator, operands first."""
    if not isinstance(expression, Operation):
        return []
    found = [part for operand in expression.operands for part in temporal_parts(operand)]
    return [*found, expression] if expression.operator in CTL_OPERATORS else found


def labelling(judge: ExplicitCtl, sets: list[set[State]], fair: set[State] | None, claim: bool) -> Labelling:
    builder = DiagramBuilder(judge.system, judge.graph.names)

    def root(states: set[State]) -> int:
        return builder.root([judge.graph.valuation(state) for state in states])

    reached = root(set(judge.states))
    labels = tuple(FormulaLabel(root(states)) for states in sets)
    known = None if fair is None else FormulaLabel(root(fair))
    return Labelling(builder.table(), (reached,), labels, known, "holds" if claim else "violated")


def is_accepted(system: FlatSystem, checked: Property, evidence: Labelling) -> bool:
    return is_accepted_by_both(system, checked, evidence)


def honest(judge: ExplicitCtl, checked: Property) -> list[set[State]]:
    assert checked.expression is not None
    return [judge.satisfying(part) for part in temporal_parts(checked.expression)]


@settings(max_examples=30, deadline=None)
@given(ctl_models(largest=32))
def test_honest_labels_prove_the_verdict(text: str) -> None:
    system = read_text(text)
    judge = ExplicitCtl(system)
    for checked in system.properties:
        sets = honest(judge, checked)
        verdict = judge.holds(checked.expression)
        if verdict or judge.initial:
            assert is_accepted(system, checked, labelling(judge, sets, judge.fair, verdict))
        assert not is_accepted(system, checked, labelling(judge, sets, judge.fair, not verdict)) or not judge.initial
        for claim in (verdict, not verdict):
            searched = labelling(judge, [], None, claim)
            if judge.initial:
                assert is_accepted(system, checked, searched) is (claim is verdict)
        if judge.fair == set(judge.states):
            assert is_accepted(system, checked, labelling(judge, sets, None, verdict))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(ctl_models(largest=32, count=2), st.data())
def test_no_labels_prove_the_opposite(text: str, data: st.DataObject) -> None:
    system = read_text(text)
    judge = ExplicitCtl(system)
    assume(set(judge.initial) & judge.fair)
    changed = st.sets(st.sampled_from(judge.states))
    for checked in system.properties:
        sets = honest(judge, checked)
        if sets:
            for _ in range(data.draw(st.integers(1, 2))):
                place = data.draw(st.integers(0, len(sets) - 1))
                sets[place] = data.draw(st.sampled_from([set(), set(judge.states), sets[place]])) ^ data.draw(changed)
        fair = data.draw(st.sampled_from([judge.fair, None, set(judge.states)])) or set()
        if fair:
            fair = fair ^ data.draw(st.sets(st.sampled_from(judge.states), max_size=1))
        forged = labelling(judge, sets, fair or None, not judge.holds(checked.expression))
        assert not is_accepted(system, checked, forged)


WAITING = """
MODULE main
VAR x : 0..3; IVAR go : boolean;
ASSIGN init(x) := 0; next(x) := case go & x < 3 : x + 1; TRUE : x; esac;
JUSTICE go
SPEC AF x = 3
"""


@pytest.mark.parametrize(
    ("removals", "message"),
    [
        ([], None),
        ([("justice", 0, 2)], None),
        ([("justice", 0, 2), ("justice", 0, 1)], None),
        ([("justice", 0, 1)], "removal 1: a transition leaves the positions"),
        ([("justice", 1, 2)], "removal 1: there is no justice 1"),
        ([("compassion", 0, 2)], "there is no compassion 0"),
        ([("progress", 0, 2)], "an infinite run stays"),
    ],
)
def test_removals_of_a_label(removals, message) -> None:
    """Where x has stopped at 2 or less, the input go comes again."""
    system = read_text(WAITING)
    judge = ExplicitCtl(system)
    builder = DiagramBuilder(system, ["x"])
    everything = builder.root([{"x": value} for value in range(4)])
    given = tuple(
        RemovalStep(builder.root([{"x": place}]), AvoidedCondition(kind, index)) for kind, index, place in removals
    )
    evidence = Labelling(builder.table(), (everything,), (FormulaLabel(everything, given),))
    assert judge.holds(system.properties[0].expression)
    if message is None:
        assert check_certificate(system, system.properties[0], evidence)
    else:
        with pytest.raises(CertificationError, match=message):
            check_certificate(system, system.properties[0], evidence)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": (FormulaLabel(1), FormulaLabel(1))}, "2 labels, but the property 1 operators"),
        ({"reached": (2,)}, "a transition leaves the reached states"),
        ({"labels": (FormulaLabel(0),)}, "an initial state is not shown to satisfy"),
        ({"labels": (FormulaLabel(9),)}, "no diagram node 9"),
        ({"claim": "violated"}, "no initial state is shown to violate"),
    ],
)
def test_the_reason_names_the_premise(changes, message) -> None:
    system = read_text(WAITING)
    fields = {"table": DiagramTable((("x", 0),), ((0, 0, 1),)), "reached": (1,), "labels": (FormulaLabel(1),)}
    with pytest.raises(CertificationError, match=message):
        check_certificate(system, system.properties[0], Labelling(**(fields | changes)))


BLOCKING = """
MODULE main
VAR x : boolean; IVAR i : boolean;
INIT !x TRANS i & next(x)
SPEC AX !x
"""


@pytest.mark.parametrize("labels", [(), (FormulaLabel(2),)])
def test_reached_states_mention_no_input(labels) -> None:
    """Nothing leaves the initial state without the input i; with it a transition does, to x."""
    system = read_text(BLOCKING)
    assert not ExplicitCtl(system).holds(system.properties[0].expression)
    table = DiagramTable((("x", 0), ("i", 0)), ((0, 0, 1), (1, 0, 2)))
    with pytest.raises(CertificationError, match="a set of states mentions inputs"):
        check_certificate(system, system.properties[0], Labelling(table, (3,), labels))


STEPS = """
MODULE main
VAR x : 0..3;
ASSIGN init(x) := 0;
SPEC AG (x = 1 -> AF x = 2)
SPEC AG AF x = 3
SPEC A [x < 2 U x = 3]
SPEC AX x != 1
SPEC AG (x = 2 -> EF x = 0)
SPEC !EF (x = 2 & EX x = 1)
SPEC AF x = 3 & AX x != 1
SPEC AF x = 3 | AX x != 1
"""


def path(*values: int, loop: int | None = None) -> Trace:
    return Trace("finite" if loop is None else "lasso", tuple(Step({"x": value}) for value in values), loop)


@pytest.mark.parametrize(
    ("number", "trace", "wanted"),
    [
        (0, path(0, 1, 0, loop=2), True),
        (0, path(0, 1, 2, loop=2), False),
        (0, path(0, 1), False),
        (1, path(0, 1, 3, 2, loop=3), True),
        (1, path(0, 1, 3, 2, loop=2), False),
        (2, path(0, 1, 2), True),
        (2, path(0, 1, 3), False),
        (2, path(0, 1), False),
        (2, path(0, 1, loop=1), True),
        (3, path(0, 1), True),
        (3, path(0), False),
        (4, path(0, 2), False),
        (5, path(0, 2, 1), True),
        (5, path(0, 2), False),
        (6, path(0, 1), True),
        (7, path(0, 1), False),
        (7, path(0, 1, loop=1), True),
    ],
)
def test_a_path_refutes_all_by_itself_or_not(number: int, trace: Trace, wanted: bool) -> None:
    system = read_text(STEPS)
    assert is_refutation(system, system.properties[number], trace) is wanted
    if wanted:
        replay(system, system.properties[number], trace)
    else:
        with pytest.raises(CertificationError, match="does not refute the property all by itself"):
            replay(system, system.properties[number], trace)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(ctl_models(largest=24, count=4, depth=2), st.data())
def test_no_fair_path_refutes_what_holds(text: str, data: st.DataObject) -> None:
    system = read_text(text)
    judge = ExplicitCtl(system)
    graph = judge.graph
    assume(judge.initial)
    state = data.draw(st.sampled_from(judge.initial))
    steps: list[Step] = []
    met: list[State] = []
    for _ in range(data.draw(st.integers(1, 6))):
        edges = list(graph.edges(state))
        if not edges:
            break
        _, inputs, target = data.draw(st.sampled_from(edges))
        met.append(state)
        steps.append(Step(graph.valuation(state), dict(zip(graph.input_names, inputs, strict=True))))
        state = target
    if state in met:
        trace = Trace("lasso", tuple(steps), met.index(state))
    else:
        trace = Trace("finite", (*steps, Step(graph.valuation(state))))
    for checked in system.properties:
        if is_refutation_of_ctl(system, checked, trace):
            assert not judge.holds(checked.expression)


def is_refutation_of_ctl(system: FlatSystem, checked: Property, trace: Trace) -> bool:
    try:
        return is_refutation(system, checked, trace)
    except CertificationError:  # an invariant's trace must refute it
        return False
