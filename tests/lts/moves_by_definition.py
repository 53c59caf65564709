"""The moves of a composition by its definition, one state at a time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from symag.lts.composition import Priority
from symag.lts.lts import TAU, Lts, matches

Move = tuple[str, tuple[int, ...]]


def moves(components: Sequence[Lts], state: tuple[int, ...]) -> set[Move]:
    """Labels and following local states, by the definition of parallel composition."""
    result: set[Move] = set()
    successors = [lts.successors()[local] for lts, local in zip(components, state, strict=True)]
    for place, outgoing in enumerate(successors):
        for action, target in outgoing:
            if action == TAU:
                result.add(("tau", (*state[:place], target, *state[place + 1 :])))
    labels = {label for lts in components for label in lts.alphabet[1:]}
    for label in labels:
        choices = []
        for lts, local, outgoing in zip(components, state, successors, strict=True):
            if label in lts.alphabet:
                number = lts.alphabet.index(label)
                choices.append([target for action, target in outgoing if action == number])
            else:
                choices.append([local])
        result.update((label, after) for after in itertools.product(*choices))
    return result


def allowed(moves: set[Move], priority: Priority | None) -> set[Move]:
    """Those that the priority lets happen."""
    if priority is None:
        return moves

    def is_high(label: str) -> bool:
        return priority.low if label == "tau" else matches(label, priority.labels) != priority.low

    return {move for move in moves if is_high(move[0])} or moves
