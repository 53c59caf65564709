"""The states of an assumption along a trace, which the page of a violation shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from symag.core.ranges import distinct
from symag.lts.lts import ERROR, TAU, Lts


def run_along(assumption: Lts, labels: Sequence[str | None]) -> tuple[str, ...]:
    """The states before each label of a word and after the last, as text; tau of the assumption happens unseen.

    Several states are shown as a set, and ``outside`` if the assumption does not allow the word so far. Labels that
    are not actions of the assumption change nothing. Costs a look at every transition for each label.
    """
    number = {label: action for action, label in enumerate(assumption.alphabet) if action}
    states = _with_tau(assumption, {0})
    texts = [_text(states)]
    for label in labels:
        action = None if label is None else number.get(label)
        if action is not None:
            states = _with_tau(assumption, _after(assumption, states, action))
        texts.append(_text(states))
    return tuple(texts)


def _after(assumption: Lts, states: Iterable[int], action: int) -> set[int]:
    chosen = (assumption.action == action) & np.isin(assumption.source, list(states))
    return {int(state) for state in distinct(assumption.target[chosen]) if state != ERROR}


def _with_tau(assumption: Lts, states: set[int]) -> set[int]:
    reached, frontier = set(states), set(states)
    while frontier:
        frontier = _after(assumption, frontier, TAU) - reached
        reached |= frontier
    return reached


def _text(states: Collection[int]) -> str:
    shown = ", ".join(map(str, sorted(states)))
    return "outside" if not states else shown if len(states) == 1 else f"{{{shown}}}"
