"""The value of a probability or reward, known exactly or between two fractions, as texts and as a number."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from msgspec import Struct

_MOST_BITS = 4000
_SHORT = 40
INFINITY = "infinity"


class ValueBounds(Struct, frozen=True):
    """``low`` <= value <= ``high``; None is infinity."""

    low: Fraction | None
    high: Fraction | None

    @property
    def exact(self) -> bool:
        """Whether both are the same."""
        return self.low == self.high

    def number(self) -> int | float | str | None:
        """The number for JSON between the bounds: whole, rounded, or ``infinity``; None if there is no upper bound."""
        if self.low is None:
            return INFINITY if self.high is None else None
        if self.high is None:
            return None
        middle = (self.low + self.high) / 2
        return int(middle) if self.exact and middle.denominator == 1 else float(middle)

    def texts(self) -> tuple[str, str]:
        """Both bounds as fractions such as ``1/3``; decimals, rounded outwards, in place of very long ones."""
        return _text(self.low, ROUND_FLOOR), _text(self.high, ROUND_CEILING)

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return INFINITY if self.exact else f"at least {_text(self.low, ROUND_FLOOR)}"
        if self.exact:
            text = _text(self.low, ROUND_FLOOR)
            if self.low.denominator == 1:
                return text
            about = f"{float(self.low):.12g}"
            digits = len(text) - 1
            return f"{text} ({about})" if digits <= _SHORT else f"{about} (exactly: a fraction of {digits} digits)"
        low, high = _decimal(self.low, ROUND_FLOOR, 15), _decimal(self.high, ROUND_CEILING, 15)
        return f"{float((self.low + self.high) / 2):.12g} (from {low} to {high}, gap {float(self.high - self.low):.1e})"


def _text(value: Fraction | None, rounding: str) -> str:
    if value is None:
        return INFINITY
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        return str(_decimal(value, rounding, 50))
    return str(value)


def _decimal(value: Fraction, rounding: str, digits: int) -> Decimal:
    shift = max(0, max(value.numerator.bit_length(), value.denominator.bit_length()) - 3 * _MOST_BITS)
    up = rounding == ROUND_CEILING
    numerator, denominator = value.numerator, value.denominator
    if shift:  # Python does not convert very long numbers to decimals
        numerator = -(-numerator >> shift) if up else numerator >> shift
        denominator = denominator >> shift if up else -(-denominator >> shift)
    context = Context(prec=digits, rounding=rounding)
    return context.divide(Decimal(numerator), Decimal(denominator))
