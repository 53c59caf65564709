"""Assertions proved by reduce: the system with a monitor, made smaller; and the re-check of such proofs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symag import check, read
from symag.core.errors import CertificationError, UnsupportedError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lts import System
from symag.lts.certificates import RecurrenceMonitor, WatchedReduction
from symag.lts.certify.kinds import check_certificate, read_labelled_certificate, write_labelled_certificate
from symag.lts.checking.by_parts import decide_by_reduction
from symag.lts.checking.check import select
from symag.lts.composition import Priority
from symag.lts.language.fluents import Temporal
from symag.lts.methods.liveness.recurrence import ignoring_others, recurrence_monitor
from symag.lts.methods.monolithic import decide
from symag.lts.questions import CompositeQuestion
from tests.lts.answering import accepts, assertion
from tests.lts.questions.test_assertions import formulas
from tests.lts.strategies import composites

#: 3.4 million states with 12 philosophers.
DINERS = """
const N = 12
FORK = (get -> put -> FORK).
PHIL = (think -> left.get -> right.get -> eat -> left.put -> right.put -> PHIL).
LEFT = (think -> right.get -> left.get -> eat -> left.put -> right.put -> LEFT).
||S = (p[0]:LEFT || forall[i:1..N-1] p[i]:PHIL || forall[i:0..N-1] {p[i].left, p[(i+N-1)%N].right}::FORK).
assert ANSWERED = [](p[1].left.get -> <>p[1].eat)
assert NEVER = []!p[1].eat
assert SETTLED = <>[]p[1].eat
"""


def _holds(system: System, question: CompositeQuestion) -> bool:
    (whole,) = decide(system, [question], no_progress)
    return whole.verdict is Verdict.HOLDS


def _changed(monitor: RecurrenceMonitor, chance: random.Random) -> RecurrenceMonitor:
    """Some of its bits turned."""

    def turned(row: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(bit ^ (chance.random() < 0.2) for bit in row)

    return RecurrenceMonitor(monitor.labels, monitor.moves, tuple(map(turned, monitor.accepting)), turned(monitor.ends))


@settings(max_examples=300, deadline=None)
@given(composites(), formulas())
def test_what_is_proved_holds(system: System, formula: Temporal) -> None:
    question = assertion(formula)
    result = decide_by_reduction(system, question, no_progress)
    if result.verdict is Verdict.HOLDS:
        assert isinstance(result.certificate, WatchedReduction)
        assert accepts(system, question, result.certificate)
        assert _holds(system, question)
    else:
        assert (result.verdict, result.certificate) == (Verdict.UNKNOWN, None)
        assert (result.reason or "").startswith("unsupported: ")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(composites(), formulas(), st.randoms(use_true_random=False))
def test_no_monitor_proves_an_assertion_that_fails(system: System, formula: Temporal, chance: random.Random) -> None:
    """Brute force for the rule: without any step, by right monitors and by others."""
    question = assertion(formula)
    try:
        monitor = ignoring_others(recurrence_monitor(formula))
    except UnsupportedError:
        monitor = None
    if monitor is None or _holds(system, question):
        return
    last = tuple(range(len(system.components) + 1))
    for tried in (monitor, _changed(monitor, chance)):
        assert not accepts(system, question, WatchedReduction(tried, (), last))


def test_what_cannot_be_explored_is_proved(tmp_path: Path) -> None:
    path = tmp_path / "m.lts"
    path.write_text(DINERS)
    model = read(path)
    answered, never, settled = check(model, properties=["assert"], method="reduce", timeout=120)
    assert (answered.verdict, answered.certified) == (Verdict.HOLDS, True)
    assert never.result.reason == "unsupported: reduce only proves assertions, and this one seems to be violated"
    assert "not a recurrence assertion" in (settled.result.reason or "")
    question = select(model, (), ("ANSWERED",))[0]
    certificate = answered.result.certificate
    assert isinstance(certificate, WatchedReduction)
    path = tmp_path / "proof.json"
    write_labelled_certificate(path, model, question, certificate)
    system, read_question, read_certificate = read_labelled_certificate(str(path), model)
    assert accepts(system, read_question, read_certificate)  # type: ignore[arg-type]


def test_what_is_no_proof_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.lts"
    path.write_text(DINERS.replace("12", "3"))
    model = read(path)
    system = model.composite("S")
    answered, never, _ = select(model, (), ("assert",))
    certificate = decide_by_reduction(system, answered, no_progress).certificate
    assert isinstance(certificate, WatchedReduction)
    monitor = certificate.monitor
    assert accepts(system, answered, certificate)
    assert not accepts(system, never, certificate)
    # Each state twice, and unread actions go to the other one: right, but of another form.
    count = len(monitor.moves)
    moves = (*((*row[:-1], k + count) for k, row in enumerate(monitor.moves)), *monitor.moves)
    restless = RecurrenceMonitor(monitor.labels, moves, 2 * monitor.accepting, 2 * monitor.ends)
    for wrong, why in (
        (replace(certificate, monitor=restless), "changes by actions that it does not read"),
        (replace(certificate, monitor=replace(monitor, labels=("a", *monitor.labels[1:]))), "does not have"),
        (replace(certificate, last=certificate.last[1:]), "items are missing"),
    ):
        with pytest.raises(CertificationError, match=why):
            check_certificate(system, answered, wrong, Deadline(60))
    with pytest.raises(CertificationError, match="for assertions only"):
        check_certificate(system, replace(answered, kind="progress", formula=None), certificate, Deadline(60))
    low = replace(system, priority=Priority(frozenset({"p.1.eat"}), True))
    with pytest.raises(CertificationError, match="priorities"):
        check_certificate(low, answered, certificate, Deadline(60))
    reason = decide_by_reduction(low, answered, no_progress).reason
    assert reason == "unsupported: reduce decides assert only without priorities"
