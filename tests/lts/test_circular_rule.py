"""Lemmas 2, 5 and 6 of the circular paper by brute force: premises, simplification and constraints."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.limits import no_progress
from symag.lts.lts import Lts
from symag.methods.lts import circular_search
from symag.methods.lts.assumption_search import AssumptionSearch
from symag.methods.lts.circular_constraints import AbstractSystem
from symag.methods.lts.circular_premises import Exploration, Premise, TableAutomaton
from symag.methods.lts.circular_rule import GuaranteeSets, maximal_sets, minimal_sets, simplified
from symag.methods.lts.circular_search import CircularSearch, interfaces, property_automaton
from symag.methods.lts.constraints import Constraint
from symag.methods.lts.projected_component import ProjectedComponent
from tests.lts.explicit_premises import (
    REFUSED,
    automata,
    conclusion_holds,
    has_projected_trace,
    has_trace,
    premise_holds,
)
from tests.lts.strategies import observers, systems

Tuple_ = Sequence[TableAutomaton]


@st.composite
def small_problems(draw: st.DrawFn, most: int = 3) -> tuple[list[Lts], Lts, GuaranteeSets]:
    """Components without ERROR, a property over their actions, and sets G_i of every kind."""
    count = draw(st.integers(2, most))
    components = [draw(systems(f"M{k}", 3, errors=False)) for k in range(count)]
    wanted = draw(observers())
    labels = {label for each in components for label in each.alphabet[1:]}
    free = [label for label in wanted.alphabet[1:] if label not in labels]
    if free:
        loops = [(0, action, 0) for action in range(1, len(free) + 1)]
        components.append(Lts.of("free", ("tau", *free), 1, loops))
    count = len(components)
    some = tuple(draw(st.frozensets(st.sampled_from([j for j in range(count) if j != k]))) for k in range(count))
    sets = draw(st.sampled_from([maximal_sets(count), minimal_sets(interfaces(components, wanted)), some]))
    return components, wanted, sets


def satisfies(assumptions: Tuple_, constraint: Constraint) -> bool:
    return any(assumptions[each.place].accepts(each.word) == each.accepted for each in constraint)


def tuples(alphabets: Sequence[Sequence[str]], choice: random.Random, most: int = 150) -> list[Tuple_]:
    """Tuples of assumptions of at most two states: all if they are few, else some."""
    kinds = [list(automata(sorted(alphabet), 2 if len(alphabet) < 3 else 1)) for alphabet in alphabets]
    count = 1
    for kind in kinds:
        count *= len(kind)
    if count <= most:
        return list(itertools.product(*kinds))
    return [tuple(choice.choice(kind) for kind in kinds) for _ in range(most)]


def passes(components: Sequence[Lts], wanted: TableAutomaton, sets: GuaranteeSets, found: Tuple_) -> bool:
    """All premises of the rule, not simplified."""
    return conclusion_holds(found, wanted) and all(
        premise_holds(component, [found[j] for j in sorted(sets[k])], found[k])
        for k, component in enumerate(components)
    )


@given(systems("M", 4, errors=False), st.randoms(use_true_random=False), st.data())
@settings(max_examples=150, deadline=None)
def test_premises_are_checked_as_defined(component: Lts, choice: random.Random, data: st.DataObject) -> None:
    labels = ("a", "b", "b.x", "c")
    goal_alphabet = data.draw(st.sets(st.sampled_from(component.alphabet[1:]))) if component.alphabet[1:] else set()
    guard_alphabets = data.draw(st.lists(st.sets(st.sampled_from(labels), max_size=2), max_size=2))
    goal, *guards = tuples([sorted(goal_alphabet)[:2], *map(sorted, guard_alphabets)], choice, 1)[0]
    small = data.draw(st.sampled_from((0, 100)))  # merged at once, or made as far as needed
    part = ProjectedComponent(component, component.alphabet[1:], small)
    exploration = Exploration(Premise((part,), tuple(guards), goal))
    exploration.refutations(1, 2)
    found = exploration.refutations(5)
    assert bool(found) != premise_holds(component, guards, goal)
    for word in found:
        assert has_trace(component, word)
        assert all(guard.accepts([a for a in word[:-1] if a in guard.actions]) for guard in guards)
        assert goal.accepts([a for a in word[:-1] if a in goal.actions])
        assert not goal.accepts([a for a in word if a in goal.actions])


@given(small_problems(), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_simplified_premises_are_equivalent(
    problem: tuple[list[Lts], Lts, GuaranteeSets], choice: random.Random
) -> None:
    components, wanted, sets = problem
    goal = property_automaton(wanted)
    alphabets = [frozenset(choice.sample(sorted(each), min(len(each), 2))) for each in interfaces(components, wanted)]
    rule = simplified(sets, alphabets, frozenset(goal.actions))
    for found in tuples([sorted(each) for each in alphabets], choice, 5):
        for place, component in enumerate(components):
            used = [found[j] for j in sorted(rule.used[place])]
            given_ = [found[j] for j in sorted(sets[place])]
            assert premise_holds(component, used, found[place]) == premise_holds(component, given_, found[place])
        final = [found[j] for j in sorted(rule.final)]
        assert conclusion_holds(final, goal) == conclusion_holds(found, goal)


@given(small_problems(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_every_constraint_is_satisfied_by_all_solutions_and_by_the_components(
    problem: tuple[list[Lts], Lts, GuaranteeSets], choice: random.Random
) -> None:
    """Lemma 6 for counterexamples of any assumptions; Lemma 5: those assumptions do not satisfy the constraints."""
    components, wanted, sets = problem
    goal = property_automaton(wanted)
    full = interfaces(components, wanted)
    seen = frozenset(goal.actions).union(choice.sample(sorted(frozenset().union(*full)), 1))
    alphabets = tuple(each & seen for each in full)
    rule = simplified(sets, alphabets, frozenset(goal.actions))
    parts = tuple(ProjectedComponent(m, sorted(a)) for m, a in zip(components, alphabets, strict=True))
    system = AbstractSystem(alphabets, parts, goal, rule)
    candidates = tuples([part.actions for part in parts], choice)
    solutions = [each for each in candidates if passes(components, goal, sets, each)]
    projections = [TableAutomaton(part.actions, part.table) for part in parts]
    for found in candidates[:40]:
        analyses = [
            system.of_premise(place, word)
            for place in sorted(rule.final)
            for word in Exploration(
                Premise((parts[place],), tuple(found[j] for j in sorted(rule.used[place])), found[place])
            ).refutations(20)
        ]
        last = Premise(tuple(found[j] for j in sorted(rule.final)), (), goal)
        analyses += [system.of_last_premise(word) for word in Exploration(last).refutations(20)]
        for analysis in analyses:
            if analysis.violation is not None:
                word = analysis.violation
                assert not goal.accepts([a for a in word if a in goal.actions])
                assert all(
                    has_projected_trace(component, word, alphabet)
                    for component, alphabet in zip(components, alphabets, strict=True)
                )
                continue
            assert analysis.constraints
            assert not all(satisfies(found, each) for each in analysis.constraints)
            for constraint in analysis.constraints:
                assert satisfies(projections, constraint)
                assert all(satisfies(solution, constraint) for solution in solutions)


@given(small_problems(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_constraints_that_are_kept_stay_right_over_larger_alphabets(
    problem: tuple[list[Lts], Lts, GuaranteeSets], choice: random.Random
) -> None:
    """Lemma 6 for all constraints of a whole search, those rebuilt after a refinement included."""
    components, wanted, sets = problem
    goal = property_automaton(wanted)
    seen: list[tuple[frozenset[str], ...]] = []
    required: list[list[Constraint]] = []

    class Recording(AssumptionSearch):
        def require(self, constraints):  # type: ignore[no-untyped-def]
            listed = list(constraints)
            required[-1].extend(listed)
            return super().require(listed)

    class Search(CircularSearch):
        def _with_alphabets(self):  # type: ignore[no-untyped-def]
            seen.append(tuple(each & self._seen for each in self._interfaces))
            required.append([])
            return super()._with_alphabets()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(circular_search, "AssumptionSearch", Recording)
        Search(components, wanted, sets, no_progress, refine=True, selectors=False).decided()
    for alphabets, constraints in zip(seen, required, strict=True):
        parts = [ProjectedComponent(m, sorted(a)) for m, a in zip(components, alphabets, strict=True)]
        projections = [TableAutomaton(part.actions, part.table) for part in parts]
        assert all(satisfies(projections, each) for each in constraints)
        for found in tuples([part.actions for part in parts], choice, 60):
            if not all(satisfies(found, each) for each in constraints):
                assert not passes(components, goal, sets, found)


def test_the_last_action_need_not_be_allowed_by_the_guards() -> None:
    component = Lts.of("M", ("tau", "a"), 1, [(0, 1, 0)])
    nothing = next(automata(("a",), 1))
    assert nothing.table.tolist() == [[REFUSED]]
    part = ProjectedComponent(component, ("a",))
    assert Exploration(Premise((part,), (nothing,), nothing)).refutations(1) == (("a",),)


def test_assumptions_without_a_link_to_the_property_are_left_out() -> None:
    """Example 1 of the paper."""
    alphabets = [frozenset("ab"), frozenset("b"), frozenset("c")]
    rule = simplified(maximal_sets(3), alphabets, frozenset("ab"))
    assert rule.final == {0, 1}
    assert rule.used == ({1}, {0}, frozenset())
    assert rule.closures[0] == (frozenset((0, 1)),)
    linked = [frozenset("abd"), frozenset("b"), frozenset("cd")]
    assert simplified(maximal_sets(3), linked, frozenset("ab")).final == {0, 1, 2}
