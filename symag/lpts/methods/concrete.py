"""A system with a partition of its states: what an abstraction abstracts from."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Protocol

import numpy as np

from symag.core.ranges import distinct, grouped
from symag.lpts.bisimulation import quotient_with_image
from symag.lpts.composition import Composition
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers


class AbstractTransition(Protocol):
    """A transition of the abstraction, with a node of a tree for each class of its support."""

    @property
    def transition(self) -> int: ...

    @property
    def children(self) -> dict[int, int]: ...


class PartitionedSystem:
    """A system and an abstraction of it by a partition; ``image[k]`` is what transition k becomes in the abstraction.

    ``classes[s]`` is the class of state s; ``abstract_transitions`` is the number of the abstraction's transitions.
    """

    def __init__(self, system: Lpts, classes: Numbers, image: Numbers, abstract_transitions: int) -> None:
        self.system = system
        self._follow(classes, image, abstract_transitions)

    def _follow(self, classes: Numbers, image: Numbers, abstract_transitions: int) -> None:
        self.classes, self.image, self.abstract_transitions = classes, image, abstract_transitions
        self._by_image, self._image_bounds = grouped(image, abstract_transitions)
        order, bounds = grouped(classes, int(classes.max()) + 1)
        self._members = [order[low:high] for low, high in itertools.pairwise(bounds)]

    @property
    def number_of_classes(self) -> int:
        """How many classes there are."""
        return len(self._members)

    def members(self, class_: int) -> Numbers:
        """The states of a class, ascending."""
        return self._members[class_]

    def class_of(self, state: int) -> int:
        """The class of a state."""
        return int(self.classes[state])

    def support(self, transition: int) -> list[int]:
        """The targets of a transition, ascending."""
        states: list[int] = self.system.target[
            self.system.begin[transition] : self.system.begin[transition + 1]
        ].tolist()
        return states

    def able(self, transition: int) -> Numbers:
        """The states that have a transition which the abstraction's transition stands for, ascending."""
        return distinct(self.system.source[self._preimage(transition)])

    def following(self, states: Numbers, transition: int) -> Numbers:
        """All targets of the transitions of these states that the abstraction's transition stands for, ascending."""
        candidates = self._preimage(transition)
        sources = self.system.source[candidates]
        places = np.minimum(np.searchsorted(states, sources), len(states) - 1)
        entry, _ = entries_of(self.system.begin, candidates[states[places] == sources])
        return distinct(self.system.target[entry])

    def answering(self, move: AbstractTransition, related: Sequence[Numbers | None]) -> Numbers:
        """The states that have a transition above the move's distribution, ascending.

        Related states lie in the child's class and the classes are disjoint: a weight function exists exactly if
        the abstraction's transition stands for the concrete one and each target is related to its class's child.
        """
        candidates = self._preimage(move.transition)
        narrow = [states for states in (related[child] for child in move.children.values()) if states is not None]
        if narrow:
            allowed = np.ones(self.system.states, dtype=bool)
            for class_, child in move.children.items():
                states = related[child]
                if states is not None:
                    allowed[self._members[class_]] = False
                    allowed[states] = True
            entry, begin = entries_of(self.system.begin, candidates)
            fits = np.logical_and.reduceat(allowed[self.system.target[entry]], begin[:-1])
            candidates = candidates[fits]
        return distinct(self.system.source[candidates])

    def answer(self, state: int, move: AbstractTransition, related: Sequence[Numbers | None]) -> int:
        """The first transition of a state above the move's distribution; ``answering`` contains the state."""
        for transition in self._of_state(self._preimage(move.transition), state).tolist():
            targets = self.support(transition)
            if all(_contains(related[move.children[self.class_of(target)]], target) for target in targets):
                return int(transition)
        raise AssertionError("the state does not simulate the node")

    def _preimage(self, transition: int) -> Numbers:
        return self._by_image[self._image_bounds[transition] : self._image_bounds[transition + 1]]

    def _of_state(self, transitions: Numbers, state: int) -> Numbers:
        """Those of one state; transitions ascend, and so do their sources."""
        sources = self.system.source[transitions]
        low, high = np.searchsorted(sources, [state, state + 1])
        return transitions[low:high]


