"""Positions that no fair run visits for ever, as certificates of CTL and LTL have them."""

from __future__ import annotations

from typing import Annotated, Literal, cast, get_args

from msgspec import Struct

from symag.core.evidence.documented import INLINE, Documented, Spelling
from symag.core.evidence.documents import Member
from symag.smv.certificates.diagrams import Node

Avoidable = Literal["justice", "compassion", "eventuality", "progress"]


class AvoidedCondition(Struct, frozen=True):
    """A condition that no infinite run that stays in a set meets.

    ``justice``: the system's JUSTICE number ``index``. ``compassion``: the second condition of its COMPASSION
    number ``index``. ``eventuality``: the certificate's eventuality number ``index`` (see ``FairEmptiness``).
    ``progress``: no condition; no infinite run stays in the set (``index`` is 0).
    """

    kind: Avoidable
    index: int = 0


def _avoided(item: Member) -> AvoidedCondition:
    kind = item.member("avoids").one_of(get_args(Avoidable), "justice, compassion, eventuality or progress")
    return AvoidedCondition(cast(Avoidable, kind), item.get("index", int))


def _members_of(avoided: AvoidedCondition) -> dict[str, str | int]:
    return {"avoids": avoided.kind, "index": avoided.index}


class RemovalStep(Struct, Documented, frozen=True):
    """Positions that no fair run which stays in a set Z from some step on visits infinitely often.

    ``positions``, here D, is a formula; only D & Z matters. To check, for every transition from D & Z that stays in Z:
    it leads to D, and it does not meet the avoided condition. For ``progress`` the second check is that no infinite run
    stays in D & Z: dropping positions without a successor in the rest, again and again, leaves nothing. D & Z is then
    removed from Z; for ``compassion`` only those positions of D & Z that satisfy the pair's first condition.
    """

    positions: Node
    avoids: Annotated[AvoidedCondition, Spelling(_avoided, _members_of), INLINE]
