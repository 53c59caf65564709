"""Evidence for an LTL or PSL formula: no fair run satisfies its negation."""

from __future__ import annotations

from dataclasses import dataclass

from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import NamedText, Node, Table
from symag.smv.certificates.removals import RemovalStep


@dataclass(frozen=True, slots=True)
class FairEmptiness(Certificate):
    """An LTL (or PSL) formula holds: no fair run of the system satisfies its negation.

    ``observers`` are further boolean variables of the diagrams, with bit 0: ``(name, text)``, where the text is an LTL
    formula with past over the system's names, as the flat printer writes it. An observer is TRUE at exactly those
    positions of a run at which its formula is true. A tableau's variable for next f has the formula ``X f``, its
    variable for previous f ``Y f``, and that for an input ``i`` or a ``next(x)`` the expression itself. The certificate
    does not state the constraints between observers: certify derives them from the formulas, by a tableau of its own.
    ``eventualities`` are texts of LTL formulas ``f U g`` or ``F g`` (or ``!(f V g)``, ``!(G g)``). Each stands for the
    condition that the formula is false or its ``g`` (``!g`` of the negated ones) is true: EVERY run meets it infinitely
    often.
    ``reached`` is a conjunction of formulas. To check: every position at which a run that violates the property begins
    is in it, and it is closed under the transitions of the system with its observers. Positions without a successor
    need not be in it.
    Then Z starts as this set, and ``removals`` take from it in their order. To check: what is left is empty, or no fair
    run stays in it, which certify decides by a search.
    """

    table: Table
    observers: tuple[NamedText, ...]
    eventualities: tuple[str, ...]
    reached: tuple[Node, ...]
    removals: tuple[RemovalStep, ...]
    kind: str = "fair-emptiness"

    def summary(self) -> str:
        count = len(self.table.nodes)
        return f"sets of positions that leave no fair run to the formula's negation: {count} diagram nodes"
