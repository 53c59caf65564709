"""The conjuncts over some variables: their relation, and the states that are reachable by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from symag.bdd.context import Bdd, memory_errors
from symag.core.limits import Progress, no_progress
from symag.smv.symbolic.diagram import DiagramWriter, read_diagrams
from symag.smv.symbolic.relation import TransitionRelation
from symag.smv.symbolic.system import SymbolicSystem
from symag.smv.traversal.deadends import dead_ends, is_total
from symag.smv.traversal.reachability import RingSearch, forward_search

if TYPE_CHECKING:
    from symag.smv.certificates.formulas import DiagramTable
    from symag.smv.traversal.ctl import CtlSets


class Approximation(Struct, frozen=True, eq=False):
    """A set with all reachable states, over ``variables``: a node of a table, so that other contexts can read it.

    Every step from it leads into it.
    """

    variables: frozenset[str]
    table: DiagramTable
    root: int


class StateSpace(Struct, eq=False):
    """The conjuncts over ``variables``: their relation, and the forward search so far."""

    symbolic: SymbolicSystem
    variables: frozenset[str]
    invariant: Bdd
    initial: Bdd
    relation: TransitionRelation
    search: RingSearch
    _reached: Bdd | None = None
    _sets: dict[bool, CtlSets] = field(default_factory=dict)
    _outer: Bdd | Literal[False] | None = False

    def confined(self, conditions: Sequence[Bdd], progress: Progress) -> StateSpace:
        """The same states to be searched anew, by a relation that is simpler where a condition is false.

        The conditions are true in every reachable state. Backward, only states that satisfy them are found.
        """
        relation, initial = self.relation, self.initial
        for condition in conditions:
            relation = relation.confined(condition)
        search = forward_search(relation, initial, progress=progress)
        return StateSpace(self.symbolic, self.variables, self.invariant, initial, relation, search)

    @property
    def is_approximated(self) -> bool:
        """Whether a set with all reachable states is known from an earlier search."""
        return self._outer is not False and self._outer is not None

    def approximation(self) -> Approximation | None:
        """That set; None if none is known."""
        if self._outer is False or self._outer is None:
            return None
        writer = DiagramWriter(self.symbolic.encoding)
        root = writer.add(self._outer)
        return Approximation(self.variables, writer.table(), root)

    def approximate(self, approximation: Approximation) -> None:
        """Take such a set from another system, of which the variables and what follows for them are in this one.

        Raises MemoryExhausted.
        """
        with memory_errors():
            diagrams = read_diagrams(self.symbolic.encoding, approximation.table, self.variables)
            self._outer = diagrams[approximation.root]

    @property
    def is_whole(self) -> bool:
        """Whether all variables of the system are included."""
        return len(self.variables) == len(self.symbolic.source.variables)

    @property
    def is_explored(self) -> bool:
        """Whether all reachable states are known."""
        return bool(self._reached is not None or self.search.complete)

    def reached(self) -> Bdd:
        """All reachable states, by chaining where the relation has parts. Raises MemoryExhausted."""
        if self._reached is None:
            if self.relation.parts and not self.search.complete:
                self._reached = self.relation.forward_closure(self.initial)
            else:
                while not self.search.complete:
                    self.search.advance()
                self._reached = self.search.states
        return self._reached

    def over_approximation(self) -> Bdd | None:
        """A set with all reachable states (see ``overlapping_projections``); None if it takes too long. It is kept.

        Raises MemoryExhausted.
        """
        if self._outer is False:
            # For start-up: few searches are hard backward.
            from symag.smv.traversal.projections import overlapping_projections

            encoding = self.symbolic.encoding
            self._outer = overlapping_projections(encoding, self.relation, self.initial, self.variables)
        return self._outer

    def rings(self) -> tuple[Bdd, ...]:
        """The rings of the forward search if it is complete, else none."""
        return tuple(self.search.rings) if self.search.complete else ()

    def sets(self, reached: bool, progress: Progress = no_progress) -> CtlSets:
        """The states in which CTL formulas hold, among the reachable ones or (``reached`` false) among all.

        Raises MemoryExhausted and, for failing fairness constraints, InputError.
        """
        sets = self._sets.get(reached)
        if sets is None:
            # For start-up: only CTL needs it.
            from symag.smv.traversal.ctl import CtlSets
            from symag.smv.traversal.fairness import FairConstraints

            source = self.symbolic.source
            domain = self.reached() if reached else self.invariant
            relation = self.relation.confined(domain) if reached else self.relation
            fairness = FairConstraints.of(self.symbolic, self.variables, relation)
            total = is_total(source) and not (fairness.justice or fairness.compassion)
            sets = CtlSets(self.symbolic, relation, fairness, self.initial, domain, reached, total, progress)
            self._sets[reached] = sets
        return sets

    def warnings(self, reached: bool) -> Iterator[str]:
        """Warnings about verdicts on infinite runs: no fair path, dead ends."""
        sets = self.sets(reached)
        if not sets.everywhere_fair:
            empty = self.symbolic.context.false
            if sets.fair() == empty:
                yield "the set of fair states is empty: every CTL property holds"
            elif sets.fair() & self.initial == empty:
                yield "no fair path starts in an initial state: every CTL property holds"
        if not is_total(self.symbolic.source):
            warning = dead_ends(self.symbolic, self.relation, self.variables, sets.domain if reached else None)
            if warning is not None:
                yield warning
