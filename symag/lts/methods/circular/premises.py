"""Premises of the circular rule, checked on the fly: the product is explored breadth first, as far as needed.

``M |= A > g`` (Definition 3 of the paper): no word s.a with s.a in M and s in A is outside g when s is in g; the
last action need not be allowed by A. ``G |= P`` is the case in which all parts must allow the last action too.

Premises 1 .. n of the generic n-way rule are ``M_i |= G_i > g_i``, premise n + 1 is ``g_1 || .. || g_n |= P``. It is
sound for all G_i that do not contain g_i itself, and complete over the full interface alphabets; it is simplified by
them.

Reference: K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, "Automated Circular Assume-Guarantee
Reasoning with N-way Decomposition and Alphabet Refinement" (CAV 2016), sections 2, 3, 4 and 6.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.state_table import Packing, StateTable
from symag.lts.lts import Numbers
from symag.lts.methods.circular.projected_component import REFUSED, TableAutomaton
from symag.lts.words import Word

GuaranteeSets = tuple[frozenset[int], ...]


def maximal_sets(components: int) -> GuaranteeSets:
    """Every premise may use all the other assumptions."""
    everything = frozenset(range(components))
    return tuple(everything - {index} for index in range(components))


def minimal_sets(interfaces: Sequence[frozenset[str]]) -> GuaranteeSets:
    """Premise i may use the assumptions whose (full) alphabets share an action with that of g_i."""
    return tuple(
        frozenset(other for other, theirs in enumerate(interfaces) if other != index and mine & theirs)
        for index, mine in enumerate(interfaces)
    )


def connected(start: frozenset[str], alphabets: Sequence[frozenset[str]], among: Iterable[int]) -> frozenset[int]:
    """The components of ``among`` that share actions with ``start``, directly or through others."""
    left = set(among)
    reached: set[int] = set()
    frontier = start
    while True:
        near = {component for component in left if alphabets[component] & frontier}
        if not near:
            return frozenset(reached)
        reached |= near
        left -= near
        frontier = frozenset().union(*(alphabets[component] for component in near))


class SimplifiedRule(Struct, frozen=True):
    """The rule for some alphabets: ``used[i]`` is S(G_i), ``final`` is S(G_n+1).

    Only the premises of the members of ``final`` remain; ``closures[i]`` are the closed sets that contain g_i: each
    is a Cl(g_k), or the least closed set with g_i if no closure contains it.
    """

    used: GuaranteeSets
    final: frozenset[int]
    closures: tuple[tuple[frozenset[int], ...], ...]


def simplified(
    sets: GuaranteeSets, alphabets: Sequence[frozenset[str]], final_alphabet: frozenset[str]
) -> SimplifiedRule:
    """``alphabets[i]`` is that of g_i, ``final_alphabet`` the property's. Lemma 2: the premises stay equivalent."""
    used = tuple(connected(alphabets[index], alphabets, allowed) for index, allowed in enumerate(sets))
    final = connected(final_alphabet, alphabets, range(len(sets)))
    groups = {_closed(used, used[component]) for component in final}
    groups |= {
        _closed(used, frozenset((component,))) for component in final if not any(component in group for group in groups)
    }
    ordered = sorted(groups, key=lambda group: (len(group), sorted(group)))
    closures = tuple(tuple(group for group in ordered if index in group) for index in range(len(sets)))
    return SimplifiedRule(used, final, closures)


def _closed(used: GuaranteeSets, start: frozenset[int]) -> frozenset[int]:
    """The least set with these assumptions and those in the premises of all its members."""
    closed = start
    while True:
        larger = closed.union(*(used[component] for component in closed))
        if larger == closed:
            return closed
        closed = larger


_UNBOUNDED = 1 << 24
_CHUNK = 1 << 13


class Premise(Struct, frozen=True):
    """``strict`` parts must allow all of a word, ``guards`` all but its last action; ``goal`` must then allow it."""

    strict: tuple[TableAutomaton, ...]
    guards: tuple[TableAutomaton, ...]
    goal: TableAutomaton


