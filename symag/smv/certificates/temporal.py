"""Evidence about the fair runs of a system, for LTL, PSL and CTL, and against CTL."""

from __future__ import annotations

from typing import Annotated, Literal, cast, get_args

from msgspec import Struct

from symag.core.evidence.documented import INLINE, Documented, Spelling
from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate, check_steps
from symag.smv.certificates.formulas import Bit, Clauses, NamedText, Node, Table

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


class FormulaLabel(Struct, Documented, frozen=True):
    """The states, among the reached ones, that satisfy a CTL formula.

    ``removals`` prove that no fair run stays in a set Z. For ``EG f`` these are the states outside the label that
    satisfy f, for ``AF g`` and ``f AU g`` those of the label that do not satisfy g, both without the states that are
    given as not fair; for the label of the fair states all reached states outside it. Without removals certify decides
    that by a search, which is slower.
    """

    states: Node
    removals: tuple[RemovalStep, ...] = ()


class Labelling(Certificate, Struct, frozen=True):
    """A CTL property holds, or is violated.

    ``reached`` is a conjunction of formulas without inputs: a set of states that contains the initial ones and is
    closed under the transitions. For a violation it need not contain all initial states. ``labels`` has one entry for
    every occurrence of a CTL operator in the property, operands before the operator, the left one first. The states of
    ``reached`` in a label satisfy the sub-formula, those outside do not. Path quantifiers range over fair infinite
    runs. ``fair`` are the reached states from which a fair run starts; None if that is all of them. Without ``labels``
    certify computes all these sets inside ``reached``, and ``fair`` may be None. To check, for every operator by its
    own law from the labels of its operands: that the states inside satisfy it if the claim needs its truth, and that
    the states outside do not if the claim needs its falsity. ``claim``: ``holds`` (every initial state satisfies the
    property) or ``violated`` (some initial state does not).
    """

    table: Table
    reached: tuple[Node, ...]
    labels: tuple[FormulaLabel, ...]
    fair: FormulaLabel | None = None
    claim: Annotated[Literal["holds", "violated"], "holds or violated"] = "holds"
    kind: str = "labelling"

    def summary(self) -> str:
        return f"sets of states, one for each CTL operator: {len(self.table.nodes)} diagram nodes"


class FairEmptiness(Certificate, Struct, frozen=True):
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


#: The names of the monitor's bits in clauses: the three last have a number.
SAVED = "LOOP.saved"
MET = "LOOP.met"
PREMISE = "LOOP.premise"
CONCLUSION = "LOOP.conclusion"

#: Before the name of a variable or an observer: the bits of its copy.
COPY = "LOOP.copy."


class NoFairLasso(Certificate, Struct, frozen=True):
    """An LTL formula holds: a search for fair lassos of its negation as an invariant (Biere, Artho, Schuppan, 2002).

    ``observers`` and ``eventualities`` are those of ``FairEmptiness``; the conditions are the system's JUSTICE, then
    the eventualities. A monitor runs beside the system and the observers. At one state, which is free to be any, bit
    ``LOOP.saved``, FALSE at first, becomes TRUE for ever after, and the bits ``copied`` (of state variables and
    observers) are copied to bits whose names begin with ``LOOP.copy.``, which keep their values else. From that state
    on, it included, ``LOOP.met`` i remembers that condition i was met, ``LOOP.premise`` j and ``LOOP.conclusion`` j
    that the two sides of COMPASSION j were; they are FALSE at first. A state closes a lasso if ``LOOP.saved`` and all
    of ``LOOP.met`` are TRUE, for every j ``LOOP.premise`` is FALSE or ``LOOP.conclusion`` TRUE, and the copied bits
    have the values of their copies. To check: the ``clauses`` are true where a run that violates the formula begins,
    every transition keeps them true, and no state in which they are true closes a lasso. Then no such run is fair,
    whichever bits are copied: one valuation of them comes back again and again.
    """

    copied: tuple[Bit, ...]
    observers: tuple[NamedText, ...]
    eventualities: tuple[str, ...]
    clauses: Clauses
    kind: str = "no-fair-lasso"

    def summary(self) -> str:
        return "no fair lasso, with"


#: The names of the monitor's bits in clauses, each with a number.
SEEN = "LIVE.seen"
COUNT = "LIVE.count"


class BoundedFairness(Certificate, Struct, frozen=True):
    """An LTL formula holds: no run of its negation meets all fairness conditions more than ``bound`` times.

    ``observers`` and ``eventualities`` are those of ``FairEmptiness``. The conditions are the system's JUSTICE, then
    the eventualities. A monitor runs beside the system and the observers. Its bit ``LIVE.seen`` i, FALSE at first, says
    that condition i was met since all of them had been met for the last time; a step on which the last of them is met
    sets all to FALSE, and adds one to a count. ``LIVE.count`` j, FALSE at first, says that this has happened more than
    j times, for j from 0 to the bound. To check: the ``clauses`` and the negation of the last of these bits are true
    where a run that violates the formula begins, and every transition keeps them true. Then no such run is fair.
    COMPASSION is not used: without it there are more fair runs.
    """

    bound: int
    observers: tuple[NamedText, ...]
    eventualities: tuple[str, ...]
    clauses: Clauses
    kind: str = "bounded-fairness"

    def check_members(self, item: Member) -> None:
        check_steps(item, "bound")

    def summary(self) -> str:
        return f"fair at most {self.bound} time{'s' * (self.bound != 1)}, with"
