"""The certificate ``triples``: dual solutions that bound expected costs, and flows that reach them.

Rules of this file: a state is the tuple of the local states of some components, of the guarantee's monitor, and of the
monitors of the assumptions, in the order in which they are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from symag.core.evidence.documents import Member
from symag.core.value_bounds import INFINITY, ValueBounds
from symag.lpts.certificates.certificate import ProbabilisticCertificate, fraction, integers
from symag.lpts.certificates.quantitative_bounds import ExactVector

_VERDICTS: dict[str, Literal["holds", "violated", "computed"]] = {
    "holds": "holds",
    "violated": "violated",
    "computed": "computed",
}


@dataclass(frozen=True, slots=True)
class ProvenTriple:
    """The components keep ``most`` for the monitor ``guarantee`` under all schedulers that keep the limits ``assumed``.

    ``assumed`` are (monitor, limit), ``multipliers`` their prices (at least 0), ``values`` has one for each state (at
    least 0). To check: the value of a state is at least what any transition makes of it, its cost for the guarantee
    minus the priced costs of the assumptions plus the expected value after it; the value of the initial state plus the
    priced limits is at most ``most``. A transition that costs something where the limit is 0 is never taken. A state
    in which the guarantee costs nothing any more needs no entry: its value is 0.
    """

    components: tuple[int, ...]
    assumed: tuple[tuple[int, Fraction], ...]
    guarantee: int
    most: Fraction
    states: tuple[tuple[int, ...], ...]
    multipliers: tuple[Fraction, ...]
    values: ExactVector

    def document(self) -> dict[str, Any]:
        """Its members in a file."""
        return {
            "components": self.components,
            "assumed": [(monitor, str(most)) for monitor, most in self.assumed],
            "guarantee": self.guarantee,
            "most": str(self.most),
            "states": self.states,
            "multipliers": [str(multiplier) for multiplier in self.multipliers],
            "values": self.values.document(),
        }

    @classmethod
    def read(cls, item: Member) -> ProvenTriple:
        """The triple in a document. Raises InputError."""
        return cls(
            integers(item.member("components")),
            tuple(_limit(limit) for limit in item.items("assumed")),
            item.get("guarantee", int),
            fraction(item.member("most")),
            tuple(map(integers, item.items("states"))),
            tuple(map(fraction, item.items("multipliers"))),
            ExactVector.read(item.member("values")),
        )


@dataclass(frozen=True, slots=True)
class ReachingFlow:
    """How often a scheduler that remembers nothing takes each transition, over ``denominator``.

    ``taken`` are (state, transition of each component and monitor or -1, number, number in a cycle). To check: each
    state is left at most as often as it is entered, the initial state once more; every state is reached. The costs of
    such a scheduler are those of the numbers. The numbers in a cycle, if there are any, enter and leave each state
    equally often and cost the assumptions nothing, so that they may be repeated for ever.
    """

    states: tuple[tuple[int, ...], ...]
    taken: tuple[tuple[int, tuple[int, ...], int, int], ...]
    denominator: int

    def document(self) -> dict[str, Any]:
        """Its members in a file."""
        rows = [(state, moves, f"{number:x}", f"{cycle:x}") for state, moves, number, cycle in self.taken]
        return {"states": self.states, "taken": rows, "denominator": f"{self.denominator:x}"}

    @classmethod
    def read(cls, item: Member) -> ReachingFlow:
        """The flow in a document. Raises InputError."""
        taken = []
        for row in item.items("taken"):
            parts = row.items()
            if len(parts) != 4:
                raise row.wrong("a state, transitions and two numbers")
            taken.append((parts[0].has(int), integers(parts[1]), _hexadecimal(parts[2]), _hexadecimal(parts[3])))
        states = tuple(map(integers, item.items("states")))
        return cls(states, tuple(taken), _hexadecimal(item.member("denominator")))


@dataclass(frozen=True, slots=True)
class CurveCorner:
    """The greatest cost of the guarantee under a limit of the only assumption, and a flow that reaches it."""

    limit: Fraction
    cost: Fraction
    flow: ReachingFlow

    def document(self) -> dict[str, Any]:
        """Its members in a file."""
        return {"limit": str(self.limit), "cost": str(self.cost), "flow": self.flow.document()}

    @classmethod
    def read(cls, item: Member) -> CurveCorner:
        """The corner in a document. Raises InputError."""
        return cls(
            fraction(item.member("limit")), fraction(item.member("cost")), ReachingFlow.read(item.member("flow"))
        )


@dataclass(frozen=True, slots=True)
class TripleEvidence(ProbabilisticCertificate):
    """Evidence about a problem of triples (``symag.lpts.triples``).

    ``proven`` is a chain: each may assume the limits of the problem and those that the ones before it prove. The last
    proves the upper bound of the problem's guarantee, ``flow`` its lower bound; either may be missing if it is not
    needed. ``value`` are the bounds of the cost, None is infinity.

    Of a curve, ``corners`` are by ascending limits from 0; ``proven`` has a triple for each: for the segment after it,
    at the limit of the next corner, and for the last corner one of the price 0. A dual solution bounds the cost for all
    limits by a line. The cost is a concave function, so between two corners it is at least what lies between theirs.
    """

    verdict: Literal["holds", "violated", "computed"]
    value: tuple[Fraction | None, Fraction | None] | None
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

    def document(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "value": None if self.value is None else [INFINITY if v is None else str(v) for v in self.value],
            "proven": [proven.document() for proven in self.proven],
            "flow": None if self.flow is None else self.flow.document(),
            "corners": [corner.document() for corner in self.corners],
        }

    @classmethod
    def read(cls, evidence: Member) -> TripleEvidence:
        verdict = evidence.get("verdict", str)
        if verdict not in _VERDICTS:
            raise evidence.member("verdict").wrong(f"one of {', '.join(_VERDICTS)}")
        value, flow = evidence.member("value"), evidence.member("flow")
        interval = None
        if value.value is not None:
            pair = value.items()
            if len(pair) != 2:
                raise value.wrong("a lower and an upper bound")
            low, high = (None if item.value == INFINITY else fraction(item) for item in pair)
            interval = (low, high)
        return cls(
            _VERDICTS[verdict],
            interval,
            tuple(map(ProvenTriple.read, evidence.items("proven"))),
            None if flow.value is None else ReachingFlow.read(flow),
            tuple(map(CurveCorner.read, evidence.items("corners"))),
        )


def _limit(item: Member) -> tuple[int, Fraction]:
    parts = item.items()
    if len(parts) != 2:
        raise item.wrong("a monitor and a limit")
    return parts[0].has(int), fraction(parts[1])


def _hexadecimal(item: Member) -> int:
    try:
        return int(item.has(str), 16)
    except ValueError:
        raise item.wrong("a hexadecimal number") from None
