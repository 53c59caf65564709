"""The certificate ``quantitative-bounds``: bounds of probabilities and expected rewards, checked state by state.

Rules of this file: states and transitions have the same numbers as in the system; -1 stands for none. A vector has an
entry for every state. A tuple that is not needed is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from msgspec import Struct

from symag.core.evidence.documented import Documented, Spelling
from symag.core.evidence.documents import Member
from symag.core.value_bounds import ValueBounds
from symag.lpts.certificates.certificate import ProbabilisticCertificate

_INFINITY = "infinity"


class ExactVector(Struct, frozen=True):
    """A fraction for each state, all over one denominator."""

    denominator: int
    numerators: tuple[int, ...]

    def document(self) -> dict[str, Any]:
        """Its members in a file: hexadecimal texts, as the numbers may be long."""
        return {"denominator": f"{self.denominator:x}", "numerators": [f"{n:x}" for n in self.numerators]}

    @classmethod
    def read(cls, item: Member) -> ExactVector:
        """The vector in a document. Raises InputError."""
        numbers = item.member("numerators")
        texts = numbers.has(list)
        if not all(isinstance(n, str) for n in texts):
            raise numbers.wrong("a list of texts")
        try:
            return cls(int(item.get("denominator", str), 16), tuple(int(n, 16) for n in texts))
        except ValueError:
            raise item.wrong("a vector of hexadecimal numbers") from None


Vector = Annotated[ExactVector, Spelling(ExactVector.read, ExactVector.document)]


def _spelled(value: Fraction | None) -> str:
    return _INFINITY if value is None else f"{value.numerator:x}/{value.denominator:x}"


def _number(item: Member) -> Fraction | None:
    text = item.has(str)
    if text == _INFINITY:
        return None
    numerator, _, denominator = text.partition("/")
    try:
        return Fraction(int(numerator, 16), int(denominator, 16))
    except (ValueError, ZeroDivisionError):
        raise item.wrong("a fraction of hexadecimal numbers") from None


def _whole(item: Member) -> tuple[int, ...]:
    numbers = item.has(list)
    if not all(type(n) is int for n in numbers):
        raise item.wrong("a list of whole numbers")
    return tuple(numbers)


_Wholes = Annotated[tuple[int, ...], Spelling(_whole)]

#: A fraction of hexadecimal numbers, None for infinity.
_Bound = Annotated[Fraction | None, Spelling(_number, _spelled)]


@dataclass(frozen=True, slots=True)
class MeasureBounds(Documented):
    """A lower and an upper bound of a measure in every state, and why they are bounds.

    ``choices`` is a scheduler: for each state the number of a transition. It attains the lower bound of a maximum and
    the upper bound of a minimum. ``ranks`` prove that runs end: each state from which they end has a successor of
    smaller rank by the scheduler's transition, or by every transition (see ``certify.quantities``). ``levels`` prove
    that a reward is infinite; states for which this is not claimed have 0 (minima) or -1 (maxima).
    """

    lower: Vector
    upper: Vector
    choices: _Wholes = ()
    ranks: _Wholes = ()
    levels: _Wholes = ()


@dataclass(frozen=True, slots=True)
class QuantitativeEvidence(ProbabilisticCertificate):
    """Evidence that a formula holds or is violated, or that a value is within bounds.

    ``bounds`` has an entry for each unbounded ``until`` or ``reach`` (operands before their operator, the left one
    first). The re-check computes step-bounded operators again, rounded to multiples of 2 ** -``grid`` where exact
    numbers would be too long. ``value`` has the bounds of the value in question; None stands for infinity.
    """

    verdict: Literal["holds", "violated", "computed"]
    value: Annotated[tuple[_Bound, _Bound], "a lower and an upper bound"] | None
    bounds: tuple[MeasureBounds, ...]
    grid: int
    kind: str = "quantitative-bounds"

    @property
    def claim(self) -> str:
        if self.value is not None:
            return f"is {ValueBounds(*self.value)}"
        return {"holds": "holds", "violated": "is violated"}.get(self.verdict, "")

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        """For each measure the number of its bounds, and the largest difference of a lower and an upper bound."""
        for number, bounds in enumerate(self.bounds):
            pairs = zip(bounds.lower.numerators, bounds.upper.numerators, strict=True)
            low, high = bounds.lower.denominator, bounds.upper.denominator
            largest = max((Fraction(b, high) - Fraction(a, low) for a, b in pairs), default=Fraction(0))
            states = len(bounds.lower.numerators)
            yield f"measure {number}: bounds for {states} states, largest gap {float(largest):.1e}"
