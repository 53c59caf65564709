"""The states in which CTL formulas hold, computed forward from the states of interest where that helps.

A nested formula matters only in states that are reached from where its context matters. So E[p U q] is first
explored forward from the states in question (Iwashita, Nakata, Hirose, "CTL model checking based on forward
state traversal", ICCAD 1996), and q, or EG, is evaluated there; the usual backward fix-points run inside these
states. All sets are restricted to states that start a fair path: no others count.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext, memory_errors
from symag.core.limits import Progress, no_progress
from symag.core.trace import Trace
from symag.smv.symbolic.relation import TransitionRelation
from symag.smv.symbolic.system import SymbolicSystem
from symag.smv.temporal import ctl
from symag.smv.temporal.ctl import Formula, is_propositional
from symag.smv.traversal.fair_cycle import FairCycle
from symag.smv.traversal.fairness import FairConstraints, FairRuns
from symag.smv.traversal.trace import SingleTransitions, Valuation


class Region(Struct, frozen=True, eq=False):
    """The states on which E[hold U goal] depends.

    ``inside`` are states with ``hold``, among them all that a path to a goal visits; ``goal`` matters in ``after``.
    If all reachable states are known, both contain only states on paths from the states in question.
    """

    inside: Bdd
    after: Bdd


@dataclass(slots=True, eq=False)
class CtlSets:
    """The states in which formulas hold, over one relation; the results are kept for the next formula.

    ``domain`` is closed under successors and contains the initial states: the reachable states if
    ``reached``, else all that satisfy the invariant. ``everywhere_fair``: every state of it is known to
    start a fair path. The methods raise MemoryExhausted, and InputError for atoms whose evaluation fails.
    """

    system: SymbolicSystem
    relation: TransitionRelation
    fairness: FairConstraints
    initial: Bdd
    domain: Bdd
    reached: bool
    everywhere_fair: bool
    progress: Progress = no_progress
    _fair: FairRuns | None = None
    _cycle: FairCycle | None = None
    _known: dict[Formula, list[tuple[Bdd, Bdd]]] = field(default_factory=dict)
    _runs: dict[Formula, list[tuple[Bdd, FairRuns]]] = field(default_factory=dict)
    _predicates: dict[Formula, Bdd] = field(default_factory=dict)

    @property
    def context(self) -> BddContext:
        """The context of the system's diagrams."""
        return self.system.context

    def fair(self) -> Bdd:
        """The states of the domain that start a fair path. Computed at the first call."""
        return self.domain if self.everywhere_fair else self.fair_runs().states

    def fair_runs(self) -> FairRuns:
        """All fair runs in the domain. Computed at the first call."""
        if self._fair is None:
            self.progress("computing the fair states")
            self._fair = self.fairness.runs(self.domain)
        return self._fair

    def fair_lasso(self, runs: FairRuns, state: Valuation) -> Trace:
        """A lasso from a state by some of the fair runs. Raises ValueError if the state is not fair.

        The cycle of the first one serves later ones of ``fair_runs``, but only among reachable states: a search
        backward through all states may cost far more than one ahead of a single state.
        """
        lasso = runs.lasso([state], self._cycle if runs is self._fair else None)
        if self._cycle is None and self.reached:
            transitions = SingleTransitions.of(self.system, self.fairness.variables)
            self._cycle = FairCycle(transitions, self.relation, self.domain, lasso.steps[lasso.loop :])
        return lasso

    def exists(self, states: Bdd, formula: Formula) -> bool:
        """Whether one of these states of the domain satisfies the formula and starts a fair path.

        Costs less than :meth:`holding`.
        """
        formula = ctl.pushed(formula)
        with memory_errors():
            match formula:
                case ctl.Or(operands):
                    return any(self.exists(states, operand) for operand in operands)
                case ctl.And(operands):
                    *first, last = _cheapest_first(operands)
                    for operand in first:
                        states = self.holding(states, operand)
                    return self.exists(states, last)
                case ctl.Next(operand):
                    return self.exists(self.relation.image(states), operand)
                case ctl.Until(hold, goal) if self.reached:
                    if is_propositional(goal) and self._with(self.domain, goal) == self.context.false:
                        return False
                    return self.exists(self.until(states, hold).after, goal)
            return bool(self.holding(states, formula) != self.context.false)

    def holding(self, states: Bdd, formula: Formula) -> Bdd:
        """Those of these states of the domain that satisfy the formula and start a fair path."""
        if states == self.context.false:
            return states
        for within, satisfying in self._known.get(formula, ()):
            if self.context.implies(states, within):
                return states & satisfying
        with memory_errors():
            result = self._holding(states, ctl.pushed(formula))
        if not is_propositional(formula):
            self._known.setdefault(formula, []).append((states, result))
        return result

    def until(self, states: Bdd, hold: Formula) -> Region:
        """The region on which E[hold U goal] in ``states`` depends."""
        inside = self._region(states, hold)
        if hold == ctl.TRUE:
            return Region(inside, inside)
        return Region(inside, states | self.relation.image(inside) if self.reached else self.domain)

    def always(self, states: Bdd, hold: Formula) -> FairRuns:
        """Fair runs that satisfy ``hold`` all along: at least all those from ``states``."""
        for within, result in self._runs.get(hold, ()):
            if self.context.implies(states, within):
                return result
        runs = self.fairness.runs(self._region(states, hold))
        self._runs.setdefault(hold, []).append((states, runs))
        return runs

    def predicate(self, formula: ctl.Atom) -> Bdd:
        """The atom as a diagram."""
        diagram = self._predicates.get(formula)
        if diagram is None:
            diagram = self._predicates[formula] = self.system.predicate(formula.expression)
        return diagram

    def _region(self, states: Bdd, hold: Formula) -> Bdd:
        """The states with ``hold`` that paths with ``hold`` from ``states`` reach; all of them if not ``reached``."""
        if not self.reached:
            return self._with(self.domain, hold)
        if hold == ctl.TRUE:
            return self.domain if self.context.implies(self.initial, states) else self.relation.forward_closure(states)
        propositional = is_propositional(hold)
        everywhere = self._with(self.domain, hold) if propositional else self.holding(self.domain, hold)
        first = states & everywhere
        return first if first == everywhere else self.relation.forward_closure(first, everywhere)

    def _with(self, states: Bdd, formula: Formula) -> Bdd:
        """Those of these states that satisfy the formula; if it has no temporal operators, unfair ones too."""
        if not is_propositional(formula):
            return self.holding(states, formula)
        match ctl.pushed(formula):
            case ctl.Truth(value):
                return states if value else self.context.false
            case ctl.Atom() as atom:
                return states & self.predicate(atom)
            case ctl.Not(operand):
                return states & ~self._with(states, operand)
            case ctl.And(operands):
                for operand in operands:
                    states = self._with(states, operand)
                return states
            case ctl.Or(operands):
                return self.context.disjunction(self._with(states, operand) for operand in operands)
        raise TypeError("not a formula without temporal operators")

    def _holding(self, states: Bdd, formula: Formula) -> Bdd:
        if is_propositional(formula):
            result = self._with(states, formula)
            return result if result == self.context.false else result & self.fair()
        match formula:
            case ctl.And(operands):
                for operand in _cheapest_first(operands):
                    states = self.holding(states, operand)
                return states
            case ctl.Or(operands):
                result = self.context.false
                for operand in _cheapest_first(operands):
                    result = result | self.holding(states & ~result, operand)
                return result
            case ctl.Not(operand):
                return states & self.fair() & ~self.holding(states, operand)
            case ctl.Next(operand):
                following = self.relation.image(states) if self.reached else self.domain
                return states & self.relation.preimage(self.holding(following, operand))
            case ctl.Until(ctl.Truth(), goal):
                return states & self.relation.backward_closure(self.holding(self.domain, goal), self.domain)
            case ctl.Until(hold, goal):
                region = self.until(states, hold)
                return states & self.relation.backward_closure(self.holding(region.after, goal), region.inside)
            case ctl.Always(hold):
                return states & self.always(states, hold).states
        return states & self._bounded(self.domain, formula)

    def _bounded(self, states: Bdd, formula: Formula) -> Bdd:
        """The bounded operators in states that are closed under successors. Costs one preimage for each step."""
        match formula:
            case ctl.BoundedUntil(hold, goal, low, high):
                kept, result = self._with(states, hold), self.holding(states, goal)

                def within(after: Bdd) -> Bdd:
                    return after | (kept & self.relation.preimage(after))

                def before(after: Bdd) -> Bdd:
                    return kept & self.relation.preimage(after)
            case ctl.BoundedAlways(hold, low, high):
                result = self.holding(states, hold)

                def within(after: Bdd) -> Bdd:
                    return after & self.relation.preimage(after)

                def before(after: Bdd) -> Bdd:
                    return states & self.relation.preimage(after)
            case ctl.BoundedRelease(release, hold, low, high):
                released, result = self.holding(states, release), self.holding(states, hold)

                def within(after: Bdd) -> Bdd:
                    return after & (released | self.relation.preimage(after))

                def before(after: Bdd) -> Bdd:
                    return released | (states & self.relation.preimage(after))
            case _:
                raise TypeError("no bounded operator")
        for step, count in ((within, high - low), (before, low)):
            for _ in range(count):
                previous, result = result, step(result)
                if result == previous:
                    break
        return result


def _cheapest_first(operands: tuple[Formula, ...]) -> list[Formula]:
    """The operands without temporal operators first, then in the order of the formula."""
    return sorted(operands, key=lambda operand: not is_propositional(operand))
