"""A set with all reachable states, as the conjunction of overlapping projections: sets over a few bits each.

Source: Govindaraju, Dill, Hu, Horowitz, "Approximate reachability with BDDs using overlapping projections" (DAC 1998).
The projections here are windows of variables that are neighbours in the order, where search order and sifting have put
what depends on each other. All grow together: each takes in its projection of the image of the conjunction, until none
changes. So every step from the conjunction leads into it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symag.bdd.context import Bdd, BddContext, memory_errors
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.encoding import Encoding
from symag.smv.symbolic.relation import TransitionRelation
from symag.smv.symbolic.relational_product import TooManyNodesError

#: The bits of a window, unless one variable has more. Of 6, 8, 9, 10 and 12 bits, 10 gave the best sums on pipe_fj_3,
#: diamond_3x3, if_else_1, gcd_1 and guidance_sp3.
WINDOW_BITS = 10

#: The projections are given up after ``MOST_IMAGES`` images, when one image takes ``MOST_IMAGE_NODES`` nodes, or when
#: images and conjunctions together have taken ``MOST_NODES``. Those that paid took 14 to 21 images and 3,000 to 20,000.
MOST_IMAGES = 40
MOST_IMAGE_NODES = 4_000
MOST_NODES = 20_000


def overlapping_projections(
    encoding: Encoding, relation: TransitionRelation, initial: Bdd, variables: Collection[str]
) -> Bdd | None:
    """States with all those that are reachable by a relation over ``variables``; None if that takes too long.

    Raises MemoryExhausted.
    """
    context = encoding.context
    names = [name for name in encoding.names(VariableKind.STATE) if name in variables]
    bits = {name: encoding.current_bits([name]) for name in names}
    everything = frozenset(bit for own in bits.values() for bit in own)
    hidden = [everything.difference(window) for window in _windows(context, bits)]
    with memory_errors():
        sets = [context.exists(others, initial) for others in hidden]
        nodes = 0
        for _ in range(MOST_IMAGES):
            states = context.conjunction(sets)
            try:
                image = relation.image(states, MOST_IMAGE_NODES)
            except TooManyNodesError:
                return None
            grown = [own | context.exists(others, image) for own, others in zip(sets, hidden, strict=True)]
            if grown == sets:
                return states
            nodes += context.size(states) + context.size(image)
            if nodes > MOST_NODES:
                return None
            sets = grown
    return None


def _windows(context: BddContext, bits: dict[str, tuple[str, ...]]) -> list[list[str]]:
    """The bits of each window: as many neighbours as fit, beginning with each variable that adds one at the end."""
    level = {bit: number for number, bit in enumerate(context.order())}
    names = sorted(bits, key=lambda name: min(level[bit] for bit in bits[name]))
    windows: list[list[str]] = []
    last = 0
    for first in range(len(names)):
        end = _end(names, first, bits)
        if end > last:
            windows.append([bit for name in names[first:end] for bit in bits[name]])
            last = end
    return windows


def _end(names: Sequence[str], first: int, bits: dict[str, tuple[str, ...]]) -> int:
    """The end of the window that begins with a variable."""
    end, count = first + 1, len(bits[names[first]])
    while end < len(names) and count + len(bits[names[end]]) <= WINDOW_BITS:
        count += len(bits[names[end]])
        end += 1
    return end
