"""The certificate ``triples``: dual solutions that bound expected costs, and flows that reach them.

Rules of this file: a state is the tuple of the local states of some components, of the guarantee's monitor, and of the
monitors of the assumptions, in the order in which they are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from symag.core.evidence.documented import Documented, Spelling
from symag.core.evidence.documents import Member
from symag.core.value_bounds import INFINITY, ValueBounds
from symag.lpts.certificates.certificate import Exact, ProbabilisticCertificate, read_fraction
from symag.lpts.certificates.quantitative_bounds import Vector


def _number(item: Member) -> int:
    try:
        return int(item.has(str), 16)
    except ValueError:
        raise item.wrong("a hexadecimal number") from None


def _cost(item: Member) -> Fraction | None:
    return None if item.value == INFINITY else read_fraction(item)


def _spelled(cost: Fraction | None) -> str:
    return INFINITY if cost is None else str(cost)


_Hexadecimal = Annotated[int, Spelling(_number, "{:x}".format)]
_Taken = Annotated[tuple[int, tuple[int, ...], _Hexadecimal, _Hexadecimal], "a state, transitions and two numbers"]
_Bound = Annotated[Fraction | None, Spelling(_cost, _spelled)]


@dataclass(frozen=True, slots=True)
class ProvenTriple(Documented):
    """The components keep ``most`` for the monitor ``guarantee`` under all schedulers that keep the limits ``assumed``.

    ``assumed`` are (monitor, limit), ``multipliers`` their prices (at least 0), ``values`` has one for each state (at
    least 0). To check: the value of a state is at least what any transition makes of it, its cost for the guarantee
    minus the priced costs of the assumptions plus the expected value after it; the value of the initial state plus the
    priced limits is at most ``most``. A transition that costs something where the limit is 0 is never taken. A state
    in which the guarantee costs nothing any more needs no entry: its value is 0.
    """

    components: tuple[int, ...]
    assumed: tuple[Annotated[tuple[int, Exact], "a monitor and a limit"], ...]
    guarantee: int
    most: Exact
    states: tuple[tuple[int, ...], ...]
    multipliers: tuple[Exact, ...]
    values: Vector


@dataclass(frozen=True, slots=True)
class ReachingFlow(Documented):
    """How often a scheduler that remembers nothing takes each transition, over ``denominator``.

    ``taken`` are (state, transition of each component and monitor or -1, number, number in a cycle). To check: each
    state is left at most as often as it is entered, the initial state once more; every state is reached. The costs of
    such a scheduler are those of the numbers. The numbers in a cycle, if there are any, enter and leave each state
    equally often and cost the assumptions nothing, so that they may be repeated for ever.
    """

    states: tuple[tuple[int, ...], ...]
    taken: tuple[_Taken, ...]
    denominator: _Hexadecimal


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
    """

    verdict: Literal["holds", "violated", "computed"]
    value: Annotated[tuple[_Bound, _Bound], "a lower and an upper bound"] | None
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