class _Part:
    """The targets of an automaton over all actions of the product; actions of others do not change its state."""

    def __init__(self, automaton: TableAutomaton, labels: Sequence[str]) -> None:
        self.automaton = automaton
        column = {label: number for number, label in enumerate(labels)}
        self.own = np.array([column[label] for label in automaton.actions], dtype=np.int64)
        self.labels = len(labels)
        self.table = self._wide(np.arange(automaton.states)) if automaton.is_complete else None

    @property
    def size(self) -> int:
        return _UNBOUNDED if self.table is None else len(self.table)

    def targets(self, states: Numbers) -> Numbers:
        """The targets, a row for each state, a column for each action."""
        if self.table is None:
            return self._wide(states)
        rows: Numbers = self.table[states]
        return rows

    def after(self, states: Numbers, actions: Numbers) -> Numbers:
        """The target of each state by the action with the same index."""
        if self.table is None:
            following: Numbers = self._wide(states)[np.arange(len(states)), actions]
            return following
        following = self.table[states, actions]
        return following

    def _wide(self, states: Numbers) -> Numbers:
        rows = np.repeat(states.reshape(-1, 1), self.labels, axis=1)
        rows[:, self.own] = self.automaton.rows(states)
        return rows


class PremiseProduct:
    """The explored part of the product of a premise: ``states`` and ``transitions``."""

    def __init__(self, premise: Premise) -> None:
        automata = [*premise.strict, *premise.guards, premise.goal]
        self.labels = list(dict.fromkeys(label for part in automata for label in part.actions))
        self.parts = [_Part(automaton, self.labels) for automaton in automata]
        self.strict = len(premise.strict)
        packing = Packing([part.size for part in self.parts])
        self.table = StateTable(packing)
        self.table.add(packing.packed(np.zeros((1, len(self.parts)), dtype=np.int64)))
        self.came_from = [np.zeros(1, dtype=np.int64)]
        self.came_by = [np.zeros(1, dtype=np.int64)]
        self.transitions = 0
        self.found: dict[int, tuple[int, int]] = {}
        self.explored = 0

    @property
    def states(self) -> int:
        """The number of states so far."""
        return len(self.table)

    def refutations(self, limit: int, states: int | None = None) -> tuple[Word, ...]:
        """At most ``limit`` counterexamples, shortest first, one for each pair of a goal's state and a refused action.

        Continues the exploration until there are enough words, about ``states`` states are explored in all, or all
        states are. The premise holds if there is no word and the exploration is ``finished``.
        """
        while not self.finished and len(self.found) < limit and (states is None or self.explored < states):
            end = min(len(self.table), self.explored + _CHUNK)
            self._level(self.explored, end)
            self.explored = end
        before, by = np.concatenate(self.came_from), np.concatenate(self.came_by)
        words = []
        for state, action in list(self.found.values())[:limit]:
            labels = [self.labels[action]]
            while state:
                labels.append(self.labels[by[state]])
                state = int(before[state])
            words.append(tuple(reversed(labels)))
        return tuple(words)

    @property
    def finished(self) -> bool:
        """Whether all states are explored."""
        return self.explored == len(self.table)

    def _level(self, begin: int, end: int) -> None:
        """Explore from the states with these numbers."""
        packing, words = self.table.packing, self.table.words(begin, end)
        columns = [packing.column(words, k) for k in range(len(self.parts))]
        allowed = np.ones((len(words), len(self.labels)), dtype=np.bool_)
        for k in range(self.strict):
            allowed &= self.parts[k].targets(columns[k]) != REFUSED
        refused = self.parts[-1].targets(columns[-1]) == REFUSED
        self._refuted(begin, columns[-1], allowed & refused)
        allowed &= ~refused
        for k in range(self.strict, len(self.parts) - 1):
            allowed &= self.parts[k].targets(columns[k]) != REFUSED
        row, action = np.nonzero(allowed)
        following = words[row]
        for k, part in enumerate(self.parts):
            mine = columns[k][row]
            following[:, packing.word[k]] += packing.difference(k, mine, part.after(mine, action))
        self.transitions += len(row)
        explored = len(self.table)
        fresh, first = np.unique(self.table.add(following), return_index=True)
        first = first[fresh >= explored]
        self.came_from.append(row[first] + begin)
        self.came_by.append(action[first])

    def _refuted(self, begin: int, goals: Numbers, wrong: NDArray[np.bool_]) -> None:
        row, action = np.nonzero(wrong)
        codes, first = np.unique(goals[row] * len(self.labels) + action, return_index=True)
        for code, k in sorted(zip(codes.tolist(), first.tolist(), strict=True), key=lambda pair: pair[1]):
            self.found.setdefault(code, (int(row[k]) + begin, int(action[k])))
