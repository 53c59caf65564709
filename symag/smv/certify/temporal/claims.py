"""What a certificate about runs has to prove: an LTL formula of all fair runs, from LTL, PSL or CTL.

A CTL formula is read from its outside: a state satisfies it if all its fair paths satisfy the LTL formula that
``_without_quantifiers`` gives. To see that, take a fair path and a state on it: each fair path from that state, with
the beginning of the first path before it, is fair too. A disjunction may have one temporal part: the others are decided
in the state. In ``A[f U p]`` the state where p comes first is the same on all these paths as long as f counts.
"""

from __future__ import annotations

from symag.core.limits import Deadline
from symag.smv.certificates.certificate import Certificate
from symag.smv.certify.properties import (
    BRANCHING,
    LINEAR,
    branching_formula,
    has_operator,
    linear_formula,
    provable,
)
from symag.smv.certify.sequences.claim import sequence_claim
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression, Operation
from symag.smv.model.types import BooleanType


def claim_of_runs(
    system: FlatSystem, checked: Property, certificate: Certificate, deadline: Deadline
) -> tuple[FlatSystem, Expression]:
    """The system, with automata for the sequences of the property, and a formula that implies the property if all fair
    runs satisfy it.

    Raises UnsupportedError for a property without such a formula, CertificationError for a wrong automaton.
    """
    if checked.sequences is not None:
        return sequence_claim(system, checked.sequences, deadline)
    branching = branching_formula(system, checked)
    formula = linear_formula(system, checked) if branching is None else _without_quantifiers(branching)
    return system, provable(formula, checked, certificate)


def _without_quantifiers(formula: Expression) -> Expression | None:
    """A CTL formula in which only universal quantifiers count as LTL; None if the two may differ."""
    if not _is_temporal(formula):
        return formula
    match formula:
        case Operation("not", (inner,)):
            return _refuted(inner)
        case Operation("and", operands):
            return _joined("and", [_without_quantifiers(operand) for operand in operands], formula)
        case Operation("or", operands) if sum(map(_is_temporal, operands)) == 1:
            return _joined("or", [_without_quantifiers(operand) for operand in operands], formula)
        case Operation("implies", (premise, conclusion)) if _is_temporal(premise) + _is_temporal(conclusion) == 1:
            return _joined("or", [_refuted(premise), _without_quantifiers(conclusion)], formula)
        case Operation("AG" | "AX", (inner,)):
            return _joined(formula.operator[1], [_without_quantifiers(inner)], formula)
        case Operation("AF", (inner,)) if not _is_temporal(inner):
            return _joined("F", [inner], formula)
        case Operation("AU", (hold, goal)) if not _is_temporal(goal):
            return _joined("U", [_without_quantifiers(hold), goal], formula)
    return None


def _refuted(formula: Expression) -> Expression | None:
    """The same for the formula's negation, in which existential quantifiers are universal ones."""
    if not _is_temporal(formula):
        return _joined("not", [formula], formula)
    match formula:
        case Operation("not", (inner,)):
            return _without_quantifiers(inner)
        case Operation("or", operands):
            return _joined("and", [_refuted(operand) for operand in operands], formula)
        case Operation("and", operands) if sum(map(_is_temporal, operands)) == 1:
            return _joined("or", [_refuted(operand) for operand in operands], formula)
        case Operation("implies", (premise, conclusion)):
            return _joined("and", [_without_quantifiers(premise), _refuted(conclusion)], formula)
        case Operation("EF", (inner,)):
            return _joined("G", [_refuted(inner)], formula)
        case Operation("EX", (inner,)):
            return _joined("X", [_refuted(inner)], formula)
        case Operation("EG", (inner,)) if not _is_temporal(inner):
            return _joined("F", [_refuted(inner)], formula)
        case Operation("EU", (hold, goal)) if not _is_temporal(hold):
            return _joined("V", [_refuted(hold), _refuted(goal)], formula)
    return None


def _joined(operator: str, parts: list[Expression | None], formula: Expression) -> Expression | None:
    operands = [part for part in parts if part is not None]
    if len(operands) < len(parts):
        return None
    return Operation(operator, tuple(operands), BooleanType(), formula.position)


def _is_temporal(formula: Expression) -> bool:
    return has_operator(formula, BRANCHING | LINEAR)
