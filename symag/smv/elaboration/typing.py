"""From syntax to typed expressions, operator by operator; ``next`` is moved down to the references."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from symag.core.source import SourceText
from symag.smv.elaboration import arrays
from symag.smv.elaboration.arrays import ExpressionArray, Value
from symag.smv.elaboration.constants import integer_constant
from symag.smv.elaboration.hierarchy import Scope
from symag.smv.elaboration.kinds import type_text
from symag.smv.elaboration.named import NamedValues
from symag.smv.elaboration.names import ArraySymbol, DefineSymbol, InstanceSymbol, VariableSymbol
from symag.smv.elaboration.rules import Rules
from symag.smv.language import syntax
from symag.smv.model.typed import BOOLEAN, Constant, Expression, Operation
from symag.smv.model.types import IntegerType, SetType, WordType

_INTEGER = IntegerType()
_UNARY_TEMPORAL = frozenset("EX AX EF AF EG AG EBF ABF EBG ABG X Y Z G H F O".split())
_BRACKETED_TEMPORAL = frozenset("AU EU ABU EBU MIN MAX".split())
_LARGEST_RANGE = 1_000_000

_Handler = Callable[[syntax.Operation, Scope, bool], Value]

_Infix = Callable[[syntax.Operation, list[Value]], Value]


class Typer:
    """Types the expressions of one name space.

    ``temporal`` are the temporal operators that are allowed in the expression: none outside properties.
    ``named`` is set after the typer is built, because the values of names need the typer.
    """

    named: NamedValues

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.rules = Rules(source)
        self.temporal: frozenset[str] = frozenset()
        self._infix = self._infix_operators()
        self._handlers = self._operators()

    def value(self, expression: syntax.Expression, scope: Scope, primed: bool = False) -> Expression:
        """The typed expression. Raises InputError for an array."""
        return self.single(self.any_value(expression, scope, primed))

    def condition(self, expression: syntax.Expression, scope: Scope, what: str) -> Expression:
        """The typed expression, which has to be boolean."""
        return self.rules.boolean(self.value(expression, scope), what)

    def number(self, expression: syntax.Expression, scope: Scope) -> int | None:
        """The number that a constant expression stands for, else None."""
        if isinstance(expression, syntax.Number) and not isinstance(expression.value, bool):
            return expression.value
        typed = self.any_value(expression, scope, False)
        return None if isinstance(typed, ExpressionArray) else integer_constant(typed, self.named.defines.__getitem__)

    def constant_number(self, expression: syntax.Expression, scope: Scope, what: str) -> int:
        """The number of a constant expression. Raises InputError for any other expression."""
        number = self.number(expression, scope)
        if number is None:
            raise self.source.error(f"{what} must be an integer constant", expression.position)
        return number

    def any_value(self, expression: syntax.Expression, scope: Scope, primed: bool) -> Value:
        """The typed expression, which may be an array."""
        if isinstance(expression, syntax.Name):
            return self.named.name(expression, scope, primed)
        if isinstance(expression, syntax.Operation):
            if expression.operator in self._infix:
                return self._chain(expression, scope, primed)
            handler = self._handlers.get(expression.operator)
            if handler is None:
                return self._temporal(expression, scope, primed)
            return handler(expression, scope, primed)
        if isinstance(expression, syntax.Number):
            of = BOOLEAN if isinstance(expression.value, bool) else _INTEGER
            return Constant(expression.value, of, expression.position)
        self.rules.note_width(expression.width, expression.position)
        return Constant(expression.value, WordType(expression.width, expression.signed), expression.position)

    def _chain(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        """An infix operation. Its left operands are visited without recursion, because chains may be very long."""
        pending = []
        left: syntax.Expression = e
        while isinstance(left, syntax.Operation) and left.operator in self._infix:
            pending.append(left)
            left = left.operands[0]
        value = self.any_value(left, scope, primed)
        for implication in reversed(pending):
            values = [value]
            for operand in implication.operands[1:]:
                values.append(self.any_value(operand, scope, primed))
            value = self._infix[implication.operator](implication, values)
        return value

    def _infix_operators(self) -> Mapping[str, _Infix]:
        rules = self.rules
        infix: dict[str, _Infix] = {
            "=": self._equality,
            "!=": self._equality,
            "union": lambda e, values: rules.union(self.singles(values), e.position),
            "in": lambda e, values: rules.pairs(rules.membership, self.singles(values), e.position),
            "::": lambda e, values: rules.pairs(rules.concatenation, self.singles(values), e.position),
        }
        for operator in ("&", "|", "xor", "xnor", "->", "<->"):
            infix[operator] = lambda e, values: rules.logical(e.operator, self.singles(values), e.position)
        for operator in ("<", "<=", ">", ">="):
            infix[operator] = self._comparison
        for operator in ("+", "-", "*", "/", "mod"):
            infix[operator] = lambda e, values: rules.arithmetic(e.operator, self.singles(values), e.position)
        for operator in ("<<", ">>"):
            infix[operator] = lambda e, values: rules.pairs(
                partial(rules.shift, e.operator), self.singles(values), e.position
            )
        return infix

    def singles(self, values: list[Value]) -> list[Expression]:
        """The values. Raises InputError for an array among them."""
        return [self.single(value) for value in values]

    def single(self, value: Value) -> Expression:
        """The value. Raises InputError for an array."""
        if isinstance(value, ExpressionArray):
            raise self.source.error(f"expected a single value, not an {type_text(value.type)}", value.position)
        return value

    def _comparison(self, e: syntax.Operation, values: list[Value]) -> Value:
        left, right = self.singles(values)
        return self.rules.comparison(e.operator, left, right, e.position)

    def _equality(self, e: syntax.Operation, values: list[Value]) -> Value:
        left, right = values
        if isinstance(left, ExpressionArray) or isinstance(right, ExpressionArray):
            return arrays.equality(self.rules, e.operator, left, right, e.position)
        return self.rules.equality(e.operator, left, right, e.position)

    def _operators(self) -> Mapping[str, _Handler]:
        handlers: dict[str, _Handler] = {
            ".": self._path,
            "[]": self._index,
            "self": self._path,
            "!": self._not,
            "negate": self._minus,
            "next": self._next,
            "case": self._case,
            "?:": self._if_then_else,
            "{}": self._union,
            "..": self._range,
            "[:]": self._selection,
            "sizeof": self._sizeof,
            "count": self._count,
            "READ": self._read,
            "WRITE": self._write,
            "CONSTARRAY": self._constant_array,
            "typeof": self._typeof,
        }
        for operator in ("extend", "resize"):
            handlers[operator] = self._resized
        for operator in ("uwconst", "swconst"):
            handlers[operator] = self._word_constant
        for operator in ("signed", "unsigned", "bool", "word1", "toint"):
            handlers[operator] = self._conversion
        for operator in ("abs", "min", "max"):
            handlers[operator] = self._extreme
        return handlers

    def _values(self, operation: syntax.Operation, scope: Scope, primed: bool) -> list[Expression]:
        return [self.value(operand, scope, primed) for operand in operation.operands]

    def _path(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        return self.named.reference(self.named.names.resolve(e, scope), e, primed)

    def _index(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        symbol = self.named.names.resolve(e, scope)
        if isinstance(symbol, (VariableSymbol, ArraySymbol, DefineSymbol, InstanceSymbol)):
            return self.named.reference(symbol, e, primed)
        base = self.any_value(e.operands[0], scope, primed)
        if not isinstance(base, ExpressionArray):
            message = f"only an array has elements, not {type_text(base.type)}"
            raise self.source.error(message, e.position)
        index = self.value(e.operands[1], scope, primed)
        return arrays.indexed(self.rules, base, index, self._constant(index), e.position)

    def _constant(self, index: Expression) -> int | None:
        return integer_constant(index, self.named.defines.__getitem__)

    def _read(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        array = self.any_value(e.operands[0], scope, primed)
        index = self.value(e.operands[1], scope, primed)
        return arrays.read(self.rules, array, index, self._constant(index), e.position)

    def _write(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        array = self.any_value(e.operands[0], scope, primed)
        index = self.value(e.operands[1], scope, primed)
        value = self.any_value(e.operands[2], scope, primed)
        return arrays.written(self.rules, array, index, self._constant(index), value, e.position)

    def _constant_array(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        like, value = e.operands
        if not isinstance(like, syntax.Operation) or like.operator != "typeof":
            raise self.source.error("'CONSTARRAY' takes the type of an array: 'typeof(x)'", like.position)
        array = self.any_value(like.operands[0], scope, primed)
        return arrays.constant(self.rules, array, self.any_value(value, scope, primed), e.position)

    def _typeof(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        raise self.source.error("'typeof' stands only in 'CONSTARRAY(typeof(...), ...)'", e.position)

    def _not(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        return self.rules.negation(self.value(e.operands[0], scope, primed), e.position)

    def _minus(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        return self.rules.minus(self.value(e.operands[0], scope, primed), e.position)

    def _next(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        if primed:
            raise self.source.error("'next' inside 'next'", e.position)
        return self.any_value(e.operands[0], scope, True)

    def _case(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        conditions = [self.value(condition, scope, primed) for condition in e.operands[::2]]
        values = [self.any_value(value, scope, primed) for value in e.operands[1::2]]
        return arrays.case(self.rules, conditions, values, e.position)

    def _if_then_else(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        condition = self.value(e.operands[0], scope, primed)
        values = [self.any_value(value, scope, primed) for value in e.operands[1:]]
        always = Constant(True, BOOLEAN, e.position)
        return arrays.case(self.rules, [condition, always], values, e.position)

    def _union(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        return self.rules.union(self._values(e, scope, primed), e.position)

    def _range(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        low = self.constant_number(e.operands[0], scope, "a bound of a range")
        high = self.constant_number(e.operands[1], scope, "a bound of a range")
        if low > high:
            raise self.source.error(f"the range {low}..{high} is empty", e.position)
        if high - low >= _LARGEST_RANGE:
            raise self.source.error(f"the range {low}..{high} has more than {_LARGEST_RANGE:,} values", e.position)
        numbers = tuple(Constant(number, _INTEGER, e.position) for number in range(low, high + 1))
        if len(numbers) == 1:
            return numbers[0]
        return Operation("union", numbers, SetType(_INTEGER), e.position)

    def _selection(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        word = self.value(e.operands[0], scope, primed)
        high = self.constant_number(e.operands[1], scope, "a selected bit")
        low = self.constant_number(e.operands[2], scope, "a selected bit")
        return self.rules.selection(word, high, low, e.position)

    def _sizeof(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        word = self.value(e.operands[0], scope, primed)
        if not isinstance(word.type, WordType):
            raise self.rules.wrong("sizeof", (word,), e.position)
        return Constant(word.type.width, _INTEGER, e.position)

    def _count(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        return self.rules.count(self._values(e, scope, primed), e.position)

    def _resized(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        word = self.value(e.operands[0], scope, primed)
        number = self.constant_number(e.operands[1], scope, f"the second operand of '{e.operator}'")
        return self.rules.resized(e.operator, word, number, e.position)

    def _word_constant(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        number = self.constant_number(e.operands[0], scope, f"the value of '{e.operator}'")
        width = self.rules.width(self.constant_number(e.operands[1], scope, "the width"), e.position)
        return self.rules.word_constant(number, width, e.operator == "swconst", e.position)

    def _conversion(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        return self.rules.conversion(e.operator, self.value(e.operands[0], scope, primed), e.position)

    def _extreme(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        return self.rules.extreme(e.operator, self._values(e, scope, primed), e.position)

    def _temporal(self, e: syntax.Operation, scope: Scope, primed: bool) -> Value:
        if primed or e.operator not in self.temporal:
            raise self.source.error(f"temporal operator '{e.operator}' is not allowed here", e.position)
        operands = self._values(e, scope, primed)
        proper = 1 if e.operator in _UNARY_TEMPORAL else 2 if e.operator in _BRACKETED_TEMPORAL else len(operands)
        for operand in operands[:proper]:
            self.rules.boolean(operand, f"an operand of '{e.operator}'")
        bounds = [bound.value for bound in operands[proper:] if isinstance(bound, Constant)]
        if bounds != sorted(bounds):
            raise self.source.error(f"the bounds {bounds[0]} and {bounds[1]} are the wrong way round", e.position)
        if e.operator in _UNARY_TEMPORAL or e.operator in _BRACKETED_TEMPORAL:
            return Operation(e.operator, tuple(operands), BOOLEAN, e.position)
        return self.rules.folded(e.operator, operands, BOOLEAN, e.position)