class ConcreteSystem(PartitionedSystem):
    """The system of a composition (of one or more components) and its abstraction by the current partition.

    ``coarser[k]`` is the class of the previous partition that contains class k. Actions that are not ``public`` are
    private: no component outside the system takes part in them.
    """

    def __init__(
        self,
        composition: Composition,
        classes: Numbers | None = None,
        coarser: Sequence[int] = (0,),
        public: Collection[str] = (),
    ) -> None:
        self.composition = composition
        self.coarser = tuple(coarser)
        system = composition.lpts
        private = np.array([name not in public for name in system.alphabet])
        self._private = np.flatnonzero(private[system.action])
        self._private_first = np.searchsorted(system.source[self._private], np.arange(system.states + 1))
        first = classes if classes is not None else np.zeros(system.states, dtype=np.int64)
        self.abstraction, image = quotient_with_image(system, first)
        super().__init__(system, first, image, self.abstraction.transitions)

    def split(self, parts: dict[int, Numbers]) -> None:
        """Refine: of each of these classes, the given states (some, not all; ascending) become a class of their own.

        The class of state 0 stays number 0.
        """
        classes = self.classes.copy()
        fresh = self.abstraction.states
        for class_, states in sorted(parts.items()):
            others = np.setdiff1d(self._members[class_], states, assume_unique=True)
            assert len(states), "a refinement splits"
            assert len(others), "a refinement splits"
            classes[others if _contains(states, 0) else states] = fresh
            fresh += 1
        self.coarser = (*range(self.abstraction.states), *sorted(parts))
        self.abstraction, image = quotient_with_image(self.system, classes)
        self._follow(classes, image, self.abstraction.transitions)

    def snapshot(self) -> PartitionedSystem:
        """The system with the present partition, which stays as it is when this one is refined."""
        return PartitionedSystem(self.system, self.classes, self.image, self.abstraction.transitions)

    def abstraction_since(self, before: PartitionedSystem) -> PartitionedSystem:
        """The present abstraction as a system, abstracted as in an earlier ``snapshot``."""
        classes = np.empty(self.abstraction.states, dtype=np.int64)
        classes[self.classes] = before.classes
        image = np.empty(self.abstraction.transitions, dtype=np.int64)
        image[self.image] = before.image
        return PartitionedSystem(self.abstraction, classes, image, before.abstract_transitions)

    def local_of(self, state: int) -> tuple[int, ...]:
        """The states of the components."""
        local: list[int] = self.composition.local[state].tolist()
        return tuple(local)

    def moves_of(self, transition: int) -> tuple[int, ...]:
        """The transitions of the components, all -1 for none."""
        if transition < 0:
            return (-1,) * len(self.composition.components)
        moves: list[int] = self.composition.moves[transition].tolist()
        return tuple(moves)

    def drifting(self, states: Numbers) -> Numbers:
        """These states of one class, and those that private actions lead to from them in the class; ascending."""
        if not len(states):
            return states
        its_class = self.classes[states[0]]
        fresh = reached = states
        while len(fresh):
            moves, _ = entries_of(self._private_first, fresh)
            entry, _ = entries_of(self.system.begin, self._private[moves])
            targets = distinct(self.system.target[entry])
            fresh = np.setdiff1d(targets[self.classes[targets] == its_class], reached, assume_unique=True)
            reached = distinct(np.concatenate([reached, fresh]))
        return reached


def _contains(states: Numbers | None, state: int) -> bool:
    if states is None:
        return True
    index = int(np.searchsorted(states, state))
    return index < len(states) and int(states[index]) == state
