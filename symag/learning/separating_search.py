"""The smallest deterministic automata over classes of letters that keep given words apart, by SAT.

There may be several automata. Each reads its own words, over its own classes of letters. A *node* stands for a word of
sets of letters: ``step(n, G)`` is the node after one more letter, any letter of the set G. A *goal* of an automaton is
that the words of one node lead to none of the states that words of some other nodes lead to; a *demand* is that at
least one goal of several is met.

Variables: ``moves[q][c][r]``, class c leads from q to r; ``leads[q][G][r]``, some class of G does; ``at[n][q]``, some
word of node n leads to q. These are the constraints of D. Neider, "Computing minimal separating DFAs and regular
invariants using SAT and SMT solvers" (ATVA 2012), for letters in sets. Sets become classes when they come
(``split``): a new class begins as a copy of the one that it is taken from, so that the solver goes on.

For each choice of sizes there is one solver, until it has no answer: then no automata of these sizes meet the demands,
now or later.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from pysat.solvers import Solver

from symag.bdd.context import Bdd

_SOLVER = "glucose4"

#: For each state the state that each class of letters leads to.
Moves = tuple[tuple[int, ...], ...]


class _Difference(Struct, frozen=True):
    """If the goal is met, words of the two nodes of one automaton never lead to the same state."""

    goal: int
    automaton: int
    left: int
    right: int


class _Words:
    """The words of one automaton: ``steps`` are (node, set, node after it), ``sets`` the classes of each set."""

    def __init__(self) -> None:
        self.classes = 1
        self.sets: list[list[int]] = []
        self.steps: list[tuple[int, int, int]] = []
        self.nodes = 1
        self._node_after: dict[tuple[int, int], int] = {}

    def step(self, node: int, letters: int) -> int:
        if (node, letters) not in self._node_after:
            self._node_after[node, letters] = self.nodes
            self.steps.append((node, letters, self.nodes))
            self.nodes += 1
        return self._node_after[node, letters]


class SeparatingSearch:
    """``states`` are the sizes of the automata of the last answer; ``calls`` counts the solver's."""

    def __init__(self, automata: int) -> None:
        self.calls = 0
        self.states = (1,) * automata
        self._words = [_Words() for _ in range(automata)]
        self._goals: list[tuple[int, int]] = []
        self._differences: list[_Difference] = []
        self._demands: list[tuple[int, ...]] = []
        self._open = [self.states]
        self._encoding = _Encoding(self.states)

    def split(self, automaton: int, class_: int) -> int:
        """A new class of letters, with some of the letters of this one: it is in the same sets."""
        words = self._words[automaton]
        new = words.classes
        words.classes += 1
        for letters in words.sets:
            if class_ in letters:
                letters.append(new)
        return new

    def letters(self, automaton: int, classes: Sequence[int]) -> int:
        """A new set of letters: the union of some classes."""
        self._words[automaton].sets.append(list(classes))
        return len(self._words[automaton].sets) - 1

    def step(self, automaton: int, node: int, letters: int) -> int:
        """The node after any letter of a set; node 0 is the empty word."""
        return self._words[automaton].step(node, letters)

    def goal(self, automaton: int, node: int) -> int:
        """A new goal for the words of a node, which so far is met by itself."""
        self._goals.append((automaton, node))
        return len(self._goals) - 1

    def differ(self, goal: int, node: int) -> None:
        """The goal is not met unless its node and this one lead to different states. No word may be of both."""
        automaton, own = self._goals[goal]
        self._differences.append(_Difference(goal, automaton, own, node))

    def demand(self, goals: Sequence[int]) -> None:
        """At least one of these goals is met."""
        self._demands.append(tuple(goals))

    def smallest(self) -> tuple[Moves, ...]:
        """Automata with the fewest states together that meet all demands.

        There must be some: a demand that words differ from themselves would make the search endless. Costs time
        exponential in the states at worst.
        """
        while True:
            self._encoding.add(self._words, self._differences, self._demands)
            self.calls += 1
            moves = self._encoding.solved()
            if moves is not None:
                return moves
            self._encoding.close()
            self._open.remove(self.states)
            if not self._open:
                self._open = _sizes(len(self.states), sum(self.states) + 1)
            self.states = self._open[0]
            self._encoding = _Encoding(self.states)

    def close(self) -> None:
        """Free the solver."""
        self._encoding.close()


