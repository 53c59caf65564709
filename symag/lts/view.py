"""A component seen through some of its actions, on arrays, and runs of it that an automaton allows.

- A *letter* is one of the visible actions; all others are silent. State 0 is initial, ERROR may be a target.
- ``View.of(.., merged=True)`` merges states that silent moves lead to each other: they have the same words. Silent
  moves then have no names.
- An automaton over the letters is an ``Lts`` without tau: every state accepts, and refuses letters without a
  successor; ERROR may be a target.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.ranges import distinct, ranges
from symag.lts.components import leading_to, strongly_connected
from symag.lts.lts import ERROR, Lts, Numbers


def universal(letters: Sequence[str]) -> Lts:
    """One state that allows every word."""
    return Lts.of("A", ("tau", *letters), 1, [(0, letter, 0) for letter in range(1, len(letters) + 1)])


def word_automaton(letters: Sequence[str], word: Sequence[str], accepting: bool) -> Lts:
    """The automaton of the prefixes of a word; with ``accepting`` its last letter leads to ERROR (it must have one)."""
    number = {letter: index for index, letter in enumerate(letters, 1)}
    triples = [(index, number[letter], index + 1) for index, letter in enumerate(word)]
    if accepting:
        triples[-1] = (len(word) - 1, number[word[-1]], ERROR)
    return Lts.of("A", ("tau", *letters), len(word) + (not accepting), triples)


class JointMoves(Struct, frozen=True, eq=False):
    """Moves ``begin[s] : begin[s + 1]`` leave state s. ``letter`` is -1 if silent, ``label`` the action's number."""

    begin: Numbers
    letter: Numbers
    label: Numbers
    target: Numbers

    def of_states(self, states: Numbers) -> tuple[Numbers, Numbers]:
        """For each move of the states: the index of its state in ``states``, and the number of the move."""
        first = self.begin[states]
        count = self.begin[states + 1] - first
        row = np.repeat(np.arange(len(states)), count)
        return row, ranges(first, first + count)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """``silent`` and ``seen`` moves of ``states`` states; ``state_of[s]`` is the state for state s of the system."""

    letters: tuple[str, ...]
    states: int
    silent: JointMoves
    seen: JointMoves
    state_of: Numbers
    alphabet: tuple[str, ...]

    @classmethod
    def of(cls, lts: Lts, letters: Sequence[str], merged: bool = True) -> View:
        """The view of a system. Raises KeyError if a letter is not an action of it. Costs sorting its transitions."""
        number = {label: action for action, label in enumerate(lts.alphabet)}
        letter_of = np.full(len(lts.alphabet), -1, dtype=np.int64)
        letter_of[[number[label] for label in letters]] = np.arange(len(letters))
        letter = letter_of[lts.action]
        if not merged:
            identity = np.arange(lts.states)
            return cls._made(lts, tuple(letters), lts.states, identity, (lts.source, letter, lts.action, lts.target))
        inner = np.flatnonzero((letter < 0) & (lts.target != ERROR))
        count, class_of = strongly_connected(lts.states, lts.source[inner], lts.target[inner])
        first = np.unique(class_of, return_index=True)[1]
        rank = np.empty(count, dtype=np.int64)
        rank[np.argsort(first)] = np.arange(count)
        state_of = rank[class_of]
        source = state_of[lts.source]
        target = np.where(lts.target == ERROR, ERROR, state_of[lts.target])
        key = (source * (len(letters) + 1) + letter + 1) * (count + 1) + target + 1
        distinct: Numbers = np.unique(key, return_index=True)[1]
        distinct = distinct[(letter[distinct] >= 0) | (source[distinct] != target[distinct])]
        moves = (source[distinct], letter[distinct], lts.action[distinct], target[distinct])
        return cls._made(lts, tuple(letters), count, state_of, moves)

    @classmethod
    def _made(
        cls,
        lts: Lts,
        letters: tuple[str, ...],
        states: int,
        state_of: Numbers,
        moves: tuple[Numbers, Numbers, Numbers, Numbers],
    ) -> View:
        source, letter, label, target = moves
        order: Numbers = np.lexsort((target, letter, source))
        source, letter, label, target = source[order], letter[order], label[order], target[order]
        both = []
        for chosen in (letter < 0, letter >= 0):
            begin = np.searchsorted(source[chosen], np.arange(states + 1))
            both.append(JointMoves(begin, letter[chosen], label[chosen], target[chosen]))
        return cls(letters, states, both[0], both[1], state_of, lts.alphabet)

    def closure(self, states: Numbers) -> Numbers:
        """All states that silent moves lead to from these, sorted; ERROR among them if one leads there."""
        if not len(self.silent.target):
            return distinct(states)
        reached = np.zeros(self.states + 1, dtype=bool)
        reached[states] = True
        frontier = states[states != ERROR]
        while len(frontier):
            _, move = self.silent.of_states(frontier)
            target = self.silent.target[move]
            target = distinct(target[~reached[target]])
            reached[target] = True
            frontier = target[target != ERROR]
        closed = np.flatnonzero(reached[:-1])
        return np.concatenate(([ERROR], closed)) if reached[ERROR] else closed


