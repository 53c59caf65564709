"""A probabilistic system with the values of its variables and its labels."""

from __future__ import annotations

from msgspec import Struct

from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.state_values import StateValues


class NamedStates(Struct, frozen=True, eq=False):
    """``lpts`` with the variables' values in its states; ``labels`` has the states of each label of the model."""

    lpts: Lpts
    values: StateValues
    labels: tuple[tuple[str, Numbers], ...]
    initial_states: int
    warnings: tuple[str, ...]
