"""Which partitions get an attempt with one-state assumptions, in which order and under which bounds.

A good partition needs sets of some hundred nodes where a bad one explodes. So first every partition gets a
cheap attempt. After an attempt is given up, partitions into as many parts wait if their largest module is no
smaller. If no attempt shows that one state each is too few, the modules may be too large: finer partitions get
their cheap attempt. At last all partitions that were given up or wait get an expensive one, the smallest modules
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symag.bdd.context import Bdd
from symag.core.limits import Progress
from symag.smv.methods.by_parts.decision import DecompositionProblem
from symag.smv.methods.by_parts.module import Module
from symag.smv.methods.by_parts.phases import PhaseProgress
from symag.smv.partition import Partition
from symag.smv.symbolic.relational_product import RelationalProduct

#: Bounds on the nodes of one set, in the cheap attempt and in the expensive one.
CHEAP, EXPENSIVE = 2_000, 200_000

Cut = tuple[DecompositionProblem, Partition]
_Proof = tuple[DecompositionProblem, Partition, tuple[Bdd, ...]]


def with_one_state(
    cuts: Iterable[Cut], finer: Iterable[Cut], tried: list[Cut], progress: PhaseProgress
) -> _Proof | None:
    """The first partition that one-state assumptions prove the property for, with the modules' sets.

    ``tried`` gathers the partitions of ``cuts``, so that learning can go on with them. ``cuts`` and ``finer``
    are made one by one, when their turn comes.
    """
    cheap = _CheapAttempts(progress)
    for cut in cuts:
        tried.append(cut)
        if (sets := cheap.sets(cut)) is not None:
            return *cut, sets
    if not cheap.too_few:
        for cut in finer:
            if (sets := cheap.sets(cut)) is not None:
                return *cut, sets
    progress.enter("one_state", f"one-state assumptions, {len(cheap.waiting)} partitions that waited")
    for cut in sorted(cheap.waiting, key=lambda cut: cut[1].mx):
        try:
            sets = simultaneous_sets(cut[0].modules(cut[1]), EXPENSIVE, progress.of(cut[1]))
        except TooLargeError:
            continue
        if sets is not None:
            return *cut, sets
    return None


class _CheapAttempts:
    """Attempts under the cheap bound. ``waiting`` are the partitions without an answer; ``too_few``: for some
    partition one state each does not prove the property.
    """

    def __init__(self, progress: PhaseProgress) -> None:
        self._progress = progress
        self._least: dict[tuple[int, int], int] = {}
        self.waiting: list[Cut] = []
        self.too_few = False

    def sets(self, cut: Cut) -> tuple[Bdd, ...] | None:
        """The modules' sets if they prove the property."""
        prepared, partition = cut
        kind = id(prepared), len(partition.parts)
        if kind in self._least and partition.mx >= self._least[kind]:
            self.waiting.append(cut)
            return None
        progress = self._progress.of(partition)
        progress(f"one-state assumptions for {len(partition.parts)} parts")
        try:
            sets = simultaneous_sets(prepared.modules(partition), CHEAP, progress)
        except TooLargeError:
            self._least[kind] = partition.mx
            self.waiting.append(cut)
            return None
        self.too_few = self.too_few or sets is None
        return sets


class TooLargeError(Exception):
    """A set has become too large before the fix-point."""


def simultaneous_sets(modules: Sequence[Module], nodes: int, progress: Progress) -> tuple[Bdd, ...] | None:
    """The sets R_i over the modules' own bits if they prove the property, else None.

    Each module is over-approximated by the set R_i of states that it can be in while every letter is one that all
    modules can show in their present sets: the least fix-point of

        R_i >= Init_i (projected),    R_i >= image_i(R_i, letters),    letters = AND_j project(R_j & Invar_j, I/O)

    computed for all modules together ("machine by machine" traversal: Cho, Hachtel, Macii, Plessier and Somenzi,
    "Algorithms for approximate FSM traversal based on state space decomposition", IEEE TCAD 1996). As assume-guarantee
    reasoning: module i assumes that the others show only these letters and guarantees the same of itself; induction
    over time breaks the circle. The conjunction of the R_i is an inductive set of the whole system, so the evidence
    does not rest on this argument.

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
