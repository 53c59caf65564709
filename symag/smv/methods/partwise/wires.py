"""The wires that sets of parts can be split at: boolean functions of the state that the model names.

They are DEFINEs, and variables that are assigned in every state. A split at a wire belongs to the search only: what is
written into a certificate has the wire's expression instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.smv.methods.partwise.constraints import BitConstraints
from symag.smv.model.dependencies import Supports
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import DefineReference, Expression, subexpressions
from symag.smv.model.types import BooleanType
from symag.smv.model.wires import candidate_wires, fresh_name, is_function_of_the_state
from symag.smv.symbolic.encoding import current_bit

#: With more DEFINEs than this, which netlists have, the search for their wires would cost too much.
MOST_DEFINES = 1_000


class SplitWires(Struct, frozen=True, eq=False):
    """``expressions`` of the wires by the names of their bits."""

    expressions: Mapping[str, Expression]

    @classmethod
    def of(cls, system: FlatSystem, invariant: Expression) -> SplitWires:
        """Those of a system, and DEFINEs that the invariant reads. Costs a walk through each DEFINE."""
        if len(system.defines) > MOST_DEFINES:
            return cls({})
        supports = Supports(system)
        expressions = {current_bit(name, 0): reference for name, reference in candidate_wires(system)}
        for node in subexpressions(invariant):
            if isinstance(node, DefineReference) and _is_boolean_function(system, node, supports):
                expressions[current_bit(fresh_name(system, f"{node.name}.wire"), 0)] = node
        for assignment in system.assignments:
            if assignment.time == "current" and _is_boolean_function(system, assignment.value, supports):
                expressions[current_bit(assignment.variable, 0)] = assignment.value
        return cls(expressions)

    def added(self, constraints: BitConstraints, bits: Iterable[str]) -> BitConstraints:
        """The constraints with these wires among those that parts may have. Raises MemoryExhausted."""
        for bit in sorted(set(bits) - constraints.wires.keys()):
            constraints = constraints.with_wire(bit, constraints.system.predicate(self.expressions[bit]))
        return constraints


def _is_boolean_function(system: FlatSystem, expression: Expression, supports: Supports) -> bool:
    return isinstance(expression.type, BooleanType) and is_function_of_the_state(system, expression, supports)


def without_wires(constraints: BitConstraints, states: Bdd) -> Bdd:
    """The same set with the expressions of wires in place of their bits. Raises MemoryExhausted."""
    context = constraints.system.context
    wires = sorted(constraints.wires.keys() & context.support(states))
    with memory_errors():
        for wire in wires:
            states = context.and_exists(constraints.wires[wire].diagram, states, [wire])
    return states
