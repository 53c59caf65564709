"""Typed expressions and flat systems as text that NuSMV reads back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from symag.smv.language import syntax
from symag.smv.language.recursion import deep_recursion
from symag.smv.language.text import text_of
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.properties import in_its_logic
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference, subexpressions
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, Type, VariableType, WordType

_SPELLING = {
    "not": "!", "and": "&", "or": "|", "implies": "->", "iff": "<->",
    "concat": "::", "select": "[:]", "index": "case",
}  # fmt: skip
_LEFT_ASSOCIATIVE = frozenset(
    ("and", "or", "xor", "xnor", "iff", "+", "-", "*", "/", "mod", "concat", "<<", ">>", "U", "S",
     "=", "!=", "<", "<=", ">", ">=", "in"),
)  # fmt: skip
_KEYWORDS = {"CTL": "CTLSPEC", "COMPUTE": "COMPUTE", "LTL": "LTLSPEC", "INVARSPEC": "INVARSPEC"}


def expression_text(expression: Expression) -> str:
    """NuSMV's spelling of an expression over the flat names; linear in its size as a tree."""
    with deep_recursion():
        return text_of(_syntax(expression), exact=True).strip()


def flat_expression_text(expression: Expression) -> str:
    """``expression_text`` without parentheses inside chains of one associative operator, such as ``a + b + c``."""
    with deep_recursion():
        return text_of(_syntax(expression), runs=True, exact=True).strip()


def type_declaration(of: VariableType) -> str:
    """A variable's type as it is declared."""
    match of:
        case BooleanType():
            return "boolean"
        case EnumerationType(constants):
            return "{" + ", ".join(str(constant) for constant in constants) + "}"
        case RangeType(low, high):
            return f"{low}..{high}"
        case WordType(width, signed):
            return f"{'signed' if signed else 'unsigned'} word[{width}]"


def flat_text(system: FlatSystem) -> str:
    """A model of one module ``main``; reading it back gives an equivalent system with the same names.

    PSL properties are written as the LTL or CTL formulas that they mean; other PSL properties are left out.
    """
    lines = ["MODULE main"]
    constants = loose_constants(system)
    if constants:
        lines.append(f"CONSTANTS {', '.join(constants)};")
    kind: VariableKind | None = None
    for variable in system.variables:
        if variable.kind is not kind:
            kind = variable.kind
            lines.append(kind.value)
        lines.append(f"  {variable.name} : {type_declaration(variable.type)};")
    if system.defines:
        lines.append("DEFINE")
        lines.extend(f"  {name} := {flat_expression_text(body)};" for name, body in system.defines.items())
    if system.assignments:
        lines.append("ASSIGN")
    for assignment in system.assignments:
        target = assignment.variable if assignment.time == "current" else f"{assignment.time}({assignment.variable})"
        lines.append(f"  {target} := {flat_expression_text(assignment.value)};")
    sections = (("INIT", system.init), ("INVAR", system.invar), ("TRANS", system.trans), ("JUSTICE", system.justice))
    for section, constraints in sections:
        lines.extend(f"{section} {flat_expression_text(constraint.expression)};" for constraint in constraints)
    for premise, conclusion in system.compassion:
        lines.append(
            f"COMPASSION ({flat_expression_text(premise.expression)}, {flat_expression_text(conclusion.expression)});"
        )
    lines.extend(property_lines(system.properties))
    return "\n".join(lines) + "\n"


def property_lines(properties: Sequence[Property]) -> Iterable[str]:
    """The properties by their kinds; a PSL property is written as the formula that it means."""
    for kind, keyword in _KEYWORDS.items():
        for property_ in map(in_its_logic, properties):
            if property_.kind == kind and property_.expression is not None:
                name = f"NAME {property_.name} := " if property_.name else ""
                yield f"{keyword} {name}{flat_expression_text(property_.expression)};"


def loose_constants(system: FlatSystem) -> list[str]:
    """Symbolic constants that no variable's type declares, in the order of their first use."""
    declared: set[object] = set()
    for variable in system.variables:
        if isinstance(variable.type, EnumerationType):
            declared.update(variable.type.constants)
    loose: dict[str, None] = {}
    for expression in _all_expressions(system):
        for part in subexpressions(expression):
            if isinstance(part, Constant) and isinstance(part.value, str) and part.value not in declared:
                loose[part.value] = None
    return list(loose)


def _all_expressions(system: FlatSystem) -> Iterable[Expression]:
    yield from system.defines.values()
    yield from (assignment.value for assignment in system.assignments)
    for constraints in (system.init, system.invar, system.trans, system.justice):
        yield from (constraint.expression for constraint in constraints)
    for pair in system.compassion:
        yield from (constraint.expression for constraint in pair)
    yield from (property_.expression for property_ in system.properties if property_.expression is not None)


def _syntax(expression: Expression) -> syntax.Expression:
    pending: list[Operation] = []
    left: Expression = expression
    while isinstance(left, Operation) and left.operator in _LEFT_ASSOCIATIVE:
        pending.append(left)
        left = left.operands[0]
    written = _single(left)
    for operation in reversed(pending):
        operator = _SPELLING.get(operation.operator, operation.operator)
        shown = [_syntax(operand) for operand in operation.operands[1:]]
        if isinstance(written, _Run) and written.operator == operator:
            written.operands.extend(shown)
        else:
            written = _Run(operator, [_closed(written), *shown], operation.position)
    return _closed(written)


class _Run(Struct):
    """A chain of operands of one operator, to which operands are still added."""

    operator: str
    operands: list[syntax.Expression]
    position: int


def _closed(written: syntax.Expression | _Run) -> syntax.Expression:
    if isinstance(written, _Run):
        return syntax.Operation(written.operator, tuple(written.operands), written.position)
    return written


def _single(expression: Expression) -> syntax.Expression | _Run:
    position = expression.position
    match expression:
        case Constant(value, of):
            return _constant(value, of, position)
        case VariableReference(name, primed) | DefineReference(name, primed):
            reference = syntax.Name(name, position)
            return syntax.Operation("next", (reference,), position) if primed else reference
        case Operation("union"):
            return _union(expression)
        case Operation(operator, operands):
            shown = tuple([_syntax(operand) for operand in operands])
            return syntax.Operation(_SPELLING.get(operator, operator), shown, position)


def _union(expression: Operation) -> syntax.Expression:
    """A set, with three or more consecutive numbers as a range."""
    position = expression.position
    numbers: list[int] = []
    parts: list[syntax.Expression] = []
    for operand in (*expression.operands, None):
        number = operand.value if isinstance(operand, Constant) and not isinstance(operand.value, bool) else None
        if isinstance(number, int) and (not numbers or number == numbers[-1] + 1):
            numbers.append(number)
            continue
        parts.extend(_range(numbers, position))
        numbers = [number] if isinstance(number, int) else []
        if operand is not None and not numbers:
            parts.append(_syntax(operand))
    parts.extend(_range(numbers, position))
    return parts[0] if len(parts) == 1 else syntax.Operation("union", tuple(parts), position)


def _range(numbers: list[int], position: int) -> list[syntax.Expression]:
    literals: list[syntax.Expression] = [syntax.Number(number, position) for number in numbers]
    return [syntax.Operation("..", (literals[0], literals[-1]), position)] if len(literals) > 2 else literals


def _constant(value: bool | int | str, of: Type, position: int) -> syntax.Expression:
    if isinstance(value, str):
        return syntax.Name(value, position)
    if isinstance(of, WordType):
        return syntax.WordLiteral(value, of.width, of.signed, position)
    return syntax.Number(value, position)