def towards_error(lts: Lts) -> Lts | None:
    """The system with only the transitions of runs to ERROR; None without such a run. States keep their numbers."""
    if not lts.has_error:
        return None
    count = lts.states + 1
    target = np.where(lts.target == ERROR, lts.states, lts.target)
    useful = leading_to(lts.states, count, lts.source, target)
    if not useful[0]:
        return None
    chosen = useful[lts.source] & useful[target]
    return Lts(lts.name, lts.alphabet, lts.states, lts.source[chosen], lts.action[chosen], lts.target[chosen])


class JointStep(Struct, frozen=True):
    """One step of a run: the action's label, whether the automaton took part, and both states afterwards."""

    label: str
    is_seen: bool
    state: int
    local: int


def visible_word(run: Iterable[JointStep]) -> tuple[str, ...]:
    """The visible actions of a run of a view that is not merged."""
    return tuple(step.label for step in run if step.label != "tau")


def run_to_error(automaton: Lts, view: View) -> list[JointStep] | None:
    """A run of both together that takes one of them to ERROR with as few letters as possible; None without one.

    The automaton's alphabet is tau, which it does not have, and the view's letters in their order. It takes part in
    every letter and only in letters. Breadth first, a level of letters at a time, no
    further than the first ERROR; costs one byte for every pair of states and the moves of the reached pairs.
    Raises MemoryError.
    """
    return next(iter(runs_to_error(automaton, view, 1)), None)


def runs_to_error(automaton: Lts, view: View, limit: int) -> list[list[JointStep]]:
    """At most ``limit`` such runs, the shortest first, at most one for each last state of the automaton and letter.

    A silent move to ERROR counts as a letter of its own. Costs and raises as ``run_to_error``; the search goes on until
    there are enough runs.
    """
    return ErrorSearch(automaton, view, limit).runs()


