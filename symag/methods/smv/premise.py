"""A module in step with an assumption: the fix-point behind premise 1 and behind premise 2 of Rule-S.

Position by position: a pair (module state, assumption state) meets a letter that agrees with the module's
outputs and satisfies Invar (and Init at the first position); a safe letter takes both on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.limits import Progress
from symag.methods.smv.automaton import SymbolicAutomaton
from symag.methods.smv.module import Module, letter_cube
from symag.symbolic.context import Bdd
from symag.symbolic.relation import Product


@dataclass(frozen=True, slots=True, eq=False)
class Exploration:
    """All pairs that occur.

    ``rings[0]`` are the pairs before the first letter (Init conjoined); ``rings[k]`` those first seen
    after k letters; ``reached`` those after at least one letter, ``available`` relates assumption
    states to the letters that the module can show there, at any position.
    """

    rings: tuple[Bdd, ...]
    reached: Bdd
    available: Bdd


def explore(
    module: Module, automaton: SymbolicAutomaton, letter_bits: Sequence[str], progress: Progress
) -> Exploration:
    """The pairs of a module and an automaton that reads letters over ``letter_bits``."""
    context = module.context
    step = _step(module, automaton, letter_bits)
    ring = module.started(module.initial()) & automaton.bits.state(0)
    rings = [ring]
    reached = context.false
    while ring != context.false:
        image = automaton.bits.to_current(module.encoding.to_current(step.apply(ring)))
        ring = image & ~reached
        reached = reached | image
        if ring != context.false:
            rings.append(ring)
            progress(f"premise 1: ring {len(rings) - 1}, {context.nodes():,} nodes, {automaton.states} states")
    return Exploration(tuple(rings), reached, module.available(rings[0] | reached))


def word_to(
    module: Module,
    automaton: SymbolicAutomaton,
    exploration: Exploration,
    target: Bdd,
    letter_bits: Sequence[str] | None = None,
) -> list[Bdd] | None:
    """A shortest word along which the module shows a last letter in ``target`` (over state and letter).

    Letters are cubes over ``letter_bits``, by default the module's; None if there is no word.
    """
    context = module.context
    letter_bits = module.letter_bits if letter_bits is None else letter_bits
    last = context.conjunction(module.invar)
    meetings = (ring & target & last for ring in exploration.rings)
    length, meeting = next(
        ((number, found) for number, found in enumerate(meetings) if found != context.false), (0, context.false)
    )
    if meeting == context.false:
        return None
    state_bits = [bit for bit in module.own_bits if bit in module.state_bits]
    conjuncts = (*module.invar, *module.trans, automaton.transition)
    chosen = context.pick(meeting)
    word = [letter_cube(context, letter_bits, chosen)]
    for position in range(length - 1, -1, -1):
        arrived = {bit: chosen.get(bit, False) for bit in (*state_bits, *automaton.bits.current)}
        following = _primed(module, automaton, arrived)
        frozen = {bit: value for bit, value in arrived.items() if bit in module.frozen_bits}
        before = exploration.rings[position] & context.manager.cube(frozen)
        concrete = [context.cofactor(conjunct, following) for conjunct in conjuncts]
        chosen = context.pick(Product.of(context, concrete, ()).apply(before))
        word.append(letter_cube(context, letter_bits, chosen))
    return word[::-1]


def _step(module: Module, automaton: SymbolicAutomaton, letter_bits: Sequence[str]) -> Product:
    passing = dict.fromkeys((*module.passing_bits, *automaton.bits.current))
    frozen = module.frozen_bits
    passing.update(dict.fromkeys(bit for bit in letter_bits if bit not in frozen))
    return Product.of(module.context, (*module.invar, *module.trans, automaton.transition), passing)


def _primed(module: Module, automaton: SymbolicAutomaton, values: dict[str, bool]) -> dict[str, bool]:
    """The same values for the next bits; frozen bits, which have none of their own, are left out."""
    pairs = dict(zip(automaton.bits.current, automaton.bits.next, strict=True))
    for name in module.variables:
        now, then = module.encoding.current[name], module.encoding.next.get(name, ())
        pairs.update({bit: following for bit, following in zip(now, then, strict=False) if bit != following})
    return {pairs[bit]: value for bit, value in values.items() if bit in pairs}
