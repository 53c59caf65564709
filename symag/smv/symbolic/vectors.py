"""Arithmetic on vectors of diagrams: two's complement, least significant bit first.

Words keep their width; integers are signed vectors that grow so that nothing overflows.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext


class Vector(Struct, frozen=True, eq=False):
    """At least one bit; the last is the sign if ``signed``."""

    bits: tuple[Bdd, ...]
    signed: bool

    @property
    def sign(self) -> Bdd:
        """The most significant bit: of a signed vector, whether it is negative."""
        return self.bits[-1]


class VectorArithmetic(Struct, frozen=True):
    """The operations, over one context."""

    context: BddContext

    def constant(self, value: int, width: int, signed: bool) -> Vector:
        """The pattern of a number (modulo 2**width)."""
        return Vector(tuple(self.context.constant(bool(value >> index & 1)) for index in range(width)), signed)

    def integer(self, value: int) -> Vector:
        """An integer in as few bits as its sign allows."""
        return self.constant(value, (value if value >= 0 else ~value).bit_length() + 1, True)

    def widen(self, vector: Vector, width: int) -> Vector:
        """The same number in at least ``width`` bits."""
        fill = vector.sign if vector.signed else self.context.false
        return Vector(vector.bits + (fill,) * (width - len(vector.bits)), vector.signed)

    def as_integer(self, vector: Vector) -> Vector:
        """A word's number as an integer."""
        return vector if vector.signed else Vector((*vector.bits, self.context.false), True)

    def align(self, left: Vector, right: Vector, extra: int = 0) -> tuple[Vector, Vector]:
        """Both vectors in the same width, ``extra`` bits more than the wider one."""
        width = max(len(left.bits), len(right.bits)) + extra
        return self.widen(left, width), self.widen(right, width)

    def choose(self, condition: Bdd, high: Vector, low: Vector) -> Vector:
        """``high`` where ``condition`` holds, else ``low``, as wide as the wider one."""
        high, low = self.align(high, low)
        ite = self.context.ite
        return Vector(
            tuple(ite(condition, one, other) for one, other in zip(high.bits, low.bits, strict=True)), high.signed
        )

    def equal(self, left: Vector, right: Vector) -> Bdd:
        """left = right, both signed or both unsigned."""
        left, right = self.align(left, right)
        return self.context.conjunction(
            self.context.xnor(one, other) for one, other in zip(left.bits, right.bits, strict=True)
        )

    def less(self, left: Vector, right: Vector) -> Bdd:
        """left < right, both signed or both unsigned."""
        left, right = self.align(left, right)
        result = self.context.false
        pairs = list(zip(left.bits, right.bits, strict=True))
        if left.signed:
            pairs[-1] = (pairs[-1][1], pairs[-1][0])
        for one, other in pairs:
            result = self.context.ite(self.context.xor(one, other), other, result)
        return result

    def add(self, left: Vector, right: Vector, carry: Bdd | None = None) -> Vector:
        """The sum modulo 2**width of operands of one width."""
        xor = self.context.xor
        carried = self.context.false if carry is None else carry
        bits = []
        for one, other in zip(left.bits, right.bits, strict=True):
            either = xor(one, other)
            bits.append(xor(either, carried))
            carried = (one & other) | (either & carried)
        return Vector(tuple(bits), left.signed)

    def invert(self, vector: Vector) -> Vector:
        """Every bit negated."""
        return Vector(tuple(~bit for bit in vector.bits), vector.signed)

    def subtract(self, left: Vector, right: Vector) -> Vector:
        """The difference modulo 2**width of operands of one width."""
        return self.add(left, self.invert(right), self.context.true)

    def negate(self, vector: Vector) -> Vector:
        """0 minus the vector, modulo 2**width."""
        return self.subtract(self.constant(0, len(vector.bits), vector.signed), vector)

    def multiply(self, left: Vector, right: Vector) -> Vector:
        """The product modulo 2**width of operands of one width."""
        width = len(left.bits)
        result = self.constant(0, width, left.signed)
        for index, bit in enumerate(right.bits):
            shifted = (self.context.false,) * index + left.bits[: width - index]
            result = self.add(result, Vector(tuple(bit & summand for summand in shifted), left.signed))
        return result

    def magnitude(self, vector: Vector) -> Vector:
        """The absolute value as an unsigned vector of the same width."""
        if not vector.signed:
            return vector
        return Vector(self.choose(vector.sign, self.negate(vector), vector).bits, False)

    def divide(self, left: Vector, right: Vector) -> tuple[Vector, Vector]:
        """Quotient (truncated towards zero) and remainder (with the sign of ``left``), in one width.

        The results are arbitrary where ``right`` is zero.
        """
        dividend, divisor = self.magnitude(left), self.magnitude(right)
        width = len(dividend.bits)
        divisor = self.widen(divisor, width + 1)
        remainder = self.constant(0, width + 1, False)
        quotient: list[Bdd] = []
        for bit in reversed(dividend.bits):
            remainder = Vector((bit, *remainder.bits[:-1]), False)
            fits = ~self.less(remainder, divisor)
            remainder = self.choose(fits, self.subtract(remainder, divisor), remainder)
            quotient.append(fits)
        result = Vector(tuple(reversed(quotient)), left.signed)
        rest = Vector(remainder.bits[:width], left.signed)
        if not left.signed:
            return result, rest
        return (
            self.choose(self.context.xor(left.sign, right.sign), self.negate(result), result),
            self.choose(left.sign, self.negate(rest), rest),
        )

    def shift(self, vector: Vector, amount: int) -> Vector:
        """The vector shifted left by ``amount``, or right if it is negative (filled with the sign if signed)."""
        width = len(vector.bits)
        if amount >= 0:
            moved: Sequence[Bdd] = (self.context.false,) * min(amount, width) + vector.bits[: max(width - amount, 0)]
        else:
            fill = vector.sign if vector.signed else self.context.false
            moved = vector.bits[min(-amount, width) :] + (fill,) * min(-amount, width)
        return Vector(tuple(moved), vector.signed)
