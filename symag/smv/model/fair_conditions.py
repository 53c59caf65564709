"""COMPASSION over states: inputs that such a constraint reads become state variables."""

from __future__ import annotations

from dataclasses import replace

from symag.smv.model.dependencies import Supports
from symag.smv.model.flat import Constraint, FlatSystem, Variable, VariableKind
from symag.smv.model.typed import Operation, VariableReference
from symag.smv.model.types import BooleanType


def compassion_over_states(system: FlatSystem) -> FlatSystem:
    """The system with a state variable ``fair.n``, TRANS fair.n <-> p, for each side p that reads inputs.

    ``fair.n`` is true in a state if p is true on the step that leaves it. The same system if no side reads inputs.
    """
    supports = Supports(system)
    variables: list[Variable] = []
    trans: list[Constraint] = []

    def state_condition(side: Constraint) -> Constraint:
        read = supports.of(side.expression).current
        if all(system.by_name[name].kind is not VariableKind.INPUT for name in read):
            return side
        name = f"fair.{len(variables)}"
        variables.append(Variable(name, BooleanType(), VariableKind.STATE, side.position))
        variable = VariableReference(name, False, BooleanType(), side.position)
        equality = Operation("iff", (variable, side.expression), BooleanType(), side.position)
        trans.append(Constraint(equality, side.position))
        return Constraint(variable, side.position)

    compassion = tuple((state_condition(often), state_condition(answer)) for often, answer in system.compassion)
    if not variables:
        return system
    return replace(
        system, variables=(*system.variables, *variables), trans=(*system.trans, *trans), compassion=compassion
    )
