"""Proof obligations: cubes that lead to a bad state, in the order in which they have to be blocked."""

from __future__ import annotations

import heapq

from msgspec import Struct, field

from symag.smv.methods.pdr.encoding import Cube


class Obligation(Struct, eq=False):
    """Every state of ``cube`` has a step with ``inputs`` into the cube of ``successor``, or is bad with them.

    ``depth`` is the number of steps to the bad state, ``blocked`` how often the cube was blocked so far.
    """

    cube: Cube
    inputs: tuple[int, ...]
    successor: Obligation | None
    depth: int
    blocked: int = 0


class Obligations(Struct):
    """The queue: lowest level first, then the deepest obligation."""

    _heap: list[tuple[int, int, int, Obligation]] = field(default_factory=list)
    _count: int = 0

    def push(self, obligation: Obligation, level: int) -> None:
        """Add an obligation to block a cube at a level."""
        self._count += 1
        heapq.heappush(self._heap, (level, -obligation.depth, self._count, obligation))

    def pop(self) -> tuple[Obligation, int]:
        """The next obligation and its level."""
        level, _, _, obligation = heapq.heappop(self._heap)
        return obligation, level

    def __bool__(self) -> bool:
        return bool(self._heap)

    def clear(self) -> None:
        """Forget all."""
        self._heap.clear()
