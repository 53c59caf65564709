"""Premise 2 for many states at once: every move of a product, mapped to classes, is a transition of the assumption.

The listed states are grouped by the local states of the components that share an action. All states of a group have
the same moves by this action: the change that a move makes to a state's number is computed once, and added to all
numbers of the group. The code shares nothing with the search, and only moves of single components with the re-check.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from symag.core.limits import Deadline
from symag.lpts.certificates.assumptions import AbstractSystem
from symag.lpts.certify.weights import ProbabilisticAutomaton, refused

_Integers = NDArray[np.int64]

#: A move of some components: the action, and pairs of a change of the state's number and its probability.
_Branches = Sequence[tuple[int, Fraction]]
_Change = tuple[str, tuple[tuple[int, Fraction], ...]]

_LARGEST = 2**62


def fits(components: Sequence[ProbabilisticAutomaton], assumption: AbstractSystem) -> bool:
    """Whether the product's states have numbers of 62 bits, and each listed state has a number for each component."""
    sizes = [len(component.moves) for component in components]
    return math.prod(sizes) < _LARGEST and assumption.classes.shape[1] == len(sizes) + 1


class ClassTable:
    """The listed states by ascending number, each beside its class."""

    def __init__(self, components: Sequence[ProbabilisticAutomaton], assumption: AbstractSystem) -> None:
        """Raises CertificationError for a state or class that does not exist, or a state that is listed twice."""
        sizes = [len(component.moves) for component in components]
        self._components = components
        self._known_changes: dict[tuple[int, int], Mapping[str, list[_Branches]]] = {}
        self._strides = [math.prod(sizes[index + 1 :]) for index in range(len(sizes))]
        rows, classes = assumption.classes[:, :-1], assumption.classes[:, -1]
        if len(rows) and ((rows < 0).any() or (rows >= np.array(sizes)).any()):
            raise refused("a class has a state that does not exist")
        numbers = rows @ np.array(self._strides, dtype=np.int64)
        order = np.argsort(numbers)
        self._local = np.ascontiguousarray(rows.T[:, order])
        self._numbers = numbers[order]
        self._classes = classes[order]
        if (self._numbers[1:] == self._numbers[:-1]).any():
            raise refused("a state is in two classes")
        if not len(rows) or self._numbers[0] != 0 or self._classes[0] != 0:
            raise refused("the initial state is not in class 0")
        if classes.min() < 0 or classes.max() >= assumption.states:
            raise refused("a class is not a state of the assumption")
        self._count = assumption.states
        self._known = {(source, action, tuple(sorted(branches))) for source, action, branches in assumption.transitions}

    def check(self, deadline: Deadline) -> None:
        """Accept that all moves of listed states lead to listed states and, mapped to classes, are the assumption's.

        Raises CertificationError and OutOfTimeError.
        """
        for owners, actions in self._owners().items():
            shared = np.zeros(len(self._numbers), dtype=np.int64)
            for k in owners:
                shared = shared * len(self._components[k].moves) + self._local[k]
            order = np.argsort(shared)
            ordered = shared[order]
            begins = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
            for begin, end in itertools.pairwise([*begins.tolist(), len(order)]):
                deadline.check()
                members = order[begin:end]
                local = {k: int(self._local[k, members[0]]) for k in owners}
                for action, branches in self._changes(local, actions):
                    self._check(members, action, branches)

    def _owners(self) -> Mapping[tuple[int, ...], Sequence[str]]:
        """The actions by the components that take part in them; "" is an action of each component alone."""
        actions_of: dict[tuple[int, ...], list[str]] = {(k,): [""] for k in range(len(self._components))}
        for action in sorted({label for component in self._components for label in component.alphabet}):
            owners = tuple(k for k, component in enumerate(self._components) if action in component.alphabet)
            actions_of.setdefault(owners, []).append(action)
        return actions_of

    def _local_changes(self, k: int, state: int) -> Mapping[str, list[_Branches]]:
        """The moves of component k in a state, by action."""
        if (k, state) not in self._known_changes:
            changes: dict[str, list[_Branches]] = {}
            for label, mu in self._components[k].moves[state]:
                branches = [((target - state) * self._strides[k], probability) for target, probability in mu.items()]
                changes.setdefault(label, []).append(branches)
            self._known_changes[k, state] = changes
        return self._known_changes[k, state]

    def _changes(self, local: Mapping[int, int], actions: Sequence[str]) -> Iterator[_Change]:
        """The moves of these components in these local states."""
        moves = [self._local_changes(k, state) for k, state in local.items()]
        for action in set(actions).intersection(*moves):
            possible = [of_component[action] for of_component in moves]
            for combination in itertools.product(*possible):
                spread = combination[0]
                for branches in combination[1:]:
                    spread = [(a + b, p * q) for a, p in spread for b, q in branches]
                yield action, tuple(spread)

    def _check(self, members: _Integers, action: str, branches: Sequence[tuple[int, Fraction]]) -> None:
        classes = self._classes[members]
        columns = [classes]
        for change, _ in branches:
            moved = self._numbers[members] + change
            places = np.searchsorted(self._numbers, moved)
            places[places == len(self._numbers)] = 0
            if (self._numbers[places] != moved).any():
                raise refused("a state that can be reached has no class")
            columns.append(self._classes[places])
        for source, *targets in self._distinct(columns):
            lifted: dict[int, Fraction] = {}
            for target, (_, probability) in zip(targets, branches, strict=True):
                lifted[target] = lifted.get(target, Fraction(0)) + probability
            if (source, action, tuple(sorted(lifted.items()))) not in self._known:
                raise refused(f"the assumption lacks a transition by {action or 'a move without label'}: premise 2")

    def _distinct(self, columns: Sequence[_Integers]) -> list[list[int]]:
        """The distinct rows of a table of classes."""
        if self._count ** len(columns) < _LARGEST:
            code = np.zeros(len(columns[0]), dtype=np.int64)
            for column in columns:
                code = code * self._count + column
            _, first = np.unique(code, return_index=True)
            rows = np.stack([column[first] for column in columns], axis=1)
        else:
            rows = np.unique(np.stack(columns, axis=1), axis=0)
        listed: list[list[int]] = rows.tolist()
        return listed
