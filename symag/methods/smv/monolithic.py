"""Decides invariants, and CTL ``AG p`` with propositional p, on the whole system's BDDs.

Forward and backward searches take turns by the size of their rings; they may meet in the middle, and
the path through the meeting point is a shortest one. The cone of influence leaves constraints out, so
what holds in it holds in the whole; a counterexample is extended to the whole, and where that fails
the whole is searched.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from symag.certificates import InductiveSet
from symag.errors import UnsupportedError
from symag.limits import MemoryExhausted, Progress
from symag.methods.smv.options import Options
from symag.results import PropertyResult, Verdict
from symag.smv.dependencies import cone_of_influence
from symag.smv.flat import FlatSystem, Property
from symag.smv.properties import invariant_of
from symag.smv.typed import Expression
from symag.symbolic.context import Bdd
from symag.symbolic.deadends import dead_ends, is_total
from symag.symbolic.diagram import DiagramWriter
from symag.symbolic.fairness import FairRuns
from symag.symbolic.orderfile import chosen_order, write_order_file
from symag.symbolic.reachability import Search, backward_search, forward_search, reachable
from symag.symbolic.relation import Relation, transition_relation
from symag.symbolic.system import SymbolicSystem, encode
from symag.symbolic.trace import Transitions, Valuation, extend, finite_trace, path_through_rings
from symag.traces import Trace


def decide(system: FlatSystem, property: Property, options: Options, progress: Progress) -> PropertyResult:
    """Decide one property.

    ``holds`` comes with an inductive set, ``violated`` with a shortest trace of the whole system (for
    ``AG p`` in systems with constraints or fairness: a fair lasso). Raises InputError, and
    UnsupportedError for properties of other kinds; a lack of memory is an ``unknown``.
    """
    return session(system, options)(property, progress)


def session(system: FlatSystem, options: Options) -> Callable[[Property, Progress], PropertyResult]:
    """``decide`` for several properties of one system: the encoding, the relation and the states that were
    reached forward are kept for the next property with the same cone of influence.
    """
    return _Session(system, options).decide


#: Cones of influence whose relation and states a session keeps.
_KEPT = 3


@dataclass(slots=True)
class _Session:
    """What is known about a system; ``searches`` holds relation and forward search by the cone's variables."""

    system: FlatSystem
    options: Options
    symbolic: SymbolicSystem | None = None
    searches: dict[frozenset[str], tuple[Relation, Search]] = field(default_factory=dict)

    def decide(self, property: Property, progress: Progress) -> PropertyResult:
        expression = invariant_of(self.system, property)
        if expression is None:
            raise UnsupportedError(f"{property.kind}, and neither an invariant of the states nor AG of one")
        started = time.process_time()
        try:
            symbolic = self._encoded(progress)
            result = _Decision(
                symbolic, self.searches, expression, property.kind == "CTL", self.options, progress
            ).run()
            if self.options.order_output is not None:
                write_order_file(symbolic, self.options.order_output)
        except MemoryExhausted:
            cost = {"cpu_seconds": time.process_time() - started}
            return PropertyResult(Verdict.UNKNOWN, "monolithic", reason="memory", statistics=cost)
        statistics = dict(result.statistics)
        statistics["cpu_seconds"] = time.process_time() - started
        statistics["memory_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return replace(result, statistics=statistics)

    def _encoded(self, progress: Progress) -> SymbolicSystem:
        if self.symbolic is None:
            started = time.process_time()
            order = chosen_order(self.system, self.options.order_file)
            self.symbolic = encode(self.system, order, memory=self.options.memory)
            if self.options.reordering:
                self.symbolic.context.reorder_large_tables()
            progress(f"encoded in {time.process_time() - started:.1f} s")
        return self.symbolic


@dataclass(slots=True)
class _Decision:
    """The decision of one property in one context."""

    symbolic: SymbolicSystem
    searches: dict[frozenset[str], tuple[Relation, Search]]
    expression: Expression
    fair: bool
    options: Options
    progress: Progress
    warnings: list[str] = field(default_factory=list)
    forward: Search | None = None
    backward: Search | None = None
    method: str = "monolithic"

    def run(self) -> PropertyResult:
        symbolic = self.symbolic
        context = symbolic.context
        initial = symbolic.initial_states()
        symbolic.predicate(self.expression)  # errors in the property are errors even where nothing is searched
        if initial == context.false:
            self.warnings.append("the set of initial states is empty: every property holds")
            return self._holds(context.false)
        if self.options.cone_of_influence:
            cone = frozenset(cone_of_influence(symbolic.source, self.expression).by_name)
            if len(cone) < len(symbolic.source.variables):
                result = self._search(cone)
                if result is not None:
                    return result
                self.progress("the counterexample is none of the whole system: searching without cone of influence")
        result = self._search(frozenset(symbolic.source.by_name))
        if result is None:
            raise AssertionError("a path of the whole system is a run of it")
        return result

    def _search(self, variables: frozenset[str]) -> PropertyResult | None:
        """Search the conjuncts over some variables; None if a path there is no run of the whole."""
        symbolic = self.symbolic
        context = symbolic.context
        invariant = context.conjunction(each.diagram for each in symbolic.invar if each.current <= variables)
        bad = invariant & ~symbolic.predicate(self.expression)
        relation, forward = self._relation_and_search(variables, invariant)
        backward = backward_search(relation, bad, progress=self.progress)
        self.forward, self.backward = forward, backward
        for number, ring in enumerate(forward.rings):
            if ring & bad != context.false:
                return self._path(relation, variables, forward.rings[: number + 1], backward.rings)
        direction = self.options.direction
        while True:
            if (
                forward.rings[-1] & backward.states != context.false
                or backward.rings[-1] & forward.states != context.false
            ):
                return self._path(relation, variables, forward.rings, backward.rings)
            if forward.complete or backward.complete:
                break
            ahead = direction == "forward" or (direction == "both" and forward.cost <= backward.cost)
            (forward if ahead else backward).advance()
        if forward.complete:
            self.method = "monolithic (forward)"
            self._warn_of_dead_ends(relation, variables, forward.states)
            return self._holds(forward.states)
        self.method = "monolithic (backward)"
        self._warn_of_dead_ends(relation, variables, None)
        return self._holds(invariant & ~backward.states)

    def _relation_and_search(self, variables: frozenset[str], invariant: Bdd) -> tuple[Relation, Search]:
        """The conjuncts over some variables and the forward search in them, as far as it has come."""
        known = self.searches.get(variables)
        if known is not None:
            return known
        symbolic = self.symbolic
        initial = symbolic.context.conjunction(
            [invariant, *(each.diagram for each in symbolic.init if each.current <= variables)]
        )
        relation = transition_relation(symbolic, variables)
        if self.options.reordering:
            # Sifting the relation alone is cheap; sifting along with the search mostly costs more than it saves.
            symbolic.context.reorder()
        if len(self.searches) >= _KEPT:
            self.searches.clear()
        search = forward_search(relation, initial, progress=self.progress)
        self.searches[variables] = (relation, search)
        return relation, search

    def _path(
        self, relation: Relation, variables: frozenset[str], forward: Sequence[Bdd], backward: Sequence[Bdd]
    ) -> PropertyResult | None:
        """The path through the rings that meet, as a run of the whole."""
        kind = "forward" if len(backward) == 1 else "backward" if len(forward) == 1 else "both directions"
        self.method = f"monolithic ({kind})"
        part = Transitions.of(self.symbolic, variables)
        states = path_through_rings(part, relation, forward, backward)
        whole = Transitions.of(self.symbolic)
        full: list[Valuation] | None = list(states)
        if len(variables) < len(self.symbolic.source.variables):
            full = extend(whole, states)
        if full is None:
            return None
        if self.fair and not _obviously_fair(self.symbolic.source):
            return self._fair_verdict()
        return self._violated(finite_trace(whole, full))

    def _fair_verdict(self) -> PropertyResult:
        """``AG p`` when p fails somewhere: only states on fair infinite runs count."""
        symbolic = self.symbolic
        context = symbolic.context
        self.method = "monolithic (fair)"
        relation = transition_relation(symbolic)
        self.progress("a state violates p; looking for a fair run through one")
        reached = reachable(relation, symbolic.initial_states(), self.progress)
        runs = FairRuns.of(symbolic, reached.states)
        if runs.fair == context.false:
            self.warnings.append("the set of fair states is empty: every CTL property holds")
        bad = ~symbolic.predicate(self.expression) & runs.states & reached.states
        if bad == context.false:
            return self._holds(None)
        distance = next(k for k, ring in enumerate(reached.rings) if ring & bad != context.false)
        whole = Transitions.of(symbolic)
        states = path_through_rings(whole, relation, reached.rings[: distance + 1], [bad])
        return self._violated(runs.lasso(states))

    def _warn_of_dead_ends(self, relation: Relation, variables: frozenset[str], reached: Bdd | None) -> None:
        warning = dead_ends(self.symbolic, relation, variables, reached)
        if warning is not None:
            self.warnings.append(warning)

    def _holds(self, inductive: Bdd | None) -> PropertyResult:
        """The verdict with an inductive set; None where the proof is not one (fairness)."""
        certificate = None
        if inductive is not None:
            writer = DiagramWriter(self.symbolic.encoding)
            root = writer.add(inductive)
            certificate = InductiveSet(writer.table(), (root,))
        return PropertyResult(
            Verdict.HOLDS,
            self.method,
            certificate=certificate,
            warnings=tuple(self.warnings),
            statistics=self._statistics(),
        )

    def _violated(self, trace: Trace) -> PropertyResult:
        return PropertyResult(
            Verdict.VIOLATED,
            self.method,
            trace=trace,
            warnings=tuple(self.warnings),
            statistics=self._statistics(),
        )

    def _statistics(self) -> Mapping[str, Any]:
        symbolic = self.symbolic
        bits = symbolic.encoding.current_bits(symbolic.source.by_name)
        found: dict[str, Any] = {
            "variables": len(symbolic.source.variables),
            "bits": len(bits),
            "bdd_nodes_peak": symbolic.context.peak_nodes(),
        }
        if self.forward is not None and self.backward is not None:
            found["rings_forward"] = len(self.forward.rings)
            found["rings_backward"] = len(self.backward.rings)
        return found


def _obviously_fair(system: FlatSystem) -> bool:
    """Every state starts a fair run, and needs no search to show it."""
    return not (system.justice or system.compassion) and is_total(system)
