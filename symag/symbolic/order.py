"""Static orders of the bits."""

from __future__ import annotations

from symag.smv.flat import FlatSystem
from symag.smv.types import VariableType, WordType, bit_count


def bits_from_top(variable_type: VariableType) -> range:
    """The bits of one variable as NuSMV orders them.

    A word has its most significant bit on top; any other type the lowest bit of the value's index.
    """
    count = bit_count(variable_type)
    return range(count - 1, -1, -1) if isinstance(variable_type, WordType) else range(count)


def declaration_order(system: FlatSystem) -> tuple[tuple[str, int], ...]:
    """The variables as declared, each with its bits side by side."""
    return tuple((variable.name, index) for variable in system.variables for index in bits_from_top(variable.type))


def static_order(system: FlatSystem) -> tuple[tuple[str, int], ...]:
    """The order that ``encode`` uses when no other is given."""
    return declaration_order(system)
