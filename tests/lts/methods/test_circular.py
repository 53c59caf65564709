"""The method ``circular`` against brute force, and its SAT search against enumeration."""

from __future__ import annotations

import itertools
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, Lts
from symag.lts.methods.circular.assumption_search import AssumptionSearch, disjunction
from symag.lts.methods.circular.constraint_generation import Membership, actions_on_cycles
from symag.lts.methods.circular.method import decide
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.parts import differing
from symag.lts.safety_problem import SafetyProblem, safety_problem
from tests.lts.explicit_premises import automata
from tests.lts.explicit_safety import distance_to_error, violates
from tests.lts.strategies import safety_systems


@given(st.data(), st.booleans(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_assumptions_found_are_of_least_total_size(data: st.DataObject, selectors: bool, guess: random.Random) -> None:
    alphabets = {0: ("a", "b"), 3: ("b",)}
    literals = st.one_of(
        *(
            st.builds(
                Membership,
                st.just(place),
                st.lists(st.sampled_from(alphabet), min_size=1, max_size=3).map(tuple),
                st.booleans(),
            )
            for place, alphabet in alphabets.items()
        )
    )
    constraints = data.draw(st.lists(st.lists(literals, min_size=1, max_size=5).map(tuple), min_size=1, max_size=8))

    def satisfied(found: dict[int, object]) -> bool:
        return all(
            any(found[each.place].accepts(each.word) == each.accepted for each in constraint)  # type: ignore[attr-defined]
            for constraint in constraints
        )

    kinds = [list(automata(alphabet, 2)) for alphabet in alphabets.values()]
    sizes = [
        first.states + second.states for first, second in itertools.product(*kinds) if satisfied({0: first, 3: second})
    ]
    search = AssumptionSearch(alphabets, lambda place, word: guess.random() < 0.5, selectors=selectors)
    try:
        for constraint in constraints:
            search.require([constraint])
            if guess.random() < 0.3:
                search.smallest()
        found = search.smallest()
    except ValueError:
        assert not sizes
        return
    finally:
        search.close()
    assert satisfied(dict(found))
    assert sum(each.states for each in found.values()) == search.total
    assert search.total == min(sizes) if sizes else search.total > 2


def test_a_disjunction_has_log_n_selectors() -> None:
    for count in range(1, 10):
        fresh = itertools.count(count + 1)
        clauses = disjunction(range(1, count + 1), lambda fresh=fresh: next(fresh))
        width = 0 if count <= 2 else (count - 1).bit_length()
        assert next(fresh) == count + 1 + width
        for values in itertools.product((False, True), repeat=count):
            assert any(values) == any(
                all(any((values + chosen)[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
                for chosen in itertools.product((False, True), repeat=width)
            )


@given(safety_systems(), st.data())
@settings(max_examples=150, deadline=None)
def test_sound_and_complete(system: System, data: st.DataObject) -> None:
    problem = safety_problem(system)
    count = len(problem.components)
    some = tuple(tuple(j for j in range(count) if j != k and data.draw(st.booleans())) for k in range(count))
    options = LtsOptions(
        alphabet_refinement=data.draw(st.booleans()),
        guarantee_sets=data.draw(st.sampled_from(("maximal", "minimal", some))),
        selectors=data.draw(st.booleans()),
    )
    outcome = decide(problem, options, no_progress)
    if outcome.word is None:
        assert outcome.verdict is Verdict.HOLDS
        assert distance_to_error(system.components) is None
        assert outcome.certificate is not None
    else:
        assert violates([*problem.components, problem.property], outcome.word)
        assert not violates([*problem.components, problem.property], outcome.word[:-1])


@given(safety_systems(3, 3), st.booleans())
@settings(max_examples=40, deadline=None)
def test_two_groups_are_the_rule_of_two_parts(system: System, refine: bool) -> None:
    problem = safety_problem(system)
    groups = (tuple(range(0, len(problem.components), 2)), tuple(range(1, len(problem.components), 2)))
    outcome = decide(problem, LtsOptions(refine, groups), no_progress)
    assert outcome.statistics["parts"] <= 2
    assert (outcome.verdict is Verdict.VIOLATED) == (distance_to_error(system.components) is not None)


def test_orders_that_form_a_cycle_are_refined() -> None:
    """P forbids p, M1 = a.b.p, M2 = b.c, M3 = c.a: every two agree on what they share, and there is no joint word."""
    chain = [(k, k + 1, k + 1) for k in range(3)]
    components = (
        Lts.of("M1", ("tau", "a", "b", "p"), 4, chain),
        Lts.of("M2", ("tau", "b", "c"), 3, chain[:2]),
        Lts.of("M3", ("tau", "c", "a"), 3, chain[:2]),
    )
    wanted = Lts.of("P", ("tau", "p"), 1, [(0, 1, ERROR)], is_property=True)
    outcome = decide(SafetyProblem(components, wanted), LtsOptions(), no_progress)
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.statistics["refinements"] >= 1
    assert actions_on_cycles([("a", "b", "p"), ("b", "c"), ("c", "a")]) == {"a", "b", "c"}


def test_differences_are_found_from_the_end() -> None:
    assert differing(("a", "b", "c"), ("b", "a", "c")) == {"a", "b"}
    assert differing(("a", "c"), ("c",)) == {"a"}
    assert differing(("a", "b"), ("a", "b")) == frozenset()


def test_assumptions_see_only_what_the_property_needs() -> None:
    """Two clients of a lock; what they do besides is never looked at with alphabet refinement."""

    def client(name: str) -> Lts:
        labels = ("tau", f"{name}.get", f"{name}.put", f"{name}.think", "news")
        return Lts.of(name, labels, 2, [(0, 1, 1), (1, 2, 0), (0, 3, 0), (0, 4, 0), (1, 4, 1)])

    get_put = ("tau", "x.get", "x.put", "y.get", "y.put")
    lock = Lts.of("LOCK", get_put, 3, [(0, 1, 1), (1, 2, 0), (0, 3, 2), (2, 4, 0)])
    legal = [(0, 1, 1), (1, 2, 0), (0, 3, 2), (2, 4, 0)]
    errors = [(s, a, ERROR) for s in range(3) for a in range(1, 5) if not any((s, a) == each[:2] for each in legal)]
    wanted = Lts.of("MUTEX", get_put, 3, [*legal, *errors], is_property=True)
    problem = SafetyProblem((client("x"), client("y"), lock), wanted)
    with_refinement = decide(problem, LtsOptions(), no_progress)
    without = decide(problem, LtsOptions(alphabet_refinement=False), no_progress)
    assert with_refinement.verdict is without.verdict is Verdict.HOLDS
    assert with_refinement.certificate is not None
    assert with_refinement.statistics["refinements"] == 0
    assert not any("news" in each.alphabet for each in with_refinement.certificate.assumptions)
    assert with_refinement.statistics["assumption_states"] == 5  # the lock knows who has it, the clients nothing
    assert without.certificate is not None
    assert any("news" in each.alphabet for each in without.certificate.assumptions)
