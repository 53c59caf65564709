"""Lemmas 2, 5 and 6 of the circular paper by brute force: premises, simplification and constraints."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from functools import partial
from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.lts.lts import Lts, reachable
from symag.lts.methods.circular import projected_component
from symag.lts.methods.circular.constraint_generation import Analysis, Constraint, IncrementalWord, ProjectedComponents
from symag.lts.methods.circular.premises import (
    GuaranteeSets,
    Premise,
    PremiseProduct,
    maximal_sets,
    minimal_sets,
    simplified,
)
from symag.lts.methods.circular.projected_component import ProjectedComponent, TableAutomaton
from symag.lts.methods.circular.search import CircularSearch, interfaces, property_automaton
from tests.lts.explicit_premises import (
    REFUSED,
    automata,
    conclusion_holds,
    has_projected_trace,
    has_trace,
    premise_holds,
)
from tests.lts.strategies import systems

Tuple_ = Sequence[TableAutomaton]
Problem = tuple[list[Lts], Lts, GuaranteeSets]


#: Hypothesis' own random numbers are mostly alike, and words then too short for the rarer constraints.
seeded = st.integers(0, 1 << 30).map(random.Random)


def small_problem(choice: random.Random, most: int = 3, labels: str = "abc", size: int | None = None) -> Problem:
    """Components over ``size`` labels each (default: all but one), a property, and sets G_i of every kind."""
    count = choice.randint(2, most)
    components = []
    for k in range(count):
        alphabet = ("tau", *sorted(choice.sample(labels, size or len(labels) - 1)))
        states = choice.randint(2, 3)
        moves = [
            (q, a, choice.randrange(states))
            for q in range(states)
            for a in range(1, len(alphabet))
            if choice.random() < 0.7
        ]
        moves += [(q, 0, choice.randrange(states)) for q in range(states) if choice.random() < 0.1]
        components.append(Lts.of(f"M{k}", alphabet, states, moves))
    known = sorted({label for each in components for label in each.alphabet[1:]})
    alphabet = ("tau", *choice.sample(known, choice.randint(1, 2)))
    targets = [(q, a, choice.choice((-1, 0, 1))) for q in range(2) for a in range(1, len(alphabet))]
    wanted = reachable(Lts.of("P", alphabet, 2, targets))
    some = tuple(frozenset(j for j in range(count) if j != k and choice.random() < 0.6) for k in range(count))
    sets = choice.choice([maximal_sets(count), minimal_sets(interfaces(components, wanted)), some])
    return components, wanted, sets


def satisfies(assumptions: Tuple_, constraint: Constraint) -> bool:
    return any(assumptions[each.place].accepts(each.word) == each.accepted for each in constraint)


def tuples(alphabets: Sequence[Sequence[str]], choice: random.Random, most: int = 150) -> list[Tuple_]:
    """Tuples of assumptions of at most two states: all if they are few, else some."""
    sizes = [2 if len(alphabet) < 3 else 1 for alphabet in alphabets]
    if math.prod((1 + size) ** (size * len(each)) for size, each in zip(sizes, alphabets, strict=True)) <= most:
        return list(itertools.product(*map(automata, alphabets, sizes)))
    return [tuple(some_automaton(alphabet, choice) for alphabet in alphabets) for _ in range(most)]


def some_automaton(alphabet: Sequence[str], choice: random.Random) -> TableAutomaton:
    """At most two states, a quarter of the moves refused."""
    size = choice.randint(1, 2)
    moves = [REFUSED if choice.random() < 0.25 else choice.randrange(size) for _ in range(size * len(alphabet))]
    return TableAutomaton(tuple(alphabet), np.array(moves, dtype=np.int64).reshape(size, len(alphabet)))


def passes(components: Sequence[Lts], wanted: TableAutomaton, sets: GuaranteeSets, found: Tuple_) -> bool:
    """All premises of the rule, not simplified."""
    return conclusion_holds(found, wanted) and all(
        premise_holds(component, [found[j] for j in sorted(sets[k])], found[k])
        for k, component in enumerate(components)
    )


@given(systems("M", 4, errors=False), seeded, st.data())
@settings(max_examples=150, deadline=None)
def test_premises_are_checked_as_defined(component: Lts, choice: random.Random, data: st.DataObject) -> None:
    labels = ("a", "b", "b.x", "c")
    goal_alphabet = data.draw(st.sets(st.sampled_from(component.alphabet[1:]))) if component.alphabet[1:] else set()
    guard_alphabets = data.draw(st.lists(st.sets(st.sampled_from(labels), max_size=2), max_size=2))
    goal, *guards = tuples([sorted(goal_alphabet)[:2], *map(sorted, guard_alphabets)], choice, 1)[0]
    small = data.draw(st.sampled_from((0, 100)))  # merged at once, or made as far as needed
    many = data.draw(st.sampled_from((0, 100)))  # made smaller before, or not
    with mock.patch.object(projected_component, "_MANY", many):
        part = ProjectedComponent(component, component.alphabet[1:], small)
    exploration = PremiseProduct(Premise((part,), tuple(guards), goal))
    exploration.refutations(1, 2)
    found = exploration.refutations(5)
    assert bool(found) != premise_holds(component, guards, goal)
    for word in found:
        assert has_trace(component, word)
        assert all(guard.accepts([a for a in word[:-1] if a in guard.actions]) for guard in guards)
        assert goal.accepts([a for a in word[:-1] if a in goal.actions])
        assert not goal.accepts([a for a in word if a in goal.actions])


@given(seeded.map(partial(small_problem, most=4, labels="abcdef", size=2)), seeded)
@settings(max_examples=150, deadline=None)
def test_simplified_premises_are_equivalent(problem: Problem, choice: random.Random) -> None:
    components, _, sets = problem
    system = abstract(problem, some_actions(problem, choice))
    rule, goal = system.rule, system.goal
    for found in tuples([part.actions for part in system.components], choice, 60):
        for place, component in enumerate(components):
            used = [found[j] for j in sorted(rule.used[place])]
            given_ = [found[j] for j in sorted(sets[place])]
            assert premise_holds(component, used, found[place]) == premise_holds(component, given_, found[place])
        final = [found[j] for j in sorted(rule.final)]
        assert conclusion_holds(final, goal) == conclusion_holds(found, goal)


def analyses(system: ProjectedComponents, found: Tuple_) -> list[Analysis]:
    """Of up to 20 counterexamples of each premise."""
    rule, parts = system.rule, system.components
    results = []
    for place in sorted(rule.final):
        guards = tuple(found[j] for j in sorted(rule.used[place]))
        premise = Premise((parts[place],), guards, found[place])
        results += [system.of_premise(place, word) for word in PremiseProduct(premise).refutations(20)]
    last = Premise(tuple(found[j] for j in sorted(rule.final)), (), system.goal)
    return results + [system.of_last_premise(word) for word in PremiseProduct(last).refutations(20)]


def abstract(problem: Problem, seen: frozenset[str]) -> ProjectedComponents:
    components, wanted, sets = problem
    goal = property_automaton(wanted)
    alphabets = tuple(each & seen for each in interfaces(components, wanted))
    parts = tuple(ProjectedComponent(m, sorted(a)) for m, a in zip(components, alphabets, strict=True))
    return ProjectedComponents(alphabets, parts, goal, simplified(sets, alphabets, frozenset(goal.actions)))


def some_actions(problem: Problem, choice: random.Random) -> frozenset[str]:
    """Those of the property and some others."""
    every = sorted(frozenset().union(*interfaces(problem[0], problem[1])))
    return frozenset(problem[1].alphabet[1:]).union(choice.sample(every, choice.randint(0, len(every))))


@given(seeded.map(small_problem), seeded)
@settings(max_examples=60, deadline=None)
def test_every_constraint_is_satisfied_by_all_solutions_and_by_the_components(
    problem: Problem, choice: random.Random
) -> None:
    """Lemma 6 for counterexamples of any assumptions; Lemma 5: those assumptions do not satisfy the constraints."""
    components, _, sets = problem
    system = abstract(problem, some_actions(problem, choice))
    candidates = tuples([part.actions for part in system.components], choice)
    solutions = [each for each in candidates if passes(components, system.goal, sets, each)]
    projections = [TableAutomaton(part.actions, part.table) for part in system.components]
    for found in candidates[:40]:
        for analysis in analyses(system, found):
            if analysis.violation is not None:
                word = analysis.violation
                assert not system.goal.accepts([a for a in word if a in system.goal.actions])
                assert all(
                    has_projected_trace(component, word, alphabet)
                    for component, alphabet in zip(components, system.alphabets, strict=True)
                )
                continue
            assert analysis.constraints
            assert not all(satisfies(found, each) for each in analysis.constraints)
            for constraint in analysis.constraints:
                assert satisfies(projections, constraint)
                assert all(satisfies(solution, constraint) for solution in solutions)


@given(seeded.map(partial(small_problem, labels="abcd")), seeded)
@settings(max_examples=120, deadline=None)
def test_constraints_that_are_kept_stay_right_over_larger_alphabets(problem: Problem, choice: random.Random) -> None:
    """Lemma 6 for constraints that are rebuilt after a refinement."""
    components, wanted, sets = problem
    small = frozenset(wanted.alphabet[1:])
    large = small | some_actions(problem, choice)
    before, system = abstract(problem, small), abstract(problem, large)
    search = CircularSearch(components, wanted, sets, no_progress, refine=True, selectors=False)
    search._seen = small
    candidates = tuples([part.actions for part in before.components], choice, 20)
    analysed = [analysis for found in candidates for analysis in analyses(before, found)]
    search._kept = [each for analysis in analysed for each in analysis.incremental]
    search._grow(large)
    constraints = list(dict.fromkeys(map(system.constraint, search._kept)))
    projections = [TableAutomaton(part.actions, part.table) for part in system.components]
    assert all(satisfies(projections, each) for each in constraints)
    for found in tuples([part.actions for part in system.components], choice, 60 if constraints else 0):
        if not all(satisfies(found, each) for each in constraints):
            assert not passes(components, system.goal, sets, found)


def test_the_last_action_need_not_be_allowed_by_the_guards() -> None:
    component = Lts.of("M", ("tau", "a"), 1, [(0, 1, 0)])
    nothing = next(automata(("a",), 1))
    assert nothing.table.tolist() == [[REFUSED]]
    part = ProjectedComponent(component, ("a",))
    assert PremiseProduct(Premise((part,), (nothing,), nothing)).refutations(1) == (("a",),)


def test_assumptions_without_a_link_to_the_property_are_left_out() -> None:
    """Example 1 of the paper."""
    alphabets = [frozenset("ab"), frozenset("b"), frozenset("c")]
    rule = simplified(maximal_sets(3), alphabets, frozenset("ab"))
    assert rule.final == {0, 1}
    assert rule.used == ({1}, {0}, frozenset())
    assert rule.closures[0] == (frozenset((0, 1)),)
    linked = [frozenset("abd"), frozenset("b"), frozenset("cd")]
    assert simplified(maximal_sets(3), linked, frozenset("ab")).final == {0, 1, 2}


def test_words_that_are_kept_become_words_of_their_component() -> None:
    """Over the larger alphabet "p" alone is no trace of b.p: that it be accepted would ask for too much."""
    component = Lts.of("M0", ("tau", "b", "p"), 3, [(0, 1, 1), (1, 2, 2)])
    other = Lts.of("M1", ("tau", "b"), 1, [(0, 1, 0)])
    wanted = Lts.of("P", ("tau", "p"), 1, [(0, 1, 0)])
    search = CircularSearch([component, other], wanted, maximal_sets(2), no_progress, refine=True, selectors=False)
    search._kept = [IncrementalWord("default", 0, ("p",)), IncrementalWord("final", -1, ("p",))]
    search._grow(frozenset(("b",)))
    assert [each.word for each in search._kept] == [("b", "p"), ("p",)]
    search._grow(frozenset())
    assert [each.word for each in search._kept] == [("b", "p"), ("p",)]


def test_assumptions_matter_to_a_premise_through_others() -> None:
    """g_0 refuses a, which M_0 does after x; g_1 has x after y only, and g_2 refuses y: g_0 is kept because of g_2."""
    rule = simplified(maximal_sets(3), [frozenset("ax"), frozenset("xy"), frozenset("y")], frozenset("a"))
    assert rule.used == ({1, 2}, {0, 2}, {0, 1})
    component = Lts.of("M0", ("tau", "a", "x"), 3, [(0, 2, 1), (1, 1, 2)])
    first = TableAutomaton(("a", "x"), np.array([[REFUSED, 0]]))
    second = TableAutomaton(("x", "y"), np.array([[REFUSED, 1], [1, REFUSED]]))
    third = TableAutomaton(("y",), np.array([[REFUSED]]))
    part = ProjectedComponent(component, ("a", "x"))
    assert PremiseProduct(Premise((part,), (second, third), first)).refutations(1) == ()
    assert PremiseProduct(Premise((part,), (second,), first)).refutations(1) == (("y", "x", "a"),)
