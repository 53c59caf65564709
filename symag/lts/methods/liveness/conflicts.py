"""What a path of the composed classes to an uncertain state means for the parts: a run, or splits of classes."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from msgspec import Struct

from symag.lts.lts import ERROR
from symag.lts.methods.liveness.concrete_runs import (
    ConcreteMove,
    ConcreteRuns,
    LivenessRun,
    Split,
    State,
    along,
    continued,
)
from symag.lts.methods.liveness.modal_part import ModalPart
from symag.lts.methods.liveness.modal_product import Goal, ModalProduct

#: This many states of the composed classes are looked at before the classes are composed again.
CONFLICTS = 12
#: From each not more than this many states of the parts are explored before classes are split for another reason.
_MOST_EXPLORED = 300


class ErrorReachedError(Exception):
    """The system can come to ERROR."""


@dataclass(slots=True)
class _Region:
    """What was explored from a state on, and the moves between these states."""

    states: list[State]
    number: dict[State, int]
    edges: list[tuple[int, str, int]] = field(default_factory=list)


class Conflicts(Struct, frozen=True):
    """Conflicts between the composed classes and the parts; ``suffices`` as in ``ModalRefinement``."""

    product: ModalProduct
    parts: Sequence[ModalPart]
    runs: ConcreteRuns
    goal: Goal
    suffices: Callable[[Sequence[str]], bool]

    def resolved(self, path: Sequence[int], is_first: bool) -> LivenessRun | list[Split]:
        """What follows from a path to a state that is not in R, or to ERROR.

        If it is not the first one, perhaps nothing. Raises ErrorReachedError.
        """
        outcome = along(self.product, self.parts, self.runs, self.runs.start, path)
        if outcome and isinstance(outcome[0], Split):
            return [split for split in outcome if isinstance(split, Split)]
        run = [step for step in outcome if not isinstance(step, Split)]
        start = run[-1][1] if run else self.runs.start
        if ERROR in start:
            raise ErrorReachedError
        end = int(self.product.lts.target[path[-1]]) if path else 0
        if self.goal.condition is None and self.product.distance[end] > self.product.lts.states:
            # Not even by possible moves.
            return self._continued(run, start)
        splits = self._explored(start, end, is_first)
        return self._continued(run, start) if splits is None else splits

    def _continued(self, run: list[tuple[str, State]], start: State) -> LivenessRun:
        labels = tuple(label for label, _ in run)
        if self.suffices(labels):
            # A terminal set of the whole system may be too large to be explored.
            return LivenessRun(labels, tuple(state for _, state in run), None)
        return continued(self.runs, run, start)

    def _explored(self, start: State, end: int, is_first: bool) -> list[Split] | None:
        """Splits, none of them if there are too many states, or None if the goal cannot be reached from a state."""
        region, classes = _Region([start], {start: 0}), [end]
        # Those from whose classes fewer moves seem to lead to the goal come first.
        waiting = [(int(self.product.distance[end]), 0)]
        limit = _MOST_EXPLORED
        while waiting:
            _, place = heapq.heappop(waiting)
            state, here = region.states[place], classes[place]
            if len(region.states) > limit:
                splits = self._impossible(region, classes)
                if splits or not is_first:
                    return splits
                limit *= 2
            moves = list(self.runs.moves(state))
            if self.goal.is_reached_in(state[-1], bool(moves)):
                return self._moving_otherwise(here, state)
            for move in moves:
                if ERROR in move.after:
                    raise ErrorReachedError
                if self.goal.is_reached_by(state[-1], move.name):
                    return self._not_able(here, move.name)
                there = self._classes_after(here, move)
                if self.product.reached[there]:
                    return self._not_certain(here, move.name, there)
                if move.after not in region.number:
                    region.number[move.after] = len(region.states)
                    heapq.heappush(waiting, (int(self.product.distance[there]), len(region.states)))
                    region.states.append(move.after)
                    classes.append(there)
                region.edges.append((place, move.label, region.number[move.after]))
        if self.goal.condition is not None:
            silenced = _without(region, self.goal.condition)
            if silenced is not None:
                path = self.product.path_to_condition(classes[silenced])
                outcome = along(self.product, self.parts, self.runs, region.states[silenced], path)
                return [split for split in outcome if isinstance(split, Split)]
        return None

    def _classes_after(self, here: int, move: ConcreteMove) -> int:
        before: list[int] = self.product.rows[here].tolist()
        row = before.copy()
        for owner in self.runs.owners(move.name):
            row[owner] = self.parts[owner].class_of(move.after[owner])
        row[len(self.parts) :] = move.after[len(self.parts) :]
        return here if row == before else self.product.after(here, tuple(row))

    def _impossible(self, region: _Region, classes: Sequence[int]) -> list[Split]:
        """Splits of the classes of an explored state that seems near to the goal, because of moves that it lacks."""
        product = self.product
        nearest = sorted(range(len(classes)), key=lambda place: int(product.distance[classes[place]]))
        for place in nearest[:CONFLICTS]:
            state, here = region.states[place], classes[place]
            for index in product.outgoing(here):
                target = int(product.lts.target[index])
                leads = target != ERROR and product.distance[target] < product.distance[here]
                if not leads and not product.reaching[index]:
                    continue
                name = product.lts.alphabet[int(product.lts.action[index])]
                for owner in self.runs.owners(name):
                    part = self.parts[owner]
                    after = int(product.rows[target, owner]) if leads else None
                    having = part.tables.having(part.letters.index(name), after)
                    if not having[state[owner]]:
                        return [Split(owner, part.class_of(state[owner]), having)]
        return []

    def _not_able(self, here: int, name: str) -> list[Split]:
        """Splits by whether a state has an action that is not certain."""
        splits = []
        for owner in self.runs.owners(name):
            part, block = self.parts[owner], int(self.product.rows[here, owner])
            letter = part.letters.index(name)
            if not part.tables.are_able(np.array([block]), np.array([letter])).all():
                splits.append(Split(owner, block, part.tables.having(letter, None)))
        return splits

    def _not_certain(self, here: int, name: str, there: int) -> list[Split]:
        """Splits by whether a state has a move that is not certain."""
        targets = self.product.lts.target[self.product.transitions(here, name)]
        if (targets != ERROR).all() and self.product.reached[targets].all():
            return self._not_able(here, name)
        splits = []
        for owner in self.runs.owners(name):
            part, block = self.parts[owner], int(self.product.rows[here, owner])
            letter, after = part.letters.index(name), int(self.product.rows[there, owner])
            if not part.tables.are_certain(*(np.array([value]) for value in (block, letter, after))).all():
                splits.append(Split(owner, block, part.tables.having(letter, after)))
        return splits

    def _moving_otherwise(self, here: int, state: State) -> list[Split]:
        """Splits where nothing can happen in the state, but something in others of its classes."""
        splits = []
        for part in self.parts:
            block = part.class_of(state[part.number])
            if part.tables.has_silent[block]:
                splits.append(Split(part.number, block, part.tables.turning))
        span = self.product.outgoing(here)
        for name in {self.product.lts.alphabet[int(self.product.lts.action[index])] for index in span}:
            for owner in self.runs.owners(name):
                part = self.parts[owner]
                having = part.tables.having(part.letters.index(name), None)
                if not having[state[owner]]:
                    splits.append(Split(owner, part.class_of(state[owner]), having))
        return splits


def _without(region: _Region, labels: frozenset[str]) -> int | None:
    """A state from which none of the labels can happen any more, None if there is none."""
    before: dict[int, list[int]] = {}
    for source, _, target in region.edges:
        before.setdefault(target, []).append(source)
    waiting = [source for source, label, _ in region.edges if label in labels]
    able = set(waiting)
    for state in waiting:
        fresh = [source for source in before.get(state, ()) if source not in able]
        able.update(fresh)
        waiting.extend(dict.fromkeys(fresh))
    return next((state for state in range(len(region.states)) if state not in able), None)
