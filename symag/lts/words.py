"""From a word of visible actions to a run of the composition to ERROR.

For a given word the components are independent: a run of the composition along it is one run of each component. So
each component is searched alone, and the product is never built.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from symag.core.trace import Step, Trace
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, Lts

Word = tuple[str, ...]


def projected(word: Sequence[str], alphabet: Collection[str]) -> Word:
    """The word without the actions that are not in the alphabet."""
    return tuple(action for action in word if action in alphabet)


#: States, each with the fewest inserted moves so far and the move that led there: the state before, and its label
#: (None for the last letter of the word).
_Layer = dict[int, tuple[int, tuple[int, str | None] | None]]


class _Path(Struct, frozen=True):
    """A component's run along a word: ``inserted[p]`` are private moves before letter p, ``read[p]`` its state after
    letter p (unchanged if it does not have the letter).
    """

    inserted: tuple[tuple[tuple[str, int], ...], ...]
    read: tuple[int, ...]


def realised(system: System, word: Sequence[str]) -> Trace | None:
    """A shortest run to ERROR along a prefix of the word; None if there is none, or if a label is unknown.

    Besides the word's actions the run may have tau, and actions that only one component has, wherever that component
    can do them. Priorities are ignored. Costs the word's length times the transitions of the components.
    """
    runs = _runs(system, word)
    if runs is None:
        return None
    best: tuple[int, int, bool, int] | None = None
    for length in range(len(word) + 1):
        for by_letter in (False, True)[: 1 + (length < len(word))]:
            costs = [run.cost(length, by_letter) for run in runs]
            for culprit, run in enumerate(runs):
                failing = run.cost(length, by_letter, failing=True)
                needed = [failing, *costs[:culprit], *costs[culprit + 1 :]]
                if all(count is not None for count in needed):
                    candidate = length + by_letter + sum(count or 0 for count in needed), length, by_letter, culprit
                    best = candidate if best is None else min(best, candidate)
    if best is None:
        return None
    _, length, by_letter, culprit = best
    paths = [run.path(length, by_letter, failing=k == culprit) for k, run in enumerate(runs)]
    return _merged(system.components, paths, word[: length + by_letter], culprit)


def run_to(system: System, word: Sequence[str], goal: Sequence[int]) -> Trace | None:
    """A run with the actions of the word that ends with the components in the states ``goal``; None if there is none.

    Besides the word's actions the run may have moves as in ``realised``, and it has as few of them as possible.
    """
    runs = _runs(system, word)
    if runs is None or not all(state in run.layers[-1] for run, state in zip(runs, goal, strict=True)):
        return None
    paths = [run.path_to(len(word), state) for run, state in zip(runs, goal, strict=True)]
    return _merged(system.components, paths, word, culprit=-1)


def _runs(system: System, word: Sequence[str]) -> list[_Runs] | None:
    """The runs of each component; None if no component has one of the labels."""
    owners = Counter(label for lts in system.components for label in lts.alphabet[1:])
    if any(label not in owners for label in word):
        return None
    return [_Runs(lts, word, owners) for lts in system.components]


def local_names(components: Sequence[Lts]) -> list[str]:
    """The components' names; a name that an earlier component has gets its number as suffix."""
    names = [lts.name for lts in components]
    return [f"{name}#{index}" if name in names[:index] else name for index, name in enumerate(names)]


