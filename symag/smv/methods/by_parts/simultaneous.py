"""One-state assumptions for all modules at once: the cheap attempt before learning.

Each module is over-approximated by the set R_i of states that it can be in while every letter is one that
all modules can show in their present sets: the least fix-point of

    R_i >= Init_i (projected),    R_i >= image_i(R_i, letters),    letters = AND_j project(R_j & Invar_j, I/O)

computed for all modules together ("machine by machine" traversal: Cho, Hachtel, Macii, Plessier and
Somenzi, "Algorithms for approximate FSM traversal based on state space decomposition", IEEE TCAD 1996).
As assume-guarantee reasoning: module i assumes that the others show only these letters and guarantees the
same of itself; induction over time breaks the circle. The conjunction of the R_i is an inductive set of the
whole system, so the evidence does not rest on this argument.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd
from symag.core.limits import Progress
from symag.smv.methods.by_parts.module import Module
from symag.smv.symbolic.relation import RelationalProduct


class TooLargeError(Exception):
    """A set has become too large before the fix-point."""


def simultaneous_sets(modules: Sequence[Module], nodes: int, progress: Progress) -> tuple[Bdd, ...] | None:
    """The sets R_i over the modules' own bits if they prove the property, else None.

    Raises TooLargeError as soon as one of them has more than ``nodes`` nodes. Costs at most as many rounds as the
    sets have states together, and one image for each module in a round.
    """
    context = modules[0].context
    sets = tuple(module.initial().states for module in modules)
    rounds = 0
    while True:
        shown = [module.available(states) for module, states in zip(modules, sets, strict=True)]
        unsafe = [letters & module.unsafe for module, letters in zip(modules, shown, strict=True)]
        if context.conjunction(unsafe) != context.false:
            return None
        letters = context.conjunction(shown)
        images = [
            module.encoding.to_current(_step(module).apply(states & _visible(module, letters)))
            for module, states in zip(modules, sets, strict=True)
        ]
        grown = tuple(states | image for states, image in zip(sets, images, strict=True))
        if grown == sets:
            return sets
        sets = grown
        rounds += 1
        if max(context.size(states) for states in sets) > nodes:
            raise TooLargeError
        progress(f"one-state assumptions: round {rounds}")


def _step(module: Module) -> RelationalProduct:
    return module.product("step", (*module.invar, *module.trans), module.passing_bits)


def _visible(module: Module, letters: Bdd) -> Bdd:
    """The letters as far as this module sees them."""
    hidden = module.context.support(letters) - frozenset(module.letter_bits)
    return module.context.exists(hidden, letters)
