"""Which of two readings a formula has: that of weak safety, which simulation preserves, or PRISM's.

Weak-safety formulas (``symag.lpts.safety_formulas``) have trees as counterexamples, and the methods by parts decide
them. Both readings agree on formulas that have no ``P`` inside another (the inner ``P>q`` is about some scheduler, for
PRISM about all), and no ``X`` over a label (a deadlock has no step, for PRISM one to itself).
"""

from __future__ import annotations

from collections.abc import Mapping

from symag.core.errors import InputError
from symag.core.source import SourceText, text_of_file
from symag.lpts.language.prism.flatten import flattened
from symag.lpts.language.prism.parser import parse
from symag.lpts.language.properties.parser import parse_formula
from symag.lpts.language.properties.weak_safety import weak_safety
from symag.lpts.readers import lists_states
from symag.lpts.safety_formulas import Liveness, SafetyFormula, is_label, subformulas

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
    model = parse(source)
    known = {constant.name for constant in model.constants}
    flat, scope = flattened(source, model, {name: value for name, value in constants.items() if name in known})
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
