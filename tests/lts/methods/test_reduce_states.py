"""The method reduce for deadlock and progress: every step against brute force, with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.lts import System, read_text
from symag.lts.certificates import ReductionChain, ReductionStep
from symag.lts.certify.kinds import check_certificate
from symag.lts.checking import by_parts
from symag.lts.checking.by_parts import decide_by_reduction
from symag.lts.checking.check import select
from symag.lts.composition import Priority
from symag.lts.determinisation import quotient
from symag.lts.equivalence import numbered
from symag.lts.lts import ERROR, TAU, Lts, Numbers
from symag.lts.methods.reduce import states
from symag.lts.methods.reduce.states import StateOutcome, branching_quotient, decide_states
from symag.lts.questions import CompositeQuestion
from tests.lts.answering import decided, evidence_accepted
from tests.lts.explicit_liveness import State, progresses, reachable_moves
from tests.lts.strategies import LABELS, safety_systems, systems

DEADLOCK = CompositeQuestion(0, "deadlock", None, "no deadlock", None, "S")


def _has_ended(components: Sequence[Lts], state: State) -> bool:
    ending = [lts for lts in components if lts.end]
    labels = {label for lts in ending for label in lts.alphabet}
    others = [lts for lts in components if not lts.end]
    if not ending or any(label not in labels for lts in others for label in lts.alphabet):
        return False
    return all(lts.end in (None, local) for lts, local in zip(components, state, strict=True))


def _deadlocks(components: Sequence[Lts]) -> bool:
    moves = reachable_moves(components)
    return any(not after and ERROR not in state and not _has_ended(components, state) for state, after in moves.items())


def _answered(system: System, question: CompositeQuestion, small: int) -> PropertyResult:
    """The answer, its evidence accepted."""

    def decide(*arguments: object) -> StateOutcome:
        return decide_states(*arguments, small=small)  # type: ignore[arg-type]

    with mock.patch.object(by_parts, "decide_states", decide):
        result = decide_by_reduction(system, question, no_progress)
    return evidence_accepted(system, question, result)


@pytest.mark.parametrize("most", [0, 5000])
@settings(max_examples=200, deadline=None)
@given(system=safety_systems(most=4, states=4), small=st.sampled_from((0, 0, 6)))
def test_deadlock_is_what_brute_force_says(most: int, system: System, small: int) -> None:
    with mock.patch.object(states, "_MOST", most):
        result = _answered(system, DEADLOCK, small)
    assert result.verdict is (Verdict.VIOLATED if _deadlocks(system.components) else Verdict.HOLDS)


_ACTIONS = st.lists(st.sampled_from(LABELS), min_size=1, max_size=2, unique=True).map(tuple)


@pytest.mark.parametrize("most", [0, 5000])
@settings(max_examples=200, deadline=None)
@given(safety_systems(most=4, states=4), st.none() | _ACTIONS, st.none() | _ACTIONS, st.sampled_from((0, 0, 6)))
def test_progress_is_what_brute_force_says(
    most: int, system: System, actions: tuple[str, ...] | None, condition: tuple[str, ...] | None, small: int
) -> None:
    condition = None if actions is None else condition
    question = CompositeQuestion(2, "progress", "P", "progress P", None, "S", actions, condition)
    with mock.patch.object(states, "_MOST", most):
        result = _answered(system, question, small)
    expected = progresses(system.components, question)
    if expected is None:
        assert result.reason == "unsupported: ERROR can be reached, so check safety first"
    else:
        assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)


def _coarsest(lts: Lts, divergence: bool) -> list[int]:
    """The coarsest classes in which equivalent states have the same coloured moves, state by state (van Glabbeek)."""
    successors = lts.successors()
    block = [0] * lts.states
    while True:
        signatures: dict[tuple[int, frozenset[object], bool], int] = {}
        fresh = []
        for state in range(lts.states):
            inside, waiting = {state}, [state]
            while waiting:
                for action, after in successors[waiting.pop()]:
                    if action == TAU and block[after] == block[state] and after not in inside:
                        inside.add(after)
                        waiting.append(after)
            seen = frozenset(
                (action, block[after])
                for member in inside
                for action, after in successors[member]
                if action != TAU or block[after] != block[state]
            )
            # States of which each has a silent move to another one of them go on for ever.
            forever = set(inside)
            while any(not forever & {t for a, t in successors[s] if a == TAU} for s in forever):
                forever = {s for s in forever if forever & {t for a, t in successors[s] if a == TAU}}
            key = block[state], seen, divergence and bool(forever)
            fresh.append(signatures.setdefault(key, len(signatures)))
        if len(set(fresh)) == len(set(block)):
            return fresh
        block = fresh


@settings(max_examples=300, deadline=None)
@given(systems(states=5, errors=False), st.booleans())
def test_classes_are_the_coarsest(lts: Lts, divergence: bool) -> None:
    lts = replace(lts, end=None)
    classes, small = branching_quotient(lts, divergence)
    assert classes.tolist() == _coarsest(lts, divergence)
    assert len(set(_coarsest(small, divergence))) == small.states


_TABLE = """
const N = 6
FORK = (get -> put -> FORK).
PHIL = (left.get -> right.get -> eat -> left.put -> right.put -> PHIL).
LEFT = (right.get -> left.get -> eat -> left.put -> right.put -> LEFT).
||DINERS = (forall[i:0..N-1] (p[i]:PHIL || {p[i].left, p[(i+N-1)%N].right}::FORK)).
||POLITE = (p[0]:LEFT || forall[i:1..N-1] p[i]:PHIL || forall[i:0..N-1] {p[i].left, p[(i+N-1)%N].right}::FORK).
progress EATS = {p[1].eat}
"""


@pytest.mark.parametrize("target", ["DINERS", "POLITE"])
def test_philosophers_are_answered_as_the_monolithic_method_answers(target: str) -> None:
    model = read_text(_TABLE)
    questions = select(model, (target,))
    plain = decided(model, questions, "monolithic")
    in_parts = decided(model, questions, "reduce")
    assert [result.verdict for result in in_parts] == [result.verdict for result in plain]
    assert all(result.certified for result in in_parts)
    expected = Verdict.VIOLATED if target == "DINERS" else Verdict.HOLDS
    assert [result.verdict for result in in_parts] == [expected, Verdict.HOLDS, expected]


def test_a_ring_is_never_composed_as_a_whole() -> None:
    system = read_text(_TABLE).composite("POLITE")
    outcome = decide_states(system, DEADLOCK, no_progress, 50)
    assert outcome.certificate is not None
    assert outcome.statistics["largest_lts_states"] < system.product().lts.states / 4
    check_certificate(system, DEADLOCK, outcome.certificate, Deadline(60))


def test_a_component_that_always_moves_is_enough() -> None:
    loop = Lts.of("L", ("tau", "a"), 2, [(0, 0, 1), (1, 0, 0)])
    other = Lts.of("M", ("tau", "a", "b"), 2, [(0, 1, 1), (1, 2, 0)])
    system = System("S", (loop, other, other), None, None, False, frozenset())
    outcome = decide_states(system, DEADLOCK, no_progress, 0)
    assert outcome.certificate is not None
    assert len(outcome.certificate.last) == 1
    check_certificate(system, DEADLOCK, outcome.certificate, Deadline(60))


def test_a_system_that_has_ended_is_in_no_deadlock() -> None:
    text = "P = (a -> END). Q = (b -> END). R = (c -> STOP).\n||BOTH = (P || Q).\n||STUCK = (P || R)."
    model = read_text(text)
    verdicts = [
        decided(model, select(model, (target,), ("deadlock",)), "reduce")[0].verdict for target in model.targets
    ]
    assert verdicts == [decided(model, select(model, (target,), ("deadlock",)))[0].verdict for target in model.targets]
    assert verdicts[0] is Verdict.HOLDS


def test_priorities_matter_for_progress_only() -> None:
    model = read_text(_TABLE)
    system = replace(model.composite("POLITE"), priority=Priority(frozenset(("p.1.eat",)), low=True))
    assert decide_by_reduction(system, DEADLOCK, no_progress).verdict is Verdict.HOLDS
    question = select(model, ("POLITE",))[2]
    result = decide_by_reduction(system, question, no_progress)
    assert result.reason == "unsupported: reduce decides progress only without priorities"


@settings(max_examples=300, deadline=None)
@given(safety_systems(most=3, states=4), _ACTIONS, st.integers(0, 1 << 30))
def test_no_chain_of_wrong_classes_proves_what_is_false(system: System, actions: tuple[str, ...], seed: int) -> None:
    """A search that merges states at random gives certificates; none is accepted for what brute force refutes."""
    generator = np.random.default_rng(seed)

    def merged_at_random(lts: Lts, divergence: bool) -> tuple[Numbers, Lts]:
        classes = numbered(generator.integers(0, generator.integers(1, lts.states + 1), lts.states))
        small = quotient(lts, classes)
        keep = generator.integers(0, 2, small.transitions).astype(bool) | (small.action != TAU)
        return classes, Lts.of_arrays("", lts.alphabet, small.states, *(c[keep] for c in _columns(small)))

    progress = CompositeQuestion(2, "progress", "P", "progress P", None, "S", actions)
    truths = (not _deadlocks(system.components), bool(progresses(system.components, progress)))
    for question, holds in zip((DEADLOCK, progress), truths, strict=True):
        with mock.patch.object(states, "branching_quotient", merged_at_random):
            try:
                outcome = decide_states(system, question, no_progress, 0)
            except AssertionError:
                continue  # there is no run to a state that only wrong classes lead to
        if outcome.certificate is None or holds:
            continue
        with pytest.raises(CertificationError):
            check_certificate(system, question, outcome.certificate, Deadline(60))


def _columns(lts: Lts) -> tuple[Numbers, Numbers, Numbers]:
    return lts.source, lts.action, lts.target


def test_states_that_are_merged_wrongly_are_refused() -> None:
    """One component that stops after an action, and one step that merges its two states."""
    stops = Lts.of("M", ("tau", "a"), 2, [(0, 1, 1)])
    hides = Lts.of("M", ("tau", "a"), 2, [(0, 0, 1)])
    asks = Lts.of("N", ("tau", "a"), 1, [(0, 1, 0)])
    rows = np.array([[0, 0], [1, 0]])
    chain = ReductionChain((), (ReductionStep((0,), rows),), (-1, 1))
    question = CompositeQuestion(2, "progress", "P", "progress P", None, "S", ("a",))
    for component, about, message in (
        (stops, DEADLOCK, "other actions"),
        (hides, question, r"not equivalent|violates"),
        (stops, question, "not equivalent"),
    ):
        system = System("S", (component, asks), None, None, False, frozenset())
        with pytest.raises(CertificationError, match=message):
            check_certificate(system, about, chain, Deadline(60))
    with pytest.raises(CertificationError, match="left out at first"):
        check_certificate(system, DEADLOCK, replace(chain, left_out=(0,)), Deadline(60))


def test_a_chain_that_leaves_out_what_is_needed_is_refused() -> None:
    model = read_text(_TABLE)
    system = model.composite("DINERS")
    everything = tuple(range(len(system.components)))
    with pytest.raises(CertificationError, match="nothing need be possible"):
        check_certificate(system, DEADLOCK, ReductionChain((), (), everything), Deadline(60))
    polite = model.composite("POLITE")
    with pytest.raises(CertificationError, match="nothing need be possible"):
        check_certificate(polite, DEADLOCK, ReductionChain((), (), (0,)), Deadline(60))
    question = select(model, ("POLITE",))[2]
    with pytest.raises(CertificationError, match="items are missing"):
        check_certificate(polite, question, ReductionChain((), (), (0, 1)), Deadline(60))
