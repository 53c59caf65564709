"""Assertions decided on files, and their re-check, agree with the definition and with what is decided in memory."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from unittest import mock

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.trace import Step, Trace
from symag.lts import Lts, System, read_text
from symag.lts.certify import properties
from symag.lts.certify.assertion_chain import rounds_that_count
from symag.lts.certify.assertion_moments import outcomes
from symag.lts.certify.assertion_words import is_true_around
from symag.lts.certify.on_disk import filed_edges
from symag.lts.certify.on_disk.filed_assertions import filed_outcomes
from symag.lts.certify.product_on_demand import ProductOnDemand
from symag.lts.certify.properties import check_absence, check_violation
from symag.lts.certify.states import explored
from symag.lts.certify.traces import runs
from symag.lts.checking.check import select
from symag.lts.language.fluents import FALSE, TRUE, ActionOccurs, Temporal, mentioned, negation
from symag.lts.methods import monolithic
from symag.lts.methods.followed_assertions import assertion_answer
from symag.lts.methods.monolithic import decide
from symag.lts.questions import CompositeQuestion
from tests.lts.answering import explored_states
from tests.lts.explicit_assertions import violates
from tests.lts.questions.test_assertions import formulas
from tests.lts.strategies import systems
from tests.lts.systems.test_states_on_disk import composites, tiny, tiny_recheck


def _asked(formula: Temporal) -> CompositeQuestion:
    return CompositeQuestion(2, "assert", "A", "assert A", None, "S", formula=formula)


def _system(components: Sequence[Lts]) -> System:
    return System("S", tuple(components), None, None, False, frozenset())


@settings(max_examples=150, deadline=None)
@given(st.lists(systems(states=2, errors=False), min_size=1, max_size=2), formulas())
def test_the_definition_on_tiny_systems(components: list[Lts], formula: Temporal) -> None:
    system = _system(components)
    moves = sum(len(lts.triples()) for lts in components)
    assume(moves + len(mentioned(formula)) <= 8)
    answer = assertion_answer(system, _asked(formula), no_progress, 0)
    expected = violates(components, formula, 4, 3)
    assert (answer.verdict is Verdict.VIOLATED) == expected
    assert filed_outcomes(system, [0] * len(components), formula, Deadline(None), (), 0).violated == expected


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(composites(), formulas(), st.sampled_from((1, 2, 7)), st.sampled_from((0, 1 << 40)), st.integers(0, 2))
def test_random_systems(system: System, formula: Temporal, few: int, room: int, length: int) -> None:
    found = explored_states(system)
    assume(not found.faults.error)
    labels = found.labels
    if system.priority is not None:
        assume(mentioned(formula) <= set(labels))
    start, stem = [0] * len(system.components), [labels[k % len(labels)] for k in range(length)]
    (expected,) = decide(system, [_asked(formula)], no_progress)
    with tiny(few), tiny_recheck(few), mock.patch.object(filed_edges, "_GROUP", 1):
        answer = assertion_answer(system, _asked(formula), no_progress, room)
        assert filed_outcomes(system, start, formula, Deadline(None), stem, 0) == outcomes(
            found, formula, Deadline(None), stem
        )
    assert answer.verdict is expected.verdict
    if answer.trace is None:
        with _without_room():
            check_absence(system, _asked(formula), Deadline(None))
        return
    check_violation(system, _asked(formula), answer.trace, Deadline(None))
    with _without_room():
        check_violation(system, _asked(formula), answer.trace, Deadline(None))
        with pytest.raises(CertificationError):
            check_violation(system, _asked(negation(formula)), answer.trace, Deadline(None))
        with pytest.raises(CertificationError):
            check_absence(system, _asked(formula), Deadline(None))


def _lasting(*actions: str) -> tuple[Temporal, Temporal]:
    """One of the actions comes; it comes again and again."""
    soon = Temporal("U", (TRUE, Temporal("atom", (), ActionOccurs(frozenset(actions)))))
    return soon, Temporal("R", (FALSE, soon))


def test_a_loop_that_fair_runs_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is accepted only if all that begin with enough rounds of it violate the assertion."""
    lts = Lts.of("A", ("tau", "x", "y", "z"), 2, [(0, 1, 0), (0, 2, 1), (0, 3, 1), (1, 3, 1)])
    trace = Trace("lasso", (Step({"A": 0}, action="x"),), 0)
    other = Temporal("not atom", (), ActionOccurs(frozenset("x")))
    for _ in range(2):
        for violated in (_lasting("y")[1], Temporal("X", (other,)), Temporal("X", (Temporal("X", (other,)),))):
            check_violation(_system([lts]), _asked(violated), trace, Deadline(None))
        with pytest.raises(CertificationError, match="is true on the fair runs"):
            check_violation(_system([lts]), _asked(_lasting("y", "z")[0]), trace, Deadline(None))
        with pytest.raises(CertificationError, match="some fair runs that begin like the trace satisfy"):
            check_violation(_system([lts]), _asked(_lasting("y")[0]), trace, Deadline(None))
        monkeypatch.setattr(properties, "explored", mock.Mock(side_effect=MemoryError))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(systems(states=2, errors=False), min_size=1, max_size=2), formulas(), st.integers(0, 3), st.integers(1, 3)
)
def test_loops_are_judged_by_their_rounds(components: list[Lts], formula: Temporal, stem: int, length: int) -> None:
    """More rounds change nothing; and if a run that goes round is accepted, the definition finds a violation too."""
    system = _system(components)
    moves = sum(len(lts.triples()) for lts in components)
    assume(moves + len(mentioned(formula)) <= 8)
    for trace in itertools.islice(_lassos(system, stem, length), 20):
        actions = [str(step.action) for step in trace.steps]
        begin, loop = actions[:stem], actions[stem:]
        beyond = explored(system, [int(local) for local in trace.steps[stem].state.values()], Deadline(None))
        enough = rounds_that_count(formula)
        known = outcomes(beyond, formula, Deadline(None), [*begin, *loop * enough])
        for more in (enough + 1, enough + 4):
            assert outcomes(beyond, formula, Deadline(None), [*begin, *loop * more]) == known
        try:
            check_violation(system, _asked(formula), trace, Deadline(None))
        except CertificationError:
            assert is_true_around(formula, actions, stem) or known.satisfied
        else:
            assert violates(components, formula, 4, 3)


