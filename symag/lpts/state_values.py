"""The states of LPTSs as the values of their variables, and several initial states as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from msgspec import Struct

from symag.core.errors import InputError
from symag.lpts.distributions import Origins
from symag.lpts.lpts import Lpts, Numbers

#: The value of a variable: a number or a truth value.
Value = int | bool


@dataclass(frozen=True, slots=True, eq=False)
class StateValues:
    """``columns[k][s]`` is the value of the variable ``names[k]`` in state s (0 and 1 where ``is_bool[k]``)."""

    names: tuple[str, ...]
    is_bool: tuple[bool, ...]
    columns: tuple[Numbers, ...]

    @classmethod
    def numbered(cls, name: str, states: int) -> StateValues:
        """For a system without variables: its states are their numbers."""
        return cls((name,), (False,), (np.arange(states),))

    def state(self, number: int) -> dict[str, Value]:
        """The values of all variables in one state."""
        columns = zip(self.names, self.columns, self.is_bool, strict=True)
        return {name: bool(column[number]) if truth else int(column[number]) for name, column, truth in columns}

    def spelled(self, variable: int) -> list[str]:
        """The values of a variable in all states, as PRISM writes them."""
        if self.is_bool[variable]:
            return ["true" if value else "false" for value in self.columns[variable].tolist()]
        return [str(value) for value in self.columns[variable].tolist()]


def together(components: Sequence[str], parts: Sequence[StateValues], local: Origins) -> StateValues:
    """The variables of several components, where component k is in state ``local[s, k]`` in state s.

    A name that several components have gets the component's name before it.
    """
    every = [name for part in parts for name in part.names]
    names: list[str] = []
    truths: list[bool] = []
    columns: list[Numbers] = []
    for index, (component, part) in enumerate(zip(components, parts, strict=True)):
        names += [f"{component}.{name}" if every.count(name) > 1 else name for name in part.names]
        truths += part.is_bool
        columns += [column[local[:, index]] for column in part.columns]
    return StateValues(tuple(names), tuple(truths), tuple(columns))


class NamedStates(Struct, frozen=True, eq=False):
    """``lpts`` with the variables' values in its states; ``labels`` has the states of each label of the model."""

    lpts: Lpts
    values: StateValues
    labels: tuple[tuple[str, Numbers], ...]
    initial_states: int
    warnings: tuple[str, ...]


#: The action that chooses an initial state; no action of PRISM's language has this name.
START = "(init)"


def with_start(lpts: Lpts, initial_states: int) -> Lpts:
    """The system with a state before its first ``initial_states`` states; all others have numbers greater by 1.

    An action leads from it to each of them. All components of a system take that action together, so it comes first and
    chooses an initial state of the whole system. A specification that does not mention it stays in its initial state;
    one with several initial states answers by choosing one of them. So L is simulated by P exactly if each initial
    state of L is by some initial state of P.

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
