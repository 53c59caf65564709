"""Assertions of fluent linear temporal logic on a composition, under fair choice.

There are three kinds of violations: a finite run after which nothing can make the assertion true; a run that ends with
an open eventuality (``granted_after_end`` in ``symag.lts.language.fluents``); and infinite runs. Under fair choice
these reach a terminal set of the composition and then take every finite path through it infinitely often. They violate
the assertion if, in the product with an automaton of its negation, some accepting component can follow every path of
the terminal set (C. Courcoubetis and M. Yannakakis, "The complexity of probabilistic verification", JACM 1995, section
3.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from msgspec import Struct

from symag.lts.components import strongly_connected
from symag.lts.composition import Composition
from symag.lts.language.fluents import FluentInstance, Temporal, granted_after_end, mentioned, negation
from symag.lts.lts import ERROR
from symag.lts.methods.temporal_automaton import FluentValues, Letter, State, TemporalAutomaton

#: A warning about a run that ends; the name of the assertion.
STILL_WAITS = "{} still waits for something where the trace ends, and nothing can happen there"

# The largest number of transitions of a terminal set that the loop of a counterexample takes, all of them, to be fair.
_READABLE = 60

#: A state of the composition, the last action (None: one that no atom reads) and the fluents that are true.
Moment = tuple[int, str | None, frozenset[FluentInstance]]


class Violation(Struct, frozen=True):
    """Transitions of the composition that lead to the violation; from ``loop`` on they repeat (None: finite).

    ``at_end``: they end in a state without a successor, and therefore violate. Transition -1 - k stands for the label
    ``free[k]``, which the composition does not have.
    """

    transitions: tuple[int, ...]
    loop: int | None
    free: tuple[str, ...]
    at_end: bool = False


def violation(composition: Composition, formula: Temporal) -> Violation | None:
    """A violation of the formula, or None. A finite one is a shortest."""
    moments = _Moments(composition, formula)
    prefix = _bad_prefix(moments, formula)
    if prefix is not None:
        return prefix
    automaton = TemporalAutomaton(negation(formula))
    product = _Product(moments, automaton)
    return _violated_at_an_end(moments, product) or _fair_violation(moments, product, automaton)


class _Moments:
    """The composition with the truth of the formula's atoms."""

    def __init__(self, composition: Composition, formula: Temporal) -> None:
        self.lts = composition.lts
        self._values = FluentValues(formula)
        self.start: Moment = (0, None, self._values.initially)
        #: Labels that the composition lacks: as in LTSA they may happen at any time, and change no state.
        self.free = tuple(sorted(mentioned(formula).difference(self.lts.alphabet)))
        offsets = self.lts.offsets()
        self._outgoing = [range(offsets[state], offsets[state + 1]) for state in range(self.lts.states)]

    def steps(self, moment: Moment) -> Iterable[tuple[int, Moment]]:
        """Transitions (-1 - k for label k of ``free``) and the moments after them, without those to ERROR."""
        state, _, true = moment
        for transition in self._outgoing[state]:
            target = int(self.lts.target[transition])
            if target != ERROR:
                label = self.lts.alphabet[int(self.lts.action[transition])]
                yield transition, (target, *self._values.after(true, label))
        for index, label in enumerate(self.free):
            yield -1 - index, (state, *self._values.after(true, label))


def _bad_prefix(moments: _Moments, formula: Temporal) -> Violation | None:
    """A shortest run after which no state of the formula's automaton is left."""
    automaton = TemporalAutomaton(formula)
    start = moments.start, frozenset((automaton.start,))
    came: dict[tuple[Moment, frozenset[State]], tuple[tuple[Moment, frozenset[State]], int] | None] = {start: None}
    remaining: dict[tuple[frozenset[State], Letter], frozenset[State]] = {}
    waiting = [start]
    for here in waiting:
        moment, states = here
        for transition, following in moments.steps(moment):
            letter = following[1:]
            read = states, letter
            if read not in remaining:
                steps = (automaton.steps(state, letter) for state in states)
                remaining[read] = frozenset(after for branches in steps for after, _ in branches)
            left = remaining[read]
            there = following, left
            if there in came:
                continue
            came[there] = here, transition
            if not left:
                return Violation(tuple(_way(came, there)), None, moments.free)
            waiting.append(there)
    return None


_Key = TypeVar("_Key")


def _way(came: Mapping[_Key, tuple[_Key, int] | None], there: _Key) -> list[int]:
    labels = []
    step = came[there]
    while step is not None:
        labels.append(step[1])
        step = came[step[0]]
    return labels[::-1]


_Node = tuple[Moment, State]


class _Product:
    """The reachable moments, in a product with an automaton; explored breadth first."""

    def __init__(self, moments: _Moments, automaton: TemporalAutomaton) -> None:
        self.came: dict[_Node, tuple[_Node, int] | None] = {(moments.start, automaton.start): None}
        #: Per node its edges: the transition, the node that follows, and the untils that are put off.
        self.edges: dict[_Node, list[tuple[int, _Node, frozenset[Temporal]]]] = {}
        waiting = list(self.came)
        for node in waiting:
            moment, state = node
            self.edges[node] = []
            for transition, following in moments.steps(moment):
                for after, postponed in automaton.steps(state, following[1:]):
                    there = following, after
                    self.edges[node].append((transition, there, postponed))
                    if there not in self.came:
                        self.came[there] = node, transition
                        waiting.append(there)


