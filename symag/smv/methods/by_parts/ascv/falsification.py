"""Early falsification (paper, Section 6.2.2): is one of the counterexamples to premise 1 real?

The paper takes the shortest counterexamples of one module, a list of sets of letters, and asks whether
every other module can follow. Two modules may then follow different words of the list, and a real violation
may be longer than the shortest word of a module alone. So one set serves all modules and all lengths: the
states of the system from which EVERY module, alone and with letters of its choice, can still violate the
property. Inside these states a run of the whole system is searched forward, a few rings each time that
premise 1 fails.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd
from symag.smv.methods.by_parts.ascv.premise import walk_back
from symag.smv.methods.by_parts.module import Module

#: A ring with more nodes ends the search, and a backward search with more guides nothing: both must cost little
#: beside learning.
NODES = 20_000

#: How many rings are searched each time.
RINGS = 16


class EarlyFalsification:
    """A search for a real violation, a few rings at a time. It never says that there is none."""

    def __init__(self, composition: Module, modules: Sequence[Module]) -> None:
        self._composition = composition
        self._modules = tuple(modules)
        self._guide: Bdd | None = None
        self._rings: list[Bdd] = []
        self._seen = composition.context.false

    def search(self) -> list[Bdd] | None:
        """A word over the composition's letters along which the system violates the property, if one is found.

        Costs up to ``RINGS`` images of the system; the first call also the modules' backward searches.
        """
        whole, context = self._composition, self._composition.context
        if self._guide is None:
            self._guide = context.conjunction(_dangerous(module) for module in self._modules)
            self._rings = [whole.started(whole.initial()) & self._guide]
            violation = self._violation()
            if violation is not None:
                return violation
        step = whole.product("image", (*whole.invar, *whole.trans), whole.passing_bits)
        for _ in range(RINGS):
            ring = self._rings[-1]
            if ring == context.false or context.size(ring) > NODES:
                return None
            self._seen = self._seen | ring
            image = whole.encoding.to_current(step.apply(ring)) & self._guide
            self._rings.append(image & ~self._seen)
            violation = self._violation()
            if violation is not None:
                return violation
        return None

    def _violation(self) -> list[Bdd] | None:
        whole, context = self._composition, self._composition.context
        meeting = context.conjunction((self._rings[-1], whole.unsafe, *whole.invar))
        if meeting == context.false:
            return None
        return walk_back(whole, None, self._rings, context.pick(meeting), whole.letter_bits)


def _dangerous(module: Module) -> Bdd:
    """The module's states from which it can violate the property, now or later, given suitable letters.

    TRUE, which rules out nothing, if the sets get too large.
    """
    context = module.context
    foreign = [bit for bit in (*module.letter_bits, *module.private_bits) if bit not in module.state_bits]
    states = ring = module.product("danger", module.invar, foreign).apply(module.unsafe)
    back = module.product("preimage", (*module.invar, *module.trans), (*foreign, *module.next_bits))
    while ring != context.false:
        if context.size(states) > NODES:
            return context.true
        ring = back.apply(module.encoding.to_next(ring)) & ~states
        states = states | ring
    return states
