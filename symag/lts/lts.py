"""Labelled transition systems, and the operations on one of them.

- States are 0 .. ``states`` - 1 and 0 is initial; a target of ERROR (-1) is the error state, which has no
  transitions and is not counted among the states.
- Action 0 is ``tau``; ``alphabet`` names the actions, each once, whether or not a transition has it.
- Transitions are sorted by source and then by action, each once.
- ``end`` is the state in which a sequential process has ended (None if it has none); it is not a deadlock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from symag.core.ranges import ranges
from symag.core.values import replace

ERROR = -1
TAU = 0
#: The largest number of transitions of a system that is drawn.
_MOST_DRAWN = 120

Numbers = NDArray[np.int64]
_NONE = np.zeros(0, dtype=np.int64)


class Lts(Struct, frozen=True, eq=False):
    """A labelled transition system; ``source``, ``action`` and ``target`` are parallel arrays.

    In a notebook a small system is drawn, a large one summed up.
    """

    name: str
    alphabet: tuple[str, ...]
    states: int
    source: Numbers = field(default_factory=lambda: _NONE)
    action: Numbers = field(default_factory=lambda: _NONE)
    target: Numbers = field(default_factory=lambda: _NONE)
    end: int | None = None
    is_property: bool = False

    def __repr__(self) -> str:
        return f"{self.name}: {self.states} states, {len(self.source)} transitions, {len(self.alphabet) - 1} actions"

    def _repr_html_(self) -> str:
        # For start-up: only notebooks show HTML.
        from html import escape

        from symag.traces.automata_picture import MOST_STATES, automata_svg, drawn_system

        if self.states > MOST_STATES or len(self.source) > _MOST_DRAWN:
            return f"<p>{escape(repr(self))}</p>"
        names = {} if self.end is None else {self.end: "END"}
        moves = [(source, self.alphabet[action], target) for source, action, target in self.triples()]
        return automata_svg([drawn_system(repr(self), self.states, moves, {**names, ERROR: "ERROR"})], self.name)

    @classmethod
    def of(
        cls,
        name: str,
        alphabet: Sequence[str],
        states: int,
        transitions: Iterable[tuple[int, int, int]],
        end: int | None = None,
        is_property: bool = False,
    ) -> Lts:
        """A system from transitions as triples in any order."""
        rows = np.array(list(transitions), dtype=np.int64).reshape(-1, 3)
        return cls.of_arrays(name, alphabet, states, rows[:, 0], rows[:, 1], rows[:, 2], end, is_property)

    @classmethod
    def of_arrays(
        cls,
        name: str,
        alphabet: Sequence[str],
        states: int,
        source: Numbers,
        action: Numbers,
        target: Numbers,
        end: int | None = None,
        is_property: bool = False,
    ) -> Lts:
        """A system from transitions as parallel arrays in any order; duplicates are removed."""
        if states * (states + 1) * len(alphabet) < 1 << 62:
            key = (source * len(alphabet) + action) * (states + 1) + target + 1
            key.sort()
            pair, after = np.divmod(key[np.flatnonzero(np.diff(key, prepend=-1))], states + 1)
            columns = [*np.divmod(pair, len(alphabet)), after - 1]
        else:
            order = np.lexsort((target, action, source))
            columns = [source[order], action[order], target[order]]
            fresh = np.ones(len(order), dtype=bool)
            fresh[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
            columns = [column[fresh] for column in columns]
        return cls(name, tuple(alphabet), states, columns[0], columns[1], columns[2], end, is_property)

    @property
    def transitions(self) -> int:
        """The number of transitions, including those to ERROR."""
        return len(self.source)

    def each_once(self) -> Lts:
        """The same system without duplicates, which tau of several components makes; they are sought only there."""
        silent = np.flatnonzero(self.action == 0)
        pairs = self.source[silent] * (self.states + 1) + self.target[silent] + 1
        if len(np.unique(pairs)) == len(pairs):
            return self
        columns = (self.source, self.action, self.target)
        return Lts.of_arrays(self.name, self.alphabet, self.states, *columns, self.end, self.is_property)

    @property
    def has_error(self) -> bool:
        """Whether a transition leads to ERROR."""
        return bool((self.target == ERROR).any())

    def triples(self) -> list[tuple[int, int, int]]:
        """The transitions as a list."""
        return list(zip(self.source.tolist(), self.action.tolist(), self.target.tolist(), strict=True))

    def offsets(self) -> Numbers:
        """The index of each state's first transition; one entry more than states."""
        return np.searchsorted(self.source, np.arange(self.states + 1))

    def successors(self) -> list[list[tuple[int, int]]]:
        """The pairs (action, target) of each state."""
        successors: list[list[tuple[int, int]]] = [[] for _ in range(self.states)]
        for source, action, target in self.triples():
            successors[source].append((action, target))
        return successors

    def is_deterministic(self) -> bool:
        """Whether there is no tau, and at most one target for each state and action."""
        if (self.action == TAU).any():
            return False
        same = (self.source[1:] == self.source[:-1]) & (self.action[1:] == self.action[:-1])
        return not same.any()


