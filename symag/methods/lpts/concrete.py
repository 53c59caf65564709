"""A system with a partition of its states: what an abstraction abstracts from."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from symag.lpts.composition import Composition
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.quotient import quotient


class Shape(Protocol):
    """A transition of the abstraction, with a node of a tree for each class of its support."""

    @property
    def transition(self) -> int: ...

    @property
    def children(self) -> dict[int, int]: ...


class Concrete:
    """The system of a composition (one component counts as one) and its abstraction by the present partition.

    ``coarser[k]`` is the class of the partition before that class k is a part of.
    """

    def __init__(self, composition: Composition, classes: Numbers | None = None, coarser: Sequence[int] = (0,)) -> None:
        self.composition = composition
        self.coarser = tuple(coarser)
        system = composition.lpts
        self.system: Lpts = system
        self._first = system.offsets().tolist()
        self._actions = system.action.tolist()
        self._begin = system.begin.tolist()
        self._target = system.target.tolist()
        self._common = system.denominator()
        scaled = [int(p * self._common) for p in system.probabilities]
        self._mass = [scaled[weight] for weight in system.weight.tolist()]
        self.classes = classes if classes is not None else np.zeros(system.states, dtype=np.int64)
        self._follow_classes()

    def _follow_classes(self) -> None:
        self._class = self.classes.tolist()
        self.abstraction = quotient(self.system, self.classes)
        order = np.argsort(self.classes, kind="stable")
        bounds = np.searchsorted(self.classes[order], np.arange(self.abstraction.states + 1))
        self._members = [order[low:high] for low, high in itertools.pairwise(bounds)]

    def split(self, parts: dict[int, frozenset[int]]) -> None:
        """Refine: of each of these classes, the given states (some, not all) become a class of their own.

        The class of state 0 stays number 0.
        """
        classes = self.classes.copy()
        fresh = self.abstraction.states
        for place, states in sorted(parts.items()):
            others = set(self.members(place)) - states
            assert states, "a refinement splits"
            assert others, "a refinement splits"
            moved = others if 0 in states else states
            classes[sorted(moved)] = fresh
            fresh += 1
        self.coarser = (*range(self.abstraction.states), *sorted(parts))
        self.classes = classes
        self._follow_classes()

    def members(self, place: int) -> list[int]:
        """The states of a class."""
        found: list[int] = self._members[place].tolist()
        return found

    def class_of(self, state: int) -> int:
        return int(self._class[state])

    def support(self, transition: int) -> list[int]:
        found: list[int] = self._target[self._begin[transition] : self._begin[transition + 1]]
        return found

    def local_of(self, state: int) -> tuple[int, ...]:
        """The states of the components."""
        found: list[int] = self.composition.local[state].tolist()
        return tuple(found)

    def moves_of(self, transition: int) -> tuple[int, ...]:
        """The transitions of the components, all -1 for none."""
        if transition < 0:
            return (-1,) * len(self.composition.components)
        found: list[int] = self.composition.moves[transition].tolist()
        return tuple(found)

    def answers(self, states: Sequence[int], move: Shape, related: Sequence[frozenset[int] | None]) -> list[int]:
        """Those of the states that have a transition above the move's distribution."""
        wanted = self._wanted(move, related)
        return [state for state in states if self._answer(state, wanted) is not None]

    def answer(self, state: int, move: Shape, related: Sequence[frozenset[int] | None]) -> int:
        """The first such transition of a state that has one."""
        found = self._answer(state, self._wanted(move, related))
        assert found is not None, "the state does not simulate the node"
        return found

    def _wanted(
        self, move: Shape, related: Sequence[frozenset[int] | None]
    ) -> tuple[int, dict[int, int], dict[int, frozenset[int] | None]]:
        distribution = self.abstraction.distribution(move.transition)
        mass = {place: int(probability * self._common) for place, probability in distribution.items()}
        allowed = {place: related[child] for place, child in move.children.items()}
        return int(self.abstraction.action[move.transition]), mass, allowed

    def _answer(self, state: int, wanted: tuple[int, dict[int, int], dict[int, frozenset[int] | None]]) -> int | None:
        """Related states lie in the child's class and the classes are disjoint: a weight function exists
        exactly if each class gets its mass on related states."""
        action, mass, allowed = wanted
        for transition in range(self._first[state], self._first[state + 1]):
            if self._actions[transition] != action:
                continue
            left = dict(mass)
            for entry in range(self._begin[transition], self._begin[transition + 1]):
                target = self._target[entry]
                place = self._class[target]
                if place not in allowed:
                    break
                states = allowed[place]
                if states is not None and target not in states:
                    break
                left[place] -= self._mass[entry]
            else:
                if not any(left.values()):
                    return transition
        return None
