"""Certificates about equivalence: ``bisimulation-classes``, ``distinguishing-formula``, ``distinguishing-tree``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Struct

from symag.core.evidence.documented import INLINE, Documented
from symag.lpts.certificates.assumptions import TreeCounterexample
from symag.lpts.certificates.certificate import Classes, Exact, ProbabilisticCertificate, Refutation

#: A longer formula is described by its size in an answer, and in a certificate.
_LONGEST_NOTE, _LONGEST_LINE = 400, 10_000


class ModalConjunct(Struct, Documented, frozen=True, order=True):
    """Whether it is asserted (else denied); an action; masses of other formulas, each with a formula's number."""

    asserted: bool
    action: str
    masses: tuple[Annotated[tuple[Exact, int], "a mass and the number of a formula"], ...]


class DistinguishingFormula(Refutation, Struct, frozen=True):
    """A formula of probabilistic modal logic that is true of the left initial state and false of the right one.

    A formula is a list of conjuncts. A conjunct asserts, or denies, that the state has a move by an action to a
    distribution that gives at least these masses to the states with these formulas, which have smaller numbers.
    The last formula is the one that distinguishes (K. G. Larsen and A. Skou, 1991; with nondeterminism, A. Parma and
    R. Segala, "Logical characterizations of bisimulations for discrete probabilistic systems", 2007).
    """

    formulas: tuple[tuple[ModalConjunct, ...], ...]
    kind: str = "distinguishing-formula"

    def text(self, longest: int = _LONGEST_NOTE) -> str:
        """The formula, ``<a>(P>=1/2 <b>true)`` for a move by a that leads with 1/2 or more to states that can do b.

        A text of more than ``longest`` characters is replaced by its size.
        """
        texts: list[str] = []
        for conjuncts in self.formulas:
            parts = [_conjunct_text(conjunct, texts) for conjunct in conjuncts]
            text = " & ".join(parts) or "true"
            texts.append(f"({text})" if len(parts) > 1 else text)
            if len(texts[-1]) > longest:
                return f"{len(self.formulas)} sub-formulas, in the certificate"
        return texts[-1]

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        yield f"true of the first system, false of the second: {self.text(_LONGEST_LINE)}"


def _conjunct_text(conjunct: ModalConjunct, texts: Sequence[str]) -> str:
    goal = " & ".join(f"P>={mass} {texts[number]}" for mass, number in conjunct.masses) or "true"
    after = f"({goal})" if conjunct.masses else goal
    return f"{'' if conjunct.asserted else '!'}<{conjunct.action or '(no label)'}>{after}"


class DistinguishingTree(Refutation, Struct, frozen=True):
    """A tree that one system, ``left`` or ``right``, can run and the other cannot simulate."""

    side: str
    tree: Annotated[TreeCounterexample, INLINE]
    kind: str = "distinguishing-tree"

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        yield f"tree of {len(self.tree.nodes)} nodes of the {self.side} system, which the other cannot simulate"


class EquivalenceClasses(ProbabilisticCertificate, Struct, frozen=True, eq=False):
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
