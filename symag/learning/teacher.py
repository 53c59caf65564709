"""The queries of a learner and the meaning of the answers: the contract between L* and a module.

The language. A module M and a safety property define a language U over letters (valuations of the I/O
variables): the words ``w b`` such that every letter of w satisfies the property, b violates it, and M
has a run that is consistent with ``w b`` (see ``by_parts.module``). The weakest safe assumption W is the
set of words without a prefix in U. Therefore learning U over safe* . unsafe is learning W: "already
violated" follows from the word and needs no state.

Letters occur as sets, which are BDDs over the I/O bits; no implementation enumerates them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from symag.bdd.context import Bdd

#: The residual of a word of safe letters: the set of states that the module may be in after it.
ResidualT = TypeVar("ResidualT")
#: The end of a word in U, as the set of residual states that can produce it.
SuffixT = TypeVar("SuffixT")


class Teacher(Protocol, Generic[ResidualT, SuffixT]):
    """Membership queries about U, for whole sets of letters at once.

    There are no equivalence queries: the premises of a rule, outside this contract, decide whether a
    conjecture is good enough.
    """

    @property
    def safe(self) -> Bdd:
        """All letters that satisfy the property."""
        ...

    def initial(self) -> ResidualT:
        """The residual of the empty word."""
        ...

    def successor(self, residual: ResidualT, letter: Bdd) -> ResidualT:
        """The residual after one more safe letter (a cube of all I/O bits that the module sees)."""
        ...

    def suffixes(self, word: Sequence[Bdd]) -> list[SuffixT]:
        """For a word in safe* . unsafe: at index k the suffix from letter k on. One preimage for each letter."""
        ...

    def produces(self, residual: ResidualT, suffix: SuffixT) -> bool:
        """Membership query: is (word of the residual) . suffix in U?"""
        ...

    def producing_letters(self, residual: ResidualT, suffix: SuffixT) -> Bdd:
        """All letters a for which (word of the residual) . a . suffix is in U. One relational product."""
        ...

    @property
    def ending_length(self) -> int:
        """The number of letters of an ending in ``unsafe_endings``: 1, or 2 with look-ahead."""
        ...

    def unsafe_endings(self, residual: ResidualT) -> Bdd:
        """All endings e (unsafe letters, or a safe and an unsafe one) for which (word of the residual) . e is in U."""
        ...

    def pick(self, letters: Bdd) -> Bdd:
        """One letter of a non-empty set, as a cube; the same set gives the same letter."""
        ...
