"""Common words against all interleavings."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts.methods.parts import common_word, projected


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_common_word_is_found_where_there_is_one(data: st.DataObject) -> None:
    labels = "abcd"
    whole = data.draw(st.lists(st.sampled_from(labels), max_size=4))
    count = data.draw(st.integers(1, 3))
    alphabets = [frozenset(data.draw(st.lists(st.sampled_from(labels), unique=True))) for _ in range(count)]
    # Words that agree on the letters of ``known``, as those of components do whose assumptions have these letters.
    known = frozenset(data.draw(st.lists(st.sampled_from(labels), unique=True)))
    words = []
    for alphabet in alphabets:
        kept = projected(whole, known & alphabet)
        word = list(kept)
        for action in data.draw(st.lists(st.sampled_from(labels), max_size=2)):
            if action in alphabet - known:
                word.insert(data.draw(st.integers(0, len(word))), action)
        words.append(tuple(word))
    found = common_word(words, alphabets)
    if isinstance(found, frozenset):
        assert found - known
        assert found <= frozenset().union(*alphabets)
        assert not _exists(words, alphabets)
    else:
        assert [projected(found, alphabet) for alphabet in alphabets] == words


def _exists(words: list[tuple[str, ...]], alphabets: list[frozenset[str]]) -> bool:
    labels = sorted(frozenset().union(*alphabets))
    longest = sum(map(len, words))
    return any(
        all(projected(word, alphabet) == mine for mine, alphabet in zip(words, alphabets, strict=True))
        for length in range(longest + 1)
        if len(labels) ** length <= 5000
        for word in itertools.product(labels, repeat=length)
    )


def test_orders_that_form_a_cycle() -> None:
    """Every pair agrees on what it shares, and yet nobody can begin."""
    alphabets = [frozenset("ab"), frozenset("bc"), frozenset("ca")]
    assert common_word([("a", "b"), ("b", "c"), ("c", "a")], alphabets) == frozenset("abc")
    assert common_word([("a", "b"), ("b", "c"), ("a", "c")][:2], alphabets[:2]) == ("a", "b", "c")
