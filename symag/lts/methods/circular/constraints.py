"""Constraints on the words of assumptions."""

from __future__ import annotations

from dataclasses import dataclass

from symag.lts.projection import Word


@dataclass(frozen=True, slots=True, order=True)
class Membership:
    """``+(word, place)`` if ``accepted``, else ``-(word, place)``; the word is over the alphabet of that assumption."""

    place: int
    word: Word
    accepted: bool


#: At least one of these is true.
Constraint = tuple[Membership, ...]
