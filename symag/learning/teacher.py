"""What a learner may ask, and what the answers mean: the contract between L* and a module.

The language. A module M and a safety property fix a language U over letters (valuations of the I/O
variables): the words ``w b`` such that every letter of w satisfies the property, b violates it, and M
has a run that is consistent with ``w b`` (laws of the rules, see ``by_parts.module``). The weakest safe
assumption W is the set of words without a prefix in U. Learning U over safe* . unsafe therefore is
learning W: the latch "already violated" belongs to the word and needs no state.

Letters occur as sets, that is as BDDs over the I/O bits; no implementation enumerates them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from symag.bdd.context import Bdd

#: What is left of the module after a word of safe letters (a set of module states).
ResidualT = TypeVar("ResidualT")
#: The end of a word in U, as the set of residual states that can produce it.
SuffixT = TypeVar("SuffixT")


class Teacher(Protocol, Generic[ResidualT, SuffixT]):
    """Membership queries about U, for whole sets of letters at once.

    An answer says something about the words that were asked and nothing about equivalence: whether
    a conjecture is good enough is decided by the premises of a rule, outside this contract.
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
        """For a word in safe* . unsafe: at index k the suffix that starts with letter k. One preimage a letter."""
        ...

    def produces(self, residual: ResidualT, suffix: SuffixT) -> bool:
        """Membership query: is (word of the residual) . suffix in U?"""
        ...

    def producing_letters(self, residual: ResidualT, suffix: SuffixT) -> Bdd:
        """All letters a for which (word of the residual) . a . suffix is in U. One relational product."""
        ...

    @property
    def ending_length(self) -> int:
        """How many letters ``unsafe_endings`` speaks of: 1, or 2 with look-ahead."""
        ...

    def unsafe_endings(self, residual: ResidualT) -> Bdd:
        """All endings e (unsafe letters, or a safe and an unsafe one) for which (word of the residual) . e is in U."""
        ...

    def pick(self, letters: Bdd) -> Bdd:
        """One letter of a non-empty set, as a cube; the same set gives the same letter."""
        ...
