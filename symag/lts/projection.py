"""Words of visible actions, and their projections."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Word = tuple[str, ...]


def projected(word: Sequence[str], alphabet: Collection[str]) -> Word:
    """The word without the actions that are not in the alphabet."""
    return tuple(action for action in word if action in alphabet)
