"""Transitions through wires: the next value of a wire in the place of that of its DEFINE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.core.values import replace
from symag.smv.certify.circuits.constraints import ConstraintReads
from symag.smv.model.flat import FlatSystem
from symag.smv.model.gates import gates_of
from symag.smv.model.typed import DefineReference, Expression, Operation, VariableReference


def through_wires(
    system: FlatSystem, constraints: Sequence[ConstraintReads], wires: Mapping[str, Expression]
) -> Iterator[ConstraintReads]:
    """The transitions that read a DEFINE under ``next``, with the next value of its wire in the place of it.

    They hold because a wire has the value of its DEFINE in every state. A part can own the wire without the variables
    that the DEFINE reads; it owns such a transition then, and does not own the one that is in the system. DEFINEs that
    read the wire's are looked into, gates are not. Linear in the size of the transitions and of these DEFINEs.
    """
    names: dict[str, str] = {}
    for name, expression in wires.items():
        if isinstance(expression, DefineReference) and not expression.primed:
            names.setdefault(expression.name, name)
    rewriting = _Rewriting(system.defines if gates_of(system.defines) is None else {}, names)
    for item in constraints:
        if names and item.moment == "transition":
            expression = rewriting.of(item.expression)
            if expression is not item.expression:
                yield ConstraintReads(item.moment, item.target, expression, item.reading)


#: An expression, and whether it is read in the next state.
_Node = tuple[Expression, bool]


class _Rewriting:
    """Expressions with wires. Shared nodes stay shared; the answer is the same object if nothing changes.

    In an expression that is read in the next state every reference becomes one under ``next``.
    """

    def __init__(self, defines: Mapping[str, Expression], names: Mapping[str, str]) -> None:
        """``names``: the wires of DEFINEs."""
        self._defines = defines
        self._names = names
        self._done: dict[tuple[int, bool], Expression] = {}
        #: What reads a wire.
        self._wired: set[tuple[int, bool]] = set()

    def of(self, expression: Expression) -> Expression:
        """The expression, read in the current state, with wires."""
        stack: list[_Node] = [(expression, False)]
        while stack:
            node, later = stack[-1]
            key = id(node), later
            missing = [item for item in self._below(node, later) if (id(item[0]), item[1]) not in self._done]
            if key not in self._done and missing:
                stack.extend(missing)
                continue
            stack.pop()
            if key not in self._done:
                self._done[key] = self._with_wires(node, later)
        return self._done[id(expression), False]

    def _below(self, node: Expression, later: bool) -> list[_Node]:
        if isinstance(node, Operation):
            return [(operand, later) for operand in node.operands]
        if isinstance(node, DefineReference) and (later or node.primed) and node.name not in self._names:
            return [(self._defines[node.name], True)] if node.name in self._defines else []
        return []

    def _with_wires(self, node: Expression, later: bool) -> Expression:
        """The node, what is below it being done."""
        below = [(id(item), when) for item, when in self._below(node, later)]
        is_wire = isinstance(node, DefineReference) and (later or node.primed) and node.name in self._names
        if is_wire or not self._wired.isdisjoint(below):
            self._wired.add((id(node), later))
        if isinstance(node, Operation):
            operands = tuple(self._done[item] for item in below)
            same = all(new is old for new, old in zip(operands, node.operands, strict=True))
            return node if same else replace(node, operands=operands)
        if not isinstance(node, VariableReference | DefineReference) or not (later or node.primed):
            return node
        if isinstance(node, DefineReference) and is_wire:
            return VariableReference(self._names[node.name], True, node.type, node.position)
        if below and below[0] in self._wired:
            return self._done[below[0]]
        return node if node.primed else replace(node, primed=True)
