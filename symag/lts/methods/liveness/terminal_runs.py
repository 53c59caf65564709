"""Runs into a terminal set: a strongly connected set of states that no move leaves.

A depth-first search leaves a terminal set before any other strongly connected set: it is the first one that is
complete. So in general only some of the states are looked at.

Source: R. Tarjan, "Depth-first search and linear graph algorithms" (1972).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from symag.lts.methods.liveness.concrete_runs import ConcreteMove, ConcreteRuns, State


class LivenessRun(Struct, frozen=True):
    """A run as labels and states after them; from ``loop`` on it repeats (None: it ends in a state without moves)."""

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


def _turns(runs: ConcreteRuns, state: State) -> bool:
    return any(move.after == state for move in runs.moves(state))


def _first_terminal(runs: ConcreteRuns, start: State) -> tuple[Collection[State], Collection[State]]:
    """The states that were looked at, and those of the terminal set."""
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
