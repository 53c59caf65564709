"""Safety by brute force: the product of everything, one state at a time, from the definitions alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from symag.lts.lts import ERROR, Lts

_State = tuple[int, ...]


class Product:
    """The composition of some systems; a system is in ERROR where its number is -1."""

    def __init__(self, components: Sequence[Lts]) -> None:
        self.start = (0,) * len(components)
        self._own = [frozenset(lts.alphabet[1:]) for lts in components]
        self._labels = sorted(frozenset().union(*self._own))
        self._targets: list[dict[tuple[int, str], list[int]]] = [{} for _ in components]
        for place, lts in enumerate(components):
            for source, action, target in lts.triples():
                self._targets[place].setdefault((source, lts.alphabet[action]), []).append(target)

    def moves(self, state: _State) -> list[tuple[str, _State]]:
        """All steps from a state without ERROR."""
        found: list[tuple[str, _State]] = []
        for label in self._labels:
            choices: list[Iterable[int]] = [
                targets.get((local, label), ()) if label in own else (local,)
                for targets, own, local in zip(self._targets, self._own, state, strict=True)
            ]
            found.extend((label, following) for following in itertools.product(*choices))
        for place, local in enumerate(state):
            for target in self._targets[place].get((local, "tau"), ()):
                found.append(("tau", (*state[:place], target, *state[place + 1 :])))
        return found


def distance_to_error(components: Sequence[Lts]) -> int | None:
    """How many steps a shortest run to a state with a component in ERROR has; None if there is none."""
    product = Product(components)
    seen, level, steps = {product.start}, [product.start], 0
    while level:
        steps += 1
        following = [after for state in level for _, after in product.moves(state)]
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
    product = Product(components)
    states = {product.start}
    for label in [*word, None]:
        waiting = list(states)
        while waiting:
            for action, after in product.moves(waiting.pop()):
                if action == "tau" and ERROR in after:
                    return True
                if action == "tau" and after not in states:
                    states.add(after)
                    waiting.append(after)
        states = {after for state in states for action, after in product.moves(state) if action == label}
        if any(ERROR in after for after in states):
            return True
    return False
