"""Smallest assumptions against brute force: all automata with fewer states are tried."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lts import read
from symag.lts.certificates import LabelledAssumption, LabelledAssumptions
from symag.lts.checking.by_parts import resolved_options
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, Lts, completed_with_error, reachable
from symag.lts.methods.lstar import method as lstar
from symag.lts.methods.lstar.least_automaton import REFUSED, LeastAutomatonSearch
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.parts import Parts
from symag.lts.safety_problem import safety_problem
from symag.lts.view import View, runs_to_error
from tests.conftest import ROOT
from tests.lts.agreement import agreed
from tests.lts.explicit_languages import exact
from tests.lts.explicit_premises import automata
from tests.lts.explicit_safety import Product
from tests.lts.strategies import observers, safety_systems, systems

_GAS_STATION = ROOT / "models" / "lts" / "gas_station.lts"

#: State and letter to state; ERROR for words that a side excludes.
_Table = dict[tuple[int, str], int]


def _table(automaton: LabelledAssumption) -> _Table:
    return {(source, automaton.alphabet[action]): target for source, action, target in automaton.transitions}


def _dangerous(systems_: Sequence[Lts], checked: Lts, letters: Sequence[str]) -> _Table | None:
    """The deterministic automaton of the words that lead the systems with the property to ERROR; None: the empty one.

    ERROR is a state of the product from which a word ends: it is the letter ``!`` of an automaton of all words.
    """
    end = checked.states
    triples = [(s, a, end if t == ERROR else t) for s, a, t in checked.triples()]
    loud = Lts.of("P", (*checked.alphabet, "!"), end + 1, [*triples, (end, len(checked.alphabet), end)])
    table = _table(exact([*systems_, loud], (*letters, "!")))
    wrong = {state for state, letter in table if letter == "!"}
    if 0 in wrong:
        return None
    return {key: ERROR if target in wrong else target for key, target in table.items() if key[1] != "!"}


def _separates(automaton: Sequence[Sequence[int]], letters: Sequence[str], wrong: _Table, right: _Table) -> bool:
    for side, excluded in ((wrong, True), (right, False)):
        seen, waiting = {(0, 0)}, [(0, 0)]
        for state, local in waiting:
            for column, letter in enumerate(letters):
                if (local, letter) not in side:
                    continue
                after, target = automaton[state][column], side[local, letter]
                if after == REFUSED:
                    if not excluded:
                        return False
                elif target == ERROR:
                    return False
                elif (after, target) not in seen:
                    seen.add((after, target))
                    waiting.append((after, target))
    return True


def _smaller(states: int, letters: Sequence[str]) -> Iterator[list[list[int]]]:
    """All automata with fewer states, but at most three, and at most two if there are three letters."""
    most = min(states - 1, 3 if len(letters) < 3 else 2)
    if most > 0 and letters:
        yield from (automaton.table.tolist() for automaton in automata(letters, most))


def _checked(parts: Parts, assumptions: Sequence[LabelledAssumption]) -> None:
    """Each assumption separates, and no smaller automaton does."""
    for k, assumption in enumerate(assumptions):
        letters = assumption.alphabet
        before = parts.property if k == 0 else completed_with_error(_lts(assumptions[k - 1]))
        wrong = _dangerous([parts.systems[k]], before, letters)
        assert wrong is not None
        later = [parts.systems[k + 1], *assumptions[k + 1 : k + 2]]
        free = [label for label in letters if not any(label in _labels(system) for system in later)]
        loops = LabelledAssumption(tuple(free), 1, tuple((0, action, 0) for action in range(len(free))))
        right = _table(exact([*later, loops], letters))
        own = _table(assumption)
        rows = [[own.get((state, letter), REFUSED) for letter in letters] for state in range(assumption.states)]
        assert _separates(rows, letters, wrong, right)
        for table in _smaller(assumption.states, letters):
            assert not _separates(table, letters, wrong, right), (assumption, table)


def _labels(system: Lts | LabelledAssumption) -> tuple[str, ...]:
    return system.alphabet[1:] if isinstance(system, Lts) else system.alphabet


def _lts(assumption: LabelledAssumption) -> Lts:
    triples = [(source, action + 1, target) for source, action, target in assumption.transitions]
    return Lts.of("A", ("tau", *assumption.alphabet), assumption.states, triples)


@pytest.mark.parametrize("refines", [False, True])
@settings(max_examples=50, deadline=None)
@given(
    first=systems("M0", 4, errors=False),
    second=systems("M1", 4, errors=False),
    safe=observers(states=3),
    data=st.data(),
)
def test_no_smaller_assumption_of_two_parts(
    refines: bool, first: Lts, second: Lts, safe: Lts, data: st.DataObject
) -> None:
    system = System("S", (first, second, safe), None, None, False, frozenset())
    options = LtsOptions(refines, learner="separating")
    outcome = agreed(system, "lstar", options)
    if outcome.verdict is not Verdict.HOLDS:
        return
    problem = safety_problem(system)
    parts = Parts.of(problem, options)
    assume(len(parts.systems) == 2)
    certificate = outcome.certificate
    assert isinstance(certificate, LabelledAssumptions)
    if certificate.assumptions[0].alphabet or certificate.assumptions[0].states > 1:
        _checked(parts, certificate.assumptions)
    plain = agreed(system, "lstar", replace(options, learner="lstar"))
    if set(certificate.assumptions[0].alphabet) == set(_only(plain.certificate).alphabet):
        assert outcome.statistics["assumption_states"] <= plain.statistics["assumption_states"]


def _separable(seed: int) -> System:
    """The words of M1 are some of those of a random automaton; the property allows them all, and some more."""
    chance = random.Random(seed)
    letters = ("a", "b", "c")[: chance.choice((1, 2, 2, 2, 3))]
    states = chance.randint(2, 5)
    own, safe = [], []
    for state in range(states):
        for action in range(1, len(letters) + 1):
            target = chance.randrange(states)
            if chance.random() < 0.6:
                safe.append((state, action, target))
                if chance.random() < 0.8:
                    own.append((state, action, target))
            else:
                safe.append((state, action, ERROR if chance.random() < 0.7 else states))
    safe.extend((states, action, states) for action in range(1, len(letters) + 1))
    labels = ("tau", *letters)
    everything = Lts.of("M0", labels, 1, [(0, action, 0) for action in range(1, len(labels))])
    parts = everything, reachable(Lts.of("M1", labels, states, own))
    judge = reachable(Lts.of("SAFE", labels, states + 1, safe, is_property=True))
    return System("S", (*parts, judge), None, None, False, frozenset())


def test_no_automaton_with_fewer_states_separates() -> None:
    sizes = []
    for seed in range(80):
        system = _separable(seed)
        options = LtsOptions(learner="separating")
        certificate = agreed(system, "lstar", options).certificate
        assert isinstance(certificate, LabelledAssumptions)
        if safety_problem(system).property.has_error:
            _checked(Parts.of(safety_problem(system), options), certificate.assumptions)
            sizes.append(certificate.assumptions[0].states)
    assert {2, 3} <= set(sizes)


def _only(certificate: object) -> LabelledAssumption:
    assert isinstance(certificate, LabelledAssumptions)
    return certificate.assumptions[0]


@settings(max_examples=40, deadline=None)
@given(system=safety_systems(most=4, states=3), refines=st.booleans())
def test_assumptions_of_a_chain_are_the_smallest_between_their_neighbours(system: System, refines: bool) -> None:
    options = LtsOptions(refines, learner="separating")
    outcome = agreed(system, "lstar", options)
    certificate = outcome.certificate
    if isinstance(certificate, LabelledAssumptions) and all(a.alphabet for a in certificate.assumptions):
        _checked(Parts.of(safety_problem(system), options), certificate.assumptions)


@settings(max_examples=60, deadline=None)
@given(system=safety_systems(most=5, states=4), data=st.data())
def test_the_verdict_is_right_for_groups_in_any_order(system: System, data: st.DataObject) -> None:
    count = len(safety_problem(system).components)
    places = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    groups = tuple(filter(None, (tuple(k for k in range(count) if places[k] == part) for part in range(3))))
    order = tuple(data.draw(st.permutations(range(count))))
    agreed(system, "lstar", LtsOptions(data.draw(st.booleans()), groups, order, learner="separating"))


@settings(max_examples=60, deadline=None)
@given(safe=observers(states=3), system=systems(states=4), limit=st.integers(1, 3))
def test_runs_to_error_are_one_for_each_last_state_and_letter(safe: Lts, system: Lts, limit: int) -> None:
    letters = safe.alphabet[1:]
    assume(set(letters) <= set(system.alphabet))
    view = View.of(system, letters, merged=False)
    some, every = runs_to_error(safe, view, limit), runs_to_error(safe, view, 1000)
    assert [[move.label for move in run] for run in some] == [[move.label for move in run] for run in every][:limit]
    lasts = set()
    for run in every:
        before = 0
        for move in run[:-1]:
            before = move.state
        lasts.add((before, run[-1].label if run[-1].is_seen else None))
    assert len(lasts) == len(every)
    assert lasts == _lasts(safe, system)


def _lasts(safe: Lts, system: Lts) -> set[tuple[int, str | None]]:
    """State of the property and action (None: one that it does not read) of every step to ERROR, by brute force."""
    product = Product([safe, system])
    seen, waiting, lasts = {product.start}, [product.start], set()
    for state in waiting:
        for label, after in product.moves(state):
            if ERROR in after:
                lasts.add((state[0], label if label in safe.alphabet[1:] else None))
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return lasts


def test_the_search_finds_the_smallest_automaton() -> None:
    """Words of a's that are allowed up to length 2, refused at length 4: three states are enough, two are not."""
    search = LeastAutomatonSearch(1, roots=2)
    nodes = [0, 2, 3]
    for before, after in itertools.pairwise(nodes):
        search.require(before, 0, after)
    for before, after in zip([1, 4, 5], [4, 5, 6], strict=True):
        search.follow(before, 0, after)
    search.refuse(6, 0)
    table = search.smallest()
    search.close()
    assert table[0].tolist() != [REFUSED]
    assert (len(table), search.states) == (3, 3)


