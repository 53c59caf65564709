"""Properties as LTL: the formula that every fair run of a system satisfies if and only if the property holds.

CTL has such a formula if each of its disjunctions has at most one part that is not propositional, and in ``A[f U g]``
the g is propositional (Maidl, "The common fragment of CTL and LTL", FOCS 2000, section 4): it is the formula without
path quantifiers. Fairness does not matter, as a fair path stays fair with any beginning before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import in_its_logic
from symag.smv.model.typed import TEMPORAL_OPERATORS, Expression, Operation, has_operator, negation
from symag.smv.model.types import BooleanType
from symag.smv.temporal.sequences import sequence_product

#: The operators of CTL with a universal quantifier, or negated ones with an existential quantifier, as those of LTL.
_QUANTIFIED = {
    "AG": (True, "G"),
    "AF": (True, "F"),
    "AX": (True, "X"),
    "AU": (True, "U"),
    "EF": (False, "G"),
    "EG": (False, "F"),
    "EX": (False, "X"),
    "EU": (False, "V"),
}


def linear_claim(system: FlatSystem, target: Property) -> tuple[FlatSystem, Expression] | None:
    """The system, with automata beside it if the property has sequences, and the LTL formula; None for properties that
    are no such formula. Raises UnsupportedError for a sequence that is too large.
    """
    if target.sequences is not None:
        product = sequence_product(system, target.sequences)
        return product.system, product.formula
    stated = in_its_logic(target)
    if stated.expression is None or stated.kind not in ("LTL", "CTL"):
        return None
    formula = stated.expression if stated.kind == "LTL" else _linear(stated.expression, True)
    return None if formula is None else (system, formula)


def _linear(formula: Expression, positive: bool) -> Expression | None:
    """A CTL formula, or its negation, as LTL; None if it is none."""
    if not has_operator(formula, TEMPORAL_OPERATORS):
        return formula if positive else negation(formula)
    assert isinstance(formula, Operation)
    operator, operands = formula.operator, formula.operands
    if operator == "not":
        return _linear(operands[0], not positive)
    if operator in ("and", "or", "implies"):
        first = positive != (operator == "implies")
        parts = [_linear(operand, positive if number else first) for number, operand in enumerate(operands)]
        if (operator == "and") != positive and sum(
            has_operator(operand, TEMPORAL_OPERATORS) for operand in operands
        ) > 1:
            return None
        return _operation("and" if (operator == "and") == positive else "or", parts, formula)
    universal, linear = _QUANTIFIED.get(operator, (not positive, ""))
    if universal != positive:
        return None
    if linear == "U" and has_operator(operands[1], TEMPORAL_OPERATORS):
        return None
    if linear == "V" and has_operator(operands[0], TEMPORAL_OPERATORS):
        return None
    if linear == "F" and has_operator(operands[0], TEMPORAL_OPERATORS):
        return None
    return _operation(linear, [_linear(operand, positive) for operand in operands], formula)


def _operation(operator: str, parts: Sequence[Expression | None], formula: Expression) -> Expression | None:
    operands = tuple(part for part in parts if part is not None)
    return Operation(operator, operands, BooleanType(), formula.position) if len(operands) == len(parts) else None
