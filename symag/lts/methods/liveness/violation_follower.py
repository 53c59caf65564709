"""A component that follows a composition and guesses when its run begins to violate an assertion for good.

It is an automaton of the negation in two halves. The first is that of ``temporal_automaton``, which has choices. The
second has none: it knows the states in which the first can be since the guess, and which of them are behind an
accepting step since the last *mark*; when all are, there is the next mark. A run is accepted by the automaton exactly
if some guess is followed by infinitely many marks. So fair runs violate the assertion exactly if some state can be
reached from which on a mark always stays possible: a guess comes after finitely many steps, and later there is no
choice.

Source: C. Courcoubetis and M. Yannakakis, "The complexity of probabilistic verification", JACM 42(4), 1995, section 4.2
(automata that are deterministic in the limit); S. Miyano and T. Hayashi (1984) for the marks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.lts.components import strongly_connected
from symag.lts.language.fluents import FluentInstance, Temporal, atoms, granted_after_end, negation
from symag.lts.lts import Lts
from symag.lts.methods.temporal_automaton import FluentValues, State, TemporalAutomaton

#: The largest number of moves by letters; there may be more actions than letters.
_MOST = 1 << 20

_Fluents = frozenset[FluentInstance]
#: A state of the automaton with the number of the until that is to be fulfilled next.
_Counted = tuple[State, int]


class _Guess(Struct, frozen=True):
    """A state of the automaton, and those of the fluents that it reads that are true."""

    state: State
    true: _Fluents


class _AfterGuess(Struct, frozen=True):
    """The states since the guess, those that are behind an accepting step, and whether all were."""

    states: frozenset[_Counted]
    behind: frozenset[_Counted]
    true: _Fluents
    marked: bool


#: None: the run is not accepted, and nothing is possible any more.
_Node: TypeAlias = "_Guess | _AfterGuess | None"


class ViolationFollower(Struct, frozen=True, eq=False):
    """``lts`` refuses all actions in one state at most, from which nothing is accepted, and none in the others. Of each
    state: whether it is a mark, and whether a run that ends there violates the assertion.
    """

    lts: Lts
    marks: NDArray[np.bool_]
    wrong_ends: NDArray[np.bool_]


def violation_follower(formula: Temporal, labels: Sequence[str]) -> ViolationFollower:
    """The component for a formula in negation normal form; ``labels`` are all actions, and those that it mentions.

    Exponential in the formula, and in the fluents that one state of its automaton reads. Raises MemoryError.
    """
    return _Construction(negation(formula), labels).result()


class _Construction:
    def __init__(self, formula: Temporal, labels: Sequence[str]) -> None:
        self._automaton = TemporalAutomaton(formula)
        self._labels = labels
        #: Actions that the atoms do not distinguish, by their numbers.
        self._letters: dict[tuple[object, ...], list[int]] = {}
        for number, label in enumerate(labels, 1):
            key = tuple(
                (label in atom.initiating, label in atom.terminating)
                if isinstance(atom, FluentInstance)
                else label in atom.actions
                for atom in sorted(atoms(formula), key=repr)
            )
            self._letters.setdefault(key, []).append(number)
        self._values = FluentValues(formula)
        self._start = _restricted(frozenset((formula,)), self._values.initially)
        #: Guesses after which something can be accepted, those of them after which there are choices, and those in
        #: accepting components.
        self._worth, self._choosing, self._accepting = self._kinds()

    def _kinds(self) -> tuple[set[_Guess], set[_Guess], set[_Guess]]:
        """Explore the automaton before the guess."""
        number = {self._start: 0}
        nodes = [self._start]
        edges: list[tuple[int, int]] = []
        postponed: list[frozenset[Temporal]] = []
        forks = []
        for place, node in enumerate(nodes):
            for members in self._letters.values():
                steps = list(self._steps(node.state, node.true, members))
                if len({after for after, _ in steps}) > 1:
                    forks.append(place)
                for after, put_off in steps:
                    if after not in number:
                        number[after] = len(nodes)
                        nodes.append(after)
                    edges.append((place, number[after]))
                    postponed.append(put_off)
                if len(edges) > _MOST:
                    raise MemoryError
        source, target = np.array(edges, dtype=np.int64).reshape(-1, 2).T
        count, component = strongly_connected(len(nodes), source, target)
        accepting = np.ones(count, dtype=bool)
        inner = component[source] == component[target]
        for until in (None, *self._automaton.untils):
            fulfilling = np.zeros(count, dtype=bool)
            fulfilling[
                component[source[inner & np.array([until not in put_off for put_off in postponed], dtype=bool)]]
            ] = True
            accepting &= fulfilling

        def leading_to(goal: NDArray[np.bool_]) -> set[_Guess]:
            while (fresh := source[goal[target] & ~goal[source]]).size:
                goal[fresh] = True
            return {node for node, chosen in zip(nodes, goal.tolist(), strict=True) if chosen}

        ending = np.array([_is_wrong_end(node) for node in nodes])
        core = {node for node, chosen in zip(nodes, accepting[component].tolist(), strict=True) if chosen}
        return leading_to(accepting[component] | ending), leading_to(np.isin(np.arange(len(nodes)), forks)), core

    def _steps(
        self, state: State, true: _Fluents, members: Sequence[int]
    ) -> Iterator[tuple[_Guess, frozenset[Temporal]]]:
        """What follows by one of these actions, and the untils that are put off."""
        letter = self._values.after(true, self._labels[members[0] - 1])
        for after, postponed in self._automaton.steps(state, letter):
            yield _restricted(after, letter[1]), postponed

    def result(self) -> ViolationFollower:
        """See ``violation_follower``."""
        nodes: list[_Node] = [self._first()]
        number = {node: place for place, node in enumerate(nodes)}
        moves: list[list[tuple[int, int]]] = [[] for _ in self._letters]
        for place, node in enumerate(nodes):
            if node is None:
                continue
            for members, pairs in zip(self._letters.values(), moves, strict=True):
                for after in dict.fromkeys(self._following(node, members)):
                    if after not in number:
                        number[after] = len(nodes)
                        nodes.append(after)
                    pairs.append((place, number[after]))
            if sum(map(len, moves)) > _MOST:
                raise MemoryError
        columns = [np.zeros((0, 3), dtype=np.int64)]
        for members, pairs in zip(self._letters.values(), moves, strict=True):
            ends = np.array(pairs, dtype=np.int64).reshape(-1, 2).repeat(len(members), axis=0)
            columns.append(np.column_stack([ends[:, 0], np.tile(np.array(members), len(pairs)), ends[:, 1]]))
        lts = Lts.of_arrays("violation", ("tau", *self._labels), len(nodes), *np.concatenate(columns).T)
        marks = np.array([isinstance(node, _AfterGuess) and node.marked for node in nodes])
        return ViolationFollower(lts, marks, np.array([_is_wrong_end(node) for node in nodes]))

    def _first(self) -> _Node:
        if self._start not in self._worth:
            return None
        return self._start if self._start in self._choosing else self._settled(self._start)

    def _settled(self, guess: _Guess) -> _AfterGuess:
        return _AfterGuess(frozenset(((guess.state, 0),)), frozenset(), guess.true, not self._automaton.untils)

    def _following(self, node: _Guess | _AfterGuess, members: Sequence[int]) -> Iterator[_Node]:
        if isinstance(node, _AfterGuess):
            yield self._after(node, members)
            return
        is_stuck = True
        for after, _ in self._steps(node.state, node.true, members):
            if after not in self._worth:
                continue
            is_stuck = False
            if after in self._choosing:
                yield after
            if after in self._accepting or after not in self._choosing:
                yield self._settled(after)
        if is_stuck:
            yield None

    def _after(self, node: _AfterGuess, members: Sequence[int]) -> _AfterGuess | None:
        untils = self._automaton.untils
        states: set[_Counted] = set()
        behind: set[_Counted] = set()
        true: set[FluentInstance] = set()
        for counted in node.states:
            state, awaited = counted
            for after, postponed in self._steps(state, node.true, members):
                if after not in self._worth:
                    continue
                now = awaited
                while now < len(untils) and untils[now] not in postponed:
                    now += 1
                is_accepting = now == len(untils)
                reached = after.state, 0 if is_accepting else now
                states.add(reached)
                true |= after.true
                if is_accepting or counted in node.behind:
                    behind.add(reached)
        if not states:
            return None
        marked = behind == states
        return _AfterGuess(frozenset(states), frozenset(() if marked else behind), frozenset(true), marked)


def _restricted(state: State, true: _Fluents) -> _Guess:
    return _Guess(state, true.intersection(atom for formula in state for atom in atoms(formula)))


def _is_wrong_end(node: _Node) -> bool:
    """Whether a run may end there: it has no open eventuality in one of the states."""
    if node is None:
        return False
    states = [node.state] if isinstance(node, _Guess) else [state for state, _ in node.states]
    # The conditions after the end hold if and only if those of the negation are not granted.
    return any(not any(granted_after_end(negation(formula)) for formula in state) for state in states)
