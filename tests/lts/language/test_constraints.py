"""Constraints of FSP: the processes that do what a safety formula allows."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.lts import Lts, read_text
from symag.lts.certify.assertion_words import is_true_around
from symag.lts.language.constraints import constraint_process
from symag.lts.language.fluents import ActionOccurs, FluentInstance, Temporal

_OTHER = "other"
_ATOMS = (
    ActionOccurs(frozenset("a")),
    ActionOccurs(frozenset("ab")),
    FluentInstance("F", frozenset("a"), frozenset("b"), True),
    FluentInstance("G", frozenset("b"), frozenset("a"), False),
)


def _formulas() -> st.SearchStrategy[Temporal]:
    """Safety formulas."""
    atoms = st.builds(Temporal, st.sampled_from(["atom", "not atom"]), st.just(()), st.sampled_from(_ATOMS))

    def larger(inner: st.SearchStrategy[Temporal]) -> st.SearchStrategy[Temporal]:
        two = st.builds(Temporal, st.sampled_from(["and", "or", "R", "R"]), st.tuples(inner, inner))
        return two | st.builds(Temporal, st.just("X"), st.tuples(inner))

    return st.recursive(atoms, larger, max_leaves=5)


def _allows(process: Lts, word: tuple[str, ...]) -> bool:
    state = 0
    for label in word:
        if label in process.alphabet:
            moves = dict(process.successors()[state])
            after = moves.get(process.alphabet.index(label))
            if after is None:
                return False
            state = after
    return True


def _can_be_kept(formula: Temporal, word: tuple[str, ...], most: int) -> bool:
    """Whether the word goes on for ever in a way that keeps the formula."""
    letters = ("a", "b", _OTHER)
    for length in range(1, most + 1):
        for rest in itertools.product(letters, repeat=length):
            for start in range(length):
                if is_true_around(formula, [*word, *rest], len(word) + start):
                    return True
    return False


@settings(max_examples=60, deadline=None)
@given(_formulas())
def test_a_constraint_allows_what_can_keep_it(formula: Temporal) -> None:
    try:
        process = constraint_process("C", formula, "ab")
    except InputError as error:
        refused = error.message
    else:
        refused = ""
    assert _can_be_kept(formula, (), 3) != ("no run keeps" in refused)
    if refused:
        return
    for length in range(4):
        for word in itertools.product(("a", "b", _OTHER), repeat=length):
            assert _allows(process, word) == _can_be_kept(formula, word, 4), word


def test_a_constraint_restricts_the_processes_that_it_is_composed_with() -> None:
    model = read_text("""
        fluent ON = <on, off>
        constraint SAFE = [](use -> ON)
        constraint NEVER(N=1) = [](!go[N]) + {go[0]}
        P = (on -> P | off -> P | use -> P | go[0..2] -> P).
        ||S = (P || SAFE || NEVER(2)).
        ||T = (a:P || a:SAFE || NEVER).
    """)
    assert model.processes == ("P", "SAFE", "NEVER")
    assert model.process("SAFE").triples() == [(0, 1, 0), (0, 2, 1), (1, 1, 0), (1, 2, 1), (1, 3, 1)]
    product = model.composite("S").product().lts
    assert (product.states, product.transitions) == (2, 9)
    assert "NEVER(2)" in [lts.name for lts in model.composite("S").components]
    assert model.composite("T").components[2].alphabet == ("tau", "go.0", "go.1")


def test_without_a_composite_constraints_are_part_of_the_default_one() -> None:
    model = read_text("P = (a -> P | b -> P). constraint C = [](!b)")
    assert [lts.name for lts in model.composite("DEFAULT").components] == ["P", "C"]
    assert model.composite("DEFAULT").product().lts.transitions == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "constraint C = []<>a",
            "m.lts:1:12: the constraint C is not a safety formula: it says that something happens",
        ),
        ("constraint C = (a && !a)", "m.lts:1:12: no run keeps the constraint C"),
        (
            "constraint C = [](a -> X b)",
            "m.lts:1:12: actions that the constraint C does not name matter to it, which is not supported",
        ),
        ("constraint C = []a constraint C = []b", "m.lts:1:31: the constraint C is defined twice"),
        ("constraint C = [](!a) C = (a -> C).", "m.lts:1:12: the process C is defined twice"),
        ("constraint C(N=1) = [](!a[N]) ||S = C(1,2).", "m.lts:1:37: C has 1 parameters, not 2"),
        ("constraint C = [](!F)", "m.lts:1:20: there is no fluent or assertion F"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _compile_all(text)
    assert str(caught.value) == message


def _compile_all(text: str) -> None:
    model = read_text(text, "m.lts")
    for name in model.processes:
        model.process(name)
    for target in model.targets:
        model.composite(target)