def reachable(system: Lts) -> Lts:
    """The system with its reachable states only, numbered in the order of a depth-first search."""
    first, targets = system.offsets().tolist(), system.target.tolist()
    numbers = [-1] * system.states
    count = 0
    stack = [0]
    while stack:
        state = stack.pop()
        if state == ERROR or numbers[state] >= 0:
            continue
        numbers[state] = count
        count += 1
        stack.extend(targets[first[state] : first[state + 1]][::-1])
    number = np.array([*numbers, ERROR], dtype=np.int64)  # index -1 is the last entry: ERROR
    chosen = number[system.source] >= 0
    end = None if system.end is None or numbers[system.end] < 0 else numbers[system.end]
    columns = number[system.source[chosen]], system.action[chosen], number[system.target[chosen]]
    return Lts.of_arrays(system.name, system.alphabet, count, *columns, end, system.is_property)


def renamed(system: Lts, labels: Sequence[Sequence[str]]) -> Lts:
    """The system in which action k becomes every label of ``labels[k]`` (k from 1); an action without one becomes tau.

    Actions with the same new label become one action.
    """
    alphabet = ["tau"]
    number = {"tau": TAU}
    for names in labels[1:]:
        for label in names:
            if label not in number:
                number[label] = len(alphabet)
                alphabet.append(label)
    images = [[TAU], *([number[label] for label in new] or [TAU] for new in labels[1:])]
    last = np.cumsum([len(targets) for targets in images])
    first = last - [len(targets) for targets in images]
    image = np.array([new for targets in images for new in targets], dtype=np.int64)
    action = image[ranges(first[system.action], last[system.action])]
    times = (last - first)[system.action]
    source, target = np.repeat(system.source, times), np.repeat(system.target, times)
    return Lts.of_arrays(system.name, alphabet, system.states, source, action, target, system.end, system.is_property)


def prefixed(system: Lts, prefix: str) -> Lts:
    """``prefix:P``: every label gets the prefix."""
    alphabet = ("tau", *(f"{prefix}.{label}" for label in system.alphabet[1:]))
    return replace(system, name=f"{prefix}:{system.name}", alphabet=alphabet)


def shared(system: Lts, prefixes: Sequence[str]) -> Lts:
    """``{a,b}::P``: every transition once for each prefix."""
    labels = [["tau"], *([f"{prefix}.{label}" for prefix in prefixes] for label in system.alphabet[1:])]
    return replace(renamed(system, labels), name=f"{{{','.join(prefixes)}}}::{system.name}")


def new_labels(label: str, relabelling: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The new labels of a label: those of itself, or else of its longest prefix that is relabelled."""
    if label in relabelling:
        return relabelling[label]
    prefix = label
    while "." in prefix:
        prefix = prefix.rpartition(".")[0]
        if prefix in relabelling:
            return [new + label[len(prefix) :] for new in relabelling[prefix]]
    return [label]


def relabelled(system: Lts, relabelling: Mapping[str, Sequence[str]]) -> Lts:
    """``P/{new/old}``, where an old label may have several new ones; prefixes of labels count too."""
    return renamed(system, [["tau"], *(new_labels(label, relabelling) for label in system.alphabet[1:])])


def matches(label: str, patterns: Collection[str]) -> bool:
    """Whether the label or a prefix of it (up to a dot) is among the patterns."""
    while True:
        if label in patterns:
            return True
        if "." not in label:
            return False
        label = label.rpartition(".")[0]


def hidden(system: Lts, labels: Collection[str], *, expose: bool) -> Lts:
    """The system in which these actions (with ``expose`` all others) are tau."""
    new_labels_of = [["tau"], *([label] if matches(label, labels) == expose else [] for label in system.alphabet[1:])]
    return renamed(system, new_labels_of)


def completed_with_error(system: Lts) -> Lts:
    """The system as a property: actions that a state lacks lead to ERROR. It must be deterministic and without tau."""
    labels = len(system.alphabet)
    missing = np.ones((system.states, labels), dtype=bool)
    missing[:, TAU] = False
    missing[system.source, system.action] = False
    state, action = np.nonzero(missing)
    return Lts.of_arrays(
        system.name,
        system.alphabet,
        system.states,
        np.concatenate([system.source, state]),
        np.concatenate([system.action, action]),
        np.concatenate([system.target, np.full(len(state), ERROR)]),
        None,
        True,
    )
