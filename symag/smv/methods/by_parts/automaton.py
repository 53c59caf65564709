"""A conjectured assumption as diagrams: its states in bits of their own, its edges over letters.

An assumption rejects only words of safe* . unsafe. A letter that no edge covers leads to a state that never
rejects, so it has no transition here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext
from symag.learning.symbolic_table import Conjecture


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

    def number(self, bits: Mapping[str, bool], primed: bool = False) -> int:
        """The state under an assignment; a missing bit counts as FALSE."""
        names = self.next if primed else self.current
        return sum(1 << k for k, name in enumerate(names) if bits.get(name, False))

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
