"""The states of LPTSs as the values of their models' variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from symag.lpts.distributions import Origins
from symag.lpts.lpts import Numbers

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
