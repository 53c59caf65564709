"""Progress and assertions by modal abstractions: the rule against brute force, then the method."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, UnsupportedError
from symag.core.limits import Deadline, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.lts import System, read_text
from symag.lts.certificates import ModalAbstractions, RecurrenceMonitor, ReductionStep
from symag.lts.certify.assertion_words import is_false_at_end, is_true_around
from symag.lts.certify.kinds import read_labelled_certificate, write_labelled_certificate
from symag.lts.certify.liveness.monitors import check_monitor
from symag.lts.checking.by_parts import decide_liveness_by_parts
from symag.lts.checking.check import select
from symag.lts.composition import Priority, composed, labels_of
from symag.lts.language.fluents import ActionOccurs, Temporal, mentioned
from symag.lts.lts import ERROR, Lts
from symag.lts.methods.liveness import refinement
from symag.lts.methods.liveness.modal_part import ModalPart
from symag.lts.methods.liveness.modal_product import Goal, ModalProduct
from symag.lts.methods.liveness.recurrence import ignoring_others, recurrence_monitor
from symag.lts.methods.monolithic import decide
from symag.lts.methods.options import LtsOptions
from symag.lts.questions import CompositeQuestion
from tests.lts.answering import accepts, assertion, decided, evidence_accepted
from tests.lts.explicit_liveness import progresses
from tests.lts.questions.test_assertions import formulas
from tests.lts.strategies import LABELS, composites, safety_systems

_ACTIONS = st.lists(st.sampled_from(LABELS), min_size=1, max_size=2, unique=True).map(tuple)


def _progress(actions: tuple[str, ...] | None, condition: tuple[str, ...] | None = None) -> CompositeQuestion:
    return CompositeQuestion(2, "progress", "P", "progress P", None, "S", actions, condition)


def _random_step(chance: random.Random, system: System, members: Sequence[int]) -> ReductionStep:
    """The states that the members reach, in one class to as many classes as there are states."""
    rows = composed([replace(system.components[k], end=None) for k in members], "M").local_states.astype(np.int64)
    most = chance.randint(1, len(rows))
    classes = [[chance.randrange(most)] for _ in rows]
    return ReductionStep(tuple(members), np.concatenate([rows, np.array(classes, dtype=np.int64)], axis=1))


def _random_parts(chance: random.Random, system: System) -> tuple[ReductionStep, ...]:
    places = [chance.randrange(3) for _ in system.components]
    groups = [[k for k, place in enumerate(places) if place == part] for part in range(3)]
    return tuple(_random_step(chance, system, members) for members in groups if members)


@settings(max_examples=400, deadline=None)
@given(safety_systems(most=3, states=4), st.none() | _ACTIONS, st.none() | _ACTIONS, st.randoms(use_true_random=False))
def test_no_classes_prove_progress_that_fails(
    system: System, actions: tuple[str, ...] | None, condition: tuple[str, ...] | None, chance: random.Random
) -> None:
    """Brute force for the rule: any classes at all."""
    question = _progress(actions, None if actions is None else condition)
    certificate = ModalAbstractions(_random_parts(chance, system))
    if progresses(system.components, question) is not True:
        assert not accepts(system, question, certificate)


def _monitors(formula: Temporal) -> list[RecurrenceMonitor]:
    """The monitors of a formula, and none if there are none."""
    try:
        monitor = recurrence_monitor(formula)
    except UnsupportedError:
        return []
    smaller = ignoring_others(monitor)
    return [monitor] if smaller is None else [monitor, smaller]


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(composites(), formulas(), st.randoms(use_true_random=False))
def test_no_classes_prove_an_assertion_that_fails(system: System, formula: Temporal, chance: random.Random) -> None:
    question = assertion(formula)
    (whole,) = decide(system, [question], no_progress)
    if whole.verdict is Verdict.HOLDS:
        return
    for monitor in _monitors(formula):
        assert not accepts(system, question, ModalAbstractions(_random_parts(chance, system), monitor))


def _finest(system: System) -> tuple[ReductionStep, ...]:
    """A part for each component, a class for each state."""
    rows = [np.arange(lts.states, dtype=np.int64)[:, None] for lts in system.components]
    return tuple(ReductionStep((k,), np.concatenate([row, row], axis=1)) for k, row in enumerate(rows))


@settings(max_examples=200, deadline=None)
@given(safety_systems(most=3, states=4), st.none() | _ACTIONS, st.none() | _ACTIONS)
def test_classes_of_one_state_prove_exactly_the_progress_that_holds(
    system: System, actions: tuple[str, ...] | None, condition: tuple[str, ...] | None
) -> None:
    question = _progress(actions, None if actions is None else condition)
    expected = progresses(system.components, question) is True
    assert accepts(system, question, ModalAbstractions(_finest(system))) == expected


@settings(max_examples=200, deadline=None)
@given(composites(), formulas())
def test_classes_of_one_state_prove_exactly_the_assertion_that_holds(system: System, formula: Temporal) -> None:
    question = assertion(formula)
    if not mentioned(formula) <= set(labels_of(system.components)):
        return
    (whole,) = decide(system, [question], no_progress)
    for monitor in _monitors(formula)[:1]:
        accepted = accepts(system, question, ModalAbstractions(_finest(system), monitor))
        assert accepted == (whole.verdict is Verdict.HOLDS)


_WORDS = st.lists(st.sampled_from((*LABELS, "tau")), max_size=4)


def _read(monitor: RecurrenceMonitor, state: int, word: Sequence[str]) -> tuple[int, bool]:
    """The state after a word, and whether the monitor accepts on the way."""
    accepted = False
    for label in word:
        column = monitor.labels.index(label) if label in monitor.labels else len(monitor.labels)
        accepted |= bool(monitor.accepting[state][column])
        state = monitor.moves[state][column]
    return state, accepted


def _accepts_lasso(monitor: RecurrenceMonitor, stem: Sequence[str], loop: Sequence[str]) -> bool:
    state, _ = _read(monitor, 0, stem)
    for _ in monitor.moves:
        state, _ = _read(monitor, state, loop)
    accepted = False
    for _ in monitor.moves:
        state, once = _read(monitor, state, loop)
        accepted |= once
    return accepted


@settings(max_examples=300, deadline=None)
@given(formulas(), _WORDS, _WORDS.filter(bool))
def test_a_monitor_accepts_exactly_what_satisfies_the_assertion(
    formula: Temporal, stem: list[str], loop: list[str]
) -> None:
    word = [*stem, *loop]
    for index, monitor in enumerate(_monitors(formula)):
        check_monitor(monitor, formula, LABELS, Deadline(60))
        accepted, may_end = _accepts_lasso(monitor, stem, loop), bool(monitor.ends[_read(monitor, 0, stem)[0]])
        if index == 0:
            assert accepted == is_true_around(formula, word, len(stem))
            assert may_end == (not is_false_at_end(formula, stem))
        else:
            assert not accepted or is_true_around(formula, word, len(stem))
            assert not may_end or not is_false_at_end(formula, stem)


@settings(max_examples=300, deadline=None)
@given(formulas(), _WORDS, _WORDS.filter(bool), st.randoms(use_true_random=False))
def test_no_monitor_is_accepted_that_accepts_too_much(
    formula: Temporal, stem: list[str], loop: list[str], chance: random.Random
) -> None:
    """A monitor of the assertion with some entries changed."""
    for monitor in _monitors(formula):
        count = len(monitor.moves)
        moves, accepting = ([list(row) for row in rows] for rows in (monitor.moves, monitor.accepting))
        for _ in range(chance.randint(1, 2)):
            state, place = chance.randrange(count), chance.randrange(len(monitor.labels) + 1)
            if chance.random() < 0.5:
                moves[state][place] = chance.randrange(count)
            else:
                accepting[state][place] = 1
        ends = [int(end or chance.random() < 0.2) for end in monitor.ends]
        changed = RecurrenceMonitor(monitor.labels, tuple(map(tuple, moves)), tuple(map(tuple, accepting)), tuple(ends))
        try:
            check_monitor(changed, formula, LABELS, Deadline(60))
        except CertificationError:
            continue
        assert not _accepts_lasso(changed, stem, loop) or is_true_around(formula, [*stem, *loop], len(stem))
        assert not changed.ends[_read(changed, 0, stem)[0]] or not is_false_at_end(formula, stem)


def _answered(system: System, question: CompositeQuestion, options: LtsOptions) -> PropertyResult:
    """The answer, its evidence accepted."""
    result = decide_liveness_by_parts(system, question, options, no_progress)
    return evidence_accepted(system, question, result)


@settings(max_examples=200, deadline=None)
@given(safety_systems(most=3, states=4), st.none() | _ACTIONS, st.none() | _ACTIONS, st.booleans())
def test_progress_is_what_brute_force_says(
    system: System, actions: tuple[str, ...] | None, condition: tuple[str, ...] | None, grouped: bool
) -> None:
    question = _progress(actions, None if actions is None else condition)
    result = _answered(system, question, LtsOptions(group_names=("0,1",) if grouped else ()))
    expected = progresses(system.components, question)
    if expected is None:
        assert result.reason == "unsupported: ERROR can be reached, so check safety first"
    else:
        assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)


@settings(max_examples=250, deadline=None)
@given(composites(), formulas())
def test_assertions_are_answered_as_the_monolithic_method_answers(system: System, formula: Temporal) -> None:
    question = assertion(formula)
    result = _answered(system, question, LtsOptions())
    if result.verdict is Verdict.UNKNOWN:
        assert result.reason is not None
        assert "recurrence" in result.reason or "of the assertion alone" in result.reason
        return
    (whole,) = decide(system, [question], no_progress)
    assert result.verdict is whole.verdict


_BUFFER = """
const N = 4
CELL = (put -> check -> STORED), STORED = (get -> CELL).
SENDER = (send -> SENDING), SENDING = (in -> SENDER | wait -> SENDING).
RECEIVER = (out -> RECEIVED), RECEIVED = (receive -> RECEIVER | think -> RECEIVED).
||SYSTEM = (SENDER || RECEIVER || forall [i:1..N] c[i]:CELL)
    /{in/c[1].put, forall [i:1..N-1] {move[i]/{c[i].get, c[i+1].put}}, out/c[N].get}.
