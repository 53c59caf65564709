"""What the states of a probabilistic system are: the values of its variables, or the states of its components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from symag.limits import Progress, no_progress
from symag.lpts.composition import composed
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.prism.exploration import explore
from symag.lpts.reading import PRISM_SUFFIXES, component, read_model, read_system

#: The value of a variable: a number or a truth value.
Value = int | bool


@dataclass(frozen=True, slots=True, eq=False)
class NamedStates:
    """``lpts`` with its state variables: ``values[k][s]`` is that of ``names[k]`` in state s.

    ``labels`` has the states of each label of the model.
    """

    lpts: Lpts
    names: tuple[str, ...]
    values: tuple[Numbers, ...]
    is_bool: tuple[bool, ...]
    labels: tuple[tuple[str, Numbers], ...]
    initial_states: int
    warnings: tuple[str, ...]

    def state(self, number: int) -> dict[str, Value]:
        """The values of all variables in one state."""
        columns = zip(self.names, self.values, self.is_bool, strict=True)
        return {name: bool(column[number]) if truth else int(column[number]) for name, column, truth in columns}

    def spelled(self, variable: int) -> list[str]:
        """The values of a variable in all states, as PRISM writes them."""
        if self.is_bool[variable]:
            return ["true" if value else "false" for value in self.values[variable].tolist()]
        return [str(value) for value in self.values[variable].tolist()]


def named_states(
    path: str,
    further: Sequence[str] = (),
    constants: Mapping[str, str] | None = None,
    alphabets: Mapping[str, Sequence[str]] | None = None,
    progress: Progress = no_progress,
) -> NamedStates:
    """One PRISM model as a whole, or the composition of components, whose states are then the variables.

    Raises InputError, UsageError and MemoryError.
    """
    if path.endswith(PRISM_SUFFIXES) and not further and not alphabets:
        model = read_model(path, constants or {})
        explored = explore(model, "system", progress)
        return NamedStates(
            component(explored),
            tuple(each.name for each in model.variables),
            tuple(explored.values(k) for k in range(len(model.variables))),
            tuple(each.is_bool for each in model.variables),
            tuple((name, np.flatnonzero(explored.satisfying(condition))) for name, condition in model.labels),
            explored.reached.initial_states,
            (),
        )
    system = read_system(path, further, constants, alphabets, progress)
    found = composed(system.components, "system", progress)
    names = tuple(each.name for each in system.components)
    values = tuple(found.local[:, k] for k in range(len(names)))
    return NamedStates(found.lpts, names, values, (False,) * len(names), (), 1, system.warnings)