class _Runs:
    """All runs of one component along a word, with as few inserted moves as possible.

    ``layers[p]`` are the states (not ERROR) that it can be in just before letter p.
    """

    def __init__(self, lts: Lts, word: Sequence[str], owners: Mapping[str, int]) -> None:
        self._word = word
        self._own = frozenset(lts.alphabet[1:])
        self._free: list[list[tuple[str, int]]] = [[] for _ in range(lts.states)]
        self._reading: list[dict[str, list[int]]] = [{} for _ in range(lts.states)]
        for source, action, target in lts.triples():
            label = lts.alphabet[action]
            if action == 0 or owners[label] == 1:
                self._free[source].append((label, target))
            if action:
                self._reading[source].setdefault(label, []).append(target)
        self.layers = [self._widened({0: (0, None)})]
        for label in word:
            self.layers.append(self._widened(self._after(self.layers[-1], label)))

    def _after(self, layer: _Layer, label: str) -> _Layer:
        entered: _Layer = {}
        for state, (cost, _) in layer.items():
            for target in self._reading[state].get(label, ()) if label in self._own else (state,):
                if target != ERROR and (target not in entered or cost < entered[target][0]):
                    entered[target] = cost, (state, None)
        return entered

    def _widened(self, entered: _Layer) -> _Layer:
        """The layer with the states that inserted moves lead to, by least cost."""
        layer = dict(entered)
        waiting = [(cost, state) for state, (cost, _) in entered.items()]
        heapq.heapify(waiting)
        while waiting:
            cost, state = heapq.heappop(waiting)
            if cost > layer[state][0]:
                continue
            for label, target in self._free[state]:
                if target != ERROR and (target not in layer or cost + 1 < layer[target][0]):
                    layer[target] = cost + 1, (state, label)
                    heapq.heappush(waiting, (cost + 1, target))
        return layer

    def _last(self, length: int, by_letter: bool, failing: bool) -> tuple[int, int, str | None] | None:
        """Cost and state just before the failing step, and its label if it is an inserted move of this component."""
        letter = self._word[length] if by_letter else None
        ends: list[tuple[int, int, str]] = []
        for state, (cost, _) in self.layers[length].items():
            if letter is not None:
                targets = self._reading[state].get(letter, []) if letter in self._own else [state]
                if ERROR in targets if failing else targets:
                    ends.append((cost, state, ""))
            elif failing:
                ends.extend((cost + 1, state, label) for label, target in self._free[state] if target == ERROR)
            else:
                ends.append((cost, state, ""))
        if not ends:
            return None
        cost, state, label = min(ends)
        return cost, state, label or None

    def cost(self, length: int, by_letter: bool, failing: bool = False) -> int | None:
        """The least number of inserted moves of a run over ``length`` letters that can read one more (``by_letter``).

        ``failing``: the run reaches ERROR by that letter or, without it, by an inserted move. None: no such run.
        """
        end = self._last(length, by_letter, failing)
        return None if end is None else end[0]

    def path(self, length: int, by_letter: bool, failing: bool) -> _Path:
        """A run with the cost that ``cost`` gives."""
        last = self._last(length, by_letter, failing)
        assert last is not None
        _, state, label = last
        return self.path_to(length, state, label)

    def path_to(self, length: int, state: int, failing: str | None = None) -> _Path:
        """A run over ``length`` letters to a state, and by the inserted move ``failing`` on to ERROR."""
        inserted: list[list[tuple[str, int]]] = [[] for _ in range(length + 1)]
        read = [state] * length
        if failing is not None:
            inserted[length].append((failing, ERROR))
        position = length
        while (step := self.layers[position][state][1]) is not None:
            before, move = step
            if move is None:
                position -= 1
                read[position] = state
            else:
                inserted[position].insert(0, (move, state))
            state = before
        return _Path(tuple(tuple(moves) for moves in inserted), tuple(read))


def _merged(components: Sequence[Lts], paths: Sequence[_Path], word: Sequence[str], culprit: int) -> Trace:
    names = local_names(components)
    local = [0] * len(components)
    states, labels = [tuple(local)], []
    turns = sorted(range(len(components)), key=lambda k: (k == culprit, k))  # the component that fails moves last
    for index in range(len(paths[0].inserted)):
        for k in turns:
            for label, target in paths[k].inserted[index]:
                local[k] = target
                states.append(tuple(local))
                labels.append(label)
        if index < len(word):
            local = [path.read[index] if index < len(path.read) else ERROR for path in paths]
            states.append(tuple(local))
            labels.append(word[index])
    steps = [
        Step({"ERROR": ERROR} if ERROR in state else dict(zip(names, state, strict=True)), action=label)
        for state, label in zip(states, [*labels, None], strict=True)
    ]
    return Trace("finite", tuple(steps))


def violated_components(components: Sequence[Lts], trace: Trace) -> tuple[str, ...]:
    """The names of the components that the last action of a trace to ERROR violates; properties before processes.

    Empty if the trace lacks the local states.
    """
    if len(trace.steps) < 2:
        return ()
    before = trace.steps[-2]
    violated: list[tuple[bool, str]] = []
    for name, component in zip(local_names(components), components, strict=True):
        state = before.state.get(name)
        if before.action not in component.alphabet or not isinstance(state, int):
            continue
        action = component.alphabet.index(before.action)
        taken = (component.source == state) & (component.action == action)
        if (component.target[taken] == ERROR).any():
            violated.append((not component.is_property, name))
    return tuple(name for _, name in sorted(violated))
