"""The quotient method's laws, on random systems of four states or fewer, against enumeration."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts.lts import Lts
from symag.lts.methods.quotient.environment_refinement import EnvironmentRefinement
from symag.lts.methods.quotient.flows import ERROR_ROW, Backward, Forward, extend
from symag.lts.methods.quotient.modal_abstraction import modal_abstraction, split, two_processes
from tests.lts.quotient_brute_force import (
    by_signature,
    divided,
    failing,
    moves,
    problems,
    reached,
    satisfies,
)

Problem = tuple[Lts, Lts, Lts]


@settings(max_examples=300, deadline=None)
@given(problems())
def test_the_quotient_rule_is_invertible_by_the_definitions(problem: Problem) -> None:
    """By enumeration alone: the paper's claim itself, for forward, backward and their composition."""
    m, n, prop = problem
    verdict = satisfies(m, n, prop)
    together = reached(m, n, prop)
    forward = by_signature(n, lambda state: frozenset((i, p) for i, j, p in together if j == state))
    assert satisfies(m, divided(n, forward), prop) == verdict
    merged = divided(n, forward)
    rows = {(i, p) for i, _, p in reached(m, _anything(n), prop)}
    wrong = failing(m, merged, prop)
    backward = by_signature(merged, lambda j: frozenset(row for row in rows if (row[0], j, row[1]) in wrong))
    assert satisfies(m, divided(merged, backward), prop) == verdict


def _anything(n: Lts) -> Lts:
    """One state that allows what N could ever do: composing with it restrains nothing."""
    return Lts.of("any", n.alphabet, 1, [(0, action, 0) for action in range(1, len(n.alphabet))])


