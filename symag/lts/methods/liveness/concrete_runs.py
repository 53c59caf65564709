"""Runs of the parts themselves: along a path of the composed classes, and from a state on."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from msgspec import Struct

from symag.lts.certificates import RecurrenceMonitor
from symag.lts.components import strongly_connected
from symag.lts.lts import ERROR
from symag.lts.methods.liveness.modal_part import ModalPart, Truths
from symag.lts.methods.liveness.modal_product import Goal, ModalProduct, column

#: The state of each part, then the monitor's if there is one.
State = tuple[int, ...]


class Split(Struct, frozen=True, eq=False):
    """The chosen states of a class of a part (by its number) behave differently from the others."""

    part: int
    block: int
    chosen: Truths


class ConcreteMove(Struct, frozen=True):
    """``name`` is the label in the product of classes, ``label`` that of the components (tau among them)."""

    name: str
    label: str
    after: State


class ConcreteRuns:
    """The composition of the parts and the goal's monitor, explored as far as it is needed."""

    def __init__(self, parts: Sequence[ModalPart], goal: Goal) -> None:
        self._parts, self._monitor = parts, goal.monitor
        self._owners: dict[str, list[int]] = {}
        for part in parts:
            for name in part.letters:
                self._owners.setdefault(name, []).append(part.number)
        self._options: list[dict[int, dict[str, list[tuple[str, int]]]]] = [{} for _ in parts]

    def owners(self, name: str) -> list[int]:
        """The parts that have the label."""
        return self._owners[name]

    @property
    def start(self) -> State:
        """The initial state."""
        return (0,) * (len(self._parts) + (self._monitor is not None))

    def moves(self, state: State) -> Iterator[ConcreteMove]:
        """All moves from a state; after those to ERROR it contains ERROR."""
        options = [self._of_part(index, state[index]) for index in range(len(self._parts))]
        for index, mine in enumerate(options):
            for name, targets in mine.items():
                owners = self._owners[name]
                if owners[0] != index or not all(name in options[owner] for owner in owners):
                    continue
                if len(owners) == 1:
                    for label, target in targets:
                        yield ConcreteMove(name, label, self.moved(state, {index: target}, name))
                    continue
                for chosen in itertools.product(*(options[owner][name] for owner in owners)):
                    after = {owner: target for owner, (_, target) in zip(owners, chosen, strict=True)}
                    yield ConcreteMove(name, name, self.moved(state, after, name))

    def moved(self, state: State, after: dict[int, int], name: str) -> State:
        """The state after some parts have moved, and the monitor has read the label."""
        result = list(state)
        for index, local in after.items():
            result[index] = local
        if self._monitor is not None:
            result[-1] = self._monitor.moves[state[-1]][column(self._monitor, name)]
        return tuple(result)

    def _of_part(self, index: int, state: int) -> dict[str, list[tuple[str, int]]]:
        known = self._options[index]
        if state not in known:
            part = self._parts[index]
            offers: dict[str, list[tuple[str, int]]] = {}
            for letter, action, target in part.moves[state]:
                offers.setdefault(part.letters[letter], []).append((part.lts.alphabet[action], target))
            known[state] = offers
        return known[state]


class _Step(Struct, frozen=True):
    """A move of one part: by a letter, to a class (None: any)."""

    letter: int
    after: int | None


def along(
    product: ModalProduct, parts: Sequence[ModalPart], runs: ConcreteRuns, start: State, path: Sequence[int]
) -> list[Split] | list[tuple[str, State]]:
    """A run of the parts along a path, as labels with the states after them; or splits, one for each part that has no
    such run. Silent moves are inserted.
    """
    walks = []
    splits: list[Split] = []
    for part in parts:
        walk = _walk(part, start[part.number], _steps(product, part, path))
        if isinstance(walk, Split):
            splits.append(walk)
        else:
            walks.append(iter(walk))
    if splits:
        return splits
    result: list[tuple[str, State]] = []
    state = start
    for transition in path:
        name = product.lts.alphabet[int(product.lts.action[transition])]
        label, after = name, {}
        for owner in runs.owners(name):
            *silent, (label, after[owner]) = next(walks[owner])
            for hidden, local in silent:
                state = runs.moved(state, {owner: local}, f"tau\n{owner}")
                result.append((hidden, state))
        state = runs.moved(state, after, name)
        result.append((label, state))
    return result


def _steps(product: ModalProduct, part: ModalPart, path: Sequence[int]) -> list[_Step]:
    steps = []
    for transition in path:
        letter = product.letter_of(part, int(product.lts.action[transition]))
        if letter < 0:
            continue
        target = int(product.lts.target[transition])
        if target == ERROR:
            steps.append(_Step(letter, ERROR if product.culprit_of(transition) == part.number else None))
        else:
            steps.append(_Step(letter, int(product.rows[target, part.number])))
    return steps


#: For each state the state before and the action between.
_Came = dict[int, tuple[int, int]]


