"""The items that a composition is made of, step by step: composed, with private actions silent, and made minimal.

What minimisation has to preserve depends on the question. For safety it is which words over the actions that other
items have are possible, and which lead to ERROR: weak bisimulation preserves both (R. Milner, "Communication and
Concurrency", 1989: it is a congruence for composition and hiding, and finer than equality of traces). For deadlock and
progress see ``symag.lts.branching``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from symag.lts.composition import Composition, composed
from symag.lts.determinisation import quotient
from symag.lts.equivalence import finer_classes, weak_classes
from symag.lts.lts import TAU, Lts, Numbers, renamed

#: Beyond this many states not all weakly bisimilar states are looked for: the moves tau* a tau* may be too many.
_MOST_WEAK = 5_000

#: The class of each state of a system, and the system of the classes.
Minimisation = Callable[[Lts], tuple[Numbers, Lts]]


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """``number`` as in ``ReductionStep``; ``origin`` is the composition of ``members`` that it was made of."""

    number: int
    lts: Lts
    members: tuple[Item, ...] = ()
    origin: Composition | None = None
    classes: Numbers | None = None

    @property
    def alphabet(self) -> frozenset[str]:
        """Its visible actions."""
        return frozenset(self.lts.alphabet[1:])

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of its states, transitions and actions: processes of one kind have the same."""
        return self.lts.states, self.lts.transitions, len(self.lts.alphabet)


def smaller(
    number: int, members: Sequence[Item], seen: Collection[str], minimal: Minimisation, most: int | None = None
) -> Item:
    """The members composed, actions outside of ``seen`` silent, and ``minimal``.

    Raises MemoryError, and TooManyStates where the composition has more than ``most`` states.
    """
    origin = composed([item.lts for item in members], " || ".join(item.lts.name for item in members), most=most)
    labels = [["tau"], *([label] if label in seen else [] for label in origin.lts.alphabet[1:])]
    classes, small = minimal(renamed(origin.lts, labels))
    return Item(number, small, tuple(members), origin, classes)


def weakly_minimal(system: Lts) -> tuple[Numbers, Lts]:
    """By weak bisimulation, without silent moves from a class to itself."""
    classes = finer_classes(system)
    small = quotient(system, classes)
    if small.states <= _MOST_WEAK:
        coarser = weak_classes(_proper(small))
        classes, small = coarser[classes], quotient(small, coarser)
    return classes, _proper(small)


def _proper(system: Lts) -> Lts:
    proper = (system.action != TAU) | (system.source != system.target)
    columns = system.source[proper], system.action[proper], system.target[proper]
    return Lts.of_arrays(system.name, system.alphabet, system.states, *columns)


def rows_of(item: Item) -> Numbers:
    """The states of the members and the class, for each state of their composition."""
    assert item.origin is not None
    assert item.classes is not None
    local: Numbers = item.origin.local_states.astype(np.int64)
    return np.concatenate([local, item.classes[:, None]], axis=1)
