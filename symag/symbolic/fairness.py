"""Fair runs: the states from which one starts, and a lasso as a witness.

Everything is computed over pairs of a state and the inputs that it leaves with, so that fairness
constraints may read inputs (``FAIRNESS running``). The fixed point is that of Kesten, Pnueli and
Raviv, "Algorithmic verification of linear temporal logic specifications" (ICALP 1998): it covers
justice and compassion.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from symag.smv.flat import VariableKind
from symag.symbolic.context import Bdd, memory_errors
from symag.symbolic.relation import Relation, system_conjuncts
from symag.symbolic.system import SymbolicSystem
from symag.symbolic.trace import Transitions, Valuation, fixed_bits
from symag.traces import Step, Trace


@dataclass(frozen=True, slots=True, eq=False)
class FairRuns:
    """The infinite runs of a system that meet every justice and compassion constraint.

    ``pairs`` are diagrams over current and input bits: ``core`` contains the pairs that can go on
    within ``core`` and meet each constraint there; ``fair`` those from which the core can be reached;
    ``states`` are the states of ``fair``.
    """

    system: SymbolicSystem
    relation: Relation
    justice: tuple[Bdd, ...]
    compassion: tuple[tuple[Bdd, Bdd], ...]
    core: Bdd
    fair: Bdd
    states: Bdd

    @classmethod
    def of(cls, system: SymbolicSystem, within: Bdd | None = None) -> FairRuns:
        """Compute them; ``within`` must be closed under successors (None: all states).

        Raises MemoryExhausted, and InputError for failing fairness constraints.
        """
        source, encoding = system.source, system.encoding
        justice = tuple(system.predicate(each.expression) for each in source.justice)
        compassion = tuple(
            (system.predicate(often.expression), system.predicate(answer.expression))
            for often, answer in source.compassion
        )
        # Inputs stay in the pairs: they are not quantified.
        relation = Relation.of(encoding, system_conjuncts(system), encoding.names(VariableKind.STATE), ())
        inputs = encoding.current_bits(encoding.names(VariableKind.INPUT))
        true = system.context.true
        runs = cls(system, relation, justice, compassion, true, true, true)
        with memory_errors():
            everything = runs.before(true)
            if within is not None:
                everything = everything & within
            core = runs._core(everything)
            fair = runs._reaching(core, everything)
            states = system.context.exists(inputs, fair)
        return cls(system, relation, justice, compassion, core, fair, states)

    def before(self, pairs: Bdd) -> Bdd:
        """The pairs with a successor in ``pairs``."""
        encoding = self.system.encoding
        inputs = encoding.current_bits(encoding.names(VariableKind.INPUT))
        return self.relation.preimage(self.system.context.exists(inputs, pairs))

    def _reaching(self, target: Bdd, within: Bdd) -> Bdd:
        """The pairs of ``within`` from which a path within it leads to ``target``, which is part of it."""
        found = ring = target & within
        while ring != self.system.context.false:
            ring = self.before(ring) & within & ~found
            found = found | ring
        return found

    def _core(self, pairs: Bdd) -> Bdd:
        previous = None
        while pairs != previous:
            previous = pairs
            for condition in self.justice:
                pairs = self._reaching(pairs & condition, pairs)
            for often, answer in self.compassion:
                pairs = (pairs & ~often) | self._reaching(pairs & answer, pairs)
            inner = None
            while pairs != inner:
                inner = pairs
                pairs = pairs & self.before(pairs)
        return pairs

    def lasso(self, states: Sequence[Valuation]) -> Trace:
        """A fair lasso that begins with these states (of all variables), the last one fair.

        Its length is not minimal. Raises ValueError if the last state is not fair.
        """
        return _LassoBuilder(self).build(states)


class _LassoBuilder:
    """Walks through the core until it can close a loop that meets every constraint."""

    def __init__(self, runs: FairRuns) -> None:
        self._runs = runs
        self._context = runs.system.context
        self._encoding = runs.system.encoding
        self._whole = Transitions.of(runs.system)
        self._inputs = self._encoding.names(VariableKind.INPUT)
        self._input_bits = self._encoding.current_bits(self._inputs)

    def build(self, states: Sequence[Valuation]) -> Trace:
        runs = self._runs
        with memory_errors():
            prefix = [
                Step(dict(state), dict(self._whole.inputs_between(state, following)))
                for state, following in itertools.pairwise(states)
            ]
            here = self._pair(states[-1], runs.fair)
            path = self._walk(here, runs.core, None)
            prefix.extend(path[:-1])
            here = path[-1]
            while True:
                loop = self._round(here)
                closing = self._walk_back(loop[-1], here)
                if closing is not None:
                    steps = (*prefix, *loop[:-1], *closing)
                    return Trace("lasso", steps, len(prefix))
                # Nothing after here comes back to it: going on cannot go round for ever.
                onward = loop if len(loop) > 1 else self._walk(here, runs.core, runs.core, moving=True)
                prefix.extend(onward[:-1])
                here = onward[-1]

    def _round(self, here: Step) -> list[Step]:
        """From a pair of the core through every constraint that the core reachable from it can meet."""
        runs = self._runs
        path = [here]
        for condition in runs.justice:
            path.extend(self._walk(path[-1], runs.core & condition, runs.core)[1:])
        for often, answer in runs.compassion:
            if runs.core & often != self._context.false:
                following = self._walk(path[-1], runs.core & answer, runs.core, required=False)
                path.extend(following[1:])
        return path

    def _walk_back(self, here: Step, target: Step) -> list[Step] | None:
        """A path of at least one transition within the core to the target, without it; None if there is none."""
        found = self._walk(here, self._cube(target), self._runs.core, required=False, moving=True)
        return found[:-1] if len(found) > 1 else None

    def _walk(
        self, here: Step, target: Bdd, within: Bdd | None, *, required: bool = True, moving: bool = False
    ) -> list[Step]:
        """A shortest path of pairs to ``target``, both ends included; only ``[here]`` if there is none."""
        start = self._cube(here)
        if not moving and start & target != self._context.false:
            return [here]
        rings = [target if within is None else target & within]
        found = rings[0]
        while True:
            ring = self._runs.before(rings[-1])
            if within is not None:
                ring = ring & within
            if ring & start != self._context.false:
                break
            ring = ring & ~found
            if ring == self._context.false:
                if required:
                    raise ValueError("the target cannot be reached")
                return [here]
            found = found | ring
            rings.append(ring)
        path = [here]
        for ring in reversed(rings):
            path.append(self._next(path[-1], ring))
        return path

    def _next(self, here: Step, target: Bdd) -> Step:
        """A pair of ``target`` after a pair."""
        fixed = self._whole.current({**here.state, **here.inputs})
        encoding = self._encoding
        result = encoding.to_next(self._context.exists(self._input_bits, target))
        for conjunct in self._whole.conjuncts:
            result = result & self._context.cofactor(conjunct, fixed)
        assignment = fixed | self._context.pick(self._context.cofactor(result, fixed))
        return self._pair(encoding.decode(assignment, self._whole.state, primed=True), target)

    def _pair(self, state: Valuation, pairs: Bdd) -> Step:
        """The state with inputs such that the pair is in ``pairs`` (and has a successor)."""
        found = self._context.cofactor(pairs, fixed_bits(self._runs.system, state))
        inputs = self._encoding.decode(self._context.pick(found), self._inputs)
        return Step(dict(state), inputs)

    def _cube(self, step: Step) -> Bdd:
        return self._encoding.valuation({**step.state, **step.inputs})
