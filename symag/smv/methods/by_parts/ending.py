"""The ending of a word that an assumption judges: its last letter, or its last two (one-step look-ahead).

An assumption reads safe letters one by one and forbids a set of endings in every state. With endings of
one letter its state must remember what the letter before made possible: "after y, no x" takes two states.
With endings of two letters it forbids the pair (y, x) in one state. A pair is a diagram over current bits
(the letter before the last) and next bits (the last). Words of one letter have no such ending; whether a
module can produce one is computed directly, without learning (``ascv_g``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.smv.symbolic.encoding import Encoding


class WordEnding(Struct, frozen=True, eq=False):
    """How many letters (1 or 2) an ending has, and how to read them."""

    encoding: Encoding
    length: int

    def letters(self, letter_bits: Sequence[str], chosen: Mapping[str, bool]) -> list[Bdd]:
        """The letters, as cubes of ``letter_bits``, of the ending under an assignment of bits.

        A bit that is not given is FALSE; so are the input bits of the last of two letters.
        """
        context = self.encoding.context
        first = context.cube({bit: chosen.get(bit, False) for bit in letter_bits})
        if self.length == 1:
            return [first]
        return [first, context.cube({bit: chosen.get(self._primed(bit), False) for bit in letter_bits})]

    def _primed(self, bit: str) -> str:
        name, index, _ = self.encoding.variable_of_bit[bit]
        return self.encoding.next[name][index] if name in self.encoding.next else ""

    def diagram(self, letters: Sequence[Bdd], letter_bits: Sequence[str]) -> Bdd:
        """The condition that an ending agrees with these letters (cubes of at least ``letter_bits``)."""
        context = self.encoding.context
        bits = set(letter_bits)
        cubes = [
            context.cube({bit: value for bit, value in context.pick(letter).items() if bit in bits})
            for letter in letters
        ]
        return cubes[0] if self.length == 1 else cubes[0] & self._without_inputs(cubes[1])

    def _without_inputs(self, cube: Bdd) -> Bdd:
        """The last of two letters over next bits; inputs have none."""
        context = self.encoding.context
        values = {self._primed(bit): value for bit, value in context.pick(cube).items() if self._primed(bit)}
        return context.cube(values)
