"""Assertions by their definition: fair runs that take every path of a terminal set, one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.lts.certify.assertion_words import is_false_at_end, is_true_around
from symag.lts.language.fluents import Temporal, mentioned
from symag.lts.lts import Lts
from tests.lts.explicit_liveness import State, reachable_moves

_Moves = dict[State, list[tuple[str, State]]]


def violates(components: Sequence[Lts], formula: Temporal, stem: int, depth: int) -> bool:
    """Whether a run violates the formula that ends within ``stem`` actions, or is in a terminal set after so many at
    most and goes round there by all paths of ``depth`` actions. ERROR cannot be reached.
    """
    moves = reachable_moves(components)
    labels = {label for lts in components for label in lts.alphabet[1:]}
    for state, following in moves.items():
        # Actions of the assertion alone may happen at any time.
        following += [(label, state) for label in sorted(mentioned(formula) - labels)]
    rounds: dict[State, list[str] | None] = {}
    for actions, state in _paths(moves, next(iter(moves)), stem):
        if not moves[state]:
            if is_false_at_end(formula, actions):
                return True
            continue
        if state not in rounds:
            rounds[state] = _round(moves, state, depth)
        loop = rounds[state]
        if loop is not None and not is_true_around(formula, [*actions, *loop], len(actions)):
            return True
    return False


def _paths(moves: _Moves, start: State, most: int) -> Iterator[tuple[list[str], State]]:
    """All paths of at most so many actions."""
    yield [], start
    if most:
        for label, after in moves[start]:
            for actions, state in _paths(moves, after, most - 1):
                yield [label, *actions], state


def _round(moves: _Moves, start: State, depth: int) -> list[str] | None:
    """Actions from a state back to it, by all paths of so many actions; None if it is in no terminal set."""
    inside = _reached(moves, start)
    if any(start not in _reached(moves, state) for state in inside):
        return None
    walk: list[str] = []
    here = start
    for state in inside:
        for actions, last in _paths(moves, state, depth):
            if len(actions) == depth:
                walk += [*_reached(moves, here)[state], *actions]
                here = last
    return [*walk, *_reached(moves, here)[start]]


def _reached(moves: _Moves, start: State) -> dict[State, list[str]]:
    """The states that can be reached, each with the actions of a shortest way."""
    ways: dict[State, list[str]] = {start: []}
    waiting = [start]
    for state in waiting:
        for label, after in moves[state]:
            if after not in ways:
                ways[after] = [*ways[state], label]
                waiting.append(after)
    return ways
