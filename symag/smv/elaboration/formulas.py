"""Formulas of temporal logic, typed."""

from __future__ import annotations

from symag.core.source import SourceText
from symag.smv.elaboration.checks import References
from symag.smv.elaboration.hierarchy import Scope
from symag.smv.elaboration.typing import Typer
from symag.smv.language import syntax
from symag.smv.model.flat import PropertyKind
from symag.smv.model.typed import (
    CTL_OPERATORS,
    LOGICAL_OPERATORS,
    LTL_OPERATORS,
    TEMPORAL_OPERATORS,
    Expression,
    Operation,
    subexpressions,
)

_ALLOWED: dict[PropertyKind, frozenset[str]] = {
    "CTL": CTL_OPERATORS,
    "COMPUTE": CTL_OPERATORS | {"MIN", "MAX"},
    "LTL": LTL_OPERATORS,
    "INVARSPEC": frozenset(),
}

#: What errors call a formula that is not boolean.
PROPERTY = "a property"


class FormulaTyper:
    """Types formulas; ``source`` is the text for messages."""

    def __init__(self, source: SourceText, typer: Typer, references: References) -> None:
        self.source = source
        self.typer = typer
        self.references = references

    def typed(self, kind: PropertyKind, stated: syntax.Expression, scope: Scope) -> Expression:
        """The formula of a property of this kind, other than PSL. Raises InputError."""
        self.typer.temporal = _ALLOWED[kind]
        expression = self.typer.condition(stated, scope, PROPERTY)
        self.typer.temporal = frozenset()
        self._refuse_hidden_temporal(expression)
        if kind in ("CTL", "COMPUTE"):
            self.references.refuse_next(expression, f"a {kind} property")
            self.references.refuse_inputs(expression, f"a {kind} property")
        return expression

    def _refuse_hidden_temporal(self, expression: Expression) -> None:
        """Raises InputError for a temporal operator inside an operator that is not logical or temporal."""
        pending = [expression]
        while pending:
            nested = pending.pop()
            if not isinstance(nested, Operation):
                continue
            if nested.operator in LOGICAL_OPERATORS or nested.operator in TEMPORAL_OPERATORS:
                pending.extend(nested.operands)
                continue
            for part in subexpressions(nested):
                if isinstance(part, Operation) and part.operator in TEMPORAL_OPERATORS:
                    message = f"temporal operator '{part.operator}' inside '{nested.operator}'"
                    raise self.source.error(message, part.position)
