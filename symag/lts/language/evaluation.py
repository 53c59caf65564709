"""Values of FSP's expressions, and the labels of label patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from symag.core.errors import InputError, UsageError
from symag.core.source import SourceText
from symag.lts.language.syntax import (
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

#: A number or a label.
Value = int | str
#: The values of variables (lower case) and parameters (upper case).
Scope = Mapping[str, Value]
#: An expression as a function of the scope.
Meaning = Callable[[Scope], Value]


def existing(names: Sequence[str]) -> str:
    """The names of a specification's processes or constants, for a message that one is missing."""
    return f"there are {', '.join(names)}" if names else "the specification has none"


def _unary(operator: str, number: int) -> int:
    if operator == "!":
        return int(number <= 0)
    return -number if operator == "-" else number


def _quotient(one: int, other: int) -> int:
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


def _remainder(one: int, other: int) -> int:
    return abs(one) % abs(other) * (1 if one >= 0 else -1)


def _shifted(one: int, other: int, right: bool) -> int:
    if not 0 <= other < 32:
        raise OverflowError
    return one >> other if right else one << other


#: C's operators on numbers; truth is any number but 0, and both sides are always evaluated.
#: The largest number of values of a range: each of them becomes an action or a state.
MOST_VALUES = 1 << 24

_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "||": lambda one, other: int(one != 0 or other != 0),
    "&&": lambda one, other: int(one != 0 and other != 0),
    "|": lambda one, other: one | other,
    "^": lambda one, other: one ^ other,
    "&": lambda one, other: one & other,
    "<": lambda one, other: int(one < other),
    "<=": lambda one, other: int(one <= other),
    ">": lambda one, other: int(one > other),
    ">=": lambda one, other: int(one >= other),
    "<<": lambda one, other: _shifted(one, other, False),
    ">>": lambda one, other: _shifted(one, other, True),
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "/": _quotient,
    "%": _remainder,
}