def _lassos(system: System, stem: int, length: int) -> Iterator[Trace]:
    """Runs that go round after so many actions, in so many."""
    product = ProductOnDemand(system)
    labels = sorted(label for label in product.labels)
    for actions in itertools.product(labels, repeat=stem + length):
        with contextlib.suppress(CertificationError):
            yield from runs(system, actions, stem)


_TOGGLES = """
T = (on -> off -> T | halt -> STOP).
||SYS = (p[1..3]:T).
fluent ON = <p[1].on, p[1].off>
assert AGAIN = []<>p[1].on
assert NEVER = []!ON
assert STAYS = (<>[]!ON || []<>p[2].on)
assert FREE = []!nobody
"""


def test_answers_come_in_the_order_of_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warnings and notes are those of a composition in memory."""
    model = read_text(_TOGGLES, "m.lts")
    system, questions = model.composite("SYS"), select(model, (), ())
    expected = list(decide(system, questions, no_progress))
    monkeypatch.setattr(monolithic, "_explored", lambda *_: None)
    answers = list(decide(system, questions[::-1], no_progress))[::-1]
    assert [answer.verdict for answer in answers] == [answer.verdict for answer in expected]
    assert [answer.warnings for answer in answers] == [answer.warnings for answer in expected]
    assert [answer.verdict.value for answer in answers[-4:]] == ["violated", "violated", "holds", "violated"]
    assert [len(answer.warnings) for answer in answers[-4:]] == [1, 0, 0, 1]


def test_an_action_of_the_assertion_alone_beside_priorities(monkeypatch: pytest.MonkeyPatch) -> None:
    model = read_text("T = (a -> b -> T).\n||SYS = T << {a}.\nassert A = []!nobody\n", "m.lts")
    questions = [question for question in select(model, (), ()) if question.kind == "assert"]
    (expected,) = decide(model.composite("SYS"), questions, no_progress)
    monkeypatch.setattr(monolithic, "_explored", lambda *_: None)
    (answer,) = decide(model.composite("SYS"), questions, no_progress)
    assert (answer.verdict, answer.reason) == (expected.verdict, expected.reason)
    assert answer.verdict is Verdict.UNKNOWN


def _without_room() -> mock._patch[mock.Mock]:
    """No moves fit into the memory of the re-check."""
    return mock.patch.object(properties, "explored", mock.Mock(side_effect=MemoryError))
