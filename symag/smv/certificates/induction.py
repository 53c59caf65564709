"""Evidence for an invariant: an induction over one step or several."""

from __future__ import annotations

from dataclasses import dataclass

from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.clauses import Clauses


@dataclass(frozen=True, slots=True)
class Induction(Certificate):
    """An invariant that is inductive over ``steps`` steps, as k-induction and PDR (one step) find it.

    Let C be the conjunction of ``clauses`` (disjunctions of literals over current states), of ``lemmas`` (texts of
    boolean expressions over states) and of the property if it is about states; let p be the property if it is about
    transitions. To check, for paths s_0, s_1, .. that satisfy the system's constraints: if s_0 is initial, C is true in
    s_0 .. s_steps-1, and p on the transitions between them. If, from any s_0, that is so, C is true in s_steps, and p
    on the transition into it. With ``distinct`` the second part is checked only of paths on which s_0 .. s_steps-1
    differ in the variables that the initial states or the transitions constrain.
    """

    steps: int
    clauses: Clauses
    lemmas: tuple[str, ...] = ()
    distinct: bool = False
    kind: str = "induction"

    def summary(self) -> str:
        distinct = " of paths without a repeated state" if self.distinct else ""
        return f"inductive over {self.steps} step{'s' if self.steps > 1 else ''}{distinct}, with"
