"""Paths that show why a CTL formula in existential form holds, as far as one path can.

As in NuSMV's explanations a path continues from operator to operator: to the state that an EU, EX or bounded
operator leads to, and from there along the formula that holds there. EG ends it with a fair lasso. It also ends
at a formula that no path shows: a negated temporal operator, the other conjuncts of a conjunction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.core.trace import Trace
from symag.core.values import replace
from symag.smv.temporal import ctl
from symag.smv.temporal.ctl import Formula, is_propositional
from symag.smv.traversal.ctl import CtlSets
from symag.smv.traversal.trace import SingleTransitions, Valuation, path_through_rings, steps_of

#: The largest number of steps of a bounded operator that are shown.
LONGEST = 10_000


@dataclass(frozen=True, slots=True)
class WalkedPath:
    """States of a path, and the fair lasso that continues from the last of them, if there is one."""

    states: tuple[Valuation, ...]
    lasso: Trace | None = None

    def after(self, states: Sequence[Valuation]) -> WalkedPath:
        """The path with more states before it."""
        return replace(self, states=(*states, *self.states))


class Explainer(Struct, frozen=True, eq=False):
    """Builds paths over the variables of ``transitions``; ``sets`` are the states in which formulas hold.

    ``to_the_end``: with fairness constraints, or if states without a successor may exist, a fair lasso follows a
    finite path. ``rings`` are all those of a breadth-first search from the initial states, or none.
    """

    sets: CtlSets
    transitions: SingleTransitions
    to_the_end: bool = True
    rings: tuple[Bdd, ...] = ()

    def trace(self, states: Bdd, formula: Formula) -> Trace:
        """A path from one of ``states`` that shows why the formula holds there, with a lasso where that matters.

        The formula must hold in one of the states. Raises MemoryExhausted.
        """
        with memory_errors():
            walk = self._walk(states, formula)
            source = self.sets.system.source
            unfair = source.justice or source.compassion or not self.sets.everywhere_fair
            if walk.lasso is None and self.to_the_end and unfair:
                walk = replace(walk, lasso=self.sets.fair_lasso(self.sets.fair_runs(), walk.states[-1]))
            if walk.lasso is None:
                return Trace("finite", steps_of(self.transitions, walk.states))
            first = steps_of(self.transitions, walk.states)[:-1]
            loop = walk.lasso.loop
            return Trace("lasso", (*first, *walk.lasso.steps), None if loop is None else loop + len(first))

    def _walk(self, states: Bdd, formula: Formula) -> WalkedPath:
        """A walk from one of the states in which the formula holds."""
        sets, empty = self.sets, self.sets.context.false
        formula = ctl.pushed(formula)
        match formula:
            case ctl.Or(operands):
                for operand in operands:
                    choice = sets.holding(states, operand)
                    if choice != empty:
                        return self._walk(choice, operand)
            case ctl.And(operands) if not is_propositional(formula):
                choice = sets.holding(states, formula)
                shown = [operand for operand in operands if _shows(operand)]
                return self._walk(choice, shown[-1]) if shown else self._state(choice)
            case ctl.Next(operand):
                after = sets.holding(sets.relation.image(states), operand)
                walk = self._walk(after, operand)
                before = states & sets.relation.preimage(self._valuation(walk.states[0]))
                return walk.after([self._pick(before)])
            case ctl.Until(hold, goal):
                return self._until(states, hold, goal)
            case ctl.Always(hold):
                runs = sets.always(states, hold)
                first = self._pick(states & runs.states)
                return WalkedPath((first,), sets.fair_lasso(runs, first))
            case ctl.BoundedUntil() | ctl.BoundedAlways() | ctl.BoundedRelease():
                if formula.high <= LONGEST:
                    return self._bounded(states, formula)
        return self._state(sets.holding(states, formula))

    def _state(self, states: Bdd) -> WalkedPath:
        return WalkedPath((self._pick(states),))

    def _pick(self, states: Bdd) -> Valuation:
        return self.transitions.system.encoding.pick_values(states, self.transitions.state)

    def _valuation(self, state: Valuation) -> Bdd:
        return self.transitions.system.encoding.valuation(state)

    def _until(self, states: Bdd, hold: Formula, goal: Formula) -> WalkedPath:
        """A shortest path to a goal, breadth first."""
        sets = self.sets
        region = sets.until(states, hold)
        goals = sets.holding(region.after, goal)
        rings = [states]
        if self.rings and states == self.rings[0] and hold == ctl.TRUE:
            distance = next(k for k, ring in enumerate(self.rings) if ring & goals != sets.context.false)
            rings = list(self.rings[: distance + 1])
        seen = rings[-1]
        while rings[-1] & goals == sets.context.false:
            rings[-1] = rings[-1] & region.inside
            ring = sets.relation.image(rings[-1]) & ~seen
            if ring == sets.context.false:
                raise ValueError("no goal can be reached")
            seen = seen | ring
            rings.append(ring)
        walk = self._walk(rings[-1] & goals, goal)
        last = self._valuation(walk.states[0])
        path = path_through_rings(self.transitions, sets.relation, rings, [last])
        return walk.after(path[:-1])

    def _bounded(self, states: Bdd, formula: Formula) -> WalkedPath:
        """A shortest path that shows a bounded operator; ring n has the states after n steps."""
        sets, empty = self.sets, self.sets.context.false
        everywhere = sets.domain
        rings = [states]

        def along(path_goal: Bdd) -> list[Valuation]:
            return path_through_rings(self.transitions, sets.relation, rings, [path_goal])

        match formula:
            case ctl.BoundedUntil(hold, goal, low, _):
                kept, goals = sets.holding(everywhere, hold), sets.holding(everywhere, goal)
                while len(rings) <= low or rings[-1] & goals == empty:
                    rings[-1] = rings[-1] & kept
                    rings.append(sets.relation.image(rings[-1]))
                walk = self._walk(rings[-1] & goals, goal)
                return walk.after(along(self._valuation(walk.states[0]))[:-1])
            case ctl.BoundedAlways(hold, low, high):
                kept, released = sets.holding(everywhere, hold), empty
            case ctl.BoundedRelease(release, hold, low, high):
                kept, released = sets.holding(everywhere, hold), sets.holding(everywhere, release)
            case _:
                raise TypeError("no bounded operator")
        while True:
            if len(rings) > low:
                rings[-1] = rings[-1] & kept
            last = rings[-1] & released
            if last != empty or len(rings) > high:
                return WalkedPath(tuple(along(rings[-1] if last == empty else last)))
            rings.append(sets.relation.image(rings[-1]) & sets.fair())


def _shows(formula: Formula) -> bool:
    """Whether a path can show the formula's top operator."""
    formula = ctl.pushed(formula)
    if isinstance(formula, ctl.Not):
        return False
    if isinstance(formula, ctl.And | ctl.Or):
        return any(_shows(operand) for operand in formula.operands)
    return not isinstance(formula, ctl.Truth | ctl.Atom)
