"""Properties: typed, numbered and printed as NuSMV does."""

from __future__ import annotations

from symag.smv.elaboration.checks import References
from symag.smv.elaboration.formulas import FormulaTyper
from symag.smv.elaboration.hierarchy import Hierarchy, Scope
from symag.smv.elaboration.names import path_text
from symag.smv.elaboration.symbols import InstanceSymbol
from symag.smv.elaboration.typing import Typer
from symag.smv.language import syntax
from symag.smv.language.text import text_of
from symag.smv.model.flat import Property, PropertyKind
from symag.smv.model.typed import Expression

#: The order in which NuSMV numbers properties.
_ORDER: tuple[PropertyKind, ...] = ("CTL", "COMPUTE", "LTL", "PSL", "INVARSPEC")


class Specifications:
    """Types the properties of a hierarchy."""

    def __init__(self, hierarchy: Hierarchy, typer: Typer, references: References) -> None:
        self.hierarchy = hierarchy
        self.source = hierarchy.source
        self.typer = typer
        self.formulas = FormulaTyper(self.source, typer, references)
        self.names: set[str] = set()

    def all(self) -> tuple[Property, ...]:
        """Every property, in NuSMV's order; raises InputError."""
        properties: list[Property] = []
        for kind in _ORDER:
            for specification, scope in self.hierarchy.specifications:
                if specification.kind == kind:
                    properties.append(self._property(len(properties), specification, scope))
        return tuple(properties)

    def _property(self, index: int, specification: syntax.Specification, scope: Scope) -> Property:
        inner = scope if specification.context is None else self._context(specification.context, scope)
        name = None
        if specification.name is not None:
            name = scope.full(path_text(specification.name))
            if name in self.names:
                raise self.source.error(f"two properties are named '{name}'", specification.name.position)
            self.names.add(name)
        kind, stated = specification.kind, specification.expression
        expression: Expression | None = None
        sequences: Expression | None = None
        unsupported: str | None = None
        if kind == "PSL":
            from symag.smv.elaboration.psl_properties import PslProperties  # for start-up: few models have any

            typed = PslProperties(self.formulas).typed(stated, inner)
            expression, sequences, unsupported = typed.formula, typed.sequences, typed.unsupported
        else:
            expression = self.formulas.typed(kind, stated, inner)
        text = text_of(stated)
        if inner.name:
            text = f"{text} IN {inner.name}"
        line, _ = self.source.location(specification.position)
        return Property(index, kind, name, text.strip(), line, expression, unsupported, sequences)

    def _context(self, context: syntax.Expression, scope: Scope) -> Scope:
        symbol = self.typer.named.names.resolve(context, scope)
        if not isinstance(symbol, InstanceSymbol):
            raise self.source.error(f"'{path_text(context)}' is not an instance of a module", context.position)
        return symbol.scope
