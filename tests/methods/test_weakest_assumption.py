"""Theorems 1 and 2: the learner converges to the weakest safe assumption and never has more states."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.learning.counterexample import NotACounterexample
from symag.learning.symbolic_table import SymbolicTable
from symag.smv import read_text
from symag.smv.methods.by_parts.decision import subjects
from symag.smv.methods.by_parts.decomposition import decompose
from symag.smv.methods.by_parts.module import Module, letter_cube
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import VariableKind
from tests.methods.weakest_assumption import ExplicitModule
from tests.strategies import models

CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
# An unmet assumption leaves diagrams in a traceback; dd complains when the manager goes before them.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
QUIET = settings(max_examples=60, deadline=None, suppress_health_check=CHECKS)


CUTS = st.tuples(models(properties=1, largest=16), st.lists(st.booleans(), min_size=12, max_size=12), st.integers(0, 1))


def _module(cut, look_ahead: bool = False) -> Module:
    """One module of a random cut of a random system.

    It is made here and not in a strategy, so that no diagram gets into hypothesis' reference cycles.
    """
    text, sides, side = cut
    system = read_text(text)
    chosen = SmvOptions(cone_of_influence=False, reordering=False)
    (prepared,) = subjects(system, system.properties[0], chosen, ("property",))
    names = [variable.name for variable in prepared.wired.variables]
    assume(not any(len(conjunct.next) > 1 for conjunct in prepared.symbolic.trans))
    mine = {name for name, here in zip(names, sides, strict=False) if here}
    assume(mine and len(mine) < len(names))
    parts = ([n for n in names if n in mine], [n for n in names if n not in mine])
    module = decompose(prepared.symbolic, parts, prepared.safe, (), look_ahead)[side]
    assume(len(module.letter_bits) <= 6)
    return module


def _letters(module, word):
    bits = [dict(zip(module.letter_bits, letter, strict=True)) for letter in word]
    return [letter_cube(module.context, module.letter_bits, values) for values in bits]


def _endings(explicit):
    """What a conjecture says something about: unsafe letters or, with look-ahead, pairs that can follow each other."""
    module = explicit.module
    if not module.look_ahead:
        return [(letter,) for letter in sorted(explicit.unsafe)]
    frozen = [place for place, bit in enumerate(module.letter_bits) if bit in _frozen_bits(module)]
    pairs = itertools.product(sorted(explicit.safe), sorted(explicit.unsafe))
    return [(a, b) for a, b in pairs if all(a[place] == b[place] for place in frozen)]


def _frozen_bits(module):
    frozen = (name for name, variable in module.encoding.variables.items() if variable.kind is VariableKind.FROZEN)
    return set(module.encoding.current_bits(frozen))


def _disagreement(explicit, table):
    """A shortest word of safe* . unsafe that the conjecture treats wrongly, by exploring the product."""
    module = explicit.module
    conjecture = table.conjecture()
    cubes = {letter: _letters(module, [letter])[0] for letter in explicit.safe | explicit.unsafe}
    seen, queue = {(None, 0)}, [(None, 0, ())]
    for subset, state, word in queue:
        for ending in _endings(explicit):
            letters = [cubes[letter] for letter in ending]
            pair = module.ending.diagram(letters, module.letter_bits)
            rejected = (pair & conjecture.rejects[state]) != module.context.false
            before = subset if len(ending) == 1 else explicit.after(subset, ending[0])
            if rejected != explicit.produces(before, ending[-1]):
                return (*word, *ending)
        for letter in sorted(explicit.safe):
            meets = [t for t, label in conjecture.edges[state] if label & cubes[letter] != module.context.false]
            assert len(meets) == 1  # deterministic and complete
            pair = (explicit.after(subset, letter), meets[0])
            if pair not in seen:
                seen.add(pair)
                queue.append((*pair, (*word, letter)))
    return None


@pytest.mark.long
@QUIET
@given(CUTS, st.booleans())
def test_the_learner_converges_to_the_weakest_assumption(cut, look_ahead):
    module = _module(cut, look_ahead)
    explicit = ExplicitModule(module)
    classes = explicit.classes()
    table = SymbolicTable(module)
    wrong = 0
    while (word := _disagreement(explicit, table)) is not None:
        before = table.states
        table.refine(_letters(module, word))
        wrong += 1
        assert before < table.states <= classes  # every counterexample refines
    assert table.states == classes or look_ahead
    assert wrong == table.refinements <= max(classes - 1, 0)


@QUIET
@given(CUTS, st.lists(st.integers(0, 1000), min_size=4, max_size=4))
def test_membership_agrees_with_the_subset_construction(cut, picks):
    module = _module(cut)
    explicit = ExplicitModule(module)
    assume(explicit.unsafe)
    table = SymbolicTable(module)
    safe = sorted(explicit.safe)
    unsafe = sorted(explicit.unsafe)
    prefix = [safe[pick % len(safe)] for pick in picks[: picks[0] % 4]] if safe else []
    word = (*prefix, unsafe[picks[3] % len(unsafe)])
    letters = _letters(module, word)
    assert module.produces(module.initial(), module.suffixes(letters)[0]) == explicit.in_language(word)
    residual = module.initial()
    for letter in letters[:-1]:
        residual = module.successor(residual, letter)
    assert (module.unsafe_letters(residual) & letters[-1] != module.context.false) == explicit.in_language(word)
    if table.conjecture().rejects[0] & letters[-1] != module.context.false and len(word) == 1:
        try:
            table.refine(letters)
        except NotACounterexample:
            return
        raise AssertionError("a word that the conjecture treats rightly was taken for a counterexample")
