"""Assumptions of least total size that satisfy constraints on their words, found by an incremental SAT solver.

A constraint is a disjunction of ``+(w, i)``, w is in L(g_i), and ``-(w, i)``, it is not. The words of each
assumption form a tree. Variables say whether a node's word is accepted, in which state it ends, and what the
transitions are. Nodes are added with constraints, and states when they are needed, so the solver keeps its learned
clauses and nothing is encoded twice.

References: K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, CAV 2016, section 6.1 (least sum of states,
disjunctions by log n selectors); M. J. H. Heule and S. Verwer, "Software model synthesis using satisfiability
solvers" (2013), for automata from a tree of words. Symmetry is broken by numbering states in the order in
which the nodes of the tree first reach them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from symag.lts.methods.circular.constraint_generation import Constraint
from symag.lts.methods.circular.projected_component import REFUSED, TableAutomaton
from symag.lts.words import Word

_SOLVER = "glucose4"


def disjunction(literals: Sequence[int], fresh: Callable[[], int]) -> list[list[int]]:
    """Clauses for the disjunction of these literals: log n selector variables encode which one is true."""
    if len(literals) <= 2:
        return [list(literals)]
    selectors = [fresh() for _ in range((len(literals) - 1).bit_length())]
    clauses = []
    for code in range(1 << len(selectors)):
        chosen = literals[min(code, len(literals) - 1)]
        clauses.append([chosen, *(-s if code >> bit & 1 else s for bit, s in enumerate(selectors))])
    return clauses


class AssumptionSearch:
    """Assumptions over ``alphabets`` (by part); ``likely(part, word)`` guesses whether the word should be accepted.

    With ``selectors`` a disjunction is encoded as in the paper; else it is one clause, since here every
    membership is a variable. The answers are of the same size. ``calls`` and ``seconds`` are those of the solver.
    """

    def __init__(
        self, alphabets: Mapping[int, tuple[str, ...]], likely: Callable[[int, Word], bool], *, selectors: bool
    ) -> None:
        self.calls = 0
        self.seconds = 0.0
        self.total = len(alphabets)
        self._likely = likely
        self._selectors = selectors
        self._variables = 0
        self._solver = Solver(name=_SOLVER, incr=False)
        self._shapes = {component: _Shape(self, component, alphabet) for component, alphabet in alphabets.items()}
        self._required: set[Constraint] = set()
        self._bounds: dict[tuple[int, int], int] = {}

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    def variable(self) -> int:
        """A fresh variable."""
        self._variables += 1
        return self._variables

    def clause(self, *literals: int) -> None:
        """Add a clause."""
        self._solver.add_clause(literals)

    def guess(self, literal: int) -> None:
        """Set the phase of a variable that the solver tries first."""
        self._solver.set_phases([literal])

    def likely(self, component: int, word: Word) -> bool:
        """Whether the caller of the search expects the word to be accepted."""
        return self._likely(component, word)

    def require(self, constraints: Iterable[Constraint]) -> int:
        """Add constraints; return the number of new ones."""
        fresh = [candidate for candidate in dict.fromkeys(constraints) if candidate not in self._required]
        self._required.update(fresh)
        for constraint in fresh:
            literals = [
                node if membership.accepted else -node
                for membership in constraint
                for node in (self._shapes[membership.place].accepted(membership.word),)
            ]
            for clause in disjunction(literals, self.variable) if self._selectors else [literals]:
                self.clause(*clause)
        return len(fresh)

    def smallest(self) -> dict[int, TableAutomaton]:
        """By part, assumptions that satisfy all constraints, of least total size (``total`` from now on).

        Raises ValueError if the constraints contradict each other.
        """
        while True:
            before = time.process_time()
            satisfied = self._solver.solve(assumptions=[self._bound()])
            self.seconds += time.process_time() - before
            self.calls += 1
            if not satisfied:
                if not self._solver.get_core():
                    raise ValueError("the constraints contradict each other")
                self.total += 1
                continue
            model = self._solver.get_model()
            small = [shape for shape in self._shapes.values() if model[shape.beyond - 1] > 0]
            if not small:
                return {component: shape.automaton(model) for component, shape in self._shapes.items()}
            for shape in small:
                shape.grow()

    def _bound(self) -> int:
        """A literal that implies that at most ``total`` states are used; all states not made yet count as one."""
        used = [literal for shape in self._shapes.values() for literal in (*shape.used[1:], shape.beyond)]
        key = (self.total, len(used))
        if key not in self._bounds:
            self._bounds[key] = self.variable()
            spare = self.total - len(self._shapes)
            if len(used) > spare:
                encoded = CardEnc.atmost(used, spare, top_id=self._variables, encoding=EncType.seqcounter)
                self._variables = max(self._variables, encoded.nv)
                for clause in encoded.clauses:
                    self.clause(-self._bounds[key], *clause)
        return self._bounds[key]


class _Shape:
    """The variables of one assumption.

    Numbers of states have an order encoding: ``ends[v][q]`` says that node v ends in state q or a later one, so
    ``ends[v][0]`` says that its word is accepted; ``moves[q][a][r]`` says that the transition by a exists and leads to
    r or later. ``end`` and ``move`` are the corresponding equalities. ``beyond`` is true if more states than these are
    used; these are made, with their constraints, when the solver sets it.
    """

    def __init__(self, search: AssumptionSearch, component: int, alphabet: tuple[str, ...]) -> None:
        self.search = search
        self.place = component
        self.alphabet = alphabet
        self.column = {label: column for column, label in enumerate(alphabet)}
        self.states = 0
        self.beyond = search.variable()
        self.words: list[Word] = []
        self.parent: list[tuple[int, int]] = []
        self.child: dict[tuple[int, int], int] = {}
        self.ends: list[list[int]] = []
        self.end: list[list[int]] = []
        self.seen: list[list[int]] = []
        self.moves: list[list[list[int]]] = []
        self.move: list[list[list[int]]] = []
        self.used: list[int] = []
        self._node((), (-1, -1))
        self.grow()
        self.search.clause(self.ends[0][0])
        self.search.clause(self.end[0][0])

    def accepted(self, word: Word) -> int:
        """The variable that says whether the word is accepted."""
        node = 0
        for length, label in enumerate(word, start=1):
            key = (node, self.column[label])
            if key not in self.child:
                self.child[key] = self._node(word[:length], key)
            node = self.child[key]
        return self.ends[node][0]

    def _node(self, word: Word, key: tuple[int, int]) -> int:
        number = len(self.words)
        accepted = self.search.variable()
        self.search.guess(accepted if self.search.likely(self.place, word) else -accepted)
        self.words.append(word)
        self.parent.append(key)
        self.ends.append([accepted])
        self.end.append([])
        self.seen.append([])
        if number:
            self.search.clause(-accepted, self.ends[key[0]][0])
        for state in range(self.states):
            self._place_node(number, state)
        if number:
            for source in range(self.states):
                self._link_existence(number, source)
                for target in range(self.states):
                    self._link(number, source, target)
        self._limit(self.ends[number][-1])
        return number

    def grow(self) -> None:
        """Add a state."""
        state = self.states
        clause, variable = self.search.clause, self.search.variable
        self.states += 1
        self.beyond = variable()
        self.used.append(variable())
        self.search.guess(-self.beyond)
        clause(-self.beyond, self.used[state])
        if state:
            clause(-self.used[state], self.used[state - 1])
        self.moves.append([[variable()] for _ in self.alphabet])
        self.move.append([[] for _ in self.alphabet])
        for source in range(self.states):
            for column in range(len(self.alphabet)):
                first = 0 if source == state else state
                for target in range(first, self.states):
                    self._ordered(self.moves[source][column], self.move[source][column], target)
                self._limit(self.moves[source][column][-1])
        for node in range(len(self.words)):
            self._place_node(node, state)
            self._limit(self.ends[node][-1])
        for node in range(1, len(self.words)):
            self._link_existence(node, state)
            for other in range(self.states):
                self._link(node, state, other)
                if other != state:
                    self._link(node, other, state)

    def _limit(self, later: int) -> None:
        self.search.clause(-later, self.beyond)

    def _ordered(self, at_least: list[int], exactly: list[int], value: int) -> None:
        """Extend an order encoding by one value."""
        clause = self.search.clause
        later, here = self.search.variable(), self.search.variable()
        at_least.append(later)
        exactly.append(here)
        clause(-later, at_least[value])
        clause(-here, at_least[value])
        clause(-here, -later)
        clause(-at_least[value], later, here)

    def _place_node(self, node: int, state: int) -> None:
        clause = self.search.clause
        self._ordered(self.ends[node], self.end[node], state)
        here = self.end[node][state]
        clause(-self.ends[node][state], self.used[state])
        # Symmetry: a node may be the first one in a state only if an earlier node is in the preceding state.
        seen = self.search.variable()
        self.seen[node].append(seen)
        if node:
            clause(-seen, self.seen[node - 1][state], here)
            if state:
                clause(-here, self.seen[node - 1][state - 1])
        else:
            clause(-seen, here)

    def _link_existence(self, node: int, source: int) -> None:
        before, column = self.parent[node]
        exists, accepted = self.moves[source][column][0], self.ends[node][0]
        self.search.clause(-self.end[before][source], -accepted, exists)
        self.search.clause(-self.end[before][source], accepted, -exists)

    def _link(self, node: int, source: int, target: int) -> None:
        before, column = self.parent[node]
        there, here = self.end[before][source], self.end[node][target]
        step = self.move[source][column][target]
        self.search.clause(-there, -step, here)
        self.search.clause(-there, -here, step)

    def automaton(self, model: Sequence[int]) -> TableAutomaton:
        """The automaton of a solver's model; it refuses words that are in no constraint."""
        states: list[int] = []
        for ends, end in zip(self.ends, self.end, strict=True):
            accepted = model[ends[0] - 1] > 0
            states.append(next(q for q, here in enumerate(end) if model[here - 1] > 0) if accepted else REFUSED)
        table = np.full((max(states) + 1, len(self.alphabet)), REFUSED, dtype=np.int64)
        for (node, column), child in self.child.items():
            if states[node] != REFUSED:
                table[states[node], column] = states[child]
        return TableAutomaton(self.alphabet, table)
