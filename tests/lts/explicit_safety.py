"""Safety by brute force: the product of everything, one state at a time, from the definitions alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from symag.lts.lts import ERROR, Lts

_State = tuple[int, ...]


def moves(components: Sequence[Lts], state: _State) -> list[tuple[str, _State]]:
    """All steps of the composition; a component is in ERROR where its number is -1."""
    found = []
    for label in sorted({label for lts in components for label in lts.alphabet[1:]}):
        choices = [
            [t for s, a, t in lts.triples() if s == local and lts.alphabet[a] == label]
            if label in lts.alphabet[1:]
            else [local]
            for lts, local in zip(components, state, strict=True)
        ]
        found.extend((label, targets) for targets in itertools.product(*choices))
    for place, lts in enumerate(components):
        for s, a, t in lts.triples():
            if s == state[place] and a == 0:
                found.append(("tau", (*state[:place], t, *state[place + 1 :])))
    return found


def distance_to_error(components: Sequence[Lts]) -> int | None:
    """How many steps a shortest run to a state with a component in ERROR has; None if there is none."""
    start = (0,) * len(components)
    seen, level, steps = {start}, [start], 0
    while level:
        steps += 1
        following = [after for state in level for _, after in moves(components, state)]
        if any(ERROR in after for after in following):
            return steps
        level = []
        for after in following:
            if after not in seen:
                seen.add(after)
                level.append(after)
    return None


def violates(components: Sequence[Lts], word: Sequence[str]) -> bool:
    """Whether a run with exactly these visible actions, or with those of a prefix, comes to ERROR."""
    states = {(0,) * len(components)}
    for label in [*word, None]:
        waiting = list(states)
        while waiting:
            for action, after in moves(components, waiting.pop()):
                if action == "tau" and ERROR in after:
                    return True
                if action == "tau" and after not in states:
                    states.add(after)
                    waiting.append(after)
        states = {after for state in states for action, after in moves(components, state) if action == label}
        if any(ERROR in after for after in states):
            return True
    return False
