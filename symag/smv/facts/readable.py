"""A system cut down to a cone of influence, with every DEFINE that can still be read there."""

from __future__ import annotations

from dataclasses import replace

from symag.smv.model.dependencies import Supports, cone_of_influence
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression


def reduced(system: FlatSystem, expression: Expression) -> FlatSystem:
    """The cone of influence of an invariant; facts of it are facts of the system. Linear in the system's size."""
    cone = cone_of_influence(system, expression)
    supports = Supports(system)
    defines = {
        name: body for name, body in system.defines.items() if supports.of(body).variables <= cone.by_name.keys()
    }
    return replace(cone, defines=defines)
