"""The oracle's own evaluator: what a typed expression denotes, in the plainest way, one recursive look after the other.

It follows the table in ``symag.smv.model.typed`` and shares no code with ``symag.smv.certify`` or the searches, so that
neither can be wrong in the same way. Errors are exceptions. Words are bit patterns while they are computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import trunc

from symag.core.trace import Value
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, Type, WordType, values

Valuation = Mapping[str, Value]


class EvaluationError(Exception):
    """The expression has no value: NuSMV's message, and the position in the source text."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


class Evaluator:
    """Evaluates expressions of one system at one state with its inputs and, for ``next``, a successor."""

    def __init__(self, system: FlatSystem, current: Valuation, following: Valuation | None = None) -> None:
        self.system, self.current, self.following = system, current, following
        self.defines: dict[tuple[str, bool], frozenset[Value]] = {}

    def values(self, expression: Expression, primed: bool = False) -> frozenset[Value]:
        """The set of values; raises EvaluationError."""
        match expression:
            case Constant(value=value):
                return frozenset([value])
            case VariableReference(name=name):
                frozen = name in self.system.by_name and self.system.by_name[name].kind is VariableKind.FROZEN
                later = (primed or expression.primed) and not frozen
                valuation = (self.following or {}) if later else self.current
                if name not in valuation:
                    time = "the next state" if later else "this state"
                    raise EvaluationError(f"{name} has no value in {time}", expression.position)
                return frozenset([valuation[name]])
            case DefineReference(name=name):
                key = name, primed or expression.primed
                if key not in self.defines:
                    self.defines[key] = self.values(self.system.defines[name], key[1])
                return self.defines[key]
        return self._operation(expression, primed)

    def single(self, expression: Expression, primed: bool) -> Value:
        """The value of an expression that has one."""
        (value,) = self.values(expression, primed)
        return value

    def _operation(self, operation: Operation, primed: bool) -> frozenset[Value]:
        operator, operands = operation.operator, operation.operands
        if operator in ("case", "index"):
            for condition, value in zip(operands[::2], operands[1::2], strict=True):
                if self.single(condition, primed) is True:
                    return self.values(value, primed)
            message = "case conditions are not exhaustive" if operator == "case" else "array index out of bounds"
            raise EvaluationError(message, operation.position)
        if operator in ("and", "or") and isinstance(operation.type, BooleanType):
            return frozenset([self._connective(operands, primed, absorbing=operator == "or")])
        if operator == "union":
            return frozenset().union(*[self.values(operand, primed) for operand in operands])
        if operator == "in":
            left, right = (self.values(operand, primed) for operand in operands)
            return frozenset([left.issubset(right)])
        arguments = [self.single(operand, primed) for operand in operands]
        types = [operand.type for operand in operands]
        try:
            return frozenset([_computed(operation, arguments, types)])
        except ArithmeticError as error:
            raise EvaluationError(str(error), operation.position) from None

    def _connective(self, operands: Sequence[Expression], primed: bool, absorbing: bool) -> bool:
        """An operand with the absorbing value decides, even where another one is an error."""
        error: EvaluationError | None = None
        for operand in operands:
            try:
                if self.single(operand, primed) is absorbing:
                    return absorbing
            except EvaluationError as met:
                error = error or met
        if error is not None:
            raise error
        return not absorbing


def _computed(operation: Operation, arguments: list, types: list[Type]) -> Value:
    """An operator on single values; raises ArithmeticError with NuSMV's message."""
    operator, first, last = operation.operator, arguments[0], arguments[-1]
    if operator in ("=", "!="):
        return (first == last) is (operator == "=")
    if operator in ("<", "<=", ">", ">="):
        return {"<": last - first > 0, "<=": last - first >= 0, ">": first - last > 0, ">=": first - last >= 0}[
            operator
        ]
    if operator == "count":
        return arguments.count(True)
    if operator == "bool":
        return first != 0
    if operator == "toint":
        return int(first)
    if isinstance(operation.type, BooleanType):
        return {
            "not": first is False,
            "xor": first is not last,
            "xnor": first is last,
            "iff": first is last,
            "implies": first is False or last is True,
        }[operator]
    if isinstance(operation.type, WordType):
        return _as_value(_bits(operation, arguments, types), operation.type)
    return _number(operator, arguments)


def _number(operator: str, arguments: list[int]) -> int:
    first, last = arguments[0], arguments[-1]
    if operator in ("/", "mod"):
        if last == 0:
            raise ArithmeticError("division by zero")
        quotient = trunc(Fraction(first, last))
        return quotient if operator == "/" else first - last * quotient
    if operator in ("negate", "abs"):
        return -first if operator == "negate" or first < 0 else first
    return {"+": first + last, "-": first - last, "*": first * last, "min": min(arguments), "max": max(arguments)}[
        operator
    ]


def _bits(operation: Operation, arguments: list[int], types: list[Type]) -> int:
    """A word's number, from which the bits beyond its width are still to be cut."""
    operator, result = operation.operator, operation.type
    assert isinstance(result, WordType)
    ones = 2**result.width - 1
    patterns = [
        int(value) % 2**kind.width if isinstance(kind, WordType) else int(value)
        for value, kind in zip(arguments, types, strict=True)
    ]
    first, last = patterns[0], patterns[-1]
    match operator:
        case "not":
            return ones - first
        case "and" | "or" | "xor":
            join = {"and": int.__and__, "or": int.__or__, "xor": int.__xor__}[operator]
            return reduce(join, patterns)
        case "xnor" | "iff":
            return ones - (first ^ last)
        case "implies":
            return (ones - first) | last
        case "concat":
            low = types[1]
            assert isinstance(low, WordType)
            return first * 2**low.width + last
        case "select":
            return first // 2 ** arguments[2]
        case "<<" | ">>":
            if not 0 <= arguments[1] <= result.width:
                raise ArithmeticError("shift amount is out of range")
            # The signed number fills with its sign when it is divided downwards.
            return arguments[0] * 2 ** arguments[1] if operator == "<<" else arguments[0] // 2 ** arguments[1]
        case "resize":
            return _resized(arguments[0], types[0], result)
        case "extend" | "signed" | "unsigned" | "word1":
            return int(arguments[0])
    return _number(operator, arguments)


def _resized(value: int, old: Type, new: WordType) -> int:
    """A signed word that shrinks keeps its sign bit, as in NuSMV."""
    assert isinstance(old, WordType)
    if old.signed and new.width < old.width:
        return value % 2 ** (new.width - 1) + (2 ** (new.width - 1) if value < 0 else 0)
    return value


def _as_value(bits: int, kind: WordType) -> int:
    bits %= 2**kind.width
    return bits - 2**kind.width if kind.signed and bits >= 2 ** (kind.width - 1) else bits


def in_type(value: Value, kind: BooleanType | EnumerationType | RangeType | WordType) -> bool:
    """Whether the value belongs to the type; truth values and numbers are told apart."""
    if isinstance(kind, WordType):
        low = -(2 ** (kind.width - 1)) if kind.signed else 0
        return type(value) is int and low <= value < low + 2**kind.width
    return any(value == known and type(value) is type(known) for known in values(kind))
