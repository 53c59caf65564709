"""A system reduced to a cone of influence, with every DEFINE over the variables that are left."""

from __future__ import annotations

from dataclasses import replace

from symag.smv.model.dependencies import Supports, cone_of_influence
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression


def reduced(system: FlatSystem, expression: Expression) -> FlatSystem:
    """The cone of influence of an invariant: its facts are facts of the system. Costs time linear in the system."""
    cone = cone_of_influence(system, expression)
    supports = Supports(system)
    defines = {
        name: body for name, body in system.defines.items() if supports.of(body).variables <= cone.by_name.keys()
    }
    return replace(cone, defines=defines)
