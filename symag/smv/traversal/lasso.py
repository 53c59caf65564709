"""Fair lassos: a path to a strongly connected set of states that satisfies every constraint, and a cycle in it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from symag.bdd.context import Bdd, BddContext
from symag.core.trace import Step, Trace
from symag.smv.symbolic.relation import TransitionRelation
from symag.smv.traversal.fair_core import Justice
from symag.smv.traversal.trace import SingleTransitions, Valuation

#: Further states of a walk.
_WALK = 100


def closed_by_walking(whole: SingleTransitions, states: Sequence[Valuation]) -> Trace | None:
    """A lasso that begins with these states, by picking successors until a state repeats.

    For systems without fairness constraints. None if that takes more than 100 further states, or leads to
    a state without a successor.
    """
    context, encoding = whole.system.context, whole.system.encoding
    steps = [Step(dict(here), dict(whole.inputs_between(here, there))) for here, there in itertools.pairwise(states)]
    here = states[-1]
    visited = context.disjunction(encoding.valuation(state, primed=True) for state in states)
    for _ in range(_WALK):
        leaving = whole.leaving(here)
        back = leaving.into(visited)
        if back is not None:
            inputs, target = back
            steps.append(Step(dict(here), dict(inputs)))
            loop = next(index for index, step in enumerate(steps) if step.state == target)
            return Trace("lasso", tuple(steps), loop).shortened()
        following = leaving.into(context.true)
        if following is None:
            return None
        steps.append(Step(dict(here), dict(following[0])))
        here = following[1]
        visited = visited | encoding.valuation(here, primed=True)
    return None


#: A state, and the condition that the step from it has to satisfy (None: no condition).
_Visit = tuple[Valuation, Bdd | None]


@dataclass(slots=True)
class LassoBuilder:
    """Finds the parts of a lasso through ``core``, by way of states of ``fair`` (see ``FairRuns``)."""

    whole: SingleTransitions
    relation: TransitionRelation
    justice: Sequence[Justice]
    compassion: Sequence[tuple[Bdd, Bdd]]
    core: Bdd
    fair: Bdd

    def build(self, start: Bdd) -> Trace:
        """The lasso as a trace. Raises ValueError without a fair state in ``start``."""
        first = start & self.fair
        if first == self._false:
            raise ValueError("no fair run starts there")
        path, component = self._to_component(first)
        visits: list[_Visit] = [*((state, None) for state in path[:-1]), *self._round(path[-1], component)]
        followers = [state for state, _ in visits[1:]] + [path[-1]]
        steps = (
            Step(dict(state), dict(self._inputs(state, follower, condition)))
            for (state, condition), follower in zip(visits, followers, strict=True)
        )
        return Trace("lasso", tuple(steps), len(path) - 1)

    @property
    def _context(self) -> BddContext:
        return self.whole.system.context

    @property
    def _false(self) -> Bdd:
        return self.whole.system.context.false

    def _cube(self, state: Valuation) -> Bdd:
        return self.whole.system.encoding.valuation(state)

    def _pick(self, states: Bdd) -> Valuation:
        return self.whole.system.encoding.pick_values(states, self.whole.state)

    def _inputs(self, state: Valuation, follower: Valuation, condition: Bdd | None) -> Valuation:
        context, whole = self._context, self.whole
        fixed = whole.current(state) | whole.following(follower)
        transitions = context.conjunction(whole.under(fixed))
        if condition is not None:
            transitions = transitions & context.cofactor(condition, fixed)
        return whole.system.encoding.decode(context.pick(transitions), whole.inputs)

    def _to_component(self, first: Bdd) -> tuple[list[Valuation], Bdd]:
        """A path to a state, and the strongly connected set around it, which contains a fair cycle."""
        relation = self.relation
        core = self._on_the_way_round(self.core)
        while True:
            path = self._path(first, core)
            here = self._cube(path[-1])
            ahead = relation.forward_closure(here, core)
            component = ahead & relation.backward_closure(here, ahead)
            if self._is_fair(component):
                return path, component
            # The states after a set that is not fair lead to a fair one; perhaps a shorter path from the start does.
            core = self._on_the_way_round(ahead & ~component)

    def _on_the_way_round(self, states: Bdd) -> Bdd:
        """The states that lie on a cycle inside the set, or are reachable from one inside the set."""
        before = None
        while states != before:
            before = states
            states = states & self.relation.image(states)
        return states

    def _is_fair(self, component: Bdd) -> bool:
        predecessors = self.relation.preimage(component) & component
        if predecessors == self._false:
            return False
        if any(
            self._goal(justice_condition, component, predecessors) == self._false for justice_condition in self.justice
        ):
            return False
        return all(
            component & often == self._false or component & answer != self._false for often, answer in self.compassion
        )

    def _goal(self, justice: Justice, component: Bdd, predecessors: Bdd) -> Bdd:
        """The states of the component with a step inside it that satisfies the constraint."""
        return justice.steps_into(component, predecessors) & component

    def _path(self, start: Bdd, target: Bdd, within: Bdd | None = None, *, moving: bool = False) -> list[Valuation]:
        """States on a shortest path from ``start`` to ``target``; ``moving``: with at least one transition."""
        relation = self.relation
        inside = self.fair if within is None else within
        rings = [start]
        if moving or start & target == self._false:
            reached = self._false if moving else start
            while True:
                ring = relation.image(rings[-1]) & inside & ~reached
                if ring == self._false:
                    raise ValueError("the target cannot be reached")
                rings.append(ring)
                if ring & target != self._false:
                    break
                reached = reached | ring
        states = [self._pick(rings[-1] & target)]
        for ring in reversed(rings[:-1]):
            states.append(self._pick(relation.preimage(self._cube(states[-1])) & ring))
        states.reverse()
        return states

    def _round(self, start: Valuation, component: Bdd) -> list[_Visit]:
        """A cycle from a state of a fair component that satisfies every constraint; a step closes it."""
        predecessors = self.relation.preimage(component) & component
        visits: list[_Visit] = [(start, None)]
        goals: list[tuple[Bdd, Justice | None]] = [
            (self._goal(justice_condition, component, predecessors), justice_condition)
            for justice_condition in self.justice
        ]
        goals.extend(
            (component & answer, None) for often, answer in self.compassion if component & often != self._false
        )
        while goals:
            here = visits[-1][0]
            targets = self._context.disjunction(goal for goal, _ in goals)
            path = self._path(self._cube(here), targets, component)
            visits.extend((state, None) for state in path[1:])
            passed = self._cube(visits[-1][0])
            left = []
            labelled: Justice | None = None
            for goal, justice in goals:
                if goal & passed == self._false:
                    left.append((goal, justice))
                elif justice is not None and justice.relation is not None:
                    if labelled is None:
                        labelled = justice
                    else:
                        left.append((goal, justice))
            goals = left
            if labelled is not None:
                visits[-1] = (visits[-1][0], labelled.condition)
                visits.append((self._after(passed, labelled, component), None))
        last, condition = visits[-1]
        if len(visits) > 1 and condition is None and last == start:
            visits.pop()
        else:
            closing = self._path(self._cube(last), self._cube(start), component, moving=True)
            visits.extend((state, None) for state in closing[1:-1])
        return visits

    def _after(self, here: Bdd, justice: Justice, component: Bdd) -> Valuation:
        assert justice.relation is not None
        return self._pick(justice.relation.image(here) & component)