class Definitions(Struct, frozen=True):
    """The constants, ranges and sets of a specification; their methods raise InputError with a position."""

    source: SourceText
    constants: Mapping[str, Value]
    ranges: Mapping[str, tuple[int, int]]
    sets: Mapping[str, tuple[str, ...]]
    #: Gets a line for what is odd but allowed.
    warn: Callable[[str], None]
    _meanings: dict[int, tuple[Expression, Meaning]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        source: SourceText,
        specification: Specification,
        given: Mapping[str, int],
        warn: Callable[[str], None],
    ) -> Definitions:
        """Evaluate the definitions of each group in their order in the text.

        ``given`` are values of constants that replace those in the specification. Raises InputError, and UsageError
        for a given constant that the specification does not define.
        """
        constants: dict[str, Value] = {}
        ranges: dict[str, tuple[int, int]] = {}
        sets: dict[str, tuple[str, ...]] = {}
        definitions = cls(source, constants, ranges, sets, warn)
        for constant in specification.constants:
            if constant.name in constants:
                raise source.error(f"the constant {constant.name} is defined twice", constant.position)
            constants[constant.name] = (
                given[constant.name] if constant.name in given else definitions.value(constant.value, {})
            )
        unknown = [name for name in given if name not in constants]
        if unknown:
            raise UsageError(f"no constant '{unknown[0]}'; {existing([*constants])}")
        for name, low, high in specification.ranges:
            ranges[name] = (definitions.integer(low, {}), definitions.integer(high, {}))
        for name, elements in specification.sets:
            sets[name] = definitions.set(elements, {})
        return definitions

    def integer(self, expression: Expression, scope: Scope) -> int:
        """The number that the expression denotes; 0 is false, any other number is true."""
        value = self.value(expression, scope)
        if isinstance(value, str):
            raise self._error(f"expected a number, found the label {value}", expression)
        return value

    def value(self, expression: Expression, scope: Scope) -> Value:
        """The number or label that the expression denotes."""
        meaning = self._meanings.get(id(expression))
        if meaning is None:
            # The expression is kept with its meaning, so that no other object gets its id.
            meaning = self._meanings[id(expression)] = expression, self._meaning(expression)
        return meaning[1](scope)

    def _meaning(self, expression: Expression) -> Meaning:
        """The expression as a function of the scope; large processes evaluate each a hundred thousand times."""
        match expression:
            case Number(number):
                return lambda scope: number
            case Name(text):
                return self._name(text, expression)
            case Unary(operator, operand):
                return lambda scope: _unary(operator, self.integer(operand, scope))
            case Binary():
                return self._binary(expression)
            case LabelConstant(label):
                return lambda scope: self._only(self.labels(label, scope), expression)
            case SetSize(label):
                return lambda scope: len(self.labels(label, scope))
            case SetElement(label, index):
                return lambda scope: self._element(self.labels(label, scope), self.integer(index, scope), expression)

    def _name(self, text: str, expression: Name) -> Meaning:
        def named(scope: Scope) -> Value:
            if text in scope:
                return scope[text]
            if text in self.constants:
                return self.constants[text]
            kind = "constant or parameter" if text[0].isupper() else "variable"
            raise self._error(f"the {kind} {text} is not defined", expression)

        return named

    def _binary(self, expression: Binary) -> Meaning:
        operator = expression.operator
        left, right = self._meaning(expression.left), self._meaning(expression.right)
        if operator in ("==", "!="):
            is_equality = operator == "=="
            return lambda scope: int((str(left(scope)) == str(right(scope))) == is_equality)
        calculate = _OPERATORS[operator]

        def calculated(scope: Scope) -> int:
            one, other = left(scope), right(scope)
            if isinstance(one, str) or isinstance(other, str):
                raise self._error(f"'{operator}' needs two numbers", expression)
            try:
                return calculate(one, other)
            except ZeroDivisionError:
                raise self._error("division by zero", expression) from None
            except OverflowError:
                raise self._error(f"a shift by {other} is not possible", expression) from None

        return calculated

    def _only(self, labels: tuple[str, ...], expression: Expression) -> str:
        if len(labels) != 1:
            raise self._error("expected one label, found a set", expression)
        return labels[0]

    def _element(self, labels: tuple[str, ...], number: int, expression: Expression) -> str:
        if not 0 <= number < len(labels):
            raise self._error(f"the set has no label number {number}", expression)
        return labels[number]

    def set(self, label_set: LabelSet, scope: Scope) -> tuple[str, ...]:
        """The labels of a set in the order in which they are written, none twice."""
        if isinstance(label_set.elements, str):
            if label_set.elements not in self.sets:
                raise self.source.error(f"the set {label_set.elements} is not defined", label_set.position)
            labels = self.sets[label_set.elements]
        else:
            labels = tuple(dict.fromkeys(text for label in label_set.elements for text in self.labels(label, scope)))
        if label_set.without is None:
            return labels
        taken = frozenset(self.set(label_set.without, scope))
        return tuple(label for label in labels if label not in taken)

    def labels(self, label: Label, scope: Scope) -> tuple[str, ...]:
        """All labels of a pattern; the last part varies fastest."""
        return tuple(text for text, _ in self.expansions(label, scope))

    def expansions(self, label: Label, scope: Scope) -> Iterator[tuple[str, Scope]]:
        """Each label of a pattern, with the scope that has the values of the pattern's variables for it.

        As in LTSA, of a variable that is bound twice in one pattern the last value counts (with a warning).
        """
        return self._tails(label, scope, scope)

    def _tails(self, label: Label, scope: Scope, outer: Scope) -> Iterator[tuple[str, Scope]]:
        if not label:
            yield "", scope
            return
        first, *rest = label
        for text, inner in self._part(first, scope, outer):
            for tail, innermost in self._tails(tuple(rest), inner, outer):
                yield (f"{text}.{tail}" if tail else text), innermost

    def _part(self, part: object, scope: Scope, outer: Scope) -> Iterator[tuple[str, Scope]]:
        """``outer`` has the variables that are bound around the pattern."""
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
                yield from self._numbers(variable, bounds, scope, outer, position)
            case LabelChoice(variable, choices, position):
                yield from self._choices(variable, choices, scope, outer, position)

    def _choices(
        self, variable: str | None, choices: LabelSet | Name, scope: Scope, outer: Scope, position: int
    ) -> Iterator[tuple[str, Scope]]:
        if isinstance(choices, LabelSet):
            for text in self.set(choices, scope):
                yield text, self._bound(variable, text, scope, outer, position)
        elif choices.text in self.ranges:
            yield from self._numbers(variable, self.ranges[choices.text], scope, outer, position)
        elif variable is None:
            yield str(self.value(choices, scope)), scope
        else:
            raise self.source.error(f"{choices.text} is neither a range nor a set", position)

    def _numbers(
        self, variable: str | None, bounds: tuple[int, int], scope: Scope, outer: Scope, position: int
    ) -> Iterator[tuple[str, Scope]]:
        low, high = bounds
        if low > high:
            raise self.source.error(f"the range {low}..{high} is empty", position)
        if high - low >= MOST_VALUES:
            count = high - low + 1
            raise self.source.error(f"{low}..{high} has {count} values, expected at most {MOST_VALUES}", position)
        for number in range(low, high + 1):
            yield str(number), self._bound(variable, number, scope, outer, position)

    def _bound(self, variable: str | None, value: Value, scope: Scope, outer: Scope, position: int) -> Scope:
        if variable is None:
            return scope
        if variable in outer:
            raise self.source.error(f"the variable {variable} is defined twice", position)
        if variable in scope:
            line, _ = self.source.location(position)
            message = f"the variable {variable} has two ranges in one label, whose values need not be equal"
            self.warn(f"line {line}: {message}")
        return {**scope, variable: value}

    def _error(self, message: str, expression: Expression) -> InputError:
        return self.source.error(message, expression.position)
