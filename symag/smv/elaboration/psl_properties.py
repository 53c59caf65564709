"""PSL properties, typed: as formulas of LTL or CTL, or as formulas with operators on sequences."""

from __future__ import annotations

from msgspec import Struct

from symag.smv.elaboration.formulas import FormulaTyper
from symag.smv.elaboration.hierarchy import Scope
from symag.smv.language import syntax
from symag.smv.language.psl import PSL_OPERATORS, SEQUENCE
from symag.smv.language.psl_meaning import UntranslatedError, has_sequences, is_branching, meaning, operators, replaced
from symag.smv.model.typed import LOGICAL_OPERATORS, LTL_OPERATORS, Constant, Expression, Operation
from symag.smv.model.types import BooleanType, IntegerType

_LOGICAL_WORDS = {"!": "not", "&": "and", "|": "or", "->": "implies", "<->": "iff"}

#: How the operators on sequences begin.
_SEQUENCES = ("seq ", "sere")


class TypedPsl(Struct, frozen=True):
    """A formula of LTL or CTL, a formula with operators on sequences, or the reason why it is neither; two are None."""

    formula: Expression | None = None
    sequences: Expression | None = None
    unsupported: str | None = None


def _is_sequence(stated: syntax.Expression) -> bool:
    return isinstance(stated, syntax.Operation) and stated.operator.startswith(_SEQUENCES)


class PslProperties:
    """Types PSL properties by their meaning."""

    def __init__(self, formulas: FormulaTyper) -> None:
        self._formulas = formulas
        self._typer = formulas.typer

    def typed(self, stated: syntax.Expression, scope: Scope) -> TypedPsl:
        """The meaning of a property. Raises InputError."""
        try:
            meant = meaning(stated)
            if has_sequences(stated):
                return TypedPsl(sequences=self._sequences(meant, scope))
            return TypedPsl(self._formulas.typed("CTL" if is_branching(meant) else "LTL", meant, scope))
        except UntranslatedError as error:
            self._check_psl(stated, scope)
            return TypedPsl(unsupported=str(error))

    def _sequences(self, stated: syntax.Expression, scope: Scope) -> Expression:
        """A formula with operators on sequences; the operands of sequence, temporal and logical operators are typed."""
        if is_branching(stated):
            raise UntranslatedError("PSL with sequences inside CTL")
        if not any(operator.startswith(_SEQUENCES) for operator in operators(stated)):
            return self._formulas.typed("LTL", stated, scope)
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
            letter = self._typer.condition(stated.operands[0], scope, "a letter of a sequence")
            return Operation("sere", (letter,), BooleanType(), stated.position)
        operator = _LOGICAL_WORDS.get(stated.operator, stated.operator)
        if not _is_sequence(stated) and operator not in LTL_OPERATORS and operator not in LOGICAL_OPERATORS:
            message = f"an operator on sequences inside '{stated.operator}'"
            raise self._formulas.source.error(message, stated.position)
        operands = tuple(self._sequences(operand, scope) for operand in stated.operands)
        return Operation(operator, operands, BooleanType(), stated.position)

    def _check_psl(self, expression: syntax.Expression, scope: Scope) -> None:
        """Types the operands of PSL's operators, to report errors; variables of ``forall`` have their first value."""
        pending: list[tuple[syntax.Expression, dict[str, syntax.Expression]]] = [(expression, {})]
        while pending:
            part, bound = pending.pop()
            if isinstance(part, syntax.Operation) and part.operator in ("psl forall", "psl forany"):
                name, body, first, *_ = part.operands
                assert isinstance(name, syntax.Name)
                if isinstance(first, syntax.Operation) and first.operator == "..":
                    first = first.operands[0]
                elif isinstance(first, syntax.Name) and first.text == "boolean":
                    first = syntax.Number(False, first.position)
                pending.append((body, {**bound, name.text: first}))
            elif isinstance(part, syntax.Operation) and part.operator in PSL_OPERATORS:
                pending.extend((operand, bound) for operand in part.operands)
            elif isinstance(part, syntax.Operation) and _is_sequence(part):
                pending.extend((operand, bound) for operand in part.operands if not isinstance(operand, syntax.Number))
            elif not (isinstance(part, syntax.Operation) and part.operator == SEQUENCE):
                self._typer.value(replaced(part, bound), scope)
