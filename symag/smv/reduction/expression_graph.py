"""Expressions of a flat system as one graph in which equal expressions are one node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from symag.core.trace import Value
from symag.smv.elaboration.constants import truncated_quotient
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, SetType, Type, WordType

#: Operators whose operands may change places.
COMMUTATIVE = frozenset(("and", "or", "xor", "xnor", "iff", "=", "!=", "+", "*", "min", "max", "count"))


class GraphNode(NamedTuple):
    """An operator over nodes with lower numbers, or a leaf.

    ``operator`` is that of ``symag.smv.model.typed``, ``constant`` or ``variable``. ``type`` is None for booleans.
    ``leaf`` is a constant's value, or a variable's name and whether it is read in the next state.
    """

    operator: str
    type: Type | None
    children: tuple[int, ...]
    leaf: tuple[object, ...] = ()


class ExpressionGraph:
    """``nodes`` by number. DEFINEs are expanded, once for the current and the next state; ``next`` is at variables
    only.
    """

    def __init__(self, defines: Mapping[str, Expression]) -> None:
        self.nodes: list[GraphNode] = []
        self._defines = defines
        self._numbers: dict[GraphNode, int] = {}
        self._known: dict[tuple[Expression, bool], int] = {}

    def add(self, root: Expression) -> int:
        """The node of an expression. Linear in what is new, without recursion."""
        known = self._known
        stack: list[tuple[Expression, bool, bool]] = [(root, False, False)]
        while stack:
            expression, primed, ready = stack.pop()
            key = expression, primed
            if key in known:
                continue
            if isinstance(expression, Operation):
                if ready:
                    children = tuple([known[operand, primed] for operand in expression.operands])
                    known[key] = self._number(GraphNode(expression.operator, _kept(expression.type), children))
                else:
                    stack.append((expression, primed, True))
                    stack.extend((operand, primed, False) for operand in expression.operands)
            elif isinstance(expression, DefineReference):
                inner = self._defines[expression.name], primed or expression.primed
                if inner in known:
                    known[key] = known[inner]
                else:
                    stack.append((expression, primed, True))
                    stack.append((*inner, False))
            elif isinstance(expression, VariableReference):
                leaf = expression.name, primed or expression.primed
                known[key] = self._number(GraphNode("variable", _kept(expression.type), (), leaf))
            else:
                known[key] = self._number(_constant_node(expression))
        return known[root, False]

    def _number(self, node: GraphNode) -> int:
        number = self._numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number


def _constant_node(expression: Constant) -> GraphNode:
    kind = expression.type if isinstance(expression.type, WordType) else None
    return GraphNode("constant", kind, (), (type(expression.value).__name__, expression.value))


def _kept(kind: Type) -> Type | None:
    return None if isinstance(kind, BooleanType) else kind


def deterministic(nodes: Iterable[GraphNode]) -> list[bool]:
    """For each node, in order, whether it denotes a single value: no set is below it, but in operands of ``in``."""
    result: list[bool] = []
    for node in nodes:
        single = node.operator != "union" and not isinstance(node.type, SetType)
        result.append(node.operator == "in" or (single and all(result[child] for child in node.children)))
    return result


def folded(node: GraphNode, values: list[Value | None]) -> Value | None:
    """The value of a node by those of its children (None: unknown); None if they do not show it, and for most
    operators.

    With fewer known children the result is the same or None.
    """
    operator, children = node.operator, [values[child] for child in node.children]
    if operator in _LOGIC:
        return _logic(operator, children)
    match operator:
        case "constant":
            value: Value = node.leaf[1]  # type: ignore[assignment]  # the leaf of a constant holds its value there
            return value
        case "case" | "index":
            return _branch_value(children)
        case "=" | "!=" | "<" | "<=" | ">" | ">=":
            left, right = children
            if left is None or right is None or type(left) is not type(right):
                return None
            return _compare(operator, left, right)
        case "+" | "-" | "*" | "mod" | "/" if node.type is not None and not isinstance(node.type, WordType | SetType):
            left, right = children
            if type(left) is not int or type(right) is not int:
                return None
            return _compute(operator, left, right)
    return None


_LOGIC = frozenset(("not", "and", "or", "xor", "xnor", "iff", "implies"))


def _logic(operator: str, children: list[Value | None]) -> bool | None:
    """A connective of truth values; None for words."""
    if operator == "and" or operator == "or":
        absorbing = operator == "or"
        if any(child is absorbing for child in children):
            return absorbing
        return not absorbing if all(child is (not absorbing) for child in children) else None
    if operator == "implies":
        if children[0] is False or children[1] is True:
            return True
        return False if children[0] is True and children[1] is False else None
    if any(type(child) is not bool for child in children):
        return None
    if operator == "not":
        return not children[0]
    return (children[0] is children[1]) is (operator != "xor")


def _branch_value(children: list[Value | None]) -> Value | None:
    """The common value of all branches that may be taken; None if they differ."""
    branch_values: list[Value | None] = []
    for condition, value in zip(children[::2], children[1::2], strict=True):
        if condition is not False:
            branch_values.append(value)
        if condition is True:
            break
    first = branch_values[0] if branch_values else None
    return first if all(type(value) is type(first) and value == first for value in branch_values) else None


def _compare(operator: str, left: Value, right: Value) -> bool | None:
    if operator in ("=", "!="):
        return (left == right) is (operator == "=")
    if type(left) is not int or type(right) is not int:
        return None
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]


def _compute(operator: str, left: int, right: int) -> int | None:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    if right == 0:
        return None
    quotient = truncated_quotient(left, right)
    return quotient if operator == "/" else left - right * quotient
