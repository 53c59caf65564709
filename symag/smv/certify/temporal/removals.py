"""Sets of positions in which no fair run stays: the removals are checked one by one, and the rest is searched.

Why a ``symag.smv.certificates.removals.RemovalStep`` proves it: take a fair run that stays in Z from some step on. If
it then visits D, it stays in D for ever, and never meets the avoided condition again. With a JUSTICE that run is not
fair, so a fair run stays in Z without D from some step on. With a COMPASSION the run meets the first condition only
finitely often, so it stays in Z without those positions of D. When Z is empty, there is no such run.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from symag.smv.certificates.removals import AvoidedCondition, RemovalStep
from symag.smv.certify.circuits.decision_diagrams import Bdd
from symag.smv.certify.properties import refused
from symag.smv.certify.temporal.positions import Positions
from symag.smv.certify.transitions import FairnessCondition


class Emptiness(Struct, frozen=True, eq=False):
    """The conditions that fair runs meet: the system's, made easier to meet, and a tableau's eventualities."""

    positions: Positions
    justice: Sequence[FairnessCondition]
    compassion: Sequence[FairnessCondition]
    eventualities: Sequence[Bdd]

    def check(self, inside: Bdd, removals: Sequence[RemovalStep], what: str) -> None:
        """Accept that no fair run stays in ``inside``; ``what`` names the set in the refusal.

        Raises CertificationError with the removal that fails, OutOfTimeError. Removals take from the set in their
        order; if something is left, its fair core is computed.
        """
        for number, removal in enumerate(removals, start=1):
            inside = self._without(inside, removal, f"{what}, removal {number}")
        if inside == self.positions.context.false:
            return
        true = self.positions.context.true
        met = [FairnessCondition(true, condition) for condition in self.eventualities]
        fairness = [*self.justice, *self.compassion, *met]
        if self.positions.may.fair_core(inside, fairness) != self.positions.context.false:
            raise refused(f"{what}: a fair run remains")

    def _without(self, inside: Bdd, removal: RemovalStep, where: str) -> Bdd:
        transitions, false = self.positions.may, self.positions.context.false
        removed = inside & self.positions.set([removal.positions])
        if transitions.leads(removed, inside & ~removed):
            raise refused(f"{where}: a transition leaves the positions")
        if removal.avoids.kind == "progress":
            if transitions.trimmed(removed) != false:
                raise refused(f"{where}: an infinite run stays")
            return inside & ~removed
        condition = self._condition(removal.avoids, where)
        if transitions.leads(removed & condition.answer, inside):
            raise refused(f"{where}: the condition is met")
        return inside & ~(removed & condition.often)

    def _condition(self, avoided: AvoidedCondition, where: str) -> FairnessCondition:
        true = self.positions.context.true
        by_kind: dict[str, Sequence[FairnessCondition]] = {
            "justice": self.justice,
            "compassion": self.compassion,
            "eventuality": [FairnessCondition(true, condition) for condition in self.eventualities],
        }
        conditions = by_kind.get(avoided.kind, ())
        if not 0 <= avoided.index < len(conditions):
            raise refused(f"{where}: there is no {avoided.kind} {avoided.index}")
        return conditions[avoided.index]
