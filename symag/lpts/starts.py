"""Several initial states as one: a state before them, from which an action leads to each.

All components of a system take that action together, so it comes first and chooses an initial state of the whole
system. A specification that does not mention it stays in its initial state; one with several initial states answers
by choosing one of them. So L is simulated by P exactly if each initial state of L is by some initial state of P.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from symag.core.errors import InputError
from symag.lpts.lpts import Lpts
from symag.lpts.state_values import StateValues

#: The action that chooses an initial state; no action of PRISM's language has this name.
START = "(init)"


def with_start(lpts: Lpts, initial_states: int) -> Lpts:
    """The system with a state before its first ``initial_states`` states; all others have numbers greater by 1.

    Raises InputError if an action has the name of the one that is added.
    """
    if START in lpts.alphabet:
        raise InputError(f"an action is called {START}, expected another name where there are several initial states")
    one = Fraction(1)
    values = lpts.probabilities if one in lpts.probabilities else (*lpts.probabilities, one)
    zeros, first = np.zeros(initial_states, dtype=np.int64), np.arange(initial_states)
    return Lpts(
        lpts.name,
        (*lpts.alphabet, START),
        lpts.states + 1,
        np.concatenate((zeros, lpts.source + 1)),
        np.concatenate((zeros + len(lpts.alphabet), lpts.action)),
        np.concatenate((first, lpts.begin + initial_states)),
        np.concatenate((first + 1, lpts.target + 1)),
        np.concatenate((zeros + values.index(one), lpts.weight)),
        values,
    )


def values_with_start(values: StateValues) -> StateValues:
    """The values of a system with a start: the state before the initial ones shows those of the first of them."""
    return replace(values, columns=tuple(np.concatenate((column[:1], column)) for column in values.columns))


def starts(lpts: Lpts) -> bool:
    """Whether the system has a state before its initial ones."""
    return START in lpts.alphabet


def started(components: Sequence[Lpts], values: Sequence[StateValues]) -> tuple[list[Lpts], list[StateValues]]:
    """All components with a start; those that have none yet have one initial state."""
    systems = [component if starts(component) else with_start(component, 1) for component in components]
    with_starts = [
        named if starts(component) else values_with_start(named)
        for component, named in zip(components, values, strict=True)
    ]
    return systems, with_starts
