"""Modal abstractions refined by counterexamples until a goal is certain everywhere, or a run shows that it is not.

A state of the composed classes from which the goal is not certain, or a move of theirs to ERROR, is looked for in the
parts themselves. Either no run follows the path to it: a part has no such run, and a class is split by whether a state
can take the next step. Or a run leads to a state s. From there the parts are explored until the goal is reached, or
classes are from which it is certain; then the last move was not certain for a part, although s has it, and the class is
split by whether a state has that move. If many states were explored, a class of one that seems near to the goal is
split by a move that the state lacks. If no possible move leads to the goal, or all that can be reached from s was
explored and shows no goal, the property is violated.

Each split separates states of which only one has a move after silent moves. So a partition never becomes finer than
that of branching bisimilar states, and the search ends. Where the composed classes have more states than the parts
themselves, as few classes of loosely coupled parts can have, each state becomes a class: nothing is uncertain then.

Source: agar-lts-2008, for abstraction refinement of assumptions; for what is certain besides what is possible,
S. Shoham and O. Grumberg, "A game-based framework for CTL counterexamples and 3-valued abstraction-refinement"
(CAV 2003), section 5: the cause of an undecided state is a move that is possible and not certain.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from symag.core.limits import Progress, ProgressFigures
from symag.core.ranges import distinct
from symag.lts.composition import TooManyStates, composed
from symag.lts.methods.liveness.concrete_runs import ConcreteRuns, LivenessRun, Split
from symag.lts.methods.liveness.conflicts import CONFLICTS, Conflicts
from symag.lts.methods.liveness.modal_part import ModalPart
from symag.lts.methods.liveness.modal_product import Goal, ModalProduct

#: A part of which this many classes were split, one at a time, is split by all of its letters.
_PATIENCE = 6
#: So many states of the composed classes, and twice as many each time, are compared with those of the parts themselves.
_LARGE = 4_000


class UndecidedGoalError(Exception):
    """The goal is not reached, and no run shows why: the monitor ignores too much."""


@dataclass(slots=True)
class ModalRefinement:
    """``parts`` are refined in place; the figures are for statistics. ``suffices``: whether actions refute all goals,
    whatever follows them.
    """

    parts: Sequence[ModalPart]
    progress: Progress
    suffices: Callable[[Sequence[str]], bool]
    iterations: int = 0
    refinements: int = 0
    largest: tuple[int, int] = (0, 0)
    _times: dict[int, int] = field(default_factory=dict)
    _by_offers: set[int] = field(default_factory=set)
    _large: int = field(default_factory=lambda: _LARGE)

    def first_refutation(self, goals: Sequence[Goal]) -> LivenessRun | None:
        """A run after which one of the goals is never reached, or None: all are certain by the same classes.

        What is certain by larger classes need not be by smaller ones, where fewer moves are silent. So all goals are
        asked again until none of them splits a class. Raises what ``refutation`` raises.
        """
        while True:
            counts = [part.count for part in self.parts]
            for goal in goals:
                run = self.refutation(goal)
                if run is not None:
                    return run
            if len(goals) == 1 or [part.count for part in self.parts] == counts:
                return None

    def refutation(self, goal: Goal) -> LivenessRun | None:
        """A run after which the goal is never reached, or None: it is certain.

        Raises MemoryError, ErrorReachedError, UndecidedGoalError.
        """
        runs = ConcreteRuns(self.parts, goal)
        while True:
            product = ModalProduct(self.parts, goal)
            if self._is_needless(product.lts.states):
                for part in self.parts:
                    part.separate()
                product = ModalProduct(self.parts, goal)
            self.iterations += 1
            self.largest = max(self.largest, (product.lts.states, product.lts.transitions))
            classes = sum(part.count for part in self.parts)
            line = f"iteration {self.iterations}: {classes} classes, {product.lts.states} states"
            self.progress(ProgressFigures(line, self.statistics()))
            search = Conflicts(product, self.parts, runs, goal, self.suffices)
            # First of all ERROR must be out of reach: what can come to ERROR is not decided.
            paths = [[*product.path_to(int(product.lts.source[k])), int(k)] for k in product.failures[:CONFLICTS]]
            if not paths:
                failing = np.flatnonzero(~product.reached)
                places = distinct(np.linspace(0, len(failing) - 1, min(len(failing), CONFLICTS)).astype(int))
                paths = [product.path_to(int(state)) for state in failing[places]]
            if not paths:
                return None
            splits: list[Split] = []
            for path in paths:
                outcome = search.resolved(path, not splits)
                if isinstance(outcome, LivenessRun):
                    return outcome
                splits += outcome
            self._split(splits)

    def _is_needless(self, states: int) -> bool:
        """Whether the parts together have no more states than their classes, which are many: it is looked up rarely."""
        if states < self._large:
            return False
        self._large = 2 * states
        try:
            composed([part.lts for part in self.parts], "parts", most=states)
        except TooManyStates:
            return False
        self._large = sys.maxsize
        return True

    def _split(self, splits: Sequence[Split]) -> None:
        changed = 0
        for split in splits:
            # A class may have been split meanwhile: those of its states that kept its number are split.
            done = self.parts[split.part].split(split.chosen, split.block)
            changed += done
            self._times[split.part] = self._times.get(split.part, 0) + done
        if not changed:
            raise UndecidedGoalError
        for number, times in self._times.items():
            if times >= _PATIENCE and number not in self._by_offers:
                self._by_offers.add(number)
                self.parts[number].split_by_offers()
        self.refinements += changed

    def statistics(self) -> dict[str, int]:
        """The figures so far."""
        return {
            "parts": len(self.parts),
            "assumption_states_max": max(part.count for part in self.parts),
            "assumption_states": sum(part.count for part in self.parts),
            "part_states": sum(part.lts.states for part in self.parts),
            "iterations": self.iterations,
            "refinements": self.refinements,
            "largest_lts_states": self.largest[0],
            "largest_lts_transitions": self.largest[1],
        }
