"""Which of two readings a formula has: that of weak safety, which simulation preserves, or PRISM's.

Weak-safety formulas (``symag.lpts.problems``) have trees as counterexamples, and the methods by parts decide
them. Both readings agree on formulas that have no ``P`` inside another (the inner ``P>q`` is about some scheduler, for
PRISM about all), and no ``X`` over a label (a deadlock has no step, for PRISM one to itself).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from symag.core.errors import InputError
from symag.core.source import SourceText, text_of_file
from symag.lpts.language.prism.flatten import flattened
from symag.lpts.language.prism.parser import parse
from symag.lpts.language.prism.syntax import (
    ConnectiveText,
    Expression,
    ExpressionText,
    FormulaText,
    LabelText,
    MeasureText,
    Name,
    Number,
    Operation,
    PathText,
    Truth,
    begin_of,
)
from symag.lpts.language.properties.parser import parse_formula
from symag.lpts.problems import Liveness, SafetyFormula, is_label, subformulas
from symag.lpts.readers import lists_states

_PATHS = ("next", "until")


def safety_formula(text: str, path: str, several: bool, constants: Mapping[str, str]) -> SafetyFormula | None:
    """The formula if it is a weak-safety one, else None: then it has PRISM's reading.

    Formulas about a system in several files must be weak-safety ones. Raises InputError for a wrong formula, or a name
    with two meanings.
    """
    where = SourceText.of("--formula", text)
    written = parse_formula(where).formula
    try:
        formula = weak_safety(written, where)
    except InputError:
        if several:
            raise
        return None
    if several:
        return formula
    if not _agrees(formula.violation) or (lists_states(path) and formula.names == ()):
        return None
    if lists_states(path):
        return formula
    source = SourceText.of(path, text_of_file(path))
    flat, scope = flattened(source, parse(source), constants)
    for name, position in formula.names:
        defined = name in scope.variables or name in scope.constants or name in scope.formulas
        if is_label(name) or not defined:
            continue
        if name in flat.alphabet:
            message = f"{name} is an action and a variable, constant or formula; write {name}=true for these"
            raise where.error(message, position)
        return None
    return formula


def reads_of_some_scheduler(formula: SafetyFormula) -> bool:
    """Whether a weak-safety formula has ``P>q`` inside, which PRISM reads otherwise."""
    return any(
        inner.operator in _PATHS
        for subformula in subformulas(formula.violation)
        if subformula.operator in _PATHS
        for operand in subformula.operands
        for inner in subformulas(operand)
    )


def _agrees(violation: Liveness) -> bool:
    for subformula in subformulas(violation):
        inside = [inner for operand in subformula.operands for inner in subformulas(operand)]
        if subformula.operator in _PATHS and any(inner.operator in _PATHS for inner in inside):
            return False
        if subformula.operator == "next" and any(is_label(inner.action) for inner in inside):
            return False
    return True


_OUTSIDE = "true, false, !action, !\"label\", P<=q [..], '&' or '|'"
_INSIDE = "true, false, an action, a \"label\", P>q [..], '&' or '|'"


def weak_safety(formula: FormulaText, source: SourceText) -> SafetyFormula:
    """The formula, whose text is ``source``. Raises InputError at the first part outside the fragment."""
    reading = _Reading(source)
    try:
        violation = reading.violation(formula)
    except RecursionError:
        raise InputError("the formula is nested too deeply", source.path) from None
    return SafetyFormula(violation, tuple(reading.names), source)


@dataclass(slots=True)
class _Reading:
    source: SourceText
    names: list[tuple[str, int]] = field(default_factory=list)

    def violation(self, formula: FormulaText) -> Liveness:
        """The negation of a safety formula."""
        match formula:
            case ExpressionText(Truth(value, _), _):
                return Liveness("false" if value else "true")
            case ConnectiveText("!", (LabelText() | ExpressionText(Name(), _) as negated,), _):
                return self._possible(negated)
            case ConnectiveText("&" | "|" as operator, operands, _):
                inner = [self.violation(operand) for operand in operands]
                return _joined("or" if operator == "&" else "and", inner)
            case MeasureText("P", _, None, "<=", _, path, _):
                return self._path(path, self._bound(formula))
        raise self._expected(_OUTSIDE, formula)

    def _liveness(self, formula: FormulaText) -> Liveness:
        match formula:
            case ExpressionText(Truth(value, _), _):
                return Liveness("true" if value else "false")
            case LabelText() | ExpressionText(Name(), _):
                return self._possible(formula)
            case ConnectiveText("&" | "|" as operator, operands, _):
                inner = [self._liveness(operand) for operand in operands]
                return _joined("and" if operator == "&" else "or", inner)
            case MeasureText("P", _, None, ">", _, path, _):
                return self._path(path, self._bound(formula))
        raise self._expected(_INSIDE, formula)

    def _possible(self, formula: LabelText | ExpressionText) -> Liveness:
        if isinstance(formula, LabelText):
            name, position = f'"{formula.name}"', formula.position
        else:
            assert isinstance(formula.expression, Name)
            name, position = formula.expression.text, formula.expression.position
        self.names.append((name, position))
        return Liveness("possible", action=name)

    def _path(self, path: PathText, bound: Fraction) -> Liveness:
        if path.steps is not None:
            raise self.source.error(f"expected {path.operator} without a bound on steps", path.position)
        match path.operator:
            case "X":
                return Liveness("next", (self._liveness(path.operands[0]),), bound=bound)
            case "F":
                return Liveness("until", (Liveness("true"), self._liveness(path.operands[0])), bound=bound)
            case "U":
                first, second = path.operands
                return Liveness("until", (self._liveness(first), self._liveness(second)), bound=bound)
        raise self.source.error(f"expected X, F or U, found {path.operator}", path.position)

    def _bound(self, formula: MeasureText) -> Fraction:
        """The probability, which is a number or a quotient of two."""
        assert formula.bound is not None
        bound, position = _number(formula.bound), begin_of(formula.bound)
        if bound is None:
            raise self.source.error("expected a probability such as 0.1 or 1/10", position)
        if bound > 1:
            raise self.source.error(f"the bound is {bound}, expected a probability from 0 to 1", position)
        return bound

    def _expected(self, what: str, formula: FormulaText) -> InputError:
        message = f"the formula of several files is not a weak-safety formula: expected {what}"
        position = formula.position
        if isinstance(formula, ConnectiveText):
            position = min(position, *(operand.position for operand in formula.operands))
        return self.source.error(message, position)


def _joined(operator: Literal["and", "or"], operands: list[Liveness]) -> Liveness:
    """The operands joined as a balanced tree: thousands of them do not nest deeply."""
    if len(operands) == 1:
        return operands[0]
    half = (len(operands) + 1) // 2
    return Liveness(operator, (_joined(operator, operands[:half]), _joined(operator, operands[half:])))


def _number(bound: Expression) -> Fraction | None:
    match bound:
        case Number(value, _):
            return Fraction(value)
        case Operation("/", (Number(numerator, _), Number(denominator, _)), _) if denominator:
            return Fraction(numerator) / Fraction(denominator)
    return None