progress ARRIVES = {receive}
progress IF_SENT = if {send} then {receive}
assert AGAIN = []<>receive
assert ANSWERED = [](send -> <>receive)
assert STAYS = <>[]receive
"""


@settings(max_examples=100, deadline=None)
@given(safety_systems(most=3, states=4), st.none() | _ACTIONS, st.integers(0, 8))
def test_progress_is_right_where_every_state_may_become_a_class(
    system: System, actions: tuple[str, ...] | None, large: int
) -> None:
    question = _progress(actions)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refinement, "_LARGE", large)
        result = _answered(system, question, LtsOptions())
    expected = progresses(system.components, question)
    if expected is not None:
        assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)


@settings(max_examples=100, deadline=None)
@given(composites(), formulas(), st.integers(0, 8))
def test_assertions_are_right_where_every_state_may_become_a_class(
    system: System, formula: Temporal, large: int
) -> None:
    question = assertion(formula)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refinement, "_LARGE", large)
        result = _answered(system, question, LtsOptions())
    (whole,) = decide(system, [question], no_progress)
    assert result.verdict in (whole.verdict, Verdict.UNKNOWN)


#: Few classes of each process are in many combinations; the whole ring has as many states as processes.
_RING = """
range N = 0..7
STATION(F=0) = if F then BUSY[0] else IDLE, IDLE = (take -> BUSY[0]),
BUSY[i:0..4] = (when (i < 4) step[i] -> BUSY[i+1] | when (i == 4) pass -> IDLE).
||S = (forall [i:N] s[i]:STATION(i==0))/{forall [i:N] {pass[i]/{s[i].pass, s[(i+1)%8].take}}}.
"""


def test_classes_with_more_states_together_than_the_parts_become_states() -> None:
    system = read_text(_RING).composite("S")
    result = decide_liveness_by_parts(system, _progress(None), LtsOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refinement, "_LARGE", 60)
        separate = decide_liveness_by_parts(system, _progress(None), LtsOptions(), no_progress)
    assert separate.verdict is Verdict.HOLDS
    assert separate.statistics["assumption_states"] == separate.statistics["part_states"]
    assert separate.statistics["largest_lts_states"] == 40


def test_assumptions_are_smaller_than_the_parts() -> None:
    model = read_text(_BUFFER)
    results = decided(model, select(model, ("SYSTEM",), ("progress", "assert")), "agar")
    assert [result.verdict for result in results] == [*[Verdict.HOLDS] * 4, Verdict.UNKNOWN]
    assert results[4].reason is not None
    assert "not a recurrence assertion" in results[4].reason
    for result in results[:4]:
        assert result.certified
        assert result.statistics["assumption_states"] < result.statistics["part_states"]


def test_two_parts_have_one_assumption_each() -> None:
    model = read_text(_BUFFER)
    options = LtsOptions(group_names=("SENDER", "RECEIVER,c.1:CELL,c.2:CELL,c.3:CELL,c.4:CELL"))
    (result,) = decided(model, select(model, ("SYSTEM",), ("ARRIVES",)), "agar", options)
    assert result.verdict is Verdict.HOLDS
    assert result.statistics["parts"] == 2
    assert result.statistics["assumption_states_max"] < result.statistics["part_states"] / 4


def test_certificates_are_written_and_changed_ones_refused(tmp_path: Path) -> None:
    model = read_text(_BUFFER)
    system = model.composite("SYSTEM")
    question = select(model, ("SYSTEM",), ("ANSWERED",))[0]
    certificate = _answered(system, question, LtsOptions()).certificate
    assert isinstance(certificate, ModalAbstractions)
    assert certificate.monitor is not None
    path = tmp_path / "proof.json"
    write_labelled_certificate(path, model, question, certificate)
    assert read_labelled_certificate(path, model)[2] == certificate
    parts, monitor = certificate.parts, certificate.monitor
    accepting = tuple(tuple(1 for _ in row) for row in monitor.accepting)
    coarse = [replace(part, classes=np.where([False, True], 0, part.classes)) for part in parts]
    wrong = [
        replace(certificate, parts=parts[1:]),
        replace(certificate, parts=(*parts, parts[0])),
        replace(certificate, parts=tuple(coarse)),
        replace(certificate, parts=(replace(parts[0], classes=parts[0].classes[1:]), *parts[1:])),
        replace(certificate, parts=(replace(parts[0], classes=parts[0].classes[:, 1:]), *parts[1:])),
        replace(certificate, monitor=None),
        replace(certificate, monitor=replace(monitor, accepting=accepting)),
        replace(certificate, monitor=replace(monitor, ends=(1,) * len(monitor.ends))),
        replace(certificate, monitor=replace(monitor, moves=((99,) * len(monitor.moves[0]), *monitor.moves[1:]))),
        replace(certificate, monitor=replace(monitor, moves=monitor.moves[:-1])),
        replace(certificate, monitor=replace(monitor, labels=("out", *monitor.labels[1:]))),
    ]
    for changed in wrong:
        assert not accepts(system, question, changed), changed
    for other in select(model, ("SYSTEM",)):
        if other.kind in ("deadlock", "safety"):
            assert not accepts(system, other, certificate)
    low = replace(system, priority=Priority(frozenset(("receive",)), low=True))
    assert not accepts(low, question, certificate)


def test_a_violation_does_not_count_if_error_can_be_reached() -> None:
    """The run that violates the assertion at once would be evidence, but monolithic and LTSA do not decide it."""
    first = Lts.of("M", ("tau", "a", "b"), 3, [(0, 1, 2), (0, 2, 0), (2, 1, ERROR), (2, 2, 2)])
    second = Lts.of("N", ("tau", "a"), 2, [(0, 1, 1), (1, 1, 0)])
    system = System("S", (first, second), None, None, False, frozenset())
    result = _answered(system, assertion(Temporal("atom", (), ActionOccurs(frozenset(("b",))))), LtsOptions())
    assert result.reason == "unsupported: ERROR can be reached, so check safety first"


def test_later_goals_split_classes_that_made_earlier_goals_certain() -> None:
    """System 6308 of scripts.lts.compare_lts_liveness: its certificate was refused."""
    first = Lts.of("M0", ("tau", "b"), 2, [(0, 1, 1), (1, 1, 0), (1, 1, 1)])
    moves = [(0, 0, 0), (0, 0, 1), (0, 2, 2), (1, 1, 0), (1, 1, 2), (2, 1, 0), (2, 1, 2), (2, 2, 0), (2, 2, 2)]
    system = System("S", (first, Lts.of("M1", ("tau", "a", "b"), 3, moves)), None, None, False, frozenset())
    assert _answered(system, _progress(None), LtsOptions()).verdict is Verdict.HOLDS


def test_a_goal_is_never_out_of_reach_where_a_run_may_end() -> None:
    """Classes in which something is possible can have a state in which nothing is."""
    lts = Lts.of("M", ("tau", "a", "b"), 3, [(0, 1, 1), (0, 2, 2), (2, 2, 2)])
    monitor = RecurrenceMonitor(("b",), ((0, 0),), ((0, 0),), (1,))
    product = ModalProduct([ModalPart(0, [lts], [0], {"a", "b"}, True)], Goal(monitor=monitor))
    assert not product.reached.any()
    assert product.distance.tolist() == [1]


_LEAVING = """
const N = 10
CLIENT = (think -> request -> grant -> use -> release -> CLIENT | think -> leave -> STOP).
SERVER = (c[i:1..N].request -> c[i].grant -> c[i].release -> SERVER).
||S = (forall [i:1..N] c[i]:CLIENT || SERVER).
progress USES = {c[1].use}
assert AGAIN = []<>c[1].use
"""


def test_a_violation_of_a_system_that_is_too_large_to_compose() -> None:
    model = read_text(_LEAVING)
    results = decided(model, select(model, ("S",), ("progress", "assert")), "agar")
    for result in results:
        assert result.verdict is Verdict.VIOLATED
        assert result.certified
        assert result.statistics["largest_lts_states"] < 100


def test_what_is_not_decided_says_why() -> None:
    model = read_text(_BUFFER)
    system = model.composite("SYSTEM")
    question = select(model, ("SYSTEM",), ("ARRIVES",))[0]
    low = replace(system, priority=Priority(frozenset(("receive",)), low=True))
    result = decide_liveness_by_parts(low, question, LtsOptions(), no_progress)
    assert result.reason == "unsupported: agar decides progress only without priorities"
    alone = assertion(Temporal("atom", (), ActionOccurs(frozenset(("elsewhere",)))))
    result = decide_liveness_by_parts(system, alone, LtsOptions(), no_progress)
    assert result.reason == "unsupported: elsewhere is an action of the assertion alone"


def test_a_bad_prefix_needs_no_terminal_set() -> None:
    """All 2 to the power of 30 states are one terminal set."""
    model = read_text("W = (work -> rest -> W).\n||SYS = (w[1..30]:W).\nassert NEVER = []!w[1].work\n")
    (question,) = [question for question in select(model, (), ()) if question.kind == "assert"]
    result = decide_liveness_by_parts(model.composite("SYS"), question, LtsOptions(), no_progress)
    assert result.trace is not None
    assert [step.action for step in result.trace.steps] == ["w.1.work", None]
    assert evidence_accepted(model.composite("SYS"), question, result)


def test_a_silent_move_that_satisfies_the_assertion_is_no_violation() -> None:
    """The monitor that ignores silent moves does not accept ``go`` for ever; fair runs are silent again and again."""
    model = read_text("A = (go -> A).\nB = (work -> B)\\{work}.\n||SYS = (A || B).\nassert OFTEN = []X<>!go\n")
    (question,) = [question for question in select(model, (), ()) if question.kind == "assert"]
    result = decide_liveness_by_parts(model.composite("SYS"), question, LtsOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert evidence_accepted(model.composite("SYS"), question, result)
