"""The denotation of an expression: a diagram, a map from values to conditions, or a vector of diagrams.

- A boolean is a diagram.
- Numbers and constants from small domains are a :class:`ValueMap`: for each value the condition under
  which the expression has it. In a set of values the conditions may overlap. Sets of booleans are value maps too.
- Words, and integers from large domains (sums of wide ranges), are a ``Vector``; sets of them are
  :class:`Alternatives`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.core.trace import Value
from symag.smv.model.types import BooleanType, RangeType, VariableType, WordType, code_count, values
from symag.smv.symbolic.encoding import Encoding
from symag.smv.symbolic.vectors import Vector, VectorArithmetic

#: Integer operations with more combinations of values than this use vectors.
PRODUCT_LIMIT = 4096
#: Range variables with more values than this are vectors.
DOMAIN_LIMIT = 64


class ValueMap(Struct, frozen=True, eq=False):
    """Conditions by value; values that are never taken are left out."""

    conditions: Mapping[Value, Bdd]


class Alternatives(Struct, frozen=True, eq=False):
    """A set of words or numbers: the vectors, and the values of the maps, whose conditions are true."""

    choices: tuple[tuple[Bdd, Vector | ValueMap], ...]


#: ValueMap, Alternatives, Vector, or a diagram for a boolean (a diagram is Any, so the union is too).
Denotation: TypeAlias = Any


class ValueOperations:
    """Conversions between the representations, and the operations that need them."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.context = encoding.context
        self.arithmetic = VectorArithmetic(encoding.context)

    def variable(self, name: str, primed: bool) -> Denotation:
        """The value of a variable, now or next."""
        kind = self.encoding.variables[name].type
        bits = self.encoding.bits(name, primed)
        match kind:
            case BooleanType():
                return bits[0]
            case WordType(_, signed):
                return Vector(bits, signed)
            case RangeType(low, _) if code_count(kind) > DOMAIN_LIMIT:
                return self._offset(Vector((*bits, self.context.false), True), low)
            case _:
                return ValueMap(
                    {value: self.encoding.has_code(name, code, primed) for code, value in enumerate(values(kind))}
                )

    def _offset(self, index: Vector, low: int) -> Vector:
        if low == 0:
            return index
        left, right = self.arithmetic.align(index, self.arithmetic.integer(low), extra=1)
        return self.arithmetic.add(left, right)

    def constant(self, value: Value, width: int | None, signed: bool) -> Denotation:
        """A constant; ``width`` is given for words only."""
        if width is not None:
            return self.arithmetic.constant(int(value), width, signed)
        if isinstance(value, bool):
            return self.context.constant(value)
        return ValueMap({value: self.context.true})

    def vector(self, value: ValueMap | Vector) -> Vector:
        """Numbers (not sets) as a vector; it is arbitrary where a map has no value."""
        if isinstance(value, Vector):
            return value
        numbers = {int(number): condition for number, condition in value.conditions.items()}
        width = max((len(self.arithmetic.integer(number).bits) for number in numbers), default=1)
        bits = (
            self.context.disjunction(condition for number, condition in sorted(numbers.items()) if number >> index & 1)
            for index in range(width)
        )
        return Vector(tuple(bits), True)

    def value_map(self, value: Denotation) -> ValueMap:
        """A boolean or a map as a set."""
        if isinstance(value, ValueMap):
            return value
        return self.prune({True: value, False: ~value})

    def alternatives(self, value: Denotation) -> Alternatives:
        """Numbers or words, or sets of them, as alternatives."""
        if isinstance(value, Alternatives):
            return value
        return Alternatives(((self.context.true, value),))

    def vectors(self, value: Denotation) -> Iterator[tuple[Bdd, Vector]]:
        """The alternatives with every value of a map as a vector of its own."""
        for present, element in self.alternatives(value).choices:
            if isinstance(element, Vector):
                yield present, element
            else:
                for number, condition in element.conditions.items():
                    yield present & condition, self.arithmetic.integer(int(number))

    def prune(self, conditions: Mapping[Value, Bdd]) -> ValueMap:
        """A map without the values that are never taken."""
        return ValueMap(
            {value: condition for value, condition in conditions.items() if condition != self.context.false}
        )

    def combine(
        self,
        left: ValueMap,
        right: ValueMap,
        operation: Callable[[int, int], int | None],
    ) -> ValueMap:
        """The results of a partial operation on numbers, which gives None where it has no result."""
        conditions: dict[Value, Bdd] = {}
        for one, first in left.conditions.items():
            for other, second in right.conditions.items():
                both = first & second
                if both == self.context.false:
                    continue
                result = operation(int(one), int(other))
                if result is not None:
                    conditions[result] = conditions[result] | both if result in conditions else both
        return ValueMap(conditions)

    def relate(self, left: ValueMap, right: ValueMap, relation: Callable[[int, int], bool]) -> Bdd:
        """The condition under which two numbers stand in a relation."""
        result = self.context.false
        for value, first in left.conditions.items():
            related = (second for other, second in right.conditions.items() if relation(int(value), int(other)))
            result = result | (first & self.context.disjunction(related))
        return result

    def equal(self, left: Denotation, right: Denotation) -> Bdd:
        """The condition that two single values are equal."""
        if isinstance(left, ValueMap) and isinstance(right, ValueMap):
            few, many = sorted((left.conditions, right.conditions), key=len)
            return self.context.disjunction(
                condition & many[value] for value, condition in few.items() if value in many
            )
        if isinstance(left, (Vector, ValueMap)) and isinstance(right, (Vector, ValueMap)):
            return self.arithmetic.equal(self.vector(left), self.vector(right))
        return self.context.xnor(left, right)

    def contained(self, left: Denotation, right: Denotation) -> Bdd:
        """The condition that every value of the left is in the right."""
        if any(isinstance(side, (Vector, Alternatives)) for side in (left, right)):
            members = tuple(self.vectors(right))
            return self.context.conjunction(
                ~condition
                | self.context.disjunction(
                    present & self.arithmetic.equal(element, member) for present, member in members
                )
                for condition, element in self.vectors(left)
            )
        right_map = self.value_map(right).conditions
        return self.context.conjunction(
            ~condition | right_map.get(value, self.context.false)
            for value, condition in self.value_map(left).conditions.items()
        )

    def union(self, operands: list[Denotation]) -> Denotation:
        """The set of all values of all operands."""
        if any(isinstance(operand, (Vector, Alternatives)) for operand in operands):
            return Alternatives(
                tuple(choice for denotation in operands for choice in self.alternatives(denotation).choices)
            )
        conditions: dict[Value, Bdd] = {}
        for operand in operands:
            for value, condition in self.value_map(operand).conditions.items():
                conditions[value] = conditions.get(value, self.context.false) | condition
        return ValueMap(conditions)

    def cases(self, branches: list[tuple[Bdd, Denotation]], is_set: bool) -> Denotation:
        """The value of the one branch whose condition is true; the conditions are disjoint."""
        results = [value for _, value in branches]
        if any(isinstance(value, Alternatives) for value in results) or (
            is_set and any(isinstance(value, Vector) for value in results)
        ):
            return Alternatives(
                tuple(
                    (condition & present, element)
                    for condition, value in branches
                    for present, element in self.alternatives(value).choices
                )
            )
        if any(isinstance(value, Vector) for value in results):
            last = self.vector(results[-1])
            for condition, value in reversed(branches[:-1]):
                last = self.arithmetic.choose(condition, self.vector(value), last)
            return last
        if is_set or any(isinstance(value, ValueMap) for value in results):
            conditions: dict[Value, Bdd] = {}
            for condition, value in branches:
                for element, present in self.value_map(value).conditions.items():
                    taken = condition & present
                    conditions[element] = conditions[element] | taken if element in conditions else taken
            return self.prune(conditions)
        return self.context.disjunction(condition & value for condition, value in branches)

    def takes(self, name: str, primed: bool, value: Denotation) -> tuple[Bdd, Mapping[Value, Bdd]]:
        """The condition ``variable in value``, and the values outside the variable's type, each with its condition.

        For a vector there is one such value at most, with the condition that the number is outside the type.
        """
        kind = self.encoding.variables[name].type
        if isinstance(value, Alternatives):
            result, wrong = self.context.false, dict[Value, Bdd]()
            for present, element in value.choices:
                if isinstance(element, Vector):
                    equal, outside = self._takes_vector(name, primed, kind, element, present)
                else:
                    equal, outside = self._takes_map(name, primed, kind, element, present)
                result = result | (present & equal)
                for number, condition in outside.items():
                    wrong[number] = wrong.get(number, self.context.false) | condition
            return result, wrong
        if isinstance(value, Vector):
            return self._takes_vector(name, primed, kind, value, self.context.true)
        if isinstance(kind, BooleanType) and not isinstance(value, ValueMap):
            return self.context.xnor(self.encoding.bits(name, primed)[0], value), {}
        return self._takes_map(name, primed, kind, self.value_map(value), self.context.true)

    def _takes_map(
        self, name: str, primed: bool, kind: VariableType, value: ValueMap, present: Bdd
    ) -> tuple[Bdd, Mapping[Value, Bdd]]:
        """``takes`` for a map. Consecutive numbers with the same condition, as in ``0..65535``, are one interval."""
        domain = range(kind.low, kind.high + 1) if isinstance(kind, RangeType) else None
        code_of = {of_code: code for code, of_code in enumerate(values(kind))} if domain is None else {}
        result, wrong = self.context.false, dict[Value, Bdd]()
        codes: list[tuple[int, Bdd]] = []
        for constant, condition in value.conditions.items():
            if domain is not None and constant in domain:
                codes.append((int(constant) - domain.start, condition))
            elif constant in code_of:
                codes.append((code_of[constant], condition))
            elif condition & present != self.context.false:
                wrong[constant] = condition & present
        codes.sort(key=lambda pair: pair[0])
        start = 0
        for index, (code, condition) in enumerate(codes):
            if index + 1 == len(codes) or codes[index + 1] != (code + 1, condition):
                result = result | (condition & self.encoding.between(name, codes[start][0], code, primed))
                start = index + 1
        return result, wrong

    def _takes_vector(
        self, name: str, primed: bool, kind: VariableType, value: Vector, present: Bdd
    ) -> tuple[Bdd, Mapping[Value, Bdd]]:
        bits = self.encoding.bits(name, primed)
        if isinstance(kind, WordType):
            return self.arithmetic.equal(Vector(bits, value.signed), value), {}
        if isinstance(kind, RangeType):
            own = self._offset(Vector((*bits, self.context.false), True), kind.low)
            low, high = self.arithmetic.integer(kind.low), self.arithmetic.integer(kind.high)
            outside = self.arithmetic.less(value, low) | self.arithmetic.less(high, value)
            result = self.arithmetic.equal(own, value)
        else:
            equal = {
                constant: self.arithmetic.equal(value, self.arithmetic.integer(constant))
                for constant in values(kind)
                if isinstance(constant, int)
            }
            outside = ~self.context.disjunction(equal.values())
            result = self.context.disjunction(
                condition & self.encoding.equals(name, constant, primed) for constant, condition in equal.items()
            )
        outside = outside & present
        if outside == self.context.false:
            return result, {}
        return result, {self.sample(value, outside): outside}

    def sample(self, value: Vector, condition: Bdd) -> int:
        """One number that the vector can have where the condition holds."""
        number = 0
        for index, bit in enumerate(value.bits):
            if condition & bit != self.context.false:
                condition = condition & bit
                weight = -(1 << index) if value.signed and index == len(value.bits) - 1 else 1 << index
                number += weight
            else:
                condition = condition & ~bit
        return number
