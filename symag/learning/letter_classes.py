"""Words of sets of letters, as a search for separating automata reads them.

The letters of one automaton are split into classes: two letters are in one class as long as no set so far holds one of
them alone. So every automaton over classes is one over letters. It has no more states than the smallest one over
letters that agrees with the words: take one letter of each class.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd
from symag.learning.separating_search import Moves, SeparatingSearch


class LetterClasses:
    """The classes of the letters of one automaton, which begin as one; ``classes`` are disjoint and cover them."""

    def __init__(self, search: SeparatingSearch, automaton: int, letters: Bdd) -> None:
        self._search = search
        self._automaton = automaton
        self._nothing = letters & ~letters
        self._known: dict[Bdd, int] = {}
        self.classes = [letters]

    def node(self, word: Sequence[Bdd]) -> int:
        """The node of a word of sets of letters, none of them empty."""
        node = 0
        for letters in word:
            node = self._search.step(self._automaton, node, self._number(letters))
        return node

    def edges(self, moves: Moves) -> tuple[tuple[tuple[int, Bdd], ...], ...]:
        """For each state the letters to each target. Costs one disjunction for each state and class."""
        result = []
        for targets in moves:
            leaving: dict[int, Bdd] = {}
            for target, letters in zip(targets, self.classes, strict=True):
                leaving[target] = leaving[target] | letters if target in leaving else letters
            result.append(tuple(sorted(leaving.items(), key=lambda edge: edge[0])))
        return tuple(result)

    def _number(self, letters: Bdd) -> int:
        """The number of a set in the search; classes that it cuts are split."""
        if letters not in self._known:
            inside = []
            for number, class_ in enumerate(tuple(self.classes)):
                common = class_ & letters
                if common == self._nothing:
                    continue
                inside.append(number)
                if common != class_:
                    new = self._search.split(self._automaton, number)
                    assert new == len(self.classes)
                    self.classes[number] = common
                    self.classes.append(class_ & ~letters)
            self._known[letters] = self._search.letters(self._automaton, inside)
        return self._known[letters]
