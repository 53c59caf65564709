"""The least deterministic automaton that agrees with a graph of residuals, by SAT.

The automaton is partial and all of its states accept: it refuses a word by having no transition. A *node* stands for
words with the same residual. Wherever the automaton may be after one of them,

- ``require(n, a, m)``: it has a transition by a, and the words of node n with a after them are words of node m;
- ``follow(n, a, m)``: if it has a transition by a, these are words of node m;
- ``refuse(n, a)``: it has no transition by a.

Variables: ``moves[q][a][r]``, the transition from q by a exists and leads to r; ``at[n][q]``, a word of node n leads to
q. These are the constraints of D. Neider, "Computing minimal separating DFAs and regular invariants using SAT and SMT
solvers" (ATVA 2012). Symmetry: states have the order of a breadth-first search by letters (V. Ulyantsev, I.
Zakirzyanov, A. Shalyto, "BFS-based symmetry breaking predicates for DFA identification", LATA 2015).

For each number of states from 1 on there is one solver; it gets the constraints that come while it has an answer. If
it has none, no automaton with that many states agrees with the graph, now or later.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from pysat.solvers import Solver

from symag.lts.lts import Numbers

_SOLVER = "glucose4"

#: The entry of a table where there is no transition.
REFUSED = -1

#: Node, letter, node after it or REFUSED, and whether the transition must exist.
_Edge = tuple[int, int, int, bool]


class LeastAutomatonSearch:
    """Nodes are numbers; the first ``roots`` of them have the empty word. ``calls`` and ``seconds`` are the solver's.

    ``states`` is a lower bound of the number of states of every automaton that agrees with the graph.
    """

    def __init__(self, letters: int, roots: int) -> None:
        self.calls = 0
        self.seconds = 0.0
        self.states = 1
        self._letters = letters
        self._roots = roots
        self._edges: dict[_Edge, None] = {}
        self._encoding = _Encoding(1, letters, roots)

    @property
    def constraints(self) -> int:
        """The number of different edges."""
        return len(self._edges)

    def require(self, node: int, letter: int, target: int) -> None:
        """The transition exists, and leads to words of the target."""
        self._add((node, letter, target, True))

    def follow(self, node: int, letter: int, target: int) -> None:
        """If the transition exists it leads to words of the target."""
        self._add((node, letter, target, False))

    def refuse(self, node: int, letter: int) -> None:
        """The transition does not exist."""
        self._add((node, letter, REFUSED, False))

    def smallest(self) -> Numbers:
        """The table of an automaton with the fewest states: row q and column a have the state after q, or REFUSED.

        There must be one: no word is required and refused. Costs time exponential in the states at worst.
        """
        while True:
            before = time.process_time()
            table = self._encoding.solved()
            self.seconds += time.process_time() - before
            self.calls += 1
            if table is not None:
                return table
            self.close()
            self.states += 1
            self._encoding = _Encoding(self.states, self._letters, self._roots)
            for edge in self._edges:
                self._encoding.add(edge)

    def close(self) -> None:
        """Free the solver."""
        self._encoding.close()

    def _add(self, edge: _Edge) -> None:
        if edge not in self._edges:
            self._edges[edge] = None
            self._encoding.add(edge)


class _Encoding:
    """The clauses for automata with exactly this many states, all of them reachable."""

    def __init__(self, states: int, letters: int, roots: int) -> None:
        self._states = states
        self._letters = letters
        self._variables = states * letters * states
        self._solver = Solver(name=_SOLVER)
        self._at: dict[int, int] = {}
        for clause in self._deterministic():
            self._solver.add_clause(clause)
        for clause in self._ordered():
            self._solver.add_clause(clause)
        # Transitions exist unless constraints exclude them: measured, that needs fewer counterexamples.
        self._solver.set_phases(range(1, states * letters * states + 1))
        for node in range(roots):
            self._solver.add_clause([self._here(node, 0)])

    def _move(self, state: int, letter: int, target: int) -> int:
        return 1 + (state * self._letters + letter) * self._states + target

    def _here(self, node: int, state: int) -> int:
        if node not in self._at:
            self._at[node] = self._variables + 1
            self._variables += self._states
        return self._at[node] + state

    def _deterministic(self) -> Iterator[list[int]]:
        for state in range(self._states):
            for letter in range(self._letters):
                moves = [self._move(state, letter, target) for target in range(self._states)]
                for k, move in enumerate(moves):
                    yield from ([-move, -other] for other in moves[:k])

    def _ordered(self) -> Iterator[list[int]]:
        """State 0 first; the others in the order in which a breadth-first search by letters reaches them."""
        states, letters = range(self._states), range(self._letters)
        self._variables += self._states * self._states * 2
        first = self._variables - self._states * self._states * 2 + 1

        def leads(source: int, target: int) -> int:
            return first + source * self._states + target

        def parent(target: int, source: int) -> int:
            return first + self._states * self._states + target * self._states + source

        for target in states[1:]:
            for source in states[:target]:
                moves = [self._move(source, letter, target) for letter in letters]
                yield [-leads(source, target), *moves]
                yield from ([leads(source, target), -move] for move in moves)
                earlier = [leads(other, target) for other in range(source)]
                yield [-parent(target, source), leads(source, target)]
                yield from ([-parent(target, source), -other] for other in earlier)
                yield [parent(target, source), -leads(source, target), *earlier]
            yield [parent(target, source) for source in range(target)]
        for target in states[1:-1]:
            for source in states[:target]:
                yield from ([-parent(target, source), -parent(target + 1, other)] for other in range(source))
                both = [-parent(target, source), -parent(target + 1, source)]
                for letter in letters:
                    # The next state is reached by this letter only if this one is by an earlier letter.
                    earlier = [self._move(source, other, target) for other in range(letter)]
                    yield [*both, -self._move(source, letter, target + 1), *earlier]

    def add(self, edge: _Edge) -> None:
        """The clauses of an edge."""
        node, letter, target, exists = edge
        for state in range(self._states):
            here = self._here(node, state)
            moves = [self._move(state, letter, after) for after in range(self._states)]
            if target == REFUSED:
                for move in moves:
                    self._solver.add_clause([-here, -move])
                continue
            if exists:
                self._solver.add_clause([-here, *moves])
            for after, move in enumerate(moves):
                self._solver.add_clause([-here, -move, self._here(target, after)])

    def solved(self) -> Numbers | None:
        """The table of an automaton, None if there is none."""
        if not self._solver.solve():
            return None
        true = np.array(self._solver.get_model()[: self._states * self._letters * self._states]) > 0
        moves = true.reshape(self._states, self._letters, self._states)
        return np.where(moves.any(axis=2), moves.argmax(axis=2), REFUSED)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()
