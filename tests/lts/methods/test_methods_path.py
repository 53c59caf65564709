"""What a method says goes through the engine: words become replayed traces, and nothing else is believed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symag
from symag.core.errors import UsageError
from symag.core.limits import Deadline, Limits, Progress, ProgressFigures, no_progress
from symag.core.options import made
from symag.core.results import PropertyResult, Verdict
from symag.core.tables import Methods
from symag.core.values import replace
from symag.lts import System, read_text
from symag.lts.certificates import LabelledAssumption, LabelledAssumptions, LabelledCertificate
from symag.lts.certify.kinds import check_certificate
from symag.lts.certify.properties import check_violation
from symag.lts.checking.by_parts import decide_safety
from symag.lts.checking.check import select
from symag.lts.composition import Priority
from symag.lts.methods import monolithic
from symag.lts.methods.options import METHODS, MONOLITHIC, Decide, LtsOptions
from symag.lts.questions import CompositeQuestion
from symag.lts.safety_problem import SafetyOutcome, SafetyProblem
from tests.lts.answering import decided
from tests.lts.strategies import LABELS, safety_systems

MODEL = """
WORKER = (take -> work -> give -> WORKER).
LOCK = (take -> give -> LOCK).
property SAFE = (a.work -> b.work -> SAFE).
||PAIR = ({a, b}:WORKER).
||SYS = (PAIR || {a, b}::LOCK || SAFE).
||QUICK = SYS >> {a.take}.
||SLOW = SYS >> {b.take}.
"""


def _decided(decide: Decide, target: str = "SYS", seconds: float = 60, **told: object) -> list[PropertyResult]:
    model = read_text(MODEL)
    options = made(LtsOptions, told)
    asked = select(model, (target,))
    methods: Methods[Decide] = Methods({"told": decide})
    return decided(model, asked, "told", options, Limits(seconds), methods)


def _says(outcome: SafetyOutcome) -> Decide:
    return lambda problem, options, progress: outcome


def test_a_word_becomes_a_replayed_trace() -> None:
    deadlock, safety = _decided(
        _says(SafetyOutcome(Verdict.VIOLATED, ("b.take", "b.work"), statistics={"iterations": 3}))
    )
    assert deadlock.reason == "unsupported: told decides safety only"
    assert (safety.verdict, safety.method, safety.certified) == (Verdict.VIOLATED, "told", True)
    assert safety.trace is not None
    assert [step.action for step in safety.trace.steps] == ["b.take", "b.work", None]
    assert (safety.statistics["iterations"], safety.statistics["components"]) == (3, 3)


def test_a_word_that_violates_nothing_is_no_verdict() -> None:
    _, safety = _decided(_says(SafetyOutcome(Verdict.VIOLATED, ("a.take",))))
    assert safety.reason == "re-check refused: told: the word a.take leads nowhere near ERROR"


def test_what_holds_without_a_certificate_is_not_certified() -> None:
    _, safety = _decided(_says(SafetyOutcome(Verdict.HOLDS)))
    assert (safety.verdict, safety.certified) == (Verdict.HOLDS, False)


def test_a_certificate_that_proves_nothing_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    free = LabelledAssumption((), 1, ())
    forged = LabelledAssumptions("rule-3", ((0,), (1,), (2,)), (free, free))
    _, safety = _decided(_says(SafetyOutcome(Verdict.HOLDS, certificate=forged)))
    assert safety.verdict is Verdict.UNKNOWN
    assert "premise 1 does not hold" in str(safety.reason)
    assert safety.certificate is None
    assert Path(str(safety.refused_evidence)).parent == tmp_path


def test_a_word_that_priorities_forbid_is_no_violation() -> None:
    """b.work comes before a.work only if b takes the lock first, which a.take of low priority does not hinder."""
    word = SafetyOutcome(Verdict.VIOLATED, ("b.take", "b.work"))
    _, safety = _decided(_says(word), "QUICK")
    assert (safety.verdict, safety.certified) == (Verdict.VIOLATED, True)
    _, safety = _decided(_says(word), "SLOW")
    assert (safety.verdict, safety.trace) == (Verdict.UNKNOWN, None)
    assert (safety.reason or "").startswith("unsupported: without its priorities")


@settings(max_examples=60, deadline=None)
@given(safety_systems(most=3, states=3), st.frozensets(st.sampled_from(LABELS), min_size=1), st.booleans())
def test_what_is_said_of_systems_with_priorities_is_right(system: System, labels: frozenset[str], low: bool) -> None:
    system = replace(system, priority=Priority(labels, low))
    asked = CompositeQuestion(1, "safety", None, "ERROR is not reached", None, "S")
    (expected,) = monolithic.decide(system, [asked], no_progress)
    for method in (name for name in METHODS.names() if METHODS.resolved(name) != MONOLITHIC):
        found = decide_safety(system, method, LtsOptions(), METHODS, no_progress)
        if found.verdict is Verdict.UNKNOWN:
            assert found.reason is not None
            continue
        assert found.verdict is expected.verdict
        if found.trace is not None:
            check_violation(system, asked, found.trace, Deadline(None))
        else:
            assert isinstance(found.certificate, LabelledCertificate)
            check_certificate(system, asked, found.certificate, Deadline(None))


def test_groups_and_order_name_components() -> None:
    def decide(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> SafetyOutcome:
        return SafetyOutcome(Verdict.UNKNOWN, reason=f"{options.groups} {options.order}")

    def said(**told: object) -> str | None:
        return _decided(decide, **told)[1].reason

    assert said() == "() ()"
    assert said(groups=("PAIR",)) == "((0, 1),) ()"
    assert said(order="2,a:WORKER") == "() (2, 0)"
    assert said(groups=("{a,b}::LOCK,PAIR.b:WORKER",)) == "((2, 1),) ()"
    with pytest.raises(UsageError, match="no component 'nobody'; there are 0 "):
        said(groups=("nobody",))
    with pytest.raises(UsageError, match="is in two groups"):
        said(groups=("0,1", "1,2"))


def test_a_method_for_other_models_is_refused(tmp_path: Path) -> None:
    model = read_text(MODEL)
    with pytest.raises(UsageError, match="method 'rule-g' is not for FSP; there are monolithic, lstar"):
        decided(model, select(model), "rule-g")


def test_the_figures_of_a_method_that_is_stopped_are_those_it_told_last() -> None:
    def endless(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> SafetyOutcome:
        progress(ProgressFigures("iteration 1", {"assumption_states_max": 7, "iterations": 1}))
        time.sleep(60)
        return SafetyOutcome(Verdict.HOLDS)

    def greedy(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> SafetyOutcome:
        progress(ProgressFigures("iteration 2", {"assumption_states_max": 8}))
        raise MemoryError

    for decide, reason, figures in (
        (endless, "timeout", {"assumption_states_max": 7, "iterations": 1}),
        (greedy, "memory", {"assumption_states_max": 8}),
    ):
        _, safety = _decided(decide, seconds=1)
        assert (safety.verdict, safety.reason) == (Verdict.UNKNOWN, reason)
        assert figures.items() <= safety.statistics.items()
        assert {"seconds", "cpu_seconds", "memory_mib"} <= safety.statistics.keys()


@pytest.mark.parametrize(
    ("method", "told", "option"),
    [
        ("auto", {"groups": ("LOCK",)}, "--group"),
        ("monolithic", {"order": "LOCK"}, "--order"),
        ("auto", {"balance": True}, "--balance"),
        ("quotient", {"alphabet_refinement": False}, "--no-alphabet-refinement"),
        ("agar", {"steps": 3}, "--steps"),
        ("lstar", {"guarantee_sets": "minimal"}, "--guarantees"),
    ],
)
def test_options_that_the_method_does_not_read_are_refused(method: str, told: dict[str, Any], option: str) -> None:
    name = "monolithic" if method == "auto" else method
    with pytest.raises(UsageError, match=f"{option} means nothing to method {name}; it is for --method "):
        symag.check(read_text(MODEL), method=method, **told)
