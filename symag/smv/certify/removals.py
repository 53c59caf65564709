"""Sets of positions that hold no fair run: removals checked one by one, and what is left searched.

Why ``symag.smv.certificates.removals.RemovalStep`` proves it: take a fair run that comes to stay in Z. If it then
visits D, it stays in D for ever, and never meets the avoided condition again. For a justice that is no fair
run, so the run comes to stay in Z without D; for a compassion it visits the first condition only finitely
often, so it comes to stay in Z without those positions of D. When nothing is left, there is no such run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.core.errors import CertificationError
from symag.smv.certificates.removals import AvoidedCondition, RemovalStep
from symag.smv.certify.circuits.decision_diagrams import Bdd
from symag.smv.certify.positions import Positions
from symag.smv.certify.transitions import FairnessCondition


@dataclass(frozen=True, slots=True, eq=False)
class Emptiness:
    """The conditions that fair runs meet: the system's, made easier to meet, and a tableau's eventualities."""

    positions: Positions
    justice: Sequence[FairnessCondition]
    compassion: Sequence[FairnessCondition]
    eventualities: Sequence[Bdd]

    def check(self, inside: Bdd, removals: Sequence[RemovalStep], what: str) -> None:
        """Accept that no fair run stays in ``inside``. Raises CertificationError otherwise, OutOfTimeError."""
        for number, removal in enumerate(removals, start=1):
            inside = self._without(inside, removal, f"{what}, removal {number}")
        if inside == self.positions.context.false:
            return
        true = self.positions.context.true
        met = [FairnessCondition(true, condition) for condition in self.eventualities]
        fairness = [*self.justice, *self.compassion, *met]
        if self.positions.may.fair_core(inside, fairness) != self.positions.context.false:
            raise CertificationError(f"the certificate is not accepted: {what}: a fair run remains")

    def _without(self, inside: Bdd, removal: RemovalStep, where: str) -> Bdd:
        transitions, false = self.positions.may, self.positions.context.false
        removed = inside & self.positions.set([removal.positions])
        if transitions.leads(removed, inside & ~removed):
            raise CertificationError(f"the certificate is not accepted: {where}: a transition leaves the positions")
        if removal.avoids.kind == "progress":
            if transitions.trimmed(removed) != false:
                raise CertificationError(f"the certificate is not accepted: {where}: an infinite run stays")
            return inside & ~removed
        condition = self._condition(removal.avoids, where)
        if transitions.leads(removed & condition.answer, inside):
            raise CertificationError(f"the certificate is not accepted: {where}: the condition is met")
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
            raise CertificationError(
                f"the certificate is not accepted: {where}: there is no {avoided.kind} {avoided.index}"
            )
        return conditions[avoided.index]