def _sizes(automata: int, total: int) -> list[tuple[int, ...]]:
    """All sizes with this sum, the even ones first."""
    if automata == 1:
        return [(total,)]
    some = [(first, *rest) for first in range(1, total - automata + 2) for rest in _sizes(automata - 1, total - first)]
    return sorted(some, key=lambda sizes: (max(sizes), sizes))


class _Encoding:
    """The clauses for automata of these sizes; ``add`` adds those of what is new."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._solver = Solver(name=_SOLVER)
        self._variables = 0
        self._moves: list[list[int]] = [[] for _ in sizes]
        self._leads: list[list[int]] = [[] for _ in sizes]
        self._linked: list[list[int]] = [[] for _ in sizes]
        self._at: list[list[int]] = [[] for _ in sizes]
        self._steps = [0 for _ in sizes]
        self._met: dict[int, int] = {}
        self._differences = 0
        self._demands = 0

    def add(
        self, words: Sequence[_Words], differences: Sequence[_Difference], demands: Sequence[tuple[int, ...]]
    ) -> None:
        """The clauses of new classes, sets, nodes, steps, differences and demands."""
        for automaton, (size, given) in enumerate(zip(self._sizes, words, strict=True)):
            self._add_letters(automaton, size, given)
            self._add_steps(automaton, size, given)
        for item in differences[self._differences :]:
            at = self._at[item.automaton]
            for state in range(self._sizes[item.automaton]):
                both = [-(at[item.left] + state), -(at[item.right] + state)]
                self._solver.add_clause([-self._goal(item.goal), *both])
        self._differences = len(differences)
        for goals in demands[self._demands :]:
            self._solver.add_clause([self._goal(goal) for goal in goals])
        self._demands = len(demands)

    def _new(self, count: int) -> int:
        """The first of ``count`` new variables."""
        self._variables += count
        return self._variables - count + 1

    def _add_letters(self, automaton: int, size: int, words: _Words) -> None:
        moves, leads, linked = self._moves[automaton], self._leads[automaton], self._linked[automaton]
        while len(moves) < words.classes:
            base = self._new(size * size)
            moves.append(base)
            for state in range(size):
                self._solver.add_clause([base + state * size + target for target in range(size)])
        while len(leads) < len(words.sets):
            leads.append(self._new(size * size))
            linked.append(0)
        for number, classes in enumerate(words.sets):
            for class_ in classes[linked[number] :]:
                for place in range(size * size):
                    self._solver.add_clause([-(moves[class_] + place), leads[number] + place])
            linked[number] = len(classes)

    def _add_steps(self, automaton: int, size: int, words: _Words) -> None:
        at, leads = self._at[automaton], self._leads[automaton]
        while len(at) < words.nodes:
            at.append(self._new(size))
            if len(at) == 1:
                self._solver.add_clause([at[0]])
        for node, letters, after in words.steps[self._steps[automaton] :]:
            for state in range(size):
                for target in range(size):
                    lead = leads[letters] + state * size + target
                    self._solver.add_clause([-(at[node] + state), -lead, at[after] + target])
        self._steps[automaton] = len(words.steps)

    def _goal(self, goal: int) -> int:
        """The variable that says that a goal is met."""
        if goal not in self._met:
            self._met[goal] = self._new(1)
        return self._met[goal]

    def solved(self) -> tuple[Moves, ...] | None:
        """Automata that meet all demands so far, None if there are none of these sizes."""
        if not self._solver.solve():
            return None
        true = {literal for literal in self._solver.get_model() if literal > 0}
        return tuple(
            tuple(
                tuple(
                    next(target for target in range(size) if base + state * size + target in true)
                    for base in self._moves[automaton]
                )
                for state in range(size)
            )
            for automaton, size in enumerate(self._sizes)
        )

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()


class LetterClasses:
    """The classes of the letters of one automaton, which begin as one; ``classes`` are disjoint and cover them.

    Two letters are in one class as long as no set so far holds one of them alone. So every automaton over classes is
    one over letters. It has no more states than the smallest one over letters that agrees with the words: take one
    letter of each class.
    """

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
