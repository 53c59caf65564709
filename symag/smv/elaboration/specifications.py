"""Properties: typed, numbered and printed as NuSMV does."""

from __future__ import annotations

from symag.smv.elaboration.checks import References
from symag.smv.elaboration.hierarchy import Hierarchy, Scope
from symag.smv.elaboration.names import path_text
from symag.smv.elaboration.symbols import InstanceSymbol
from symag.smv.elaboration.typing import Typer
from symag.smv.language import syntax
from symag.smv.language.psl import PSL_OPERATORS, SEQUENCE
from symag.smv.language.psl_meaning import UntranslatedError, has_sequences, is_branching, meaning, replaced
from symag.smv.language.text import text_of
from symag.smv.model.flat import Property, PropertyKind
from symag.smv.model.typed import Constant, Expression, Operation, subexpressions
from symag.smv.model.types import BooleanType, IntegerType

#: The order in which NuSMV numbers properties.
_ORDER: tuple[PropertyKind, ...] = ("CTL", "COMPUTE", "LTL", "PSL", "INVARSPEC")

CTL_OPERATORS = frozenset("EX AX EF AF EG AG EBF ABF EBG ABG AU EU ABU EBU".split())
LTL_OPERATORS = frozenset("XYZGHFOUSVT")
TEMPORAL_OPERATORS = CTL_OPERATORS | LTL_OPERATORS | {"MIN", "MAX"}
_LOGICAL_WORDS = {"!": "not", "&": "and", "|": "or", "->": "implies", "<->": "iff"}
_LOGICAL = frozenset(("not", "and", "or", "xor", "xnor", "implies", "iff"))
_ALLOWED: dict[PropertyKind, frozenset[str]] = {
    "CTL": CTL_OPERATORS,
    "COMPUTE": CTL_OPERATORS | {"MIN", "MAX"},
    "LTL": LTL_OPERATORS,
    "INVARSPEC": frozenset(),
}


def _is_sequence(stated: syntax.Expression) -> bool:
    return isinstance(stated, syntax.Operation) and stated.operator.startswith(("seq ", "sere"))


def _has_sequences(stated: syntax.Expression) -> bool:
    pending = [stated]
    while pending:
        part = pending.pop()
        if _is_sequence(part):
            return True
        if isinstance(part, syntax.Operation):
            pending.extend(part.operands)
    return False


class Specifications:
    """Types the properties of a hierarchy."""

    def __init__(self, hierarchy: Hierarchy, typer: Typer, references: References) -> None:
        self.hierarchy = hierarchy
        self.source = hierarchy.source
        self.typer = typer
        self.references = references
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
        expression: Expression | None = None
        sequences: Expression | None = None
        unsupported: str | None = None
        try:
            if specification.kind == "PSL" and has_sequences(specification.expression):
                sequences = self._sequences(meaning(specification.expression), inner)
            else:
                expression = self._expression(specification, inner)
        except UntranslatedError as error:
            unsupported = str(error)
            self._check_psl(specification.expression, inner)
        text = text_of(specification.expression)
        if inner.name:
            text = f"{text} IN {inner.name}"
        line, _ = self.source.location(specification.position)
        return Property(index, specification.kind, name, text.strip(), line, expression, unsupported, sequences)

    def _context(self, context: syntax.Expression, scope: Scope) -> Scope:
        symbol = self.typer.named.names.resolve(context, scope)
        if not isinstance(symbol, InstanceSymbol):
            raise self.source.error(f"'{path_text(context)}' is not an instance of a module", context.position)
        return symbol.scope

    def _expression(self, specification: syntax.Specification, scope: Scope) -> Expression:
        kind, stated = specification.kind, specification.expression
        if kind == "PSL":
            stated = meaning(stated)
            kind = "CTL" if is_branching(stated) else "LTL"
        self.typer.temporal = _ALLOWED[kind]
        expression = self.typer.condition(stated, scope, "a property")
        self.typer.temporal = frozenset()
        self._refuse_hidden_temporal(expression)
        if kind in ("CTL", "COMPUTE"):
            self.references.refuse_next(expression, f"a {kind} property")
            self.references.refuse_inputs(expression, f"a {kind} property")
        return expression

    def _sequences(self, stated: syntax.Expression, scope: Scope) -> Expression:
        """A formula with operators on sequences: what stands below these, temporal and logical ones is typed."""
        if is_branching(stated):
            raise UntranslatedError("PSL with sequences inside CTL")
        if not _has_sequences(stated):
            self.typer.temporal = _ALLOWED["LTL"]
            expression = self.typer.condition(stated, scope, "a property")
            self.typer.temporal = frozenset()
            self._refuse_hidden_temporal(expression)
            return expression
        assert isinstance(stated, syntax.Operation)
        if stated.operator == "sere *":
            body, *bounds = stated.operands
            numbers = [
                Constant(bound.value, IntegerType(), bound.position)
                for bound in bounds
                if isinstance(bound, syntax.Number)
            ]
            return Operation(stated.operator, (self._sequences(body, scope), *numbers), BooleanType(), stated.position)
        if stated.operator == "sere":
            letter = self.typer.condition(stated.operands[0], scope, "a letter of a sequence")
            return Operation("sere", (letter,), BooleanType(), stated.position)
        operator = _LOGICAL_WORDS.get(stated.operator, stated.operator)
        if not _is_sequence(stated) and operator not in LTL_OPERATORS and operator not in _LOGICAL:
            message = f"an operator on sequences inside '{stated.operator}'"
            raise self.source.error(message, stated.position)
        operands = tuple(self._sequences(operand, scope) for operand in stated.operands)
        return Operation(operator, operands, BooleanType(), stated.position)

    def _check_psl(self, expression: syntax.Expression, scope: Scope) -> None:
        """Types what stands below PSL's own operators; variables of ``forall`` stand for their first value."""
        pending: list[tuple[syntax.Expression, dict[str, syntax.Expression]]] = [(expression, {})]
        while pending:
            part, bound = pending.pop()
            if isinstance(part, syntax.Operation) and part.operator in ("psl forall", "psl forany"):
                name, body, first, *_ = part.operands
                assert isinstance(name, syntax.Name)
                if isinstance(first, syntax.Operation) and first.operator == "..":
                    first = first.operands[0]
                pending.append((body, {**bound, name.text: first}))
            elif isinstance(part, syntax.Operation) and part.operator in PSL_OPERATORS:
                pending.extend((operand, bound) for operand in part.operands)
            elif isinstance(part, syntax.Operation) and _is_sequence(part):
                pending.extend((operand, bound) for operand in part.operands if not isinstance(operand, syntax.Number))
            elif not (isinstance(part, syntax.Operation) and part.operator == SEQUENCE):
                self.typer.value(replaced(part, bound), scope)

    def _refuse_hidden_temporal(self, expression: Expression) -> None:
        """Temporal operators combine by logical ones only."""
        pending = [expression]
        while pending:
            nested = pending.pop()
            if not isinstance(nested, Operation):
                continue
            if nested.operator in _LOGICAL or nested.operator in TEMPORAL_OPERATORS:
                pending.extend(nested.operands)
                continue
            for part in subexpressions(nested):
                if isinstance(part, Operation) and part.operator in TEMPORAL_OPERATORS:
                    message = f"temporal operator '{part.operator}' inside '{nested.operator}'"
                    raise self.source.error(message, part.position)
