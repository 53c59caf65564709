"""What a part needs to exclude a state that is in all sets and violates the property, but cannot be reached.

Source: Govindaraju, Dill, "Counterexample-guided choice of projections in approximate symbolic model checking" (ICCAD
2000), which asks BDDs of pairs of projections. Here SAT follows the predecessors of the state within the sets: if one
is initial, the property is violated; one without predecessors is excluded by a part with the bits of a smallest cube
around it that has none outside itself either (Bradley, "SAT-based model checking without unrolling", VMCAI 2011). Where
the chain of predecessors becomes too long, it is followed once more through the rings of the sets, and ends in the
first one at the latest.

A cube may have literals of *wires* too: functions of the state that one part computes and others read (as Dureja and
others, "IC3 with internal signals", FMCAD 2021, have them in clauses). A part with the bit of a wire keeps two sets,
for the states in which the wire is true and in which it is false: its set is split where it disagrees with the other
part about the wire, and that costs one bit, not all that the wire reads.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.smv.methods.partwise.fixpoints import PartSets
from symag.smv.methods.partwise.part import BitConstraints, part
from symag.smv.methods.partwise.questions import Cube, StateQuestions
from symag.smv.model.flat import FlatSystem
from symag.smv.model.supports import Supports
from symag.smv.model.typed import DefineReference, Expression, subexpressions
from symag.smv.model.types import BooleanType
from symag.smv.model.wires import candidate_wires, fresh_name, is_function_of_the_state
from symag.smv.symbolic.encoding import current_bit

#: With more DEFINEs than this, which netlists have, the search for their wires would cost too much.
MOST_DEFINES = 1_000


class SplitWires(Struct, frozen=True, eq=False):
    """``expressions`` of the wires by the names of their bits.

    Wires are boolean functions of the state that the model names: DEFINEs, and variables that are assigned in every
    state. A split at a wire belongs to the search only: what is written into a certificate has the wire's expression
    instead.
    """

    expressions: Mapping[str, Expression]

    @classmethod
    def of(cls, system: FlatSystem, invariant: Expression) -> SplitWires:
        """Those of a system, and DEFINEs that the invariant reads. Costs a walk through each DEFINE."""
        if len(system.defines) > MOST_DEFINES:
            return cls({})
        supports = Supports(system)
        expressions = {current_bit(name, 0): reference for name, reference in candidate_wires(system)}
        for node in subexpressions(invariant):
            if isinstance(node, DefineReference) and _is_boolean_function(system, node, supports):
                expressions[current_bit(fresh_name(system, f"{node.name}.wire"), 0)] = node
        for assignment in system.assignments:
            if assignment.time == "current" and _is_boolean_function(system, assignment.value, supports):
                expressions[current_bit(assignment.variable, 0)] = assignment.value
        return cls(expressions)

    def added(self, constraints: BitConstraints, bits: Iterable[str]) -> BitConstraints:
        """The constraints with these wires among those that parts may have. Raises MemoryExhausted."""
        for bit in sorted(set(bits) - constraints.wires.keys()):
            constraints = constraints.with_wire(bit, constraints.system.predicate(self.expressions[bit]))
        return constraints


def _is_boolean_function(system: FlatSystem, expression: Expression, supports: Supports) -> bool:
    return isinstance(expression.type, BooleanType) and is_function_of_the_state(system, expression, supports)


def without_wires(constraints: BitConstraints, states: Bdd) -> Bdd:
    """The same set with the expressions of wires in place of their bits. Raises MemoryExhausted."""
    context = constraints.system.context
    wires = sorted(constraints.wires.keys() & context.support(states))
    with memory_errors():
        for wire in wires:
            states = context.and_exists(constraints.wires[wire].diagram, states, [wire])
    return states


#: The longest chain of predecessors that is followed.
LONGEST_CHAIN = 100

#: Wires are tried where an exclusion has more bits than this: the search costs time (miter_e of ``elastic``: 3.4 s
#: of CPU time, 1.5 without).
MANY_BITS = 8

#: A set is split at wires only if that leaves out this many bits at least.
BITS_LEFT_OUT = 2


class Exclusion(Struct, frozen=True):
    """``bits`` of unreachable states that the sets of the parts ``helpers`` exclude in one step."""

    bits: frozenset[str]
    helpers: frozenset[int]


class ViolatingPath(Struct, frozen=True):
    """A run with this number of steps violates the property."""

    steps: int


#: Ways to exclude the same state: by bits of state variables, and by these and wires.
Exclusions = tuple[Exclusion, ...]


def exclusion(
    questions: StateQuestions, sets: Sequence[int], state: Cube, draw: random.Random
) -> Exclusions | ViolatingPath | None:
    """What excludes a state that violates the property, or its predecessors; None if the chain becomes too long."""
    chain = [state]
    while len(chain) <= LONGEST_CHAIN:
        if questions.first_state(chain[-1]):
            return ViolatingPath(len(chain) - 1)
        before = questions.predecessor(sets, chain[-1], chain)
        if before is not None:
            chain.append(before)
            continue
        if questions.predecessor(sets, chain[-1], chain[-1:]) is None:
            return _ways(questions, sets, chain[-1:], draw)
        # The state has predecessors in the chain only: either another one of those has new ones, or all go together.
        for cube in reversed(chain[:-1]):
            before = questions.predecessor(sets, cube, chain)
            if before is not None:
                break
        if before is None:
            return _ways(questions, sets, chain, draw)
        chain.append(before)
    return None


def exclusion_by_rings(
    questions: StateQuestions, rings: Sequence[Sequence[int]], state: Cube, draw: random.Random
) -> Exclusions | ViolatingPath | None:
    """What excludes the state, or one of its predecessors, from the ring that it is first in.

    ``rings`` are the sets of all parts after 0, 1, 2 .. steps, which have the states reached by then; None if the state
    is in no ring.
    """
    steps = 0
    while True:
        level = next((level for level, sets in enumerate(rings) if questions.is_in(sets, state)), None)
        if level is None:
            return None
        if questions.first_state(state):
            return ViolatingPath(steps)
        if level == 0:
            return (Exclusion(questions.bits_of(questions.reason_of_start().intersection(state)), frozenset()),)
        before = questions.predecessor(rings[level - 1], state, [state])
        if before is None:
            return _ways(questions, rings[level - 1], [state], draw)
        state, steps, rings = before, steps + 1, rings[:level]


def _ways(questions: StateQuestions, sets: Sequence[int], states: Sequence[Cube], draw: random.Random) -> Exclusions:
    """The exclusion of these states by bits of state variables, and with wires if that differs."""
    plain = _excluding(questions, sets, states, draw)
    if len(plain.bits) <= MANY_BITS:
        return (plain,)
    wires = [questions.wires_of(state) for state in states]
    if not any(wires):
        return (plain,)
    # Wires first: the solver explains a conflict by its first assumptions. Where no set is split in the end, the search
    # goes on as without splits, so the numbers drawn for it are its own.
    larger = [(*more, *state) for state, more in zip(states, wires, strict=True)]
    split = _excluding(questions, sets, larger, random.Random(len(larger)))
    return (plain,) if split == plain else (plain, split)


def _excluding(
    questions: StateQuestions, sets: Sequence[int], states: Sequence[Cube], draw: random.Random
) -> Exclusion:
    """The bits of small cubes around states that have no predecessors but themselves."""
    bits: set[str] = set()
    helpers: set[int] = set()
    number_of = {literal: number for number, literal in enumerate(sets)}
    cubes = list(states)
    for place in range(len(cubes)):
        cubes[place] = _smaller(questions, sets, cubes, place, draw)
        questions.predecessor(sets, cubes[place], cubes)
        helpers |= {number_of[literal] for literal in questions.sets_of_step(sets)}
        bits |= questions.bits_of(cubes[place])
    return Exclusion(frozenset(bits), frozenset(helpers))


def _smaller(
    questions: StateQuestions, sets: Sequence[int], cubes: Sequence[Cube], place: int, draw: random.Random
) -> Cube:
    """A cube around the one at this place that no literal can be left out of."""
    others = [*cubes[:place], *cubes[place + 1 :]]

    def has_no_predecessor(cube: Cube) -> bool:
        return questions.predecessor(sets, cube, [cube, *others]) is None

    def is_not_first(cube: Cube) -> bool:
        return not questions.first_state(cube)

    state = cubes[place]
    assert has_no_predecessor(state)
    enough = set(questions.reason_of_step(state))
    assert is_not_first(state)
    enough |= questions.reason_of_start()
    cube = tuple(literal for literal in state if literal in enough)
    order = list(cube)
    draw.shuffle(order)
    for literal in sorted(order, key=questions.is_wire):
        without = tuple(other for other in cube if other != literal)
        if is_not_first(without) and has_no_predecessor(without):
            cube = without
    return cube


class EnlargedPart(Struct, frozen=True, eq=False):
    """The ``number`` of the part that was enlarged or added, and the ``constraints``; ``wires`` if it was split."""

    number: int
    constraints: BitConstraints
    wires: frozenset[str]


def refined(
    parts: PartSets, constraints: BitConstraints, exclusions: Exclusions, largest: int, wires: SplitWires
) -> EnlargedPart | None:
    """Give one part the bits that exclude the states, where fewest are new; a new part if no part has room for them.

    ``largest`` is the largest number of bits of a part. Returns None if nothing can be added.
    """
    usable = constraints.memory.union(wires.expressions)
    plain, *splits = [Exclusion(way.bits & usable, way.helpers) for way in exclusions]
    best, way = _cheapest(parts, plain, largest), plain
    for split in splits:
        other = _cheapest(parts, split, largest)
        if other is not None and (best is None or other[0] + BITS_LEFT_OUT <= best[0]):
            best, way = other, split
    if best is None:
        return None
    new, number = best
    split_at = way.bits - constraints.memory
    constraints = wires.added(constraints, split_at)
    parts.equations.update((bit, equation.diagram) for bit, equation in constraints.wires.items())
    if number is None:
        parts.parts.append(part(constraints, way.bits))
        parts.whole.append(frozenset())
        parts.sets.append(parts.context.true)
        return EnlargedPart(len(parts.parts) - 1, constraints, split_at)
    if new:
        parts.parts[number] = part(constraints, parts.parts[number].bits | way.bits)
        return EnlargedPart(number, constraints, split_at)
    helpers = way.helpers - {number} - parts.whole[number]
    if not helpers:
        return None
    parts.whole[number] |= helpers
    return EnlargedPart(number, constraints, frozenset())


def _cheapest(parts: PartSets, exclusion_: Exclusion, largest: int) -> tuple[int, int | None] | None:
    """How many bits are new to which part, or to a new one; None if they are too many for any."""
    bits = exclusion_.bits
    sizes = [(len(bits - part_.bits), len(part_.bits), number) for number, part_ in enumerate(parts.parts)]
    usable = [
        (new, size, number)
        for new, size, number in sizes
        if new + size <= max(largest, size) and number not in parts.given_up
    ]
    if usable:
        new, _, number = min(usable)
        return new, number
    return (len(bits), None) if len(bits) <= largest else None
