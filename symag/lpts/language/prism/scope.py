"""From the syntax tree of an expression to a typed one: names are resolved, formulas inserted, kinds checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct, field

from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.core.values import replace
from symag.lpts.language.prism.flat import EvaluationError, Literal, Typed, VariableValue, evaluate, folded
from symag.lpts.language.prism.syntax import Constant, Expression, Formula, Name, Number, Operation, Truth, begin_of
from symag.lpts.language.prism.values import Value

_LOGICAL = ("&", "|", "!", "=>", "<=>")
_ORDER = ("<", "<=", ">", ">=")
_ROUNDING = ("floor", "ceil", "round")


class Scope(Struct, frozen=True):
    """The meaning of names. ``renaming`` replaces names first (modules made by renaming).

    ``open`` are the constants and formulas that are being resolved, to find circular definitions.
    """

    source: SourceText
    constants: Mapping[str, Constant]
    given: Mapping[str, Value]
    formulas: Mapping[str, Formula]
    variables: Mapping[str, VariableValue] = field(default_factory=dict)
    renaming: Mapping[str, str] = field(default_factory=dict)
    open: frozenset[str] = frozenset()

    def typed(self, expression: Expression) -> Typed:
        """The typed expression. Raises InputError for an unknown name and for operands of a wrong kind."""
        match expression:
            case Number(value, _):
                return Literal(value, "int" if isinstance(value, int) else "double")
            case Truth(value, _):
                return Literal(value, "bool")
            case Name(text, position):
                return self._named(text, position)
            case Operation(operator, operands, position):
                typed = tuple(self.typed(operand) for operand in operands)
                return folded(operator, typed, self._kind(operator, typed, position), position)

    def of_kind(self, expression: Expression, kind: str, what: str) -> Typed:
        """The typed expression, which must be of this kind (an int is a double too)."""
        typed = self.typed(expression)
        if typed.kind != kind and (typed.kind, kind) != ("int", "double"):
            raise self.source.error(f"{what} is of type {typed.kind}, expected {kind}", begin_of(expression))
        return typed

    def value(self, expression: Expression, kind: str, what: str) -> Value:
        """The value of an expression that depends on no variable."""
        typed = self.of_kind(expression, kind, what)
        try:
            value = evaluate(typed, ())
        except IndexError:
            raise self.error_here(f"{what} depends on a variable, expected a constant", expression) from None
        except EvaluationError as error:
            raise self.source.error(str(error), error.position) from None
        return Fraction(value) if kind == "double" and isinstance(value, int) else value

    def constant(self, name: str) -> Literal:
        """The value of a constant: the given one, else the one in the text."""
        constant = self.constants[name]
        if name in self.given:
            return Literal(self.given[name], constant.type)
        if constant.value is None:
            message = f"the constant {name} has no value; give one with --const {name}=..."
            raise self.source.error(message, constant.position)
        inside = replace(self, variables={}, renaming={}, open=self._opened(name, constant.position))
        return Literal(inside.value(constant.value, constant.type, f"the constant {name}"), constant.type)

    def error_here(self, message: str, expression: Expression) -> InputError:
        """An input error at an expression."""
        return self.source.error(message, begin_of(expression))

    def _named(self, name: str, position: int) -> Typed:
        # Formulas are inserted before a module is renamed: the names in them are renamed, not their own.
        if name in self.formulas:
            formula = self.formulas[name]
            return replace(self, open=self._opened(name, formula.position)).typed(formula.value)
        renamed = self.renaming.get(name, name)
        if renamed in self.variables:
            return self.variables[renamed]
        if renamed in self.constants:
            return self.constant(renamed)
        raise self.source.error(f"'{renamed}' is not defined, expected a constant, variable or formula", position)

    def _opened(self, name: str, position: int) -> frozenset[str]:
        if name in self.open:
            raise self.source.error(f"the definition of {name} needs {name} itself", position)
        return self.open | {name}

    def _kind(self, operator: str, operands: tuple[Typed, ...], position: int) -> str:
        kinds = [operand.kind for operand in operands]
        numeric = "double" if "double" in kinds else "int"
        if operator in _LOGICAL:
            self._expect(operator, kinds, ("bool",), position)
            return "bool"
        if operator == "?":
            self._expect(operator, kinds[:1], ("bool",), position)
            if (kinds[1] == "bool") != (kinds[2] == "bool"):
                raise self.source.error(f"'?' chooses between {kinds[1]} and {kinds[2]}, expected one type", position)
            return "bool" if kinds[1] == "bool" else "double" if "double" in kinds[1:] else "int"
        if operator in ("=", "!=") and kinds == ["bool", "bool"]:
            return "bool"
        self._expect(operator, kinds, ("int",) if operator == "mod" else ("int", "double"), position)
        if operator in _ORDER or operator in ("=", "!="):
            return "bool"
        if operator in _ROUNDING or operator == "mod":
            return "int"
        return "double" if operator in ("/", "log") else numeric

    def _expect(self, operator: str, kinds: Iterable[str], expected: tuple[str, ...], position: int) -> None:
        wrong = next((kind for kind in kinds if kind not in expected), None)
        if wrong is not None:
            message = f"an operand of '{operator}' is of type {wrong}, expected {' or '.join(expected)}"
            raise self.source.error(message, position)