def test_the_gas_station_needs_four_states_over_its_whole_interface() -> None:
    problem = safety_problem(read(str(_GAS_STATION), (), {"Customers": 2}).composite("GAS_STATION"))
    options = LtsOptions(False, group_names=("CUSTOMERS", "STATION"))
    sizes = {}
    for learner in ("lstar", "separating"):
        chosen = resolved_options(problem, replace(options, learner=learner), no_progress)
        sizes[learner] = lstar.decide(problem, chosen, no_progress).statistics["assumption_states"]
    assert sizes["separating"] < sizes["lstar"]
    assert sizes["separating"] == 4


def test_words_with_one_residual_that_no_automaton_separates_are_noticed() -> None:
    """Each known word is separable; M2 does another with the residual of one of them, which leads to ERROR."""
    labels = ("tau", "a", "b")
    loop = [(0, 1, 0), (0, 2, 1), (1, 1, 1), (1, 2, 1)]
    first = Lts.of("M0", labels, 2, loop)
    second = Lts.of("M1", labels, 2, loop)
    safe = Lts.of("SAFE", labels, 3, [(0, 1, 1), (0, 2, 2), (1, 1, 1), (1, 2, ERROR), (2, 1, 2), (2, 2, 2)])
    system = System("S", (first, second, replace(safe, is_property=True)), None, None, False, frozenset())
    agreed(system, "lstar", LtsOptions(learner="separating"))
