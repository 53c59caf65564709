"""Transitions of a system, read through the wires of a certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from symag.smv.certify.circuits.constraints import ConstraintReads
from symag.smv.model.typed import DefineReference, Expression, Operation, VariableReference


def through_wires(constraints: Sequence[ConstraintReads], wires: Mapping[str, Expression]) -> Iterator[ConstraintReads]:
    """The transitions that name a DEFINE under ``next``, with the next value of its wire in the place of it.

    They hold because a wire has the value of its DEFINE in every state. A part can own the wire without the variables
    that the DEFINE reads; it owns such a transition then, and does not own the one that is in the system. A DEFINE that
    names another one under ``next`` is not looked into. Linear in the size of the transitions.
    """
    names: dict[str, str] = {}
    for name, expression in wires.items():
        if isinstance(expression, DefineReference) and not expression.primed:
            names.setdefault(expression.name, name)
    for item in constraints:
        if names and item.moment == "transition":
            expression = _rewritten(item.expression, names)
            if expression is not item.expression:
                yield ConstraintReads(item.moment, item.target, expression, item.reading)


def _rewritten(expression: Expression, names: Mapping[str, str]) -> Expression:
    """The same object if nothing changes; shared nodes stay shared."""
    done: dict[int, Expression] = {}
    stack = [(expression, False)]
    while stack:
        node, below_done = stack.pop()
        if id(node) in done:
            continue
        if isinstance(node, Operation) and not below_done:
            stack.append((node, True))
            stack.extend((operand, False) for operand in node.operands if id(operand) not in done)
        elif isinstance(node, Operation):
            operands = tuple(done[id(operand)] for operand in node.operands)
            same = all(new is old for new, old in zip(operands, node.operands, strict=True))
            done[id(node)] = node if same else replace(node, operands=operands)
        elif isinstance(node, DefineReference) and node.primed and node.name in names:
            done[id(node)] = VariableReference(names[node.name], True, node.type, node.position)
        else:
            done[id(node)] = node
    return done[id(expression)]
