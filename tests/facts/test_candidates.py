"""Candidates for facts: batches of states are judged as state by state; the nearest of those violated comes first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.smv.facts.atoms import StateAtom
from symag.smv.facts.candidates import BATCH, Clause, ClauseCandidates, LinearRelation, StateBatch, Truths
from symag.smv.facts.circuit import step_circuit
from symag.smv.facts.conditionals import ConditionalCandidates, ConditionalEquality, sums
from symag.smv.facts.finding import FactFinder
from symag.smv.facts.pool import clauses
from symag.smv.facts.simulation import different, visited_states
from symag.smv.model.typed import Constant
from symag.smv.model.types import BooleanType
from symag.smv.reader import read_text

ATOMS = 4
_NOTHING = Constant(True, BooleanType(), 0)


def candidates(clauses: Sequence[Clause]) -> ClauseCandidates:
    longest = max(len(clause.literals) for clause in clauses)
    rows = [[*clause.literals, *[(-1, True)] * (longest - len(clause.literals))] for clause in clauses]
    table = np.array(rows, dtype=np.int64)
    return ClauseCandidates(table[:, :, 0], table[:, :, 1] != 0)


@given(st.lists(st.lists(st.booleans(), min_size=ATOMS, max_size=ATOMS), min_size=1, max_size=BATCH))
@settings(max_examples=25, deadline=None)
def test_a_batch_is_judged_as_its_states_are(rows: list[list[bool]]) -> None:
    states: Truths = np.array(rows, dtype=np.bool_)
    batch = StateBatch.of(states)
    every = [
        Clause(((one, sign), (other, not sign), (last, True)))
        for one, other, last in product(range(ATOMS), repeat=3)
        for sign in (False, True)
    ] + [Clause(((atom, False),)) for atom in range(ATOMS)]
    expected = [all(any(row[atom] == sign for atom, sign in clause.literals) for row in rows) for clause in every]
    assert [clause.holds(batch) for clause in every] == expected
    pool = candidates(every)
    pool.weaken(batch)
    assert pool.left() == [clause for clause, holds in zip(every, expected, strict=True) if holds]
    relation = LinearRelation(((0, 1), (1, -2)), 1)
    sums = [row[0] - 2 * row[1] + 1 for row in rows]
    assert relation.holds(batch) == (not any(sums))
    equality = ConditionalEquality((relation,), 2, 3, True)
    assert equality.holds(batch) == all(row[2] == row[3] for row, sum_ in zip(rows, sums, strict=True) if sum_ == 0)


@given(st.lists(st.lists(st.booleans(), min_size=ATOMS, max_size=ATOMS), min_size=1, max_size=BATCH))
@settings(max_examples=25, deadline=None)
def test_conditional_equalities_are_judged_together_as_one_by_one(rows: list[list[bool]]) -> None:
    first, second = LinearRelation(((0, 1), (1, -2)), 1), LinearRelation(((0, 1),), -1)
    holds = {first: lambda row: row[0] - 2 * row[1] + 1 == 0, second: lambda row: row[0]}
    every = [
        ConditionalEquality(premise, 2, 3, sign)
        for premise in ((), (second,), (first,), (second, first))
        for sign in (True, False)
    ]

    def is_violated(candidate: ConditionalEquality, row: list[bool]) -> bool:
        return all(holds[relation](row) for relation in candidate.premise) and (row[2] == row[3]) != candidate.is_equal

    together = ConditionalCandidates(every, ATOMS)
    states: Truths = np.array(rows, dtype=np.bool_)
    for row, state in zip(rows, states, strict=True):
        assert together.violated(state, 3) == [item for item in every if is_violated(item, row)][:3]
    together.weaken(np.repeat(states, 600, axis=0))  # more than are tested at once
    left = [item for item in every if not any(is_violated(item, row) for row in rows)]
    assert together.left() == left
    assert not any(together.violated(state, 3) for state in states)


def test_the_nearest_violated_clause_comes_first() -> None:
    pool = candidates([Clause(((0, True), (1, True))), Clause(((2, True), (3, True))), Clause(((3, True),))])
    nothing: Truths = np.zeros(ATOMS, dtype=np.bool_)
    beside = np.array([0, 0, 1, 0], dtype=np.int64)
    assert [len(clause.literals) for clause in pool.violated(nothing, beside, 3)] == [2, 1, 2]
    assert pool.violated(nothing, np.array([1, 1, 1, 0], dtype=np.int64), 2) == [
        Clause(((3, True),)),
        Clause(((2, True), (3, True))),
    ]


def test_runs_go_on_while_they_reach_something_new() -> None:
    length = 200
    lines = ["MODULE main", "VAR x0 : boolean;"]
    for k in range(length):
        lines += [f"VAR x{k + 1} : boolean; ASSIGN init(x{k + 1}) := FALSE; next(x{k + 1}) := x{k};"]
    states = visited_states(step_circuit(read_text("\n".join(lines) + "\n")), 0)
    assert states is not None
    assert states.any(axis=0).all()


def test_rows_without_repetitions_are_in_their_order() -> None:
    draw = np.random.default_rng(0)
    for width in (1, 3, 8, 64, 65, 130):
        rows: Truths = draw.integers(0, 2, size=(40, width)).astype(np.bool_)[draw.integers(0, 40, size=100)]
        expected = list(dict.fromkeys(map(tuple, rows.tolist())))
        assert list(map(tuple, different(rows).tolist())) == expected
    assert different(np.zeros((3, 0), dtype=np.bool_)).shape == (1, 0)


def test_a_next_value_may_read_nothing() -> None:
    """The last inputs of the circuit are latches whose next values are constants."""
    names = [f"x{k}" for k in range(12)]
    lines = [f"VAR {name} : boolean; ASSIGN next({name}) := TRUE;" for name in names]
    system = read_text("\n".join(["MODULE main", *lines]) + "\n")
    assert FactFinder(system, 0, no_progress).facts("variables").facts == ()


@given(st.lists(st.lists(st.booleans(), min_size=ATOMS, max_size=ATOMS), min_size=1, max_size=12), st.integers(0, 1))
@settings(max_examples=25, deadline=None)
def test_clauses_are_those_that_all_samples_satisfy(rows: list[list[bool]], group: int) -> None:
    atoms = [StateAtom(number + 2, number + 2, _NOTHING, "", 1 << number, 1 << number) for number in range(ATOMS)]
    members = [(0, 1, 2), (1, 2, 3)][group]
    samples: Truths = np.array(rows, dtype=np.bool_)
    constant = {number for number in range(ATOMS) if len({row[number] for row in rows}) == 1}
    sought = clauses(atoms, [members], samples).left()
    assert len(sought) == len(set(sought))
    units = {Clause(((number, rows[0][number]),)) for number in constant}
    pairs = {
        Clause(tuple(zip(chosen, signs, strict=True)))
        for chosen in combinations(range(ATOMS), 2)
        for signs in product((False, True), repeat=2)
        if set(chosen) <= set(members) or not constant & set(chosen)
    }
    true_pairs = {clause for clause in pairs if clause.holds(StateBatch.of(samples))}
    ordered = sorted(members, key=lambda number: (number in constant, number))
    triples = {
        clause
        for signs in product((False, True), repeat=3)
        if (clause := Clause(tuple(zip(ordered, signs, strict=True)))).holds(StateBatch.of(samples))
        and not any(
            Clause(pair) in true_pairs
            for pair in combinations(clause.literals, 2)
            if not constant & {atom for atom, _ in pair}
        )
    }
    assert set(sought) == units | true_pairs | triples
    assert clauses(atoms, [members], samples, 3).left()[0] == Clause(((3, True),))


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_sums_of_relations_hold_where_both_do(data) -> None:
    terms = st.lists(st.integers(-2, 2), min_size=ATOMS, max_size=ATOMS).map(
        lambda weights: tuple((atom, weight) for atom, weight in enumerate(weights) if weight)
    )
    rows = [LinearRelation(data.draw(terms), data.draw(st.integers(-2, 2))) for _ in range(3)]
    states: Truths = np.array(list(product((False, True), repeat=ATOMS)), dtype=np.bool_)
    batch = StateBatch.of(states)
    for total in sums(rows):
        assert any(
            not total.errors(batch)[(one.errors(batch) == 0) & (other.errors(batch) == 0)].any()
            and len(total.terms) < len(dict(one.terms) | dict(other.terms))
            for one, other in combinations(rows, 2)
        )
    queue, loop = LinearRelation(((0, 1), (1, 1), (2, -1)), 0), LinearRelation(((1, 1), (3, -1)), 0)
    assert sums([queue, loop]) == [LinearRelation(((0, 1), (2, -1), (3, 1)), 0)]


@pytest.mark.parametrize(("defines", "tried"), [("", "variables"), ("DEFINE e := a & b;", "variables defines")])
def test_a_reach_that_adds_no_candidate_is_not_tried(defines: str, tried: str) -> None:
    """Each step changes two of four bits: an even number of them is true, which no fact of three bits says."""
    names = dict(zip("abcd", ("k = 0", "k < 2", "k > 0", "k = 2"), strict=True))
    lines = [f"VAR {n} : boolean; ASSIGN init({n}) := FALSE; next({n}) := {n} xor {when};" for n, when in names.items()]
    system = read_text("\n".join(["MODULE main", "IVAR k : 0..2;", defines, *lines, "INVARSPEC !(a & b & c & !d)\n"]))
    reports: list[str] = []
    invariant = system.properties[0].expression
    assert invariant is not None
    assert FactFinder(system, 0, reports.append).proof(invariant, ("variables", "data", "defines")) is None
    assert " ".join(line.split()[-1] for line in reports if "relations over" in line) == tried


@pytest.mark.parametrize("text", ["TRUE", "a | !a"])
def test_an_invariant_that_is_valid_is_a_fact_by_itself(text: str) -> None:
    system = read_text(f"MODULE main\nVAR a : boolean;\nINVARSPEC {text}\n")
    invariant = system.properties[0].expression
    assert invariant is not None
    proof = FactFinder(system, 0, no_progress).proof(invariant)
    assert proof is not None
    assert [(fact.expression, fact.uses) for fact in proof.facts] == [(invariant, ())]