class ErrorSearch:
    """The search of ``runs_to_error``; ``work`` are the pairs and moves that were looked at.

    It ends with the first level of letters that has a run after ``further`` of them.
    """

    # The reached pairs are in chunks; a pair is ``state * view.states + local``. Parents are indices into all chunks.

    def __init__(self, automaton: Lts, view: View, limit: int, further: float = math.inf) -> None:
        self._automaton = automaton
        self._limit = limit
        self.work = 0
        self._further = further
        # The automaton's transitions from state q by letter a are those from _begin[q * letters + a] on.
        keys = automaton.source * len(view.letters) + automaton.action - 1
        self._begin = np.searchsorted(keys, np.arange(automaton.states * len(view.letters) + 1))
        self._view = view
        self._visited = np.zeros(automaton.states * view.states, dtype=bool)
        self._chunks: list[_Chunk] = []
        self._first: list[int] = []
        self._count = 0
        # By state of the automaton and letter (-1: silent).
        self._runs: dict[tuple[int, int], list[JointStep]] = {}

    def runs(self) -> list[list[JointStep]]:
        """See ``runs_to_error``."""
        zero = np.zeros(1, dtype=np.int64)
        fresh = self._added(zero, zero - 1, zero - 1, is_seen=False)
        while len(fresh.codes) and self._goes_on():
            begin = len(self._chunks) - 1
            while len(fresh.codes) and self._goes_on():
                fresh = self._silent(fresh)
            if self._goes_on():
                level = self._chunks[begin:]
                codes = np.concatenate([chunk.codes for chunk in level])
                fresh = self._letters(codes, self._first[begin])
        return list(self._runs.values())

    def _goes_on(self) -> bool:
        return not self._runs or (len(self._runs) < self._limit and self.work < self._further)

    def _silent(self, fresh: _Chunk) -> _Chunk:
        moves = self._view.silent
        if not len(moves.target):
            return _NOTHING
        state, local = np.divmod(fresh.codes, self._view.states)
        row, move = moves.of_states(local)
        target = moves.target[move]
        parent = row + self._first[-1]
        wrong = target == ERROR
        for k in _first_of_each(wrong, state[row]):
            here = int(state[row[k]])
            if (here, -1) not in self._runs and len(self._runs) < self._limit:
                self._runs[here, -1] = self._path(int(parent[k]), int(move[k]), here, ERROR, False)
        row, target, parent, move = row[~wrong], target[~wrong], parent[~wrong], move[~wrong]
        return self._added(state[row] * self._view.states + target, parent, move, is_seen=False)

    def _letters(self, codes: Numbers, first: int) -> _Chunk:
        moves = self._view.seen
        state, local = np.divmod(codes, self._view.states)
        row, move = moves.of_states(local)
        key = state[row] * len(self._view.letters) + moves.letter[move]
        begin = self._begin[key]
        count = self._begin[key + 1] - begin
        again = np.repeat(np.arange(len(key)), count)
        self.work += len(codes) + len(again)
        chosen = ranges(begin, begin + count)
        row, move = row[again], move[again]
        after, target = self._automaton.target[chosen], moves.target[move]
        wrong = (after == ERROR) | (target == ERROR)
        for k in _first_of_each(wrong, key[again]):
            last = int(state[row[k]]), int(moves.letter[move[k]])
            if last not in self._runs and len(self._runs) < self._limit:
                self._runs[last] = self._path(int(row[k]) + first, int(move[k]), int(after[k]), int(target[k]), True)
        row, move, after, target = row[~wrong], move[~wrong], after[~wrong], target[~wrong]
        return self._added(after * self._view.states + target, row + first, move, is_seen=True)

    def _added(self, codes: Numbers, parents: Numbers, moves: Numbers, *, is_seen: bool) -> _Chunk:
        fresh = np.flatnonzero(~self._visited[codes])
        unique, first = np.unique(codes[fresh], return_index=True)
        self._visited[unique] = True
        chosen = fresh[first]
        chunk = _Chunk(unique, parents[chosen], moves[chosen], is_seen)
        if len(unique):
            self._chunks.append(chunk)
            self._first.append(self._count)
            self._count += len(unique)
        return chunk

    def _path(self, parent: int, move: int, state: int, local: int, is_seen: bool) -> list[JointStep]:
        path = [self._move(move, state, local, is_seen)]
        while parent > 0:
            index = bisect_right(self._first, parent) - 1
            chunk, k = self._chunks[index], parent - self._first[index]
            state, local = divmod(int(chunk.codes[k]), self._view.states)
            path.append(self._move(int(chunk.moves[k]), state, local, chunk.is_seen))
            parent = int(chunk.parents[k])
        return path[::-1]

    def _move(self, move: int, state: int, local: int, is_seen: bool) -> JointStep:
        if is_seen:
            label = self._view.letters[int(self._view.seen.letter[move])]
        else:
            label = self._view.alphabet[int(self._view.silent.label[move])]
        return JointStep(label, is_seen, state, local)


def _first_of_each(chosen: NDArray[np.bool_], kinds: Numbers) -> list[int]:
    """The first of the chosen indices of each kind, in their order."""
    indices = np.flatnonzero(chosen)
    first: list[int] = np.sort(indices[np.unique(kinds[indices], return_index=True)[1]]).tolist()
    return first


class _Chunk(Struct, frozen=True, eq=False):
    codes: Numbers
    parents: Numbers
    moves: Numbers
    is_seen: bool


_EMPTY = np.zeros(0, dtype=np.int64)
_NOTHING = _Chunk(_EMPTY, _EMPTY, _EMPTY, False)
