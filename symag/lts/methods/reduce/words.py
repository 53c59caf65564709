"""Items: composed, private actions silent, and minimal; from a word of theirs back to one of the components.

An item that was made of several can do a word over its own actions exactly if its members can, with actions of theirs
between that no other item has. So these are put into the word, one item after the other, until only components are
left. One of the items comes to ERROR with the last action or after it; so does one of its members.

What minimisation has to preserve depends on the question. For safety it is which words over the actions that other
items have are possible, and which lead to ERROR: weak bisimulation preserves both (R. Milner, "Communication and
Concurrency", 1989: it is a congruence for composition and hiding, and finer than equality of traces). For deadlock and
progress see ``symag.lts.methods.reduce.states``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec import Struct

from symag.lts.composition import Composition, composed
from symag.lts.determinisation import quotient
from symag.lts.equivalence import finer_classes, weak_classes
from symag.lts.lts import ERROR, TAU, Lts, Numbers, renamed

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
    number: int, members: Sequence[Item], seen: Collection[str], minimal: Minimisation, most: int | None
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


_Place = tuple[int, int]
_END: _Place = (-1, ERROR)


def word_to_error(items: Sequence[Item], product: Composition) -> tuple[str, ...]:
    """A word of the components that leads to ERROR; ``product`` is the composition of the items, and reaches it."""
    culprit, word = _first_error(product)
    waiting = [(item, index == culprit) for index, item in enumerate(items)]
    while waiting:
        item, fails = waiting.pop()
        if item.origin is None:
            continue
        own = [label for label in word if label in item.alphabet]
        run = run_of_members(item, own, [not fails] * item.origin.lts.states, fails)
        failing = item.origin.culprit_of(run.failure) if fails and run.failure is not None else -1
        word = merged(word, run.labels, item.alphabet)
        waiting += [(member, index == failing) for index, member in enumerate(item.members)]
    return tuple(word)


def _first_error(product: Composition) -> tuple[int, list[str]]:
    """The item in ERROR, and the visible actions of a shortest run to there."""
    lts, last = product.lts, int(product.violations[0])
    actions = lts.action[[*product.path_to(int(lts.source[last])), last]].tolist()
    return product.culprit_of(last), [lts.alphabet[action] for action in actions if action != TAU]


class MemberRun(Struct, frozen=True):
    """The visible actions of a run of the members of an item, its last state, and the move to ERROR if that is it."""

    labels: list[str]
    state: int
    failure: int | None = None


def run_of_members(item: Item, word: Sequence[str], ends: Sequence[bool], fails: bool = False) -> MemberRun:
    """A shortest run of the members that does the word, perhaps with private actions, and ends in a state of ``ends``.

    The run leads to ERROR if it ``fails``; else only its last action may, where another item fails by that action too.
    There must be one. Costs the moves of the members' composition for each letter.
    """
    assert item.origin is not None
    lts = item.origin.lts
    own = [label in item.alphabet for label in lts.alphabet]
    first, action, target = (array.tolist() for array in (lts.offsets(), lts.action, lts.target))
    #: Letters that were read, and the state; by which move it was reached from where.
    reached: dict[_Place, tuple[_Place, int] | None] = {(0, 0): None}
    waiting = [(0, 0)]
    for place in waiting:
        position, state = place
        if position == len(word) and ends[state]:
            return MemberRun(_labels(lts, reached, place), state)
        for move in range(first[state], first[state + 1]):
            reads = own[action[move]]
            if reads and (position == len(word) or word[position] != lts.alphabet[action[move]]):
                continue
            if target[move] != ERROR:
                after = position + reads, target[move]
                if after not in reached:
                    reached[after] = place, move
                    waiting.append(after)
            elif fails or (reads and position + 1 == len(word)):
                reached[_END] = place, move
                return MemberRun(_labels(lts, reached, _END), ERROR, move)
    raise AssertionError("members can do what their item can do")


def _labels(lts: Lts, reached: Mapping[_Place, tuple[_Place, int] | None], end: _Place) -> list[str]:
    """The visible actions on the way to a place."""
    labels = []
    while (before := reached[end]) is not None:
        end, move = before
        if lts.action[move] != TAU:
            labels.append(lts.alphabet[lts.action[move]])
    return labels[::-1]


def merged(word: Sequence[str], run: Sequence[str], alphabet: frozenset[str]) -> list[str]:
    """The word with the private actions of a run of one item, each as early as the run's own actions allow."""
    joint: list[str] = []
    pending = list(run)
    for label in word:
        if label in alphabet:
            # What the run does on the way to this action is nobody else's.
            while pending and pending[0] not in alphabet:
                joint.append(pending.pop(0))
            if not pending:
                break  # it has come to ERROR
            pending.pop(0)
        joint.append(label)
    return [*joint, *pending]
