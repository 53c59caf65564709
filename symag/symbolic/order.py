"""Static orders of the bits."""

from __future__ import annotations

from symag.smv.flat import FlatSystem
from symag.smv.types import bit_count


def declaration_order(system: FlatSystem) -> tuple[tuple[str, int], ...]:
    """The variables as declared, each with its most significant bit on top."""
    return tuple(
        (variable.name, index) for variable in system.variables for index in reversed(range(bit_count(variable.type)))
    )