def _walk(part: ModalPart, start: int, steps: Sequence[_Step]) -> Split | list[list[tuple[str, int]]]:
    """For each step the part's silent moves before it and its move, as label and target; or where there is none."""
    entered: list[_Came] = [{start: (start, 0)}]
    silent: list[_Came] = [_silent(part, (start,))]
    for step in steps:
        before = [*entered[-1], *silent[-1]]
        came: _Came = {}
        for state in before:
            for letter, action, target in part.moves[state]:
                if letter == step.letter and step.after in (None, part.class_of(target)):
                    came.setdefault(target, (state, action))
        if not came:
            return Split(part.number, part.class_of(before[0]), part.tables.having(step.letter, step.after))
        entered.append(came)
        silent.append(_silent(part, tuple(state for state in came if state != ERROR)))
    state = next(iter(entered[-1]))
    walk = []
    for place in range(len(steps), 0, -1):
        before_it, action = entered[place][state]
        moves = [(part.lts.alphabet[action], state)]
        state = before_it
        while state in silent[place - 1]:
            before_it, action = silent[place - 1][state]
            moves.append((part.lts.alphabet[action], state))
            state = before_it
        walk.append(moves[::-1])
    return walk[::-1]


def _silent(part: ModalPart, entered: Sequence[int]) -> _Came:
    """The other states that silent moves lead to."""
    came: _Came = {}
    waiting = list(entered)
    for state in waiting:
        for letter, action, target in part.moves[state]:
            if target not in came and target not in entered and part.is_silent(state, letter, target):
                came[target] = state, action
                waiting.append(target)
    return came


class LivenessRun(Struct, frozen=True):
    """A run as labels and states after them; from ``loop`` on it repeats (None: it ends in a state without moves, or
    what follows makes no difference).
    """

    labels: tuple[str, ...]
    states: tuple[State, ...]
    loop: int | None


def continued(runs: ConcreteRuns, run: list[tuple[str, State]], start: State) -> LivenessRun:
    """The run, which ends in ``start``, with a way to a terminal set and a shortest cycle there."""
    seen, terminal = _first_terminal(runs, start)
    way = [] if start in terminal else _way(runs, start, terminal, seen)
    entry = way[-1][1] if way else start
    cycle = _way(runs, entry, {entry}, terminal) if len(terminal) > 1 or _turns(runs, entry) else []
    steps = [*run, *way, *cycle]
    labels, states = tuple(label for label, _ in steps), tuple(state for _, state in steps)
    return LivenessRun(labels, states, len(run) + len(way) if cycle else None)


def stays_unaccepted(runs: ConcreteRuns, run: LivenessRun, monitor: RecurrenceMonitor) -> bool:
    """Whether a monitor does not accept some of the fair runs that begin like this one, up to where it goes round.

    There is then a terminal set of states, with the monitor's, in which no move is accepted.
    """
    if run.loop is None:
        return True
    reading = 0
    for label in run.labels[: run.loop]:
        reading = monitor.moves[reading][column(monitor, label)]
    first = (run.states[run.loop - 1] if run.loop else runs.start, reading)
    number = {first: 0}
    waiting = [first]
    edges: list[tuple[int, int]] = []
    accepting: list[int] = []
    for here in waiting:
        for move in runs.moves(here[0]):
            place = column(monitor, move.label)
            after = move.after, monitor.moves[here[1]][place]
            if after not in number:
                number[after] = len(number)
                waiting.append(after)
            edges.append((number[here], number[after]))
            accepting.append(monitor.accepting[here[1]][place])
    source, target = np.array(edges, dtype=np.int64).T
    count, part = strongly_connected(len(number), source, target)
    is_open = np.ones(count, dtype=bool)
    is_open[part[source[(part[source] != part[target]) | (np.array(accepting) > 0)]]] = False
    return bool(is_open.any())


def _turns(runs: ConcreteRuns, state: State) -> bool:
    return any(move.after == state for move in runs.moves(state))


def _first_terminal(runs: ConcreteRuns, start: State) -> tuple[Collection[State], Collection[State]]:
    """The states that were looked at, and those of the terminal set: strongly connected, and no move leaves it.

    A depth-first search leaves a terminal set before any other strongly connected set: it is the first one that is
    complete (R. Tarjan, "Depth-first search and linear graph algorithms", 1972). So in general only some of the states
    are looked at.
    """
    reached_at = {start: 0}
    lowest = {start: 0}
    pending = [start]
    path: list[tuple[State, Iterator[ConcreteMove]]] = [(start, iter(runs.moves(start)))]
    while True:
        state, moves = path[-1]
        fresh = None
        for move in moves:
            if move.after not in reached_at:
                fresh = move.after
                break
            # Nothing is complete yet: all states are on the stack of pending ones.
            lowest[state] = min(lowest[state], reached_at[move.after])
        if fresh is not None:
            reached_at[fresh] = lowest[fresh] = len(pending)
            pending.append(fresh)
            path.append((fresh, iter(runs.moves(fresh))))
            continue
        if lowest[state] == reached_at[state]:
            return reached_at, set(pending[reached_at[state] :])
        path.pop()
        before = path[-1][0]
        lowest[before] = min(lowest[before], lowest[state])


def _way(
    runs: ConcreteRuns, start: State, goals: Collection[State], inside: Collection[State]
) -> list[tuple[str, State]]:
    """A shortest way of at least one move to a goal, through these states only."""
    came: dict[State, tuple[State, str]] = {}
    waiting = [start]
    for here in waiting:
        for move in runs.moves(here):
            if move.after not in inside or move.after in came:
                continue
            came[move.after] = here, move.label
            waiting.append(move.after)
            if move.after in goals:
                way: list[tuple[str, State]] = []
                place = move.after
                while not way or place != start:
                    before, label = came[place]
                    way.append((label, place))
                    place = before
                return way[::-1]
    raise AssertionError("the goal can be reached")
