"""The sets of all parts: least fix-points together, or one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext, memory_errors
from symag.core.limits import Progress
from symag.core.values import replace
from symag.smv.methods.partwise.part import BitConstraints, ReachedPart
from symag.smv.symbolic.relational_product import RelationalProduct

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


class SetsBetween(Struct, frozen=True, eq=False):
    """``backward[i]`` is the set of part i that can violate the property, ``forward[i]`` what is reached inside them.

    ``sets`` are the forward sets that both were computed under.
    """

    sets: Sequence[Bdd]
    backward: Sequence[Bdd]
    forward: Sequence[Bdd]

    @property
    def confining(self) -> list[Bdd]:
        """The backward sets that are smaller than the forward sets of their parts."""
        return [backward for backward, states in zip(self.backward, self.sets, strict=True) if backward != states]


def sets_between(parts: PartSets, constraints: BitConstraints, bad: Bdd, progress: Progress) -> SetsBetween | None:
    """The sets between the first states and the states in ``bad``, of parts whose forward sets are complete.

    With the forward sets R of all parts, B_i has the bits of every state in R from which a path inside R leads to a
    violation, as far as the constraints on part i tell; every path from a first state to a violation lies in all B_i.
    The forward sets are then computed once more inside B. The system keeps within R, and outside B or inside the new
    sets R': if a successor is in B, the state before it is in B too, so in R', which the step keeps within R'. If no
    state in R, B and R' violates the property, or no first state is in B, the property holds.

    Source: Govindaraju, Dill, "Verification by approximate forward and backward reachability" (ICCAD 1998).

    None if no backward set is smaller than the forward one, so that nothing is gained. Costs about as much as the
    forward sets. Raises MemoryExhausted.
    """
    encoding, context = constraints.system.encoding, parts.context
    backward = []
    for number, part in enumerate(parts.parts):
        progress(f"part {number} of {len(parts.parts)}, backward")
        with memory_errors():
            states = parts.sets[number] & _projected(parts, constraints, bad, number)
            if number not in parts.given_up and states != parts.sets[number]:
                relation = part.relation(parts.projections(number)) & parts.sets[number]
                following = frozenset(
                    encoding.next_bits(dict.fromkeys(encoding.variable_of_bit[b][0] for b in part.bits))
                )
                frontier = states
                while frontier != context.false:
                    frontier = context.and_exists(encoding.to_next(frontier), relation, following) & ~states
                    states = states | frontier
            else:
                states = parts.sets[number]
        backward.append(states)
    if all(states == known for states, known in zip(backward, parts.sets, strict=True)):
        return None
    narrowed = [
        replace(part, initial=part.initial & states, valid=part.valid & states)
        for part, states in zip(parts.parts, backward, strict=True)
    ]
    inside = PartSets(context, narrowed, parts.whole, given_up=set(parts.given_up), equations=parts.equations)
    inside.together(progress)
    return SetsBetween(tuple(parts.sets), backward, inside.sets)


def _projected(parts: PartSets, constraints: BitConstraints, bad: Bdd, number: int) -> Bdd:
    """The violating states in the sets of all parts, over the bits of one part."""
    context, bits = parts.context, parts.parts[number].bits
    read = context.support(bad)
    needed = constraints.conditions(read | bits & constraints.wires.keys())
    scope = bits.union(read, *(constraint.now for constraint in needed))
    conjuncts = [bad, *(constraint.diagram for constraint in needed)]
    for states in parts.sets:
        support = context.support(states)
        if support & scope:
            conjuncts.append(context.exists(frozenset(support - scope), states))
    return RelationalProduct.of(context, conjuncts, scope - bits).apply(context.true)
