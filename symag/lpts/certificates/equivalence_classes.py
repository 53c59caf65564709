"""The certificate ``bisimulation-classes``: two systems are equivalent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symag.lpts.certificates.certificate import Classes, ProbabilisticCertificate


@dataclass(frozen=True, slots=True, eq=False)
class EquivalenceClasses(ProbabilisticCertificate):
    """The initial states are bisimilar, or simulate each other.

    The left system is the composition of the problem's components, the right one the other system. ``left`` and
    ``right`` have a row for each state: its local states, last its class. To check for ``bisimulation``: all states of
    a class, of both systems, have the same moves to classes; the initial states are in one class. For ``simulation``
    the two systems have classes of their own. ``forth`` are pairs of a class on the left and one on the right, ``back``
    of one on the right and one on the left; both are strong simulations and have the initial pair.
    """

    relation: str
    left: Classes
    right: Classes
    forth: tuple[tuple[int, int], ...] = ()
    back: tuple[tuple[int, int], ...] = ()
    kind: str = "bisimulation-classes"

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        states = f"{len(self.left)} and {len(self.right)} states"
        left, right = (set(rows[:, -1].tolist()) for rows in (self.left, self.right))
        if self.relation == "bisimulation":
            yield f"bisimulation of {states} in {len(left | right)} classes"
        else:
            pairs = f"{len(self.forth)} and {len(self.back)} pairs"
            yield f"simulations of {pairs} between {len(left)} and {len(right)} classes of {states}"
