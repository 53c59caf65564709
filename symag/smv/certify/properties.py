"""What a property claims, for the re-check: an invariant of states or transitions, a CTL or an LTL formula."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.errors import CertificationError, InputError, UnsupportedError
from symag.smv.certificates.certificate import Certificate
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.gates import gates_of
from symag.smv.model.typed import DefineReference, Expression, Operation, VariableReference, subexpressions
from symag.smv.model.types import BooleanType

#: Operators of CTL, of LTL with past, and those that combine formulas of either.
BRANCHING = frozenset(("AG", "AF", "AX", "EG", "EF", "EX", "AU", "EU", "ABU", "EBU", "ABF", "ABG", "EBF", "EBG"))
LINEAR = frozenset(("X", "F", "G", "U", "V", "Y", "Z", "H", "O", "S", "T"))
LOGICAL = frozenset(("not", "and", "or", "xor", "xnor", "implies", "iff"))


def invariant(system: FlatSystem, checked: Property) -> Expression | None:
    """The p of ``INVARSPEC p``, ``SPEC AG p``, ``SPEC !EF !p`` or ``LTLSPEC G p`` that reads states only; of a
    conjunction of such properties the conjunction; None for every other property.

    A PSL property counts as the CTL or LTL formula that it means.
    """
    expression = checked.expression
    if expression is not None and checked.kind != "INVARSPEC":
        expression = _globally(expression)
    return expression if expression is not None and _reads_states_only(system, expression) else None


def transition_invariant(system: FlatSystem, checked: Property) -> Expression | None:
    """The p of ``INVARSPEC p`` where p reads an input or the next state; None for every other property."""
    if checked.kind != "INVARSPEC" or checked.expression is None or invariant(system, checked) is not None:
        return None
    return checked.expression


def linear_formula(system: FlatSystem, checked: Property) -> Expression | None:
    """The formula of an LTL property, or of a PSL property that means one; None for every other property."""
    return checked.expression if checked.kind == "LTL" or _means(checked, BRANCHING) is False else None


def branching_formula(system: FlatSystem, checked: Property) -> Expression | None:
    """The formula of a CTL property, or of a PSL property that means one; None for every other property."""
    return checked.expression if checked.kind == "CTL" or _means(checked, BRANCHING) is True else None


def provable(formula: Expression | None, checked: Property, certificate: Certificate) -> Expression:
    """The formula. Raises UnsupportedError if there is none: a certificate of this kind cannot prove the property."""
    if formula is None:
        raise UnsupportedError(f"the {checked.kind} property {checked.text} has no {certificate.kind} certificate")
    return formula


def provable_invariant(system: FlatSystem, checked: Property, certificate: Certificate) -> Expression:
    """The invariant of states. Raises UnsupportedError for a property that is none."""
    return provable(invariant(system, checked), checked, certificate)


def claimed_invariant(system: FlatSystem, checked: Property, certificate: Certificate) -> tuple[Expression, bool]:
    """The invariant, and whether it is one of transitions. Raises UnsupportedError for a property that is neither."""
    formula = transition_invariant(system, checked)
    return formula or provable_invariant(system, checked, certificate), formula is not None


def named_bit(name: str, bits: Sequence[int], index: int) -> int:
    """One of a variable's bits. Raises CertificationError if it has none with this index."""
    if not 0 <= index < len(bits):
        raise refused(f"{name} has no bit {index}")
    return bits[index]


def refused(reason: str) -> CertificationError:
    """The error for a certificate that proves nothing."""
    return CertificationError(f"the certificate is not accepted: {reason}")


def conditions(system: FlatSystem, texts: Sequence[str], what: str) -> list[Expression]:
    """The boolean expressions in texts of a certificate. Raises CertificationError."""
    # For start-up, here and below: the re-check of a trace of a circuit reads no expression.
    from symag.smv.expression_reader import expressions

    try:
        read = expressions(system, texts)
    except InputError as error:
        raise refused(f"{what} cannot be read: {error}") from None
    for text, expression in zip(texts, read, strict=True):
        if not isinstance(expression.type, BooleanType):
            raise refused(f"{text} is not a condition")
    return read


def temporal_formula(system: FlatSystem, text: str) -> Expression:
    """The LTL formula in a text of a certificate. Raises CertificationError."""
    # For start-up: few certificates have a formula with temporal operators.
    from symag.smv.expression_reader import expression

    try:
        formula = expression(system, text, temporal=LINEAR)
    except InputError as error:
        raise refused(f"a formula cannot be read: {error}") from None
    if not isinstance(formula.type, BooleanType):
        raise refused(f"{text} is not a formula, but a value")
    return formula


def all_invariants(system: FlatSystem, properties: Sequence[Property], certificate: Certificate) -> Expression:
    """The conjunction of several invariants of states. Raises UnsupportedError for a property that is none."""
    claims = tuple(provable_invariant(system, item, certificate) for item in properties)
    return Operation("and", claims, BooleanType(), claims[0].position)


def _means(checked: Property, operators: frozenset[str]) -> bool | None:
    """Whether the formula that a PSL property means has one of these operators; None without such a formula."""
    if checked.kind != "PSL" or checked.expression is None:
        return None
    return has_operator(checked.expression, operators)


def has_operator(formula: Expression, operators: frozenset[str]) -> bool:
    """Whether one of these temporal operators is in the formula, below logical operators only."""
    pending = [formula]
    while pending:
        part = pending.pop()
        if isinstance(part, Operation):
            if part.operator in operators:
                return True
            if part.operator in LOGICAL:
                pending.extend(part.operands)
    return False


def _globally(expression: Expression) -> Expression | None:
    positive = True
    while isinstance(expression, Operation) and expression.operator == "not":
        positive = not positive
        (expression,) = expression.operands
    match expression:
        case Operation(operator="AG" | "G", operands=(inner,)) if positive:
            return inner
        case Operation(operator="and", operands=operands) if positive:
            inner_parts = [part for operand in operands if (part := _globally(operand)) is not None]
            if len(inner_parts) == len(operands):
                return Operation("and", tuple(inner_parts), BooleanType(), expression.position)
        case Operation(operator="EF" | "F", operands=(inner,)) if not positive:
            return Operation("not", (inner,), BooleanType(), expression.position)
    return None


def _reads_states_only(system: FlatSystem, expression: Expression) -> bool:
    """Whether it reads no input, and nothing of the next state but frozen variables, whose values stay."""
    pending = [(expression, False)]
    seen: set[tuple[str, bool]] = set()
    gates = gates_of(system.defines)
    while pending:
        top, under_next = pending.pop()
        for node in subexpressions(top):
            if isinstance(node, Operation) and node.operator in BRANCHING | LINEAR:
                return False
            if isinstance(node, DefineReference):
                key = node.name, under_next or node.primed
                gate = None if gates is None else gates.node(node.name)
                if gates is not None and gate is not None:
                    names = gates.variable_names(gates.new_nodes([gate], gates.fresh_marks()))
                    kinds = {system.by_name[name].kind for name in names}
                    if VariableKind.INPUT in kinds or (key[1] and VariableKind.STATE in kinds):
                        return False
                elif key not in seen:
                    seen.add(key)
                    pending.append((system.defines[node.name], key[1]))
            elif isinstance(node, VariableReference):
                kind = system.by_name[node.name].kind
                if kind is VariableKind.INPUT or (kind is VariableKind.STATE and (under_next or node.primed)):
                    return False
    return True
