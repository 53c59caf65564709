"""A module in step with an assumption: the search behind premise 1 and behind premise 2 of Rule-S.

At each position a pair (module state, assumption state) reads a letter that agrees with the module's outputs
and satisfies Invar (and Init at the first position). A safe letter moves both. The search goes ring by ring,
so that several modules can be searched in step and stopped when enough is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd
from symag.core.limits import Progress, ProgressFigures
from symag.smv.methods.by_parts.automaton import SymbolicAutomaton
from symag.smv.methods.by_parts.module import Module, letter_cube
from symag.smv.symbolic.relational_product import RelationalProduct


class ModuleExploration:
    """The pairs of a module and an automaton that reads letters over ``letter_bits``.

    ``rings[0]`` are the pairs before the first letter (Init conjoined), ``rings[k]`` those first seen after
    k letters, ``reached`` those after at least one letter. ``unsafe`` relates assumption states to the
    endings of bad words that the module can show from there, at a position searched so far. ``complete``:
    no ring is missing.
    """

    def __init__(self, module: Module, automaton: SymbolicAutomaton, letter_bits: Sequence[str]) -> None:
        self._module = module
        self._automaton = automaton
        self._step = _step(module, automaton, letter_bits)
        start = module.started(module.initial()) & automaton.bits.state(0)
        self.rings = [start]
        self.reached = module.context.false
        self.unsafe = module.endings(start)
        self.complete = start == module.context.false

    def advance(self) -> None:
        """Search one more ring; one image."""
        module, automaton = self._module, self._automaton
        image = automaton.bits.to_current(module.encoding.to_current(self._step.apply(self.rings[-1])))
        ring = image & ~self.reached
        if ring == module.context.false:
            self.complete = True
            return
        self.reached = self.reached | ring
        self.rings.append(ring)
        self.unsafe = self.unsafe | module.endings(ring)

    def finish(self, progress: Progress) -> None:
        """Search all rings that are missing."""
        while not self.complete:
            self.advance()
            rings, states = len(self.rings) - 1, self._automaton.states
            line = f"premise: ring {rings}, {states} assumption states"
            progress(ProgressFigures(line, {"rings": rings, "assumption_states": states}))

    def available(self) -> Bdd:
        """Assumption states with the letters, safe or not, that the module can show there, so far."""
        return self._module.available(self.rings[0] | self.reached)

    def word_to(self, target: Bdd, letter_bits: Sequence[str]) -> list[Bdd] | None:
        """A shortest word along which the module shows an ending in ``target`` (over state and ending).

        Letters are cubes over ``letter_bits``; None if there is no word among the rings searched so far.
        With endings of two letters it is a shortest word to one of them.
        """
        module, automaton, context = self._module, self._automaton, self._module.context
        if module.look_ahead:
            return self._word_to_pair(target & self.unsafe, letter_bits)
        last = context.conjunction(module.invar)
        meetings = (ring & target & last for ring in self.rings)
        length, meeting = next(
            ((number, states) for number, states in enumerate(meetings) if states != context.false), (0, context.false)
        )
        if meeting == context.false:
            return None
        return walk_back(module, automaton, self.rings[: length + 1], context.pick(meeting), letter_bits)

    def _word_to_pair(self, target: Bdd, letter_bits: Sequence[str]) -> list[Bdd] | None:
        module, automaton, context = self._module, self._automaton, self._module.context
        if target == context.false:
            return None
        chosen = context.pick(target)
        first, last = module.ending.letters(letter_bits, chosen)
        own = module.ending.letters(module.letter_bits, chosen)
        state = automaton.bits.state(automaton.bits.number(chosen))
        able = module.suffixes(own)[0].states & state & own[0] & context.conjunction(module.invar)
        length = next(number for number, ring in enumerate(self.rings) if ring & able != context.false)
        meeting = context.pick(self.rings[length] & able) | context.pick(first)
        return [*walk_back(module, automaton, self.rings[: length + 1], meeting, letter_bits), last]


def walk_back(
    module: Module,
    automaton: SymbolicAutomaton | None,
    rings: Sequence[Bdd],
    chosen: dict[str, bool],
    letter_bits: Sequence[str],
) -> list[Bdd]:
    """The letters of a path through the rings that ends in ``chosen``: bits of a pair in the last ring and its letter.

    ``automaton`` is None where the rings are states of the module alone. Costs one preimage of a single pair a ring.
    """
    context = module.context
    conjuncts = [*module.invar, *module.trans]
    state_bits = [bit for bit in module.own_bits if bit in module.state_bits]
    if automaton is not None:
        conjuncts.append(automaton.transition)
        state_bits += automaton.bits.current
    word = [letter_cube(context, letter_bits, chosen)]
    for ring in reversed(rings[:-1]):
        arrived = {bit: chosen.get(bit, False) for bit in state_bits}
        following = _primed(module, automaton, arrived)
        frozen = {bit: value for bit, value in arrived.items() if bit in module.frozen_bits}
        concrete = [context.cofactor(conjunct, following) for conjunct in conjuncts]
        chosen = context.pick(RelationalProduct.of(context, concrete, ()).apply(ring & context.cube(frozen)))
        word.append(letter_cube(context, letter_bits, chosen))
    return word[::-1]


def _step(module: Module, automaton: SymbolicAutomaton, letter_bits: Sequence[str]) -> RelationalProduct:
    passing = dict.fromkeys((*module.passing_bits, *automaton.bits.current))
    frozen = module.frozen_bits
    passing.update(dict.fromkeys(bit for bit in letter_bits if bit not in frozen))
    return RelationalProduct.of(module.context, (*module.invar, *module.trans, automaton.transition), passing)


def _primed(module: Module, automaton: SymbolicAutomaton | None, values: dict[str, bool]) -> dict[str, bool]:
    """The same values for the next bits; frozen bits, which have none of their own, are left out."""
    pairs = {} if automaton is None else dict(zip(automaton.bits.current, automaton.bits.next, strict=True))
    for name in module.variables:
        now, then = module.encoding.current[name], module.encoding.next.get(name, ())
        pairs.update({bit: following for bit, following in zip(now, then, strict=False) if bit != following})
    return {pairs[bit]: value for bit, value in values.items() if bit in pairs}
