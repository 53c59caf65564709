"""Assertions under fair choice, re-checked without automata: by splitting states until the formula is their label.

Fair choice gives every possible action some probability. Whether such runs almost surely have a property does not
depend on the probabilities, so a graph is enough. For p U q reachability gives three kinds of states: those from
which it is true with probability 1, with probability 0, or neither. Each of the latter becomes two states, one for
the runs on which p U q is true and one for the others. Edges are kept if the truth at both ends agrees with p U q =
q or p and X (p U q). In the new graph the formula is a label. Operands come first, so in the end the whole assertion
is a label. X p is treated the same way, and p R q as the negation of (not p) U (not q).

After a state without a successor comes one, for ever, at which literals and p R q are true and p U q is false: an
eventuality that is open when a run ends never comes, and an invariant that held so far is kept.

Source: C. Courcoubetis and M. Yannakakis, "The complexity of probabilistic verification", JACM 42(4), 1995, section
3.1 (the construction for one operator, Proposition 3.1.1 and after).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.limits import Deadline
from symag.core.ranges import distinct
from symag.lts.certify.sorted_states import CollisionError, Integers, SortedStates, Words
from symag.lts.certify.states import ExploredStates, ranges
from symag.lts.language.fluents import ActionOccurs, FluentInstance, Temporal, atoms, mentioned

_Truths = NDArray[np.bool_]
_Atom = FluentInstance | ActionOccurs


def is_violated(states: ExploredStates, formula: Temporal, deadline: Deadline, stem: Sequence[str] = ()) -> bool:
    """Whether the formula is violated by fair runs, or by finite ones that end.

    ``states`` has no move to ERROR. With a ``stem`` of actions, only runs count that begin with it and are then in
    state 0 of ``states``. Costs the number of moves times that of the fluents' values, at most doubled for each
    temporal operator. Raises OutOfTimeError.
    """
    for salt in itertools.count():
        try:
            chain = _Chain(_Moments(states, formula, stem, salt).run(deadline), deadline)
        except CollisionError:
            continue
        return chain.is_possible_at_first(~chain.label(formula))
    raise AssertionError("there is always another salt")


class _Graph(Struct, frozen=True, eq=False):
    """Moments are numbered from 0, the initial one; every one has an edge. ``true[k]`` are the moments at which atom k
    is true; ``beyond`` is the moment after the end of finite runs (None: no run ends).
    """

    count: int
    source: Integers
    target: Integers
    atoms: tuple[_Atom, ...]
    true: tuple[_Truths, ...]
    beyond: int | None


class _Moments:
    """States with the truth of the atoms, as bits of words, found breadth first."""

    def __init__(self, states: ExploredStates, formula: Temporal, stem: Sequence[str], salt: int) -> None:
        self._found = states
        self._stem = stem
        self._atoms = tuple(sorted(atoms(formula), key=repr))
        self._words = len(self._atoms) // 64 + 1
        #: Actions that no component has may happen at any time, and change no state.
        free = tuple(sorted(mentioned(formula).difference(states.labels)))
        self._labels = (*states.labels, *free)
        order = np.argsort(states.source, kind="stable")
        self._first = np.searchsorted(states.source[order], np.arange(states.states + 1))
        self._label, self._target = states.label[order], states.target[order]
        self._free = np.arange(len(states.labels), len(self._labels), dtype=np.int64)
        self._kept, self._set = self._changes(self._labels)
        self._states = SortedStates(1 + self._words, salt)

    def _changes(self, labels: Sequence[str]) -> tuple[Words, Words]:
        """For each label the bits that keep their values, and those that become true."""
        unchanged = np.zeros((len(labels), self._words), dtype=np.uint64)
        after = np.zeros((len(labels), self._words), dtype=np.uint64)
        for index, atom in enumerate(self._atoms):
            word, bit = index // 64, np.uint64(1 << (index % 64))
            for number, label in enumerate(labels):
                if label in (atom.initiating if isinstance(atom, FluentInstance) else atom.actions):
                    after[number, word] |= bit
                elif isinstance(atom, FluentInstance) and label not in atom.terminating:
                    unchanged[number, word] |= bit
        return unchanged, after

    def run(self, deadline: Deadline) -> _Graph:
        # The moments of the stem are not in explored states: their state numbers come after all others.
        now = np.zeros((1, self._words), dtype=np.uint64)
        for index, atom in enumerate(self._atoms):
            if isinstance(atom, FluentInstance) and atom.initially:
                now[0, index // 64] |= np.uint64(1 << (index % 64))
        rows = []
        for number, label in enumerate(self._stem, self._found.states):
            rows.append(np.concatenate([[[np.uint64(number)]], now], axis=1))
            unchanged, after = self._changes([label])
            now = (now & unchanged) | after
        rows.append(np.concatenate([[[np.uint64(0)]], now], axis=1))
        for row in rows:
            self._states.numbers(row)
        sources = [np.arange(len(self._stem), dtype=np.int64)]
        targets = [np.arange(1, len(self._stem) + 1, dtype=np.int64)]
        done = len(self._stem)
        ends = []
        while done < self._states.count:
            deadline.check()
            batch = self._states.words[done : min(self._states.count, done + (1 << 16))]
            mover, following = self._moves(batch)
            sources.append(mover + done)
            targets.append(self._states.numbers(following))
            going_on = np.zeros(len(batch), dtype=bool)
            going_on[mover] = True
            ends.append(np.flatnonzero(~going_on) + done)
            done += len(batch)
        return self._graph(np.concatenate(sources), np.concatenate(targets), np.concatenate(ends))

    def _moves(self, batch: Words) -> tuple[Integers, Words]:
        state = batch[:, 0].astype(np.int64)
        first, last = self._first[state], self._first[state + 1]
        chosen = ranges(first, last)
        row = np.concatenate(
            [np.repeat(np.arange(len(batch)), last - first), np.repeat(np.arange(len(batch)), len(self._free))]
        )
        label = np.concatenate([self._label[chosen], np.tile(self._free, len(batch))])
        target = np.concatenate([self._target[chosen], np.repeat(state, len(self._free))])
        following = np.empty((len(row), 1 + self._words), dtype=np.uint64)
        following[:, 0] = target.astype(np.uint64)
        following[:, 1:] = (batch[row, 1:] & self._kept[label]) | self._set[label]
        return row, following

    def _graph(self, source: Integers, target: Integers, ends: Integers) -> _Graph:
        count, beyond = self._states.count, None
        true = []
        for index in range(len(self._atoms)):
            bits = self._states.words[:count, 1 + index // 64] >> np.uint64(index % 64)
            true.append((bits & np.uint64(1)).astype(bool))
        if len(ends):
            beyond = count
            source = np.concatenate([source, ends, [beyond]])
            target = np.concatenate([target, np.full(len(ends) + 1, beyond)])
            true = [np.append(column, False) for column in true]
            count += 1
        return _Graph(count, source, target, self._atoms, tuple(true), beyond)


class _Chain:
    """A graph whose states are split until formulas are labels of them."""

    def __init__(self, graph: _Graph, deadline: Deadline) -> None:
        self._deadline = deadline
        self._count = graph.count
        self._source, self._target = graph.source, graph.target
        self._atoms = graph.atoms
        self._initial = np.zeros(graph.count, dtype=bool)
        self._initial[0] = True
        self._beyond = np.zeros(graph.count, dtype=bool)
        if graph.beyond is not None:
            self._beyond[graph.beyond] = True
        self._true = list(graph.true)
        self._labels: dict[Temporal, _Truths] = {}

    def is_possible_at_first(self, label: _Truths) -> bool:
        """Whether some run has the label at its first position, which comes after the initial moment."""
        return bool(label[self._target[self._initial[self._source]]].any())

    def label(self, formula: Temporal) -> _Truths:
        """The states in which a formula in negation normal form is true. Splits states."""
        for operand in formula.operands:
            self.label(operand)
        if formula not in self._labels:
            self._deadline.check()
            self._labels[formula] = self._new(formula)
        return self._labels[formula]

    def _new(self, formula: Temporal) -> _Truths:
        labels = [self._labels[operand] for operand in formula.operands]
        match formula.operator:
            case "true":
                return np.ones(self._count, dtype=bool)
            case "false":
                return np.zeros(self._count, dtype=bool)
            case "atom" | "not atom":
                assert formula.atom is not None
                true = self._true[self._atoms.index(formula.atom)]
                return (true if formula.operator == "atom" else ~true) | self._beyond
            case "and":
                return labels[0] & labels[1]
            case "or":
                return labels[0] | labels[1]
            case "X":
                return self._next(labels[0])
            case "U":
                return self._until(labels[0], labels[1])
            case "R":
                return ~self._until(~labels[0], ~labels[1])
            case _:
                raise ValueError(f"not in negation normal form: {formula.operator}")

    def _next(self, operand: _Truths) -> _Truths:
        some, other = np.zeros(self._count, dtype=bool), np.zeros(self._count, dtype=bool)
        some[self._source[operand[self._target]]] = True
        other[self._source[~operand[self._target]]] = True
        label, old = self._split(some, some & other)
        # The truth of a state's copy is that of the operand after it.
        self._keep(label[self._source] == operand[old][self._target])
        return label

    def _until(self, first: _Truths, last: _Truths) -> _Truths:
        last = last & ~self._beyond
        waiting = first & ~last & ~self._beyond
        possible = self._back(last, waiting)
        refused = self._back(~possible, waiting)
        label, old = self._split(possible, possible & refused)
        self._keep(~waiting[old][self._source] | (label[self._source] == label[self._target]))
        return label

    def _back(self, goal: _Truths, through: _Truths) -> _Truths:
        """The states in ``goal``, and those from which a path through states of ``through`` leads there."""
        inner = np.flatnonzero(through[self._source])
        inner = inner[np.argsort(self._target[inner], kind="stable")]
        first = np.searchsorted(self._target[inner], np.arange(self._count + 1))
        before = self._source[inner]
        reached = goal.copy()
        waiting = np.flatnonzero(goal)
        while len(waiting):
            self._deadline.check()
            predecessors = before[ranges(first[waiting], first[waiting + 1])]
            waiting = distinct(predecessors[~reached[predecessors]])
            reached[waiting] = True
        return reached

    def _split(self, label: _Truths, both: _Truths) -> tuple[_Truths, Integers]:
        """Copy the states of ``both`` with the other label; return the labels, and the original of each state."""
        second = np.flatnonzero(both)
        number = np.full(self._count, -1, dtype=np.int64)
        number[second] = self._count + np.arange(len(second))
        old = np.concatenate([np.arange(self._count), second])
        new = np.concatenate([label, ~label[second]])
        source, target = self._source, self._target
        for end in (0, 1):
            ends = (source, target)[end]
            copied = np.flatnonzero(number[ends] >= 0)
            other = number[ends[copied]]
            source, target = (
                np.concatenate([source, other if end == 0 else source[copied]]),
                np.concatenate([target, other if end == 1 else target[copied]]),
            )
        self._source, self._target = source, target
        self._count = len(old)
        self._initial, self._beyond = self._initial[old], self._beyond[old]
        self._true = [column[old] for column in self._true]
        self._labels = {formula: column[old] for formula, column in self._labels.items()}
        return new, old

    def _keep(self, edges: _Truths) -> None:
        self._source, self._target = self._source[edges], self._target[edges]
