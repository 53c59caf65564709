"""CTL formulas that have the same truth value in every state from which a fair infinite run starts.

Only such states count, and each has such a successor. So if a formula has the same value in all of them, it has that
value under each temporal operator too. ``EX TRUE`` is an example.
"""

from __future__ import annotations

from symag.smv.language.recursion import deep_recursion
from symag.smv.model.typed import Constant, Expression, Operation


def constant_truth(formula: Expression) -> bool | None:
    """The truth value that a CTL formula has in every system; None if that does not follow from its operators.

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
