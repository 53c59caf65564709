"""The last premise of Rule-G: no word is rejected by every assumption (Section 6.2.1, DischargeAssumptions)."""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd, BddContext
from symag.core.limits import Progress
from symag.smv.methods.by_parts.automaton import SymbolicAutomaton
from symag.smv.methods.by_parts.ending import WordEnding
from symag.smv.methods.by_parts.module import letter_cube
from symag.smv.symbolic.relation import RelationalProduct


def discharge(
    context: BddContext,
    automata: Sequence[SymbolicAutomaton],
    ending: WordEnding,
    letter_bits: Sequence[str],
    progress: Progress,
) -> list[Bdd] | None:
    """A shortest word of safe* . unsafe that every automaton rejects, or None if the premise holds.

    ``ending`` is the kind of ending that the automata reject; shorter words are not judged. Letters are cubes
    of ``letter_bits``, all I/O bits of the system. The search is a reachability analysis of the product of
    the complements: one image for each ring.
    """
    state_bits = [bit for automaton in automata for bit in automaton.bits.current]
    conjuncts = [automaton.transition for automaton in automata]
    step = RelationalProduct.of(context, conjuncts, (*state_bits, *letter_bits))
    rejected = RelationalProduct.of(context, [automaton.rejects for automaton in automata], ())
    ring = context.conjunction(automaton.bits.state(0) for automaton in automata)
    reached, rings = ring, [ring]
    while True:
        meeting = rejected.apply(ring)
        if meeting != context.false:
            return _word(context, automata, ending, letter_bits, rings, meeting)
        image = step.apply(ring)
        for automaton in automata:
            image = automaton.bits.to_current(image)
        ring = image & ~reached
        if ring == context.false:
            return None
        reached = reached | ring
        rings.append(ring)
        progress(f"last premise: ring {len(rings) - 1}")


def _word(
    context: BddContext,
    automata: Sequence[SymbolicAutomaton],
    ending: WordEnding,
    letter_bits: Sequence[str],
    rings: Sequence[Bdd],
    meeting: Bdd,
) -> list[Bdd]:
    chosen = context.pick(meeting)
    word = ending.letters(letter_bits, chosen)[::-1]
    for ring in reversed(rings[:-1]):
        following = {
            then: chosen.get(now, False)
            for automaton in automata
            for now, then in zip(automaton.bits.current, automaton.bits.next, strict=True)
        }
        before = ring
        for automaton in automata:
            before = before & context.cofactor(automaton.transition, following)
        chosen = context.pick(before)
        word.append(letter_cube(context, letter_bits, chosen))
    return word[::-1]
