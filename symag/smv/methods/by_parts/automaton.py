"""A conjectured assumption as diagrams: its states in bits of their own, its edges over letters.

An assumption rejects only words of safe* . unsafe. A letter that no edge covers leads to a state that never
rejects, so it has no transition here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext
from symag.learning.symbolic_table import Conjecture
from symag.smv.symbolic.encoding import Encoding


class WordEnding(Struct, frozen=True, eq=False):
    """How many letters (1 or 2) an ending has, and how to read them.

    An assumption reads safe letters one by one and forbids a set of endings in every state. With endings of one letter
    its state must remember what the letter before made possible: "after y, no x" takes two states. With endings of two
    letters it forbids the pair (y, x) in one state. A pair is a diagram over current bits (the letter before the last)
    and next bits (the last). Words of one letter have no such ending; whether a module can produce one is computed
    directly, without learning (``ascv_g``).
    """

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


class StateBits:
    """Bits for the states of one assumption; more are declared when the automaton grows."""

    def __init__(self, context: BddContext, name: str, capacity: int = 0) -> None:
        """Declare bits for ``capacity`` states now, so that they stand above bits that are declared later."""
        self._context = context
        self._name = name
        self.current: list[str] = []
        self.next: list[str] = []
        self.reserve(capacity)

    def reserve(self, states: int) -> None:
        """Have bits for at least this many states."""
        while (1 << len(self.current)) < states:
            bit = f"{self._name}.{len(self.current)}"
            self._context.declare([(bit, bit + "'")])
            self.current.append(bit)
            self.next.append(bit + "'")

    def state(self, number: int, primed: bool = False) -> Bdd:
        """The condition of being in a state."""
        names = self.next if primed else self.current
        return self._context.cube({name: bool(number >> k & 1) for k, name in enumerate(names)})

    def number(self, bits: Mapping[str, bool]) -> int:
        """The state under an assignment; a missing bit counts as FALSE."""
        return sum(1 << k for k, name in enumerate(self.current) if bits.get(name, False))

    def to_current(self, diagram: Bdd) -> Bdd:
        """Rename next state bits to current ones."""
        names = zip(self.next, self.current, strict=True)
        by_bit = {then: self._context.bit(now) for then, now in names}
        return self._context.rename(diagram, self._context.renaming(by_bit))


class SymbolicAutomaton(Struct, frozen=True, eq=False):
    """``transition`` over (state, safe letter, next state); ``rejects`` over (state, ending of a bad word)."""

    bits: StateBits
    states: int
    transition: Bdd
    rejects: Bdd

    @classmethod
    def of(cls, context: BddContext, bits: StateBits, conjecture: Conjecture) -> SymbolicAutomaton:
        """The automaton of a conjecture, its states encoded by ``bits``, which grow as needed."""
        bits.reserve(len(conjecture.edges))
        transition = context.false
        rejects = context.false
        for state, edges in enumerate(conjecture.edges):
            leaving = context.disjunction(letters & bits.state(target, primed=True) for target, letters in edges)
            transition = transition | (bits.state(state) & leaving)
            rejects = rejects | (bits.state(state) & conjecture.rejects[state])
        return cls(bits, len(conjecture.edges), transition, rejects)


def strengthened(
    context: BddContext, bits: StateBits, conjecture: Conjecture, available: Bdd, unsafe: Bdd
) -> Conjecture:
    """The strongest assumption with the same states that its module still respects (edge deletion).

    ``available`` relates each state (current bits) to the letters that the module can show there, and
    ``unsafe`` to the endings of bad words, computed as one fix-point. The result rejects exactly the latter.
    Safe letters that the module never shows lose their edges, so the complement, which the last premise of
    Rule-G reads, accepts no more than it must. The module satisfies premise 1 with the result by construction.
    """
    shown, ends = (
        [context.exists(bits.current, diagram & bits.state(state)) for state in range(len(conjecture.edges))]
        for diagram in (available, unsafe)
    )
    edges = tuple(_kept(context, edges, letters) for edges, letters in zip(conjecture.edges, shown, strict=True))
    return Conjecture(edges, tuple(ends))


def _kept(context: BddContext, edges: Sequence[tuple[int, Bdd]], letters: Bdd) -> tuple[tuple[int, Bdd], ...]:
    limited = ((target, label & letters) for target, label in edges)
    return tuple((target, label) for target, label in limited if label != context.false)
