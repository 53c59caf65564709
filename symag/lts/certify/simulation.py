"""Simulation of explored states by an assumption, which implies language inclusion; in polynomial time.

The assumption is made smaller first: states that only a silent move leaves are skipped, bisimilar states are merged.
Each class has the moves of all its states, so every word of the system is one of the result, whatever the classes are:
what is accepted of the result needs no proof that they are bisimilar.
"""

from __future__ import annotations

import numpy as np

from symag.core.limits import Deadline
from symag.core.ranges import alike, distinct, ranges
from symag.lts.certify.machines import AssumptionJudge
from symag.lts.certify.packed_components import Truths
from symag.lts.certify.sorted_states import Integers, SortedStates, Words, hashes_of
from symag.lts.certify.states import ExploredStates
from symag.lts.lts import Lts

_BLOCK, _MOVE = 0, 1


def merged_states(system: Lts, deadline: Deadline) -> Lts:
    """The system with classes as states, without silent moves inside of them. Moves go to states, not to ERROR.

    Blocks are split by the hash of their states' moves until their number stays (or falls, if two blocks had the same
    hash): equal hashes of different moves make the result allow more words. Costs sorting the moves for each round.
    Raises OutOfTimeError.
    """
    shorter = _with_classes(system, _skipped(_with_classes(system, np.arange(system.states))))
    width = len(shorter.alphabet)
    block = np.zeros(shorter.states, dtype=np.int64)
    count = 0
    while True:
        deadline.check()
        moves = distinct((shorter.source * width + shorter.action) * shorter.states + block[shorter.target])
        source, move = np.divmod(moves, width * shorter.states)
        sums = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(_hashes(move, _MOVE), dtype=np.uint64)))
        first = np.searchsorted(source, np.arange(shorter.states + 1))
        places, block = alike(_hashes(block, _BLOCK) + (sums[first[1:]] - sums[first[:-1]]))
        if len(places) <= count:
            return _with_classes(shorter, block)
        count = len(places)


def _hashes(numbers: Integers, kind: int) -> Words:
    """A block and a move of the same number have different hashes, and none has 0, which a sum does not show."""
    return hashes_of(numbers.astype(np.uint64).reshape(-1, 1) + np.uint64(1), kind)


def _skipped(system: Lts) -> Integers:
    """For each state one that its only moves, silent ones, lead to; itself if it has another move, or none."""
    alone = np.bincount(system.source, minlength=system.states) == 1
    passing = (system.action == 0) & alone[system.source]
    goal = np.arange(system.states)
    goal[system.source[passing]] = system.target[passing]
    for _ in range(system.states.bit_length()):
        goal = goal[goal]
    return goal


def _with_classes(system: Lts, class_of: Integers) -> Lts:
    """The system of the classes; that of state 0 is 0."""
    classes = distinct(class_of)
    number = np.searchsorted(classes, class_of)
    exchanged = np.arange(len(classes))
    exchanged[[0, number[0]]] = exchanged[[number[0], 0]]
    number = exchanged[number]
    source, target = number[system.source], number[system.target]
    proper = (system.action != 0) | (source != target)
    return Lts.of_arrays(
        "classes", system.alphabet, len(classes), source[proper], system.action[proper], target[proper]
    )


def is_simulated(left: ExploredStates, judge: AssumptionJudge, deadline: Deadline) -> bool:
    """Whether the assumption's initial state simulates that of the left side; then it allows all words of that.

    A step by an action of the assumption's alphabet is answered by one of it, any other step by staying. No move of the
    left side may lead to ERROR. Costs the pairs of a class of the left side and a state of the assumption that are
    reached with one chosen answer to each step, and with the next one where that fails. Raises OutOfTimeError.
    """
    letters = ("tau", *sorted(judge.alphabet))
    number = {label: index for index, label in enumerate(letters)}
    action = np.array([number.get(label, 0) for label in left.labels])[left.label]
    system = Lts.of_arrays("left side", letters, left.states, left.source, action, left.target)
    steps = judge.machine.steps
    stays = [(state, 0, state) for state in range(len(steps))]
    moves = [
        (state, number[label], target)
        for state, step in enumerate(steps)
        for label, targets in step.items()
        for target in targets
    ]
    answers = Lts.of("assumption", letters, len(steps), [*stays, *moves])
    return _Pairs(merged_states(system, deadline), answers, deadline).first_is_alive()


class _Pairs:
    """Pairs of a state and one that is to simulate it, numbered as reached.

    Step k, of the pair ``_owner[k]``, leads to the state ``_goal[k]``. The assumption's moves from ``_next[k]`` to
    ``_last[k]`` are the answers that were not tried; the last one tried leads to the pair ``_chosen[k]``. A pair is
    dead if one of its steps has no answer, so dead pairs are in no simulation. In the end no pair that is alive has
    chosen a dead one: those that are alive are a simulation.
    """

    def __init__(self, system: Lts, answers: Lts, deadline: Deadline) -> None:
        self._system, self._answers, self._deadline = system, answers, deadline
        self._begin = system.offsets()
        self._width = len(answers.alphabet)
        keys = answers.source * self._width + answers.action
        self._answer = np.searchsorted(keys, np.arange(answers.states * self._width + 1))
        self._table = SortedStates(1, 0)  # hashes of single words do not collide
        none = np.zeros(0, dtype=np.int64)
        self._owner, self._goal, self._next, self._last, self._chosen = none, none, none, none, none
        self._dead: Truths = np.zeros(0, dtype=bool)

    def first_is_alive(self) -> bool:
        """Whether the initial states are in a simulation."""
        self._table.numbers(np.zeros((1, 1), dtype=np.uint64))
        while True:
            self._reach()
            failed = np.flatnonzero(self._dead[self._chosen] & ~self._dead[self._owner])
            if not len(failed):
                return not self._dead[0]
            lacking = self._next[failed] == self._last[failed]
            self._dead[self._owner[failed[lacking]]] = True
            failed = failed[~self._dead[self._owner[failed]]]
            self._chosen[failed] = self._answered(self._goal[failed], self._next[failed])
            self._next[failed] += 1

    def _reach(self) -> None:
        """Add the steps of the new pairs, and of those that these lead to."""
        steps = [(self._owner, self._goal, self._next, self._last, self._chosen)]
        dead = [self._dead]
        done = len(self._dead)
        while done < self._table.count:
            self._deadline.check()
            number = np.arange(done, self._table.count)
            state, simulating = np.divmod(self._table.words[number, 0].astype(np.int64), self._answers.states)
            first, last = self._begin[state], self._begin[state + 1]
            move = ranges(first, last)
            owner = np.repeat(number, last - first)
            key = np.repeat(simulating * self._width, last - first) + self._system.action[move]
            following, last = self._answer[key], self._answer[key + 1]
            dead.append(np.isin(number, owner[following == last]))
            kept = ~dead[-1][owner - done]
            goal, following = self._system.target[move[kept]], following[kept]
            done = self._table.count
            steps.append((owner[kept], goal, following + 1, last[kept], self._answered(goal, following)))
        self._dead = np.concatenate(dead)
        columns = (np.concatenate(column) for column in zip(*steps, strict=True))
        self._owner, self._goal, self._next, self._last, self._chosen = columns

    def _answered(self, goal: Integers, answer: Integers) -> Integers:
        """The pairs to which answers lead."""
        codes = goal * self._answers.states + self._answers.target[answer]
        return self._table.numbers(codes.astype(np.uint64).reshape(-1, 1))
