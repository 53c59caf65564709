"""A fair cycle that one counterexample has, as the end of the next ones.

Many properties of a model are refuted by a path to a bad state, after which any fair run will do. To look for a cycle
anew costs searches in both directions for each; the paths to a known one are a single search for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from symag.bdd.context import Bdd, memory_errors
from symag.core.trace import Step, Trace
from symag.smv.symbolic.relation import TransitionRelation
from symag.smv.traversal.trace import SingleTransitions, Valuation, path_through_rings, steps_of


@dataclass(slots=True, eq=False)
class FairCycle:
    """The loop of a fair lasso, and how far other states of ``inside`` are from it.

    ``steps`` are the loop's, with values for the variables of ``transitions``. The rings are kept: ``rings[k]`` are the
    states that need k transitions of ``relation`` to the loop. Searched as far as a state needs it.
    """

    transitions: SingleTransitions
    relation: TransitionRelation
    inside: Bdd
    steps: tuple[Step, ...]
    _rings: list[Bdd] = field(init=False)
    _reached: Bdd = field(init=False)

    def __post_init__(self) -> None:
        system = self.transitions.system
        with memory_errors():
            self._reached = system.context.disjunction(system.encoding.valuation(step.state) for step in self.steps)
        self._rings = [self._reached]

    def lasso(self, state: Valuation, *, search: bool = True) -> Trace | None:
        """The lasso from a state by a shortest path to the cycle; None if none leads there, or none is known and
        ``search`` is false. A search costs preimages, which serve later states too. Raises MemoryExhausted.
        """
        encoding = self.transitions.system.encoding
        with memory_errors():
            start = encoding.valuation(state)
            context = self.transitions.system.context
            if search:
                self._search(start)
            if self._reached & start == context.false:
                return None
            distance = next(k for k, ring in enumerate(self._rings) if ring & start != context.false)
            path = path_through_rings(self.transitions, self.relation, [start], self._rings[: distance + 1])
            prefix = steps_of(self.transitions, path)[:-1]
        first = next(k for k, step in enumerate(self.steps) if step.state == path[-1])
        return Trace("lasso", (*prefix, *self.steps[first:], *self.steps[:first]), len(prefix))

    def _search(self, start: Bdd) -> None:
        """More rings, until the state is in one or there are no more."""
        context = self.transitions.system.context
        while self._reached & start == context.false:
            ring = self.relation.preimage(self._rings[-1]) & self.inside & ~self._reached
            if ring == context.false:
                return
            self._rings.append(ring)
            self._reached = self._reached | ring
            context.reorder_if_large(context.size(ring))
