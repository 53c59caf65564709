"""Typed expressions over many states at once, on arrays.

Integers and truth values are computed by numpy where every step stays below 2**62 and can never fail. Everything
else (fractions, powers, logarithms, division) is evaluated exactly, once for each combination of values that its
variables have, and looked up for the states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symag.lpts.language.prism.flat import (
    Application,
    FlatVariable,
    Literal,
    Typed,
    VariableValue,
    evaluate,
    variables_of,
)
from symag.lpts.language.prism.values import Value
from symag.lpts.lpts import Numbers

_LARGEST = 1 << 62

_ON_ARRAYS: Mapping[str, Callable[..., Any]] = {
    "?": np.where,
    "=>": lambda left, right: np.logical_or(np.logical_not(left), right),
    "<=>": np.equal,
    "|": lambda *operands: reduce(np.logical_or, operands),
    "&": lambda *operands: reduce(np.logical_and, operands),
    "!": np.logical_not,
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "+": np.add,
    "*": np.multiply,
    "-": lambda *operands: np.subtract(*operands) if len(operands) == 2 else np.negative(*operands),
    "min": lambda *operands: reduce(np.minimum, operands),
    "max": lambda *operands: reduce(np.maximum, operands),
    "mod": np.mod,
    "floor": np.array,
    "ceil": np.array,
    "round": np.array,
}

#: Gives the values of a variable in all states.
Columns = Callable[[int], Numbers]
#: Computes the values of an expression for all states; those of a constant may be a single value.
Compiled = Callable[[Columns], NDArray[Any]]


class Expressions:
    """The typed expressions of one model, computed on arrays or looked up in tables that equal expressions share."""

    def __init__(self, variables: Sequence[FlatVariable]) -> None:
        self.variables = variables
        self._ranges: dict[Typed, tuple[int, int] | None] = {}
        self._numbers: dict[Typed, int] = {}
        self._tables: dict[Typed, ValueTable] = {}

    def number(self, expression: Typed) -> int:
        """Equal expressions have equal numbers."""
        return self._numbers.setdefault(expression, len(self._numbers))

    def on_arrays(self, expression: Typed) -> bool:
        """Whether numpy can compute it."""
        return self._range(expression) is not None

    def table(self, expression: Typed) -> ValueTable:
        """The exact values of an expression that numpy cannot compute, or whose values are fractions."""
        if expression not in self._tables:
            self._tables[expression] = ValueTable(expression)
        return self._tables[expression]

    def compiled(self, expression: Typed) -> Compiled:
        """A function that computes the values of an int or bool expression; it may raise EvaluationError."""
        if not self.on_arrays(expression):
            return self._looked_up(expression)
        match expression:
            case Literal(value, _):
                constant = np.asarray(value)
                return lambda columns: constant
            case VariableValue(variable, kind):
                if kind == "bool":
                    return lambda columns: columns(variable) != 0
                return lambda columns: columns(variable)
            case Application(operator, operands, _, _):
                function = _ON_ARRAYS[operator]
                parts = [self.compiled(operand) for operand in operands]
                if len(parts) == 2:
                    left, right = parts
                    return lambda columns: function(left(columns), right(columns))
                return lambda columns: function(*(part(columns) for part in parts))

    def _looked_up(self, expression: Typed) -> Compiled:
        table = self.table(expression)
        kind = bool if expression.kind == "bool" else np.int64

        def look_up(columns: Columns) -> NDArray[Any]:
            values, inverse = table.values(columns)
            # Limited, a number beyond every range is still beyond every range.
            limited = [max(-_LARGEST, min(_LARGEST, int(value))) for value in values]  # type: ignore[arg-type]  # typed: no irrational number
            return np.array(limited, dtype=kind)[inverse]

        return look_up

    def _range(self, expression: Typed) -> tuple[int, int] | None:
        """Bounds of the values if numpy can compute them, else None."""
        if expression not in self._ranges:
            self._ranges[expression] = self._new_range(expression)
        return self._ranges[expression]

    def _new_range(self, expression: Typed) -> tuple[int, int] | None:
        if expression.kind == "double":
            return None
        match expression:
            case Literal(value, _):
                bounds = (int(value), int(value))  # type: ignore[arg-type]  # typed: no irrational number
            case VariableValue(variable, _):
                bounds = (self.variables[variable].low, self.variables[variable].high)
            case Application(operator, operands, _, _):
                ranges = [self._range(operand) for operand in operands]
                if operator not in _ON_ARRAYS or any(range_ is None for range_ in ranges):
                    return None
                if operator == "mod" and not (isinstance(operands[1], Literal) and operands[1].value > 0):  # type: ignore[operator]  # typed: an int
                    return None
                bounds = _bounds(operator, [range_ for range_ in ranges if range_ is not None], expression.kind)
        return bounds if bounds[0] > -_LARGEST and bounds[1] < _LARGEST else None


def _bounds(operator: str, ranges: Sequence[tuple[int, int]], kind: str) -> tuple[int, int]:
    lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
    if kind == "bool":
        return 0, 1
    if operator == "?":
        return min(lows[1:]), max(highs[1:])
    if operator == "+":
        return sum(lows), sum(highs)
    if operator == "-":
        return (lows[0] - highs[1], highs[0] - lows[1]) if len(ranges) == 2 else (-highs[0], -lows[0])
    if operator == "*":
        products = [a * b for a in ranges[0] for b in ranges[1]]
        return min(products), max(products)
    if operator in ("min", "max"):
        choose = min if operator == "min" else max
        return choose(lows), choose(highs)
    if operator == "mod":
        return 0, highs[1] - 1
    return ranges[0]


class ValueTable:
    """The exact values of one expression, remembered for each combination of its variables' values."""

    def __init__(self, expression: Typed) -> None:
        self._expression = expression
        self._support = sorted(variables_of(expression))
        self._known: dict[bytes, Value] = {}

    def values(self, columns: Columns) -> tuple[list[Value], Numbers]:
        """The values of the distinct combinations among these states, and which of them each state has."""
        if not self._support:
            return [evaluate(self._expression, ())], np.zeros(1, dtype=np.int64)
        rows = np.stack([columns(variable) for variable in self._support], axis=1)
        distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
        return [self._value(row) for row in distinct], inverse.reshape(-1)

    def _value(self, row: Numbers) -> Value:
        key = row.tobytes()
        if key not in self._known:
            state = [0] * (self._support[-1] + 1)
            for variable, value in zip(self._support, row.tolist(), strict=True):
                state[variable] = value
            self._known[key] = evaluate(self._expression, state)
        return self._known[key]
