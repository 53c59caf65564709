"""The sets of all parts: least fix-points together, or one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from symag.bdd.context import Bdd, BddContext
from symag.core.limits import Progress
from symag.smv.methods.partwise.part import ReachedPart

#: A set with more nodes than this is given up: its part allows everything from then on.
LARGEST_SET = 20_000


@dataclass(slots=True, eq=False)
class PartSets:
    """Overlapping parts with their sets of states.

    The conjunction of ``sets`` is inductive: the image of part i, under the projections of the sets of its neighbours
    (``read_by``) onto what it reads, lies in set i. ``whole[i]`` are neighbours of part i whose sets it uses without
    projecting them first. ``given_up`` are parts whose sets became too large. ``equations`` define the wires that parts
    may have among their bits.
    """

    context: BddContext
    parts: list[ReachedPart]
    whole: list[frozenset[int]]
    sets: list[Bdd] = field(default_factory=list)
    given_up: set[int] = field(default_factory=set)
    equations: dict[str, Bdd] = field(default_factory=dict)

    def neighbours(self, number: int) -> list[int]:
        """The other parts whose sets this part uses."""
        scope = self.parts[number].scope
        return [
            other
            for other, part in enumerate(self.parts)
            if other != number and (other in self.whole[number] or part.bits & scope)
        ]

    def projections(self, number: int) -> list[Bdd]:
        """The sets of the neighbours of a part, over the bits that it reads."""
        context, scope = self.context, self.parts[number].scope
        diagrams = []
        for other in self.neighbours(number):
            diagram = self.sets[other]
            if other not in self.whole[number]:
                diagram = context.exists(frozenset(context.support(diagram) - scope), diagram)
            if diagram != context.true:
                diagrams.append(diagram)
        read = frozenset().union(*map(context.support, diagrams)) if self.equations else frozenset()
        return [*diagrams, *(self.equations[wire] for wire in sorted(self.equations.keys() & read - scope))]

    def rings(self, most: int) -> list[list[Bdd]] | None:
        """What all parts reach within 0, 1, 2 .. steps, together, until nothing changes; None if that takes longer.

        Every state that is reached within k steps is in all sets of ring k. ``sets`` are as before afterwards; ``most``
        is the largest number of rings. Costs an image of each part for each ring. Raises MemoryExhausted.
        """
        ring = [part.initial for part in self.parts]
        for number in self.given_up:
            ring[number] = self.context.true
        rings = [ring]
        relations: dict[int, tuple[list[Bdd], Bdd]] = {}
        complete, self.sets = self.sets, ring
        while len(rings) <= most:
            self.sets = rings[-1]
            ring = list(rings[-1])
            for number, part in enumerate(self.parts):
                projections = self.projections(number)
                if number in self.given_up:
                    continue
                if number not in relations or relations[number][0] != projections:
                    relations[number] = projections, part.relation(projections)
                ring[number] = ring[number] | part.image(ring[number], relations[number][1])
            if ring == rings[-1]:
                break
            rings.append(ring)
        self.sets = complete
        return rings if len(rings) <= most else None

    def together(self, progress: Progress) -> None:
        """Let all sets grow from the first states until none changes: the least sets that are inductive together.

        Source: Moon and others (1999), LMBM. Raises MemoryExhausted.
        """
        self.sets = [part.initial for part in self.parts]
        self._change(range(len(self.parts)), True, progress)

    def separately(self, progress: Progress, changed: Sequence[int] | None = None) -> None:
        """Compute the sets one after the other, each under the present ones of the others, until none shrinks.

        Without ``changed`` all sets allow everything at first; with it the present sets must be inductive together, and
        only these parts begin. Source: Cho and others (1996), MBM. Raises MemoryExhausted.
        """
        if changed is None:
            self.sets = [self.context.true for _ in self.parts]
        self._change(range(len(self.parts)) if changed is None else changed, False, progress)

    def _change(self, begin: Sequence[int], growing: bool, progress: Progress) -> None:
        for number in self.given_up:
            self.sets[number] = self.context.true
        readers: list[list[int]] = [[] for _ in self.parts]
        for number in range(len(self.parts)):
            for other in self.neighbours(number):
                readers[other].append(number)
        waiting = deque(begin)
        under: dict[int, list[Bdd]] = {}
        while waiting:
            number = waiting.popleft()
            projections = self.projections(number)
            if number in self.given_up or under.get(number) == projections:
                continue
            under[number] = projections
            progress(f"part {number} of {len(self.parts)}, {len(waiting)} waiting")
            start = self.sets[number] if growing else self.parts[number].initial
            part = self.parts[number]
            states = part.closure(start, part.relation(projections))
            if self.context.size(states) > LARGEST_SET:
                self.given_up.add(number)
                states = self.context.true
            if states == self.sets[number]:
                continue
            self.sets[number] = states
            self.context.reorder_if_large(self.context.size(states))
            waiting.extend(reader for reader in readers[number] if reader not in waiting)
