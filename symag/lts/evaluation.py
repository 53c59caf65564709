"""Values of FSP's expressions, and the labels that a label pattern stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from symag.errors import InputError
from symag.lts.syntax import (
    Binary,
    Expression,
    Label,
    LabelChoice,
    LabelConstant,
    LabelIndex,
    LabelRange,
    LabelSet,
    LabelText,
    Name,
    Number,
    SetElement,
    SetSize,
    Specification,
    Unary,
)
from symag.source import SourceText

#: A number or a label.
Value = int | str
#: The values of variables (lower case) and parameters (upper case).
Scope = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Definitions:
    """The constants, ranges and sets of a specification; their methods raise InputError with a position."""

    source: SourceText
    constants: Mapping[str, int]
    ranges: Mapping[str, tuple[int, int]]
    sets: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, source: SourceText, specification: Specification) -> Definitions:
        """Evaluates them in the order in which each group is written."""
        constants: dict[str, int] = {}
        ranges: dict[str, tuple[int, int]] = {}
        sets: dict[str, tuple[str, ...]] = {}
        found = cls(source, constants, ranges, sets)
        for each in specification.constants:
            if each.name in constants:
                raise source.error(f"the constant {each.name} is defined twice", each.position)
            constants[each.name] = found.integer(each.value, {})
        for name, low, high in specification.ranges:
            ranges[name] = (found.integer(low, {}), found.integer(high, {}))
        for name, elements in specification.sets:
            sets[name] = found.set(elements, {})
        return found

    def integer(self, expression: Expression, scope: Scope) -> int:
        """The number that the expression denotes; truth is any number but 0."""
        found = self.value(expression, scope)
        if isinstance(found, str):
            raise self._error(f"expected a number, found the label {found}", expression)
        return found

    def value(self, expression: Expression, scope: Scope) -> Value:
        """The number or label that the expression denotes."""
        match expression:
            case Number(number):
                return number
            case Name(text):
                return self._named(text, expression, scope)
            case Unary(operator, operand):
                number = self.integer(operand, scope)
                return {"+": number, "-": -number, "!": int(number <= 0)}[operator]
            case Binary(operator, left, right):
                return self._binary(operator, self.value(left, scope), self.value(right, scope), expression)
            case LabelConstant(label):
                found = self.labels(label, scope)
                if len(found) != 1:
                    raise self._error("expected one label, found a set", expression)
                return found[0]
            case SetSize(label):
                return len(self.labels(label, scope))
            case SetElement(label, index):
                found, number = self.labels(label, scope), self.integer(index, scope)
                if not 0 <= number < len(found):
                    raise self._error(f"the set has no label number {number}", expression)
                return found[number]

    def _named(self, text: str, expression: Expression, scope: Scope) -> Value:
        if text in scope:
            return scope[text]
        if text in self.constants:
            return self.constants[text]
        kind = "constant or parameter" if text[0].isupper() else "variable"
        raise self._error(f"the {kind} {text} is not defined", expression)

    def _binary(self, operator: str, left: Value, right: Value, expression: Expression) -> int:
        if operator in ("==", "!="):
            return int((str(left) == str(right)) == (operator == "=="))
        if isinstance(left, str) or isinstance(right, str):
            raise self._error(f"'{operator}' needs two numbers", expression)
        match operator:
            case "/" | "%" if right == 0:
                raise self._error("division by zero", expression)
            case "/":
                return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            case "%":
                return abs(left) % abs(right) * (1 if left >= 0 else -1)
            case "<<" | ">>" if not 0 <= right < 32:
                raise self._error(f"a shift by {right} is not possible", expression)
            case "||":
                return int(left != 0 or right != 0)
            case "&&":
                return int(left != 0 and right != 0)
        results = {
            "+": left + right,
            "-": left - right,
            "*": left * right,
            "|": left | right,
            "^": left ^ right,
            "&": left & right,
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
        }
        if operator in results:
            return int(results[operator])
        return left << right if operator == "<<" else left >> right

    def set(self, found: LabelSet, scope: Scope) -> tuple[str, ...]:
        """The labels of a set in the order in which they are written, none twice."""
        if isinstance(found.elements, str):
            if found.elements not in self.sets:
                raise self.source.error(f"the set {found.elements} is not defined", found.position)
            labels = self.sets[found.elements]
        else:
            labels = tuple(dict.fromkeys(text for label in found.elements for text in self.labels(label, scope)))
        if found.without is None:
            return labels
        taken = frozenset(self.set(found.without, scope))
        return tuple(label for label in labels if label not in taken)

    def labels(self, label: Label, scope: Scope) -> tuple[str, ...]:
        """All labels that the pattern stands for, the last part varying fastest."""
        return tuple(text for text, _ in self.expansions(label, scope))

    def expansions(self, label: Label, scope: Scope) -> Iterator[tuple[str, Scope]]:
        """Each label, with the scope in which the pattern's variables have the values that gave it."""
        if not label:
            yield "", scope
            return
        first, *rest = label
        for text, inner in self._part(first, scope):
            for tail, innermost in self.expansions(tuple(rest), inner):
                yield (f"{text}.{tail}" if tail else text), innermost

    def _part(self, part: object, scope: Scope) -> Iterator[tuple[str, Scope]]:
        match part:
            case LabelText(text):
                yield text, scope
            case LabelSet():
                for text in self.set(part, scope):
                    yield text, scope
            case LabelIndex(expression):
                yield str(self.value(expression, scope)), scope
            case LabelRange(variable, low, high, position):
                bounds = self.integer(low, scope), self.integer(high, scope)
                yield from self._numbers(variable, bounds, scope, position)
            case LabelChoice(variable, choices, position):
                yield from self._choices(variable, choices, scope, position)

    def _choices(
        self, variable: str | None, choices: LabelSet | Name, scope: Scope, position: int
    ) -> Iterator[tuple[str, Scope]]:
        if isinstance(choices, LabelSet):
            for text in self.set(choices, scope):
                yield text, self._bound(variable, text, scope, position)
        elif choices.text in self.ranges:
            yield from self._numbers(variable, self.ranges[choices.text], scope, position)
        elif variable is None:
            yield str(self.value(choices, scope)), scope
        else:
            raise self.source.error(f"{choices.text} is neither a range nor a set", position)

    def _numbers(
        self, variable: str | None, bounds: tuple[int, int], scope: Scope, position: int
    ) -> Iterator[tuple[str, Scope]]:
        low, high = bounds
        if low > high:
            raise self.source.error(f"the range {low}..{high} is empty", position)
        for number in range(low, high + 1):
            yield str(number), self._bound(variable, number, scope, position)

    def _bound(self, variable: str | None, value: Value, scope: Scope, position: int) -> Scope:
        if variable is None:
            return scope
        if variable in scope:
            raise self.source.error(f"the variable {variable} is defined twice", position)
        return {**scope, variable: value}

    def _error(self, message: str, expression: Expression) -> InputError:
        return self.source.error(message, expression.position)