@settings(max_examples=300, deadline=None)
@given(problems())
def test_labels_without_abstraction_are_what_they_are_defined_to_be(problem: Problem) -> None:
    m, n, prop = problem
    processes = two_processes(m, n, prop)
    modal = modal_abstraction(processes.m, np.arange(m.states))
    together, wrong = reached(m, n, prop), failing(m, n, prop)
    for flow, expected in (
        (Forward(processes, modal, processes.n), together),
        (Backward(processes, modal, processes.n), wrong),
    ):
        for depth in (dict.fromkeys(flow.seeds(), 0), None):
            labels = flow.seeds()
            extend(flow, labels, list(labels), depth)
            found = {
                (row // prop.states, int(state), row % prop.states)
                for row, label in labels.items()
                if row != ERROR_ROW
                for state in np.flatnonzero(label)
            }
            assert found == {(i, j, p) for i, j, p in expected if processes.present[i, p]}


@settings(max_examples=300, deadline=None)
@given(problems())
def test_at_every_step_the_assumption_is_sound_and_complete(problem: Problem) -> None:
    m, n, prop = problem
    verdict = satisfies(m, n, prop)
    together = reached(m, n, prop)
    refinement = EnvironmentRefinement(two_processes(m, n, prop))
    going = True
    while going:
        block = refinement.classes()
        assert block[0] == 0
        assert satisfies(m, divided(n, block.tolist()), prop) == verdict
        before, known = refinement.modal.classes, refinement.lower_forward()
        parents = refinement.modal.block
        going = refinement.step()
        assert refinement.modal.classes == before + going
        _check_bounds(refinement, together, prop.states)
        _check_growth(known, parents, refinement, prop.states)
    assert refinement.steps <= max(m.states - 2, 0)


def _check_bounds(refinement: EnvironmentRefinement, together: set[tuple[int, int, int]], properties: int) -> None:
    """Every member of a lower bound is reached with every state of the class."""
    for row, label in refinement.lower_forward().items():
        for state in np.flatnonzero(label):
            for i in np.flatnonzero(refinement.modal.block == row // properties):
                assert (i, state, row % properties) in together


def _check_growth(known: dict, parents: np.ndarray, refinement: EnvironmentRefinement, properties: int) -> None:
    """A split keeps the bounds of the class for both parts."""
    after = refinement.lower_forward()
    for row, label in known.items():
        for i in np.flatnonzero(parents == row // properties):
            place = int(refinement.modal.block[i]) * properties + row % properties
            assert not (label & ~after[place]).any()


@settings(max_examples=300, deadline=None)
@given(problems())
def test_at_the_end_the_equivalence_is_the_one_without_abstraction(problem: Problem) -> None:
    """Forward bounds coincide with the definition; states that are merged agree in all labels."""
    m, n, prop = problem
    refinement = EnvironmentRefinement(two_processes(m, n, prop))
    while refinement.step():
        pass
    together = reached(m, n, prop)
    found = set()
    for row, label in refinement.lower_forward().items():
        for i in np.flatnonzero(refinement.modal.block == row // prop.states):
            found |= {(int(i), int(j), row % prop.states) for j in np.flatnonzero(label)}
    block = refinement.classes().tolist()
    assert found == together or max(block) == 0  # a single class ends the refinement early
    exact = by_signature(n, lambda state: frozenset((i, p) for i, j, p in together if j == state))
    rows = {(i, p) for i, _, p in reached(m, _anything(n), prop)}
    merged = divided(n, exact)
    wrong = failing(m, merged, prop)
    signature = [frozenset(row for row in rows if (row[0], j, row[1]) in wrong) for j in exact]
    assert by_signature(n, lambda j: signature[j]) == block
    own_states = EnvironmentRefinement(two_processes(m, n, prop), abstract=False)
    assert not own_states.step()
    assert own_states.classes().tolist() == block


@settings(max_examples=200, deadline=None)
@given(problems())
def test_may_and_must_edges_by_their_definitions(problem: Problem) -> None:
    m = problem[0]
    processes = two_processes(*problem)
    edges = set(zip(processes.m.source.tolist(), processes.m.action.tolist(), processes.m.target.tolist(), strict=True))
    block = [state // 2 for state in range(m.states)]
    modal = modal_abstraction(processes.m, np.array(block))
    members = [[s for s in range(m.states) if block[s] == v] for v in range(modal.classes)]
    actions = range(processes.actions)
    for v, inside in enumerate(members):
        forward, backward = [], []
        for action in actions:
            for w, others in enumerate(members):
                if any((s, action, t) in edges for s in inside for t in others):
                    forward.append((action, w, all(any((s, action, t) in edges for s in inside) for t in others)))
                if any((s, action, t) in edges for s in others for t in inside):
                    backward.append((action, w, all(any((s, action, t) in edges for t in inside) for s in others)))
            able = [any((s, action, t) in edges for t in range(m.states)) for s in inside]
            assert modal.enabled[v].get(action) == (all(able) if any(able) else None)
        assert modal.forward.of(v) == forward
        assert modal.backward.of(v) == backward


def test_a_label_that_comes_back_on_a_cycle_goes_on_again() -> None:
    """'Each edge at most once' (the paper's section 3) would miss a state here."""
    m = Lts.of("M", ("tau", "a", "b"), 2, [(0, 1, 1), (1, 2, 0)])
    n = Lts.of("N", ("tau", "a", "b"), 4, [(0, 1, 1), (1, 2, 2), (2, 1, 3), (3, 2, 3)])
    prop = Lts.of("P", ("tau", "c"), 1, [(0, 1, -1)])
    assert all(after is None or after[2] == 0 for after in moves(m, n, prop, (0, 0, 0)))
    processes = two_processes(m, n, prop)
    flow = Forward(processes, modal_abstraction(processes.m, np.arange(2)), processes.n)
    labels = flow.seeds()
    extend(flow, labels, list(labels))
    assert labels[1].tolist() == [False, True, False, True]


@settings(max_examples=200, deadline=None)
@given(problems(), st.data())
def test_a_split_gives_the_abstraction_by_the_new_classes(problem: Problem, data: st.DataObject) -> None:
    m = two_processes(*problem).m
    block = np.zeros(m.states, dtype=np.int64)
    found = modal_abstraction(m, block)
    for new in range(1, m.states):
        divided = data.draw(st.sampled_from([v for v in range(new) if (block == v).sum() > 1]))
        members = np.flatnonzero(block == divided).tolist()
        taken = data.draw(st.sets(st.sampled_from(members), min_size=1, max_size=len(members) - 1))
        block = block.copy()
        block[sorted(taken)] = new
        found, expected = split(m, found, block, divided), modal_abstraction(m, block)
        assert found.forward.ends == expected.forward.ends
        assert found.backward.ends == expected.backward.ends
        assert found.enabled == expected.enabled
        if (np.bincount(block) == 1).all():
            break
