"""Nested abstractions for the n-component rule of AGAR (agar-lts-2008, Rule 3 of Section 6).

Abstraction A_i abstracts M_i+1 || A_i+1, the last one M_n. All premises but the first hold by construction. A
counterexample of the first premise is replayed in M_2 || A_2; if it is real there, its run projected to A_2 is
replayed in M_3 || A_3, and so on: it is an error of the system, or it refines some A_i. Then M_i || A_i is finer than
before; its states keep the abstract states of A_i-1, and the path is replayed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symag.core.ranges import distinct
from symag.lts.composition import composed
from symag.lts.lts import Lts
from symag.lts.methods.abstraction import Abstraction, AbstractPath
from symag.lts.reduction import reduced
from symag.lts.view import View, run_to_error, word_automaton
from symag.lts.words import Word


class Level:
    """The abstraction of one component together with the abstraction of the components after it.

    ``origins[q]`` is the block that block q was split from, ``refinements`` counts the splits here, ``largest`` is the
    largest concrete system, as states and transitions.
    """

    def __init__(self, component: Lts, inner: Level | None, letters: Sequence[str]) -> None:
        self._component = component
        self._inner = inner
        self.letters = tuple(letters)
        self.origins = np.zeros(1, dtype=np.int64)
        self.refinements = 0
        self.largest = (0, 0)
        self._concrete = component
        self._parts = np.zeros((component.states, 2), dtype=np.int64)
        self._compose()
        view = View.of(self._concrete, self.letters)
        # A composition that is repeated after refinements keeps its states, because they have to be found again.
        self.abstraction = Abstraction.coarsest(reduced(view) if inner is None else view)

    @property
    def states(self) -> int:
        """The number of abstract states that have a concrete state."""
        return len(distinct(self.abstraction.block))

    def automata(self) -> list[Lts]:
        """The assumptions, from this level inwards."""
        inner = [] if self._inner is None else self._inner.automata()
        return [self.abstraction.automaton(), *inner]

    def levels(self) -> list[Level]:
        """This one and those inside it."""
        return [self, *([] if self._inner is None else self._inner.levels())]

    def words(self, path: AbstractPath) -> list[Word] | None:
        """A word of each component from here on for the path; None if the path was spurious, and is now excluded.

        Excluded is every path by its letters through parts of its blocks.

        The words of neighbouring components agree on the letters of the level between them.
        """
        while all(map(self.abstraction.has, path.states, path.letters, path.states[1:])):
            gap = self.abstraction.first_gap(path)
            if gap is not None:
                self.origins = np.append(self.origins, path.states[gap - 1])
                self.abstraction = self.abstraction.split(path, gap)
                self.refinements += 1
                present = self.refined(path, self.abstraction.blocks - 1)
                if present is None:
                    return None
                path = present
                continue
            word, local = self._run(path)
            own = frozenset(self._component.alphabet[1:])
            mine = tuple(label for label in word if label in own)
            if self._inner is None:
                return [mine]
            blocks = self._inner.abstraction.blocks
            others = self._inner.words(self._inner_path(word, local))
            if others is not None:
                return [mine, *others]
            self._refine(blocks)
        return None

    def refined(self, path: AbstractPath, blocks: int) -> AbstractPath | None:
        """A path by the same letters through parts of the same blocks, as they were when there were ``blocks`` of them.

        None if refinements have left no such path.
        """
        if self.abstraction.blocks == blocks:
            return path
        parts: dict[int, list[int]] = {}
        for block, former in enumerate(self.former_blocks(blocks)):
            parts.setdefault(former, []).append(block)
        has, reached = self.abstraction.has, [[0]]
        for letter, state in zip(path.letters, path.states[1:], strict=True):
            following = [part for part in parts[state] if any(has(block, letter, part) for block in reached[-1])]
            if not following:
                return None
            reached.append(following)
        states = [reached[-1][0]]
        for letter, before in zip(reversed(path.letters), reversed(reached[:-1]), strict=True):
            states.append(next(block for block in before if has(block, letter, states[-1])))
        return AbstractPath(tuple(reversed(states)), path.letters)

    def split_everywhere(self) -> None:
        """Split every block by the moves of its states."""
        self.abstraction, origins = self.abstraction.split_everywhere()
        self.origins = np.concatenate((self.origins, origins))
        self.refinements += len(origins)

    def former_blocks(self, blocks: int) -> list[int]:
        """For each block the one that it was a part of when there were ``blocks`` of them."""
        former = list(range(blocks))
        for origin in self.origins[blocks:].tolist():
            former.append(former[origin])
        return former

    def _compose(self) -> None:
        if self._inner is not None:
            composition = composed((self._component, self._inner.abstraction.automaton()), self._component.name)
            self._concrete = composition.lts
            self._parts = composition.local_states.astype(np.int64)
        self.largest = max(self.largest, (self._concrete.states, self._concrete.transitions))

    def _refine(self, earlier_blocks: int) -> None:
        """Compose again with the refined inner abstraction, which had ``earlier_blocks`` blocks before.

        Concrete states keep the blocks of the states that they were split from.
        """
        assert self._inner is not None
        states = self._component.states
        before = self._parts[:, 1] * states + self._parts[:, 0]
        order = np.argsort(before)
        blocks = self.abstraction.block[self.abstraction.view.state_of[order]]
        self._compose()
        coarse = np.array(self._inner.former_blocks(earlier_blocks), dtype=np.int64)[self._parts[:, 1]]
        places = np.searchsorted(before[order], coarse * states + self._parts[:, 0])
        view = View.of(self._concrete, self.letters)
        block = np.zeros(view.states, dtype=np.int64)
        block[view.state_of] = blocks[places]
        self.abstraction = Abstraction.of_partition(view, block, self.abstraction.blocks)

    def _run(self, path: AbstractPath) -> tuple[list[str], list[int]]:
        """The actions of a concrete run with the letters of a path, and the concrete state after each."""
        if not path.letters:
            return [], []
        word = [self.letters[letter] for letter in path.letters]
        automaton = word_automaton(self.letters, word, accepting=True)
        run = run_to_error(automaton, View.of(self._concrete, self.letters, merged=False))
        assert run is not None, "the path was replayed to its end"
        visible = [move for move in run if move.label != "tau"]
        return [move.label for move in visible], [move.local for move in visible]

    def _inner_path(self, word: Sequence[str], local: Sequence[int]) -> AbstractPath:
        assert self._inner is not None
        number = {label: letter for letter, label in enumerate(self._inner.letters)}
        states, letters = [0], []
        for label, state in zip(word, local, strict=True):
            if label in number:
                states.append(int(self._parts[state, 1]))
                letters.append(number[label])
        return AbstractPath(tuple(states), tuple(letters))
