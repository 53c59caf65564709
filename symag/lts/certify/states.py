"""All reachable states of composed labelled transition systems, explored by code of the re-check's own.

By the definitions: a label in several alphabets happens in all of those components at once; tau happens in one;
with priorities the lower moves of a state count only where it has no higher one. It shares the systems of the
components with what it judges, and no code that composes or searches.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np
from msgspec import Struct

from symag.core.limits import Deadline
from symag.core.ranges import grouped, ranges
from symag.lts.certify.on_disk.filed_states import GrowingStates
from symag.lts.certify.packed_components import Moves, PackedComponent, Truths, moves_of_few, packed
from symag.lts.certify.product_on_demand import ProductOnDemand
from symag.lts.certify.sorted_states import CollisionError, Integers, SortedStates, Words
from symag.lts.language.systems import System
from symag.process.memory import free_memory

#: The fewest and the most states of a batch, and how many moves a batch may have if it has more than the fewest.
_BATCH, _LARGEST_BATCH, _MOVES = 1 << 16, 1 << 18, 1 << 21
#: The moves of up to this number of states are found one state at a time, as arrays of a few cost more.
_FEW = 16
#: So many moves may not fit into memory, where each takes these bytes besides those that it has.
_MANY, _COPIES = 1 << 20, 48
#: With little memory: the fewest moves of a batch, and bytes for each besides twice its words.
_FEWEST_MOVES, _MOVE_BYTES = 1 << 10, 128

_ResultT = TypeVar("_ResultT")


class ExploredStates(Struct, frozen=True, eq=False, dict=True):
    """States are numbered as found, 0 first. Move k leads from ``source[k]`` by ``labels[label[k]]`` to ``target[k]``,
    which is -1 for ERROR. ``ended[s]``: without a successor s is an end rather than a deadlock.
    """

    labels: tuple[str, ...]
    source: Integers
    label: Integers
    target: Integers
    ended: Truths

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.ended)

    @property
    def faults(self) -> Faults:
        """What is wrong in some state."""
        going_on = self.ended.copy()
        going_on[self.source] = True
        return Faults(bool((self.target < 0).any()), not going_on.all())

    def happening(self, labels: Collection[str]) -> Truths:
        """For each move whether its label is one of these."""
        chosen = np.array([label in labels for label in self.labels], dtype=bool)
        return chosen[self.label]

    def acting(self, labels: Collection[str]) -> Truths:
        """The states in which one of these labels can happen."""
        now = np.zeros(self.states, dtype=bool)
        now[self.source[self.happening(labels)]] = True
        return now

    @cached_property
    def _backwards(self) -> tuple[Integers, Integers]:
        """The sources of the moves into each state, and where those of each state begin."""
        order, first = grouped(self.target + 1, self.states + 1)
        return self.source[order], first[1:]

    def leading_to(self, goal: Truths) -> Truths:
        """The states in ``goal``, and those from which one of them can be reached."""
        before, first = self._backwards
        reached = goal.copy()
        waiting = np.flatnonzero(goal)
        last = np.empty(self.states, dtype=np.int64)
        while len(waiting):
            sources = before[ranges(first[waiting], first[waiting + 1])]
            sources = sources[~reached[sources]]
            reached[sources] = True
            last[sources] = np.arange(len(sources))
            waiting = sources[last[sources] == np.arange(len(sources))]  # each once
        return reached


def explored(system: System, start: Sequence[int], deadline: Deadline) -> ExploredStates:
    """All states reachable from a state, given as the number of each component's state.

    Raises OutOfTimeError, and MemoryError where the moves do not fit into memory.
    """
    return _by_some_salt(system, lambda exploration: exploration.run(start, deadline))


def explored_with_rows(system: System, start: Sequence[int], deadline: Deadline) -> tuple[ExploredStates, Integers]:
    """The same, and the states of the components in each state."""
    return _by_some_salt(system, lambda exploration: (exploration.run(start, deadline), exploration.rows()))


class Faults(Struct, frozen=True):
    """Whether some state leads to ERROR, and whether some state that is no end has no successor."""

    error: bool
    deadlock: bool


def reachable_faults(system: System, deadline: Deadline, room: int | None = None) -> Faults:
    """The same exploration from the initial state, keeping states and no transitions.

    ``room``: bytes of memory to use; without it, what the process may allocate. Where states would take more than half
    of that, they go to files. Raises OutOfTimeError, DiskExhausted.
    """
    bytes_ = free_memory() if room is None else room
    start = [0] * len(system.components)
    return _by_some_salt(system, lambda exploration: exploration.faults(start, deadline, bytes_)[0])


def _by_some_salt(system: System, result: Callable[[Exploration], _ResultT]) -> _ResultT:
    """The result of the first exploration whose hashes do not collide."""
    for salt in itertools.count():
        with contextlib.suppress(CollisionError):
            return result(Exploration(system, salt))
    raise AssertionError("there is always another salt")


class Exploration:
    """One exploration, with its own factors of hashes; methods raise CollisionError where another salt is needed."""

    def __init__(self, system: System, salt: int) -> None:
        self._system = system
        labels = {"tau": 0}
        for lts in system.components:
            for label in lts.alphabet[1:]:
                labels.setdefault(label, len(labels))
        self._labels = labels
        self._parts: list[PackedComponent] = []
        word, shift = 0, 0
        for lts in system.components:
            bits = (lts.states - 1).bit_length()
            if shift + bits > 64:
                word, shift = word + 1, 0
            self._parts.append(PackedComponent(lts, labels, word, shift))
            shift += bits
            if shift == 64:
                word, shift = word + 1, 0
        self._salt = salt
        self._found = SortedStates(word + 1, salt)
        self._high = None if system.priority is None else self._higher(system.priority.labels, system.priority.low)

    def _higher(self, named: Collection[str], low: bool) -> Truths:
        def is_named(label: str) -> bool:
            parts = label.split(".")
            return any(".".join(parts[: k + 1]) in named for k in range(len(parts)))

        return np.array([low if label == "tau" else is_named(label) != low for label in self._labels], dtype=bool)

    def run(self, start: Sequence[int], deadline: Deadline) -> ExploredStates:
        rows, count = [], 0
        for done, moves, target in self._batches(start, deadline):
            rows.append((moves.place + done, moves.label, target))
            count += len(target)
            # The columns are copied once more, and sorted.
            if count > _MANY and _COPIES * count > free_memory():
                raise MemoryError
        source, label, target = (np.concatenate(columns) for columns in zip(*rows, strict=True))
        ended = self._ended(self._found.words[: self._found.count])
        return ExploredStates(self.labels, source, label, target, ended)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of moves by their numbers; tau first."""
        return tuple(self._labels)

    def faults(self, start: Sequence[int], deadline: Deadline, room: int) -> tuple[Faults, GrowingStates]:
        """What an exploration that keeps no transitions finds; see ``reachable_faults``. And its states."""
        width = self._found.width
        states = GrowingStates(width, self._salt, room)
        states.add(self._first(start))
        error = deadlock = False
        most = min(_MOVES, max(_FEWEST_MOVES, room // (4 * (_MOVE_BYTES + 16 * width))))
        done, size = 0, 1
        while True:
            if done == states.count:
                states.settle()
            if done == states.count:
                return Faults(error, deadlock), states
            deadline.check()
            batch = states.words(done, min(states.count, done + size))
            moves = self.moves(batch)
            error |= bool(moves.wrong.any())
            stuck = np.ones(len(batch), dtype=bool)
            stuck[moves.place] = False
            deadlock |= bool(stuck.any()) and not self._ended(batch[stuck]).all()
            states.add(moves.after[~moves.wrong])
            done += len(batch)
            # The larger a batch, the fewer runs there are.
            size = max(1, min(_LARGEST_BATCH, 2 * size, most * len(batch) // max(1, len(moves.place))))

    def _first(self, start: Sequence[int]) -> Words:
        """The state in which the components are in these states."""
        return np.array([packed(start, self._parts, self._found.width)], dtype=np.uint64)

    def _batches(self, start: Sequence[int], deadline: Deadline) -> Iterator[tuple[int, Moves, Integers]]:
        """The number of the first of some states, their moves, and the numbers of the states after these."""
        table = self._found
        table.numbers(self._first(start))
        done, size = 0, _BATCH
        while done < table.count:
            deadline.check()
            batch = table.words[done : min(table.count, done + size)]
            moves = self.moves(batch)
            target = np.full(len(moves.place), -1, dtype=np.int64)
            target[~moves.wrong] = table.numbers(moves.after[~moves.wrong])
            yield done, moves, target
            done += len(batch)
            # The larger a batch, the fewer runs the table has.
            size = min(_LARGEST_BATCH, max(_BATCH, _MOVES * len(batch) // max(1, len(moves.place))))

    def rows(self) -> Integers:
        """The states of the components in each state that was found."""
        words = self._found.words[: self._found.count]
        return np.stack([part.local(words) for part in self._parts], axis=1)

    def last(self, words: Words, count: int) -> list[Integers]:
        """The states of each of the last ``count`` components in packed states."""
        return [part.local(words) for part in self._parts[len(self._parts) - count :]]

    def moves(self, batch: Words) -> Moves:
        """All moves from packed states."""
        if len(batch) <= _FEW:
            return moves_of_few(batch, self._parts, self._product, self._labels)
        local = [part.local(batch) for part in self._parts]
        allowed = np.full((len(batch), self._parts[0].allowed.shape[1]), ~np.uint64(0))
        for part, mine in zip(self._parts, local, strict=True):
            allowed &= part.allowed[mine]
        # Every label has an owner, so a label that all components allow is possible.
        row, byte = np.nonzero(allowed.view(np.uint8) != 0)
        bits = np.unpackbits(allowed.view(np.uint8)[row, byte].reshape(-1, 1), axis=1, bitorder="little")
        entry, bit = np.nonzero(bits != 0)
        moves = [self._together(batch, local, row[entry], byte[entry] * 8 + bit)]
        for part, mine in zip(self._parts, local, strict=True):
            alone = np.flatnonzero(part.silent[mine])
            if len(alone):
                tau = np.zeros(len(alone), dtype=np.int64)
                moves.append(Moves(alone, tau, batch[alone], np.zeros(len(alone), dtype=bool)))
                self._step(moves[-1], part, mine, np.ones(len(alone), dtype=bool))
        joined = moves[0] if len(moves) == 1 else Moves.joined(moves)
        return joined if self._high is None else _preferred(joined, self._high[joined.label], len(batch))

    @cached_property
    def _product(self) -> ProductOnDemand:
        return ProductOnDemand(self._system)

    def _together(self, batch: Words, local: Sequence[Integers], row: Integers, label: Integers) -> Moves:
        moves = Moves(row, label, batch[row], np.zeros(len(row), dtype=bool))
        for part, mine in zip(self._parts, local, strict=True):
            self._step(moves, part, mine, part.mine[moves.label])
        return moves

    def _step(self, moves: Moves, part: PackedComponent, local: Integers, taking: Truths) -> None:
        """Let one component take its step in some of the moves; a move is repeated for each of its targets."""
        rows = np.flatnonzero(taking)
        index = local[moves.place[rows]] * len(self._labels) + moves.label[rows]
        first, last = part.moves(index)
        if (last - first != 1).any():
            times = np.ones(len(moves.place), dtype=np.int64)
            times[rows] = last - first
            moves.repeated(times)
            rows = np.flatnonzero(np.repeat(taking, times))
            chosen = part.targets[ranges(first, last)]
        else:
            chosen = part.targets[first]
        fails = chosen < 0
        if fails.any():
            moves.wrong[rows[fails]] = True
            rows, chosen = rows[~fails], chosen[~fails]
        part.put(moves.after, rows, chosen)

    def _ended(self, words: Words) -> Truths:
        """Where every component that can end has ended, if those have all labels of the others."""
        components = self._system.components
        ending = [lts for lts in components if lts.end is not None and lts.end > 0]
        alphabet = {label for lts in ending for label in lts.alphabet}
        others = [lts for lts in components if lts.end is None or lts.end == 0]
        if not ending or not all(alphabet.issuperset(lts.alphabet) for lts in others):
            return np.zeros(len(words), dtype=bool)
        ended = np.ones(len(words), dtype=bool)
        for lts, part in zip(components, self._parts, strict=True):
            if lts.end is not None:
                ended &= part.local(words) == lts.end
        return ended


def _preferred(moves: Moves, high: Truths, states: int) -> Moves:
    """The moves that count: the high ones, and all from states without one."""
    some = np.zeros(states, dtype=bool)
    some[moves.place[high]] = True
    chosen = high | ~some[moves.place]
    return Moves(moves.place[chosen], moves.label[chosen], moves.after[chosen], moves.wrong[chosen])
