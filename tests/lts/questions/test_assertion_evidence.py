"""The re-check of assertions against the method, and its evaluation of formulas against their definition."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.trace import Step, Trace
from symag.lts import Lts, System
from symag.lts.certificates import ExplorationClaim
from symag.lts.certify.assertion_words import cannot_hold, is_false_at_end, is_true_around
from symag.lts.certify.properties import check_absence, check_violation
from symag.lts.composition import Priority, composed
from symag.lts.language.fluents import FALSE, TRUE, ActionOccurs, FluentInstance, Temporal, negation
from symag.lts.methods.monolithic import decide
from symag.lts.questions import CompositeQuestion
from tests.lts.answering import refuses_absence
from tests.lts.questions.test_assertions import formulas
from tests.lts.strategies import LABELS, systems

ACTIONS = (*LABELS, "tau")


@st.composite
def composites(draw: st.DrawFn) -> System:
    components = draw(st.lists(systems(states=4, errors=False), min_size=1, max_size=2))
    labels = st.frozensets(st.sampled_from(("a", "b", "c")), min_size=1)
    priority = draw(st.none() | st.none() | st.builds(Priority, labels, st.booleans()))
    return System("C", tuple(components), priority, None, False, frozenset())


def _asked(formula: Temporal) -> CompositeQuestion:
    return CompositeQuestion(0, "assert", "A", "assert A", None, "C", formula=formula)


@settings(max_examples=500, deadline=None)
@given(composites(), formulas())
def test_every_answer_is_accepted_and_its_opposite_refused(system: System, formula: Temporal) -> None:
    asked = _asked(formula)
    (result,) = decide(system, [asked], no_progress)
    if result.reason is not None:
        assert "priorities" in result.reason
        assert refuses_absence(system, _asked(formula))
        assert refuses_absence(system, _asked(negation(formula)))
        return
    assert refuses_absence(system, _asked(formula)) == (result.trace is not None)
    if result.trace is None:
        assert result.certificate == ExplorationClaim()
        return
    check_violation(system, asked, result.trace, Deadline(None))
    with pytest.raises(CertificationError):
        check_violation(system, _asked(negation(formula)), result.trace, Deadline(None))


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(composites(), formulas(), st.data())
def test_a_lasso_is_accepted_only_if_fair_runs_violate(system: System, formula: Temporal, data: st.DataObject) -> None:
    """Any closed walk of the composition, however it was found."""
    lts = composed(system.components, "C", system.priority)
    names = [f"P{k}" for k in range(len(system.components))]
    walk: list[tuple[int, str]] = []
    state = 0
    for _ in range(data.draw(st.integers(1, 8))):
        moves = [(a, t) for s, a, t in lts.lts.triples() if s == state]
        if not moves:
            return
        action, after = data.draw(st.sampled_from(moves))
        walk.append((state, lts.lts.alphabet[action]))
        state = after
    places = [place for place, (before, _) in enumerate(walk) if before == state]
    assume(places)
    locals_ = [dict(zip(names, lts.local_states[s].tolist(), strict=True)) for s, _ in walk]
    steps = tuple(Step(local, action=label) for local, (_, label) in zip(locals_, walk, strict=True))
    try:
        check_violation(system, _asked(formula), Trace("lasso", steps, places[0]), Deadline(None))
    except CertificationError:
        reject()
    (result,) = decide(system, [_asked(formula)], no_progress)
    assert result.trace is not None
    labels = [label for _, label in walk]
    assert not _by_definition(formula, labels[: places[0]], labels[places[0] :])


def _atom(atom: FluentInstance | ActionOccurs, actions: list[str]) -> bool:
    if isinstance(atom, ActionOccurs):
        return actions[-1] in atom.actions
    for action in reversed(actions):
        if action in atom.initiating | atom.terminating:
            return action in atom.initiating
    return atom.initially


def _by_definition(formula: Temporal, stem: list[str], loop: list[str], place: int = 0) -> bool:
    """By looking at so many positions that nothing new comes afterwards."""

    def at(operand: Temporal, position: int) -> bool:
        period, start = len(loop), len(stem) + len(loop)
        if position >= start + period:
            position = start + (position - start) % period
        return _by_definition(operand, stem, loop, position)

    match formula.operator:
        case "true" | "false":
            return formula.operator == "true"
        case "atom" | "not atom":
            assert formula.atom is not None
            word = [*stem, *(loop * (place // len(loop) + 2))][: place + 1]
            return _atom(formula.atom, word) == (formula.operator == "atom")
        case "and":
            return all(at(operand, place) for operand in formula.operands)
        case "or":
            return any(at(operand, place) for operand in formula.operands)
        case "X":
            return at(formula.operands[0], place + 1)
    first, last = formula.operands
    horizon = range(place, place + len(stem) + 2 * len(loop) + 1)
    if formula.operator == "U":
        return any(at(last, k) and all(at(first, j) for j in range(place, k)) for k in horizon)
    return all(at(last, k) or any(at(first, j) for j in range(place, k)) for k in horizon)


@settings(max_examples=500, deadline=None)
@given(
    formulas(),
    st.lists(st.sampled_from(ACTIONS), max_size=3),
    st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=3),
)
def test_truth_on_a_word_that_goes_round_is_that_of_the_definition(
    formula: Temporal, stem: list[str], loop: list[str]
) -> None:
    expected = _by_definition(formula, stem, loop)
    assert is_true_around(formula, [*stem, *loop], len(stem)) == expected
    assert is_true_around(negation(formula), [*stem, *loop], len(stem)) == (not expected)
    for length in range(len(stem) + 2 * len(loop)):
        prefix = [*stem, *loop, *loop][:length]
        assert not (expected and cannot_hold(formula, prefix))


def _at_end(formula: Temporal, word: list[str], place: int = 0) -> bool:
    """On a run that ends after the word, by definition: only U asks for something that has to come about."""
    left = range(place, len(word))
    match formula.operator:
        case "true" | "false":
            return formula.operator == "true"
        case "atom" | "not atom":
            assert formula.atom is not None
            return not left or _atom(formula.atom, word[: place + 1]) == (formula.operator == "atom")
        case "and":
            return all(_at_end(operand, word, place) for operand in formula.operands)
        case "or":
            return any(_at_end(operand, word, place) for operand in formula.operands)
        case "X":
            return _at_end(formula.operands[0], word, min(place + 1, len(word)))
    first, last = formula.operands
    if formula.operator == "U":
        return any(_at_end(last, word, k) and all(_at_end(first, word, j) for j in range(place, k)) for k in left)
    return all(_at_end(last, word, k) or any(_at_end(first, word, j) for j in range(place, k)) for k in left)


@settings(max_examples=500, deadline=None)
@given(formulas(), st.lists(st.sampled_from(ACTIONS), max_size=5))
def test_truth_on_a_word_that_ends_is_that_of_the_definition(formula: Temporal, word: list[str]) -> None:
    assert is_false_at_end(formula, word) == (not _at_end(formula, word))
    assert is_false_at_end(formula, word) or not cannot_hold(formula, word)


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(1, 4)), max_size=6), st.booleans(), formulas()
)
def test_where_every_run_ends_the_words_of_all_runs_tell(
    triples: list[tuple[int, int, int]], is_end: bool, formula: Temporal
) -> None:
    labels = ("tau", "a", "b", "c", "b.x")
    rising = [(source, action, target) for source, action, target in triples if source < target]
    lts = Lts.of("P", labels, 5, rising, 4 if is_end else None)
    moves = lts.successors()

    def words(state: int) -> list[list[str]]:
        return [[labels[a], *word] for a, t in moves[state] for word in words(t)] if moves[state] else [[]]

    system = System("C", (lts,), None, None, False, frozenset())
    (result,) = decide(system, [_asked(formula)], no_progress)
    assert (result.trace is None) == all(_at_end(formula, word) for word in words(0))
    if result.trace is not None:
        taken = [step.action or "" for step in result.trace.steps[:-1]]
        ended = bool(result.warnings)
        told = [word for word in words(0) if (word if ended else word[: len(taken)]) == taken]
        assert told
        assert not any(_at_end(formula, word) for word in told)
        check_violation(system, _asked(formula), result.trace, Deadline(None))


def test_a_round_of_many_transitions_has_a_step() -> None:
    """Nothing has to be fulfilled on the way, and too many transitions to take them all."""
    count = 80
    labels = ("tau", *(f"step.{k}" for k in range(count)))
    ring = Lts.of("P", labels, count, [(k, k + 1, (k + 1) % count) for k in range(count)])
    system = System("C", (ring,), None, None, False, frozenset())
    both = Temporal(
        "and", tuple(Temporal("atom", (), ActionOccurs(frozenset((label,)))) for label in ("step.0", "step.1"))
    )
    asked = _asked(Temporal("U", (TRUE, both)))
    (result,) = decide(system, [asked], no_progress)
    assert result.trace is not None
    assert result.trace.loop is not None
    check_violation(system, asked, result.trace, Deadline(None))


def test_what_is_true_of_one_round_only_is_refused() -> None:
    """a again and again without b is no fair run of what can always do both."""
    both = Lts.of("P", ("tau", "a", "b"), 1, [(0, 1, 0), (0, 2, 0)])
    system = System("C", (both,), None, None, False, frozenset())
    happens = Temporal("atom", (), ActionOccurs(frozenset("b")))
    again = Temporal("R", (FALSE, Temporal("U", (TRUE, happens))))
    with pytest.raises(CertificationError, match="fair runs"):
        check_violation(system, _asked(again), Trace("lasso", (Step({"P": 0}, action="a"),), 0), Deadline(None))
    check_absence(system, _asked(again), Deadline(None))
