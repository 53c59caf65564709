"""What a part needs to exclude a state that is in all sets and violates the property, but cannot be reached.

Source: Govindaraju, Dill, "Counterexample-guided choice of projections in approximate symbolic model checking" (ICCAD
2000), which asks BDDs of pairs of projections. Here SAT follows the predecessors of the state within the sets: if one
is initial, the property is violated; one without predecessors is excluded by a part with the bits of a smallest cube
around it that has none outside itself either (Bradley, "SAT-based model checking without unrolling", VMCAI 2011).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from symag.smv.methods.partwise.constraints import BitConstraints
from symag.smv.methods.partwise.fixpoints import PartSets
from symag.smv.methods.partwise.part import part
from symag.smv.methods.partwise.questions import Cube, StateQuestions

#: The longest chain of predecessors that is followed.
LONGEST_CHAIN = 100


@dataclass(frozen=True, slots=True)
class Exclusion:
    """``bits`` of unreachable states that the sets of the parts ``helpers`` exclude in one step."""

    bits: frozenset[str]
    helpers: frozenset[int]


@dataclass(frozen=True, slots=True)
class ViolatingPath:
    """A run with this number of steps violates the property."""

    steps: int


def exclusion(
    questions: StateQuestions, sets: Sequence[int], state: Cube, draw: random.Random
) -> Exclusion | ViolatingPath | None:
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
            return _excluding(questions, sets, chain[-1:], draw)
        # The state has predecessors in the chain only: either another one of those has new ones, or all go together.
        for cube in reversed(chain[:-1]):
            before = questions.predecessor(sets, cube, chain)
            if before is not None:
                break
        if before is None:
            return _excluding(questions, sets, chain, draw)
        chain.append(before)
    return None


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
        bits |= {questions.bit_of[abs(literal)] for literal in cubes[place]}
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
    for literal in order:
        without = tuple(other for other in cube if other != literal)
        if is_not_first(without) and has_no_predecessor(without):
            cube = without
    return cube


def refined(parts: PartSets, constraints: BitConstraints, exclusion_: Exclusion, largest: int) -> int | None:
    """Give one part the bits that exclude the states, where fewest are new; a new part if no part has room for them.

    ``largest`` is the largest number of bits of a part. Returns the number of the part; None if nothing can be added.
    """
    bits = exclusion_.bits & constraints.memory
    sizes = [(len(bits - part_.bits), len(part_.bits), number) for number, part_ in enumerate(parts.parts)]
    fitting = [size for size in sizes if size[0] + size[1] <= max(largest, size[1])]
    usable = [size for size in fitting if size[2] not in parts.given_up]
    if not usable:
        if len(bits) > largest:
            return None
        parts.parts.append(part(constraints, bits))
        parts.whole.append(frozenset())
        parts.sets.append(parts.context.true)
        return len(parts.parts) - 1
    new, _, number = min(usable)
    if new:
        parts.parts[number] = part(constraints, parts.parts[number].bits | bits)
        return number
    helpers = exclusion_.helpers - {number} - parts.whole[number]
    if not helpers:
        return None
    parts.whole[number] |= helpers
    return number
