"""A CTL formula as certify checks it: three temporal operators, perhaps negated, and three logical ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from symag.smv.certify.properties import BRANCHING, has_operator
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.typed import Constant, Expression, Operation
from symag.smv.model.types import BooleanType


class OperatorNode(Struct, frozen=True, eq=False):
    """A node of a CTL formula. ``atom`` is an expression without temporal operators. EX, EU and AU stand for operator
    number ``label`` of the property, written ``operator``: it is this operator or (``negated``) its negation. EU and AU
    have two operands, and ``bounds`` if they are bounded.
    """

    kind: Literal["atom", "not", "and", "or", "iff", "EX", "EU", "AU"]
    operands: tuple[OperatorNode, ...] = ()
    atom: Expression | None = None
    operator: str = ""
    label: int = -1
    negated: bool = False
    bounds: tuple[int, int] | None = None


class OperatorTree(Struct, frozen=True, eq=False):
    """The formula, and its temporal operators as written, operands first, the left one first."""

    root: OperatorNode
    operators: tuple[str, ...]

    def atoms(self) -> Iterator[OperatorNode]:
        """The atoms of the formula."""
        pending = [self.root]
        while pending:
            node = pending.pop()
            pending.extend(node.operands)
            if node.kind == "atom":
                yield node


def operator_tree(formula: Expression) -> OperatorTree:
    """The tree of a CTL formula. Costs Python stack in proportion to its depth."""
    operators: list[str] = []
    with deep_recursion():
        root = _node(formula, operators)
    return OperatorTree(root, tuple(operators))


def _node(formula: Expression, operators: list[str]) -> OperatorNode:
    if not isinstance(formula, Operation) or not has_operator(formula, BRANCHING):
        return OperatorNode("atom", atom=formula)
    operator, operands = formula.operator, formula.operands
    if operator in BRANCHING:
        return _temporal(operator, operands, operators)
    below = tuple(_node(operand, operators) for operand in operands)
    match operator:
        case "not" | "and" | "or" | "iff":
            return OperatorNode(operator, below)
        case "xnor":
            return OperatorNode("iff", below)
        case "implies":
            return OperatorNode("or", (_negation(below[0]), below[1]))
    return _negation(OperatorNode("iff", below))


def _temporal(operator: str, operands: tuple[Expression, ...], operators: list[str]) -> OperatorNode:
    count = 2 if operator in ("AU", "EU", "ABU", "EBU") else 1
    below = [_node(operand, operators) for operand in operands[:count]]
    label = len(operators)
    operators.append(operator)
    bounds = None
    if len(operands) > count:
        low, high = operands[count:]
        assert isinstance(low, Constant)
        assert isinstance(high, Constant)
        bounds = int(low.value), int(high.value)
    plain = operator.replace("B", "")
    # E G q is !A F !q, A G q is !E F !q, A X q is !E X !q.
    negated = plain in ("EG", "AG", "AX")
    if negated:
        below = [_negation(node) for node in below]
    if plain in ("EX", "AX"):
        return OperatorNode("EX", tuple(below), operator=operator, label=label, negated=negated)
    if count == 1:
        below = [OperatorNode("atom", atom=Constant(True, BooleanType(), 0)), *below]
    existential = plain in ("EF", "EU", "AG")
    kind: Literal["EU", "AU"] = "EU" if existential else "AU"
    return OperatorNode(kind, tuple(below), operator=operator, label=label, negated=negated, bounds=bounds)


def _negation(node: OperatorNode) -> OperatorNode:
    return OperatorNode("not", (node,))


def constant_truth(formula: Expression) -> bool | None:
    """The truth value that a CTL formula has in every state from which a fair infinite run starts, in every system.

    None if that does not follow from its operators. Only such states count, and each has such a successor. So if a
    formula has the same value in all of them, it has that value under each temporal operator too, as ``EX TRUE``.
    Atoms other than constants count as unknown. Linear in the formula's tree.
    """
    with deep_recursion():
        return _constant(formula)


def _constant(formula: Expression) -> bool | None:
    if isinstance(formula, Constant):
        return formula.value if isinstance(formula.value, bool) else None
    if not isinstance(formula, Operation):
        return None
    match formula.operator:
        case "not":
            value = _constant(formula.operands[0])
            return None if value is None else not value
        case "and":
            return _absorbing(formula.operands, False)
        case "or":
            return _absorbing(formula.operands, True)
        case "implies":
            premise, conclusion = (_constant(operand) for operand in formula.operands)
            if premise is False or conclusion is True:
                return True
            return False if premise is True and conclusion is False else None
        case "EX" | "AX" | "EF" | "AF" | "EG" | "AG":
            return _constant(formula.operands[0])
        case "EU" | "AU":
            return _constant(formula.operands[1])
    return None


def _absorbing(operands: tuple[Expression, ...], absorbing: bool) -> bool | None:
    values = [_constant(operand) for operand in operands]
    if absorbing in values:
        return absorbing
    return None if None in values else not absorbing
