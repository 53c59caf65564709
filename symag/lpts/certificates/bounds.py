"""The certificates ``quantitative-bounds`` and ``triples``: bounds of probabilities, rewards and expected costs.

Quantitative bounds are checked state by state: states and transitions have the same numbers as in the system; -1
stands for none. A vector has an entry for every state. A tuple that is not needed is empty.

Triples are dual solutions that bound expected costs, and flows that reach them: a state is the tuple of the local
states of some components, of the guarantee's monitor, and of the assumptions' monitors, in the order of their list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from msgspec import Struct

from symag.core.evidence.documented import OPTIONAL, Documented, Spelling
from symag.core.evidence.documents import Member
from symag.core.value_bounds import INFINITY, ValueBounds
from symag.lpts.certificates.certificate import Exact, ProbabilisticCertificate, read_fraction

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


def _state_number(item: Member) -> int:
    try:
        return int(item.has(str), 16)
    except ValueError:
        raise item.wrong("a hexadecimal number") from None


def _cost(item: Member) -> Fraction | None:
    return None if item.value == INFINITY else read_fraction(item)


def _spelled_cost(cost: Fraction | None) -> str:
    return INFINITY if cost is None else str(cost)


_Hexadecimal = Annotated[int, Spelling(_state_number, "{:x}".format)]
_Taken = Annotated[tuple[int, tuple[int, ...], _Hexadecimal, _Hexadecimal], "a state, transitions and two numbers"]
_Staying = Annotated[tuple[int, tuple[int, ...]], "a state and transitions"]
_TripleBound = Annotated[Fraction | None, Spelling(_cost, _spelled_cost)]


@dataclass(frozen=True, slots=True)
class ProvenTriple(Documented):
    """The components keep ``most`` for the monitor ``guarantee`` under all schedulers that keep the limits ``assumed``.

    ``assumed`` are (monitor, limit), ``multipliers`` their prices (at least 0), ``values`` has one for each state (at
    least 0). To check: the value of a state is at least what any transition makes of it, its cost for the guarantee
    minus the priced costs of the assumptions plus the expected value after it; the value of the initial state plus the
    priced limits is at most ``most``. A transition that costs something where the limit is 0 is never taken. A state
    in which the guarantee costs nothing any more needs no entry: its value is 0.

    ``fair``: it is about fair schedulers. Then each state has an entry that any transition reaches; values are at least
    0 only where a fair scheduler can stay without costs that have to be finite, those of assumptions and of a negated
    guarantee; and only states and transitions count after which that can surely be reached. ``empty``: no scheduler
    keeps the assumptions, as all that holds with the price 0 of the guarantee, and with a value below 0 for ``most``.
    """

    components: tuple[int, ...]
    assumed: tuple[Annotated[tuple[int, Exact], "a monitor and a limit"], ...]
    guarantee: int
    most: Exact
    states: tuple[tuple[int, ...], ...]
    multipliers: tuple[Exact, ...]
    values: Vector
    fair: Annotated[bool, OPTIONAL] = False
    empty: Annotated[bool, OPTIONAL] = False


@dataclass(frozen=True, slots=True)
class ReachingFlow(Documented):
    """How often a scheduler that remembers nothing takes each transition, over ``denominator``.

    ``taken`` are (state, transition of each component and monitor or -1, number, number in a cycle). To check: each
    state is left at most as often as it is entered, the initial state once more; every state is reached. The costs of
    such a scheduler are those of the numbers. The numbers in a cycle, if there are any, enter and leave each state
    equally often and cost the assumptions nothing, so that they may be repeated for ever.

    A fair scheduler ends in states that have transitions in ``staying``, which it takes from then on with equal
    probabilities. These lead only to such states, cost nothing that has to be finite, and from each of these states
    they lead to one in which each component moves.
    """

    states: tuple[tuple[int, ...], ...]
    taken: tuple[_Taken, ...]
    denominator: _Hexadecimal
    staying: Annotated[tuple[_Staying, ...], OPTIONAL] = ()


@dataclass(frozen=True, slots=True)
class CurveCorner(Documented):
    """The greatest cost of the guarantee under a limit of the only assumption, and a flow that reaches it."""

    limit: Exact
    cost: Exact
    flow: ReachingFlow


@dataclass(frozen=True, slots=True)
class TripleEvidence(ProbabilisticCertificate):
    """Evidence about a problem of triples (``symag.lpts.problems``).

    ``proven`` is a chain: each may assume the limits of the problem and those that the ones before it prove. The last
    proves the upper bound of the problem's guarantee, ``flow`` its lower bound; either may be missing if it is not
    needed. ``value`` are the bounds of the cost, None is infinity.

    Of a curve, ``corners`` are by ascending limits from 0; ``proven`` has a triple for each: for the segment after it,
    at the limit of the next corner, and for the last corner one of the price 0. A dual solution bounds the cost for all
    limits by a line. The cost is a concave function, so between two corners it is at least what lies between theirs.
    Of fair schedulers the limits are from the least that one keeps: one more triple, which is ``empty`` and at a limit
    below, proves that with its value and price. Limits of lower bounds are negative.
    """

    verdict: Literal["holds", "violated", "computed"]
    value: Annotated[tuple[_TripleBound, _TripleBound], "a lower and an upper bound"] | None
    proven: tuple[ProvenTriple, ...]
    flow: ReachingFlow | None
    corners: tuple[CurveCorner, ...] = ()
    kind: str = "triples"

    @property
    def claim(self) -> str:
        if self.corners:
            return f"is a curve with {len(self.corners)} corners"
        if self.value is not None:
            return f"has the cost {ValueBounds(*self.value)}"
        return {"holds": "holds", "violated": "is violated"}.get(self.verdict, "")

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        """The chain of triples, and the size of the flow."""
        for number, proven in enumerate(self.proven):
            members = " || ".join(names[k] for k in proven.components if k < len(names))
            assumed = ", ".join(f"monitor {monitor} costs at most {most}" for monitor, most in proven.assumed)
            yield (
                f"triple {number}: <{assumed}> {members} <monitor {proven.guarantee} costs at most {proven.most}>, "
                f"{len(proven.states)} states"
            )
        for corner in self.corners:
            yield f"under the limit {corner.limit} the cost {corner.cost}"
        if self.flow is not None:
            yield f"a scheduler with {len(self.flow.taken)} transitions"