def _components(nodes: Sequence[_Key], edges: Callable[[_Key], Iterable[_Key]]) -> dict[_Key, int]:
    """The strongly connected component of each node."""
    number = {node: index for index, node in enumerate(nodes)}
    pairs = [(number[node], number[after]) for node in nodes for after in edges(node)]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    _, component = strongly_connected(len(nodes), ends[:, 0], ends[:, 1])
    return dict(zip(nodes, component.tolist(), strict=True))


def _terminal_moments(moments: _Moments) -> set[Moment]:
    """The moments in terminal sets in which something happens."""
    steps: dict[Moment, list[Moment]] = {}
    waiting = [moments.start]
    while waiting:
        moment = waiting.pop()
        if moment not in steps:
            steps[moment] = [after for _, after in moments.steps(moment)]
            waiting.extend(steps[moment])
    component = _components(list(steps), steps.__getitem__)
    left = {
        component[moment] for moment, after in steps.items() if any(component[a] != component[moment] for a in after)
    }
    return {moment for moment, after in steps.items() if after and component[moment] not in left}


def _violated_at_an_end(moments: _Moments, product: _Product) -> Violation | None:
    """A shortest run that ends where the negation has no open eventuality."""
    for node in product.edges:
        moment, state = node
        # The negation's conditions after the end hold iff the formula's are not granted.
        if not any(granted_after_end(negation(formula)) for formula in state) and not any(moments.steps(moment)):
            return Violation(tuple(_way(product.came, node)), None, moments.free, at_end=True)
    return None


def _fair_violation(moments: _Moments, product: _Product, automaton: TemporalAutomaton) -> Violation | None:
    terminal = _terminal_moments(moments)
    nodes = [node for node in product.edges if node[0] in terminal]
    inside = set(nodes)
    component = _components(nodes, lambda node: [after for _, after, _ in product.edges[node] if after in inside])
    members: dict[int, list[_Node]] = {}
    for node in nodes:
        members.setdefault(component[node], []).append(node)
    for group in members.values():
        region = _Region(product, moments, frozenset(group))
        if region.is_accepting(automaton) and region.keeps_up(group[0][0]):
            prefix = _way(product.came, group[0])
            return Violation((*prefix, *region.round(group[0], automaton)), len(prefix), moments.free)
    return None


class _Region:
    """A strongly connected part of the product within a terminal set."""

    def __init__(self, product: _Product, moments: _Moments, nodes: frozenset[_Node]) -> None:
        self._moments = moments
        self._edges = {
            node: [edge for edge in product.edges[node] if edge[1] in nodes] for node in product.edges if node in nodes
        }

    def is_accepting(self, automaton: TemporalAutomaton) -> bool:
        """Whether some run in it postpones no until for ever."""
        put_off = [postponed for edges in self._edges.values() for _, _, postponed in edges]
        return bool(put_off) and all(any(until not in formulas for formulas in put_off) for until in automaton.untils)

    def keeps_up(self, moment: Moment) -> bool:
        """Whether every finite path from a moment of this part has a run in it; it suffices to look at one moment."""
        start = moment, frozenset(state for here, state in self._edges if here == moment)
        seen = {start}
        waiting = [start]
        while waiting:
            moment, states = waiting.pop()
            for transition, following in self._moments.steps(moment):
                left = frozenset(
                    after[1]
                    for state in states
                    for taken, after, _ in self._edges[moment, state]
                    if (taken, after[0]) == (transition, following)
                )
                if not left:
                    return False
                there = following, left
                if there not in seen:
                    seen.add(there)
                    waiting.append(there)
        return True

    def round(self, start: _Node, automaton: TemporalAutomaton) -> list[int]:
        """A closed walk that postpones no until all the way; it takes every transition of a small part."""
        goals: list[Callable[[int, frozenset[Temporal]], bool]] = [
            partial(_fulfils, until) for until in automaton.untils
        ]
        taken = {transition for edges in self._edges.values() for transition, _, _ in edges}
        if len(taken) <= _READABLE:
            goals.extend(partial(_is_transition, transition) for transition in sorted(taken))
        if not goals:
            goals.append(_is_any)
        walk: list[int] = []
        here = start
        done: set[tuple[int, frozenset[Temporal]]] = set()
        for goal in goals:
            if any(goal(transition, postponed) for transition, postponed in done):
                continue
            steps, here = self._walk(here, goal, None)
            walk.extend(transition for transition, _ in steps)
            done.update(steps)
        steps, _ = self._walk(here, None, start) if here != start else ([], here)
        return [*walk, *(transition for transition, _ in steps)]

    def _walk(
        self, here: _Node, goal: Callable[[int, frozenset[Temporal]], bool] | None, target: _Node | None
    ) -> tuple[list[tuple[int, frozenset[Temporal]]], _Node]:
        """The shortest walk whose last edge is a goal, or that ends in the target."""
        came: dict[_Node, tuple[_Node, tuple[int, frozenset[Temporal]]]] = {}
        waiting = [here]
        for node in waiting:
            for transition, after, postponed in self._edges[node]:
                step = transition, postponed
                if goal(*step) if goal is not None else after == target:
                    steps = [step]
                    while node != here:
                        node, before = came[node]
                        steps.append(before)
                    return steps[::-1], after
                if after not in came and after != here:
                    came[after] = node, step
                    waiting.append(after)
        raise AssertionError("every edge of a strongly connected part can be reached")


def _fulfils(until: Temporal, _: int, postponed: frozenset[Temporal]) -> bool:
    return until not in postponed


def _is_any(_: int, __: frozenset[Temporal]) -> bool:
    return True


def _is_transition(goal: int, transition: int, _: frozenset[Temporal]) -> bool:
    return transition == goal
