"""CTL formulas in existential form, simplified under the semantics of fair infinite paths.

Only states from which a fair infinite path starts count, as in NuSMV: a system satisfies a formula if every such
initial state does, and EX, EU and EG are about such states only. Hence ``EX TRUE`` is TRUE, and a property such
as ``AG EX TRUE`` says nothing about dead ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from symag.smv.model.typed import CTL_OPERATORS, Constant, Expression, Operation, subexpressions


class Truth(Struct, frozen=True):
    """TRUE or FALSE in every state."""

    value: bool


class Atom(Struct, frozen=True):
    """A boolean expression over state variables."""

    expression: Expression


class Not(Struct, frozen=True):
    """The negation."""

    operand: Formula


class And(Struct, frozen=True):
    """All operands hold."""

    operands: tuple[Formula, ...]


class Or(Struct, frozen=True):
    """Some operand holds."""

    operands: tuple[Formula, ...]


class Next(Struct, frozen=True):
    """EX operand."""

    operand: Formula


class Until(Struct, frozen=True):
    """E[hold U goal]."""

    hold: Formula
    goal: Formula


class Always(Struct, frozen=True):
    """EG hold."""

    hold: Formula


class BoundedUntil(Struct, frozen=True):
    """E[hold BU low..high goal]: ``goal`` after n steps, low <= n <= high, and ``hold`` before."""

    hold: Formula
    goal: Formula
    low: int
    high: int


class BoundedAlways(Struct, frozen=True):
    """EBG low..high hold: ``hold`` after n steps for all low <= n <= high."""

    hold: Formula
    low: int
    high: int


class BoundedRelease(Struct, frozen=True):
    """The negation of A[!release BU low..high !hold].

    On some path for every low <= n <= high: ``hold`` after n steps, or ``release`` after fewer.
    """

    release: Formula
    hold: Formula
    low: int
    high: int


Formula = Truth | Atom | Not | And | Or | Next | Until | Always | BoundedUntil | BoundedAlways | BoundedRelease

TRUE, FALSE = Truth(True), Truth(False)


def negation(operand: Formula) -> Formula:
    """The negation, without a double negation."""
    match operand:
        case Truth(value):
            return Truth(not value)
        case Not(inner):
            return inner
    return Not(operand)


def conjunction(operands: Iterable[Formula]) -> Formula:
    """The conjunction, with nested conjunctions flattened and without TRUE."""
    return _joined(And, TRUE, operands)


def disjunction(operands: Iterable[Formula]) -> Formula:
    """The disjunction, with nested disjunctions flattened and without FALSE."""
    return _joined(Or, FALSE, operands)


def _joined(kind: type[And | Or], neutral: Truth, operands: Iterable[Formula]) -> Formula:
    flat: list[Formula] = []
    for operand in operands:
        if isinstance(operand, Truth):
            if operand != neutral:
                return operand
        elif isinstance(operand, kind):
            flat.extend(operand.operands)
        else:
            flat.append(operand)
    if not flat:
        return neutral
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def until(hold: Formula, goal: Formula) -> Formula:
    """E[hold U goal]."""
    return goal if isinstance(goal, Truth) or hold == FALSE else Until(hold, goal)


def following(operand: Formula) -> Formula:
    """EX operand."""
    return operand if isinstance(operand, Truth) else Next(operand)


def always(hold: Formula) -> Formula:
    """EG hold."""
    return hold if isinstance(hold, Truth) else Always(hold)


def ctl_formula(expression: Expression, same: Mapping[Expression, Expression] | None = None) -> Formula:
    """A CTL property in existential form; a largest subexpression without temporal operators becomes an atom.

    ``same`` maps such subexpressions to equivalent ones that replace them. Costs time linear in the expression.
    """
    temporal = _temporal(expression)
    done: dict[int, Formula] = {}
    stack = [(expression, False)]
    while stack:
        part, ready = stack.pop()
        if id(part) in done:
            continue
        if not (isinstance(part, Operation) and id(part) in temporal):
            done[id(part)] = _atom(part if same is None else same.get(part, part))
        elif ready:
            done[id(part)] = _translated(part.operator, [done[id(operand)] for operand in part.operands], part.operands)
        else:
            stack.append((part, True))
            stack.extend((operand, False) for operand in part.operands)
    return done[id(expression)]


def pushed(formula: Formula) -> Formula:
    """The formula, with a negation at its top moved into the conjunction or disjunction below it."""
    match formula:
        case Not(And(operands)):
            return disjunction(negation(operand) for operand in operands)
        case Not(Or(operands)):
            return conjunction(negation(operand) for operand in operands)
    return formula


def is_propositional(formula: Formula) -> bool:
    """Whether the formula has no temporal operator."""
    stack: list[Formula] = [formula]
    while stack:
        part = stack.pop()
        if not isinstance(part, Truth | Atom | Not | And | Or):
            return False
        stack.extend(operands_of(part))
    return True


def atoms(formula: Formula) -> Iterator[Expression]:
    """The expressions of all atoms in a formula, from left to right, each once."""
    seen: set[int] = set()
    stack: list[Formula] = [formula]
    while stack:
        part = stack.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, Atom):
            yield part.expression
        else:
            stack.extend(reversed(operands_of(part)))


def operands_of(formula: Formula) -> tuple[Formula, ...]:
    """The direct sub-formulas."""
    match formula:
        case Truth() | Atom():
            return ()
        case Not(operand) | Next(operand) | Always(operand) | BoundedAlways(operand):
            return (operand,)
        case And(operands) | Or(operands):
            return operands
        case Until(hold, goal) | BoundedUntil(hold, goal):
            return hold, goal
        case BoundedRelease(release, hold):
            return release, hold


def _temporal(expression: Expression) -> set[int]:
    """The identities of the operations with a temporal operator in them."""
    parts = list(subexpressions(expression))
    temporal: set[int] = set()
    while True:
        size = len(temporal)
        for part in reversed(parts):
            if isinstance(part, Operation) and (
                part.operator in CTL_OPERATORS or any(id(operand) in temporal for operand in part.operands)
            ):
                temporal.add(id(part))
        if len(temporal) == size:
            return temporal


def _atom(expression: Expression) -> Formula:
    if isinstance(expression, Constant) and isinstance(expression.value, bool):
        return Truth(expression.value)
    return Atom(expression)


def _translated(operator: str, operands: list[Formula], source: tuple[Expression, ...]) -> Formula:
    first, last = operands[0], operands[-1]
    match operator:
        case "not":
            return negation(first)
        case "and":
            return conjunction(operands)
        case "or":
            return disjunction(operands)
        case "implies":
            return disjunction((negation(first), last))
        case "xor" | "xnor" | "iff":
            result = first
            for operand in operands[1:]:
                either = conjunction((disjunction((result, operand)), negation(conjunction((result, operand)))))
                result = either if operator == "xor" else negation(either)
            return result
        case "EX":
            return following(first)
        case "AX":
            return negation(following(negation(first)))
        case "EF":
            return until(TRUE, first)
        case "AG":
            return negation(until(TRUE, negation(first)))
        case "EG":
            return always(first)
        case "AF":
            return negation(always(negation(first)))
        case "EU":
            return until(first, last)
        case "AU":
            neither = conjunction((negation(first), negation(last)))
            return negation(disjunction((until(negation(last), neither), always(negation(last)))))
    return _bounded(operator, operands, source)


def _bounded(operator: str, operands: list[Formula], source: tuple[Expression, ...]) -> Formula:
    low, high = (int(bound.value) for bound in source[-2:] if isinstance(bound, Constant))
    first, goal = operands[0], operands[-3]
    empty = low > high or low < 0
    match operator:
        case "EBU":
            return FALSE if empty else BoundedUntil(first, goal, low, high)
        case "EBF":
            return FALSE if empty else BoundedUntil(TRUE, goal, low, high)
        case "ABG":
            return TRUE if empty else negation(BoundedUntil(TRUE, negation(goal), low, high))
        case "EBG":
            return TRUE if empty else BoundedAlways(goal, low, high)
        case "ABF":
            return FALSE if empty else negation(BoundedAlways(negation(goal), low, high))
        case "ABU":
            return FALSE if empty else negation(BoundedRelease(negation(first), negation(goal), low, high))
    raise TypeError(f"{operator} is not an operator of CTL")
