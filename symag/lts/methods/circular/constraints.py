"""Constraints on the words of assumptions."""

from __future__ import annotations

from msgspec import Struct

from symag.lts.projection import Word


class Membership(Struct, frozen=True, order=True):
    """``+(word, place)`` if ``accepted``, else ``-(word, place)``; the word is over the alphabet of that assumption."""

    place: int
    word: Word
    accepted: bool


#: At least one of these is true.
Constraint = tuple[Membership, ...]
