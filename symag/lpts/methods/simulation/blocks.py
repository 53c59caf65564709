"""Strong simulation on arrays: what simulates a state, for all states at once, block by block.

R(s), the states of the specification that are not yet known to fail to simulate s, shrinks round by round to the
greatest fixed point. States with the same R(s) are one block, and whether t answers a transition depends only on
its action and on the probability of each block: so each such question is decided once for all states with such a
transition, and its answer stays for later rounds. Partition and relation are refined together (as by S. Crafa and
F. Ranzato, "Probabilistic bisimulation and simulation algorithms by abstract interpretation", 2011). Nothing is as
large as states x states: a state has the number of its block, and a block has a set of bits. The bits stand for the
specification's states up to bisimilarity.

Questions are distinguished by hashes of 64 bits, so that ``coarsest`` can be wrong. ``decide`` is exact: it finds
weight functions for all pairs of a simulation, or a refuting transition for every pair that a tree counterexample
needs. If two hashes were equal by chance and this fails, it begins again with other hashes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
from msgspec import Struct

from symag.core.limits import Progress, no_progress
from symag.core.random_words import mixed
from symag.core.ranges import alike, distinct
from symag.core.state_table import Words
from symag.lpts.bisimulation import by_first_states, quotient
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers, performed
from symag.lpts.methods.factored import StochasticTree
from symag.lpts.methods.simulation import worklist
from symag.lpts.methods.simulation.answers import HashedAnswers, SpecificationAnswers
from symag.lpts.methods.simulation.question import (
    BlockSimulation,
    Pair,
    RefutedPairs,
    SimulationRelation,
    UnfoundedRefutationError,
)
from symag.lpts.methods.simulation.refutation import counterexamples
from symag.lpts.methods.simulation.sides import Sides, common_denominator, with_left, with_left_on_demand

#: This many words of 64 bits are processed together.
_BATCH = 1 << 22
#: This many transitions are processed together.
_TRANSITIONS = 1 << 16


class Relation(Struct, frozen=True, eq=False):
    """The coarsest strong simulation between a system and a specification, with the rounds that computed it.

    State s of the system is in block ``blocks[s]``, which the specification's state t simulates exactly if bit
    ``bit[t]`` of ``simulating[blocks[s]]`` is set; but when ``holds`` is False, the search has ended with the round
    that refuted the initial pair. ``rounds`` has for each round the states (ascending) whose block changed, and
    their blocks after it; before the first, all are in block 0.
    """

    holds: bool
    blocks: Numbers
    simulating: tuple[int, ...]
    bit: Numbers
    rounds: tuple[tuple[Numbers, Numbers], ...]
    statistics: Mapping[str, int]

    def relates(self, state: int, t: int) -> bool:
        """Whether the specification's state t simulates a state of the system."""
        return self.block_relates(int(self.blocks[state]), t)

    def block_relates(self, block: int, t: int) -> bool:
        """Whether the specification's state t simulates the states of a block."""
        return bool(self.simulating[block] >> int(self.bit[t]) & 1)

    def removed(self) -> Mapping[Pair, int]:
        """The pairs that are not related, with the round in which each was refuted."""
        return _RemovalRounds(self)


class _RemovalRounds(Mapping[Pair, int]):
    """The rounds in which pairs were refuted, computed when they are asked for."""

    def __init__(self, relation: Relation) -> None:
        self._relation = relation
        self._known: dict[int, list[tuple[int, int]]] = {}

    def _course(self, state: int) -> list[tuple[int, int]]:
        """The rounds in which the state's block changed, each with the set of states that simulate it afterwards."""
        course = self._known.get(state)
        if course is None:
            course = []
            for number, (states, blocks) in enumerate(self._relation.rounds):
                place = int(np.searchsorted(states, state))
                if place < len(states) and states[place] == state:
                    course.append((number, self._relation.simulating[int(blocks[place])]))
            self._known[state] = course
        return course

    def __getitem__(self, pair: Pair) -> int:
        s, t = pair
        bit = int(self._relation.bit[t])
        for number, simulating in self._course(s):
            if not simulating >> bit & 1:
                return number
        raise KeyError(pair)

    def __iter__(self) -> Iterator[Pair]:
        relation = self._relation
        for s in range(len(relation.blocks)):
            yield from ((s, t) for t in range(len(relation.bit)) if not relation.relates(s, t))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def decide(
    system: Lpts,
    specification: Lpts,
    progress: Progress = no_progress,
    hashed: int = 64,
    answers: dict[object, SpecificationAnswers] | None = None,
    directly: int = 2000,
    most_trees: int = 1,
) -> SimulationRelation | BlockSimulation | tuple[tuple[StochasticTree, ...], Mapping[str, int]]:
    """A simulation, or trees that the system can run and the specification cannot simulate, with statistics. Exact.

    The specification is completed for the actions that it does not mention. With the same ``answers`` for every call
    about one specification, empty at first, each question is decided once. A system of at most ``directly`` states is
    related state by state. Costs what ``coarsest`` does, and what the worklist engine does for
    the quotient by blocks. Raises MemoryExhausted for trees that are too large.
    """
    known = {} if answers is None else answers
    answer: SimulationRelation | BlockSimulation | RefutedPairs
    key = common_denominator(system, specification), performed(system).union(system.alphabet[1:])
    if key not in known:
        known[key] = SpecificationAnswers.of(specification, system)
    beside = known[key].beside
    for seed in itertools.count():
        relation = coarsest(system, known[key], progress, hashed, seed)
        if relation.holds:
            if system.states <= directly:
                answer = worklist.decide(with_left(beside, system), progress, relation.relates)
            else:
                answer = _by_blocks(system, beside, relation, progress)
            if not isinstance(answer, RefutedPairs):
                return answer
        else:
            try:
                both = with_left_on_demand(beside, system)
                trees = counterexamples(both, RefutedPairs(relation.removed()), most_trees)
            except UnfoundedRefutationError:
                pass
            else:
                return trees, relation.statistics
        hashed = 64
    raise AssertionError("unreachable")


def _by_blocks(system: Lpts, beside: Sides, relation: Relation, progress: Progress) -> BlockSimulation | RefutedPairs:
    """The claimed simulation with its weight functions, or the pairs that have none."""
    blocks = by_first_states(relation.blocks)
    number = np.zeros(int(blocks.max()) + 1, dtype=np.int64)
    number[blocks] = relation.blocks
    small = quotient(system, blocks)
    numbers = number.tolist()
    answer = worklist.decide(
        with_left(beside, small), progress, lambda block, t: relation.block_relates(numbers[block], t)
    )
    if isinstance(answer, RefutedPairs):
        return answer
    return BlockSimulation(blocks, small, answer, {**relation.statistics, "pairs": len(answer.pairs)})


def coarsest(
    system: Lpts, specification: SpecificationAnswers, progress: Progress = no_progress, hashed: int = 64, seed: int = 0
) -> Relation:
    """Which states of the specification simulate which of the system, until the initial pair is refuted.

    Questions are distinguished by ``hashed`` bits of their hashes: the caller has to check the result.
    A round costs time in proportion to the branches, and for each new question a flow for each distribution of the
    specification by its action.
    Memory: about 30 bytes a branch, and 12 bytes for each change of a state's block.
    """
    return _FixedPoint(system, specification, (hashed, seed), progress).run()


class _FixedPoint:
    def __init__(
        self, system: Lpts, specification: SpecificationAnswers, hashes: tuple[int, int], progress: Progress
    ) -> None:
        self._system = system
        self._specification = specification
        self._progress = progress
        self._mask = np.uint64((1 << hashes[0]) - 1)
        known = specification.by_hash.setdefault(hashes, HashedAnswers((specification.states + 63) // 64, hashes[1]))
        self._sets, self._answer = known.sets, known.answer
        self._known_before = len(known.answer)
        self._blocks = np.full(system.states, self._sets.add((1 << specification.states) - 1))
        scaled = [int(probability * specification.total) & 0xFFFFFFFFFFFFFFFF for probability in system.probabilities]
        self._masses: Words = np.array(scaled, dtype=np.uint64)
        self._scaled = [int(probability * specification.total) for probability in system.probabilities]
        self._action = known.action_words(system.alphabet)
        self._offsets = system.offsets()
        self._rounds: list[tuple[Numbers, Numbers]] = []

    def run(self) -> Relation:
        changed: Numbers | None = None
        bit, flows = self._specification.bit, self._specification.flows
        initial = int(bit[0])
        while (changed is None or len(changed)) and self._sets.bits[int(self._blocks[0])] >> initial & 1:
            changed = self._round(changed)
            self._progress(
                f"round {len(self._rounds)}, {len(self._sets.bits):,} blocks, {len(changed):,} states changed"
            )
        holds = bool(self._sets.bits[int(self._blocks[0])] >> initial & 1)
        statistics = {
            "blocks": len(distinct(self._blocks)),
            "rounds": len(self._rounds),
            "comparisons": len(self._answer) - self._known_before,
            "flow_calls": self._specification.flows - flows,
        }
        return Relation(holds, self._blocks, tuple(self._sets.bits), bit, tuple(self._rounds), statistics)

    def _round(self, changed: Numbers | None) -> Numbers:
        """Refine the blocks of the states with transitions to ``changed`` states (None: all); returns those changed."""
        system = self._system
        marked = np.ones(system.states, dtype=bool)
        if changed is not None:
            marked[:] = False
            marked[changed] = True
        before, after = self._blocks, self._blocks.copy()
        low = 0
        while low < system.transitions:
            # A batch of transitions at a time, for the memory.
            high = self._end_of_batch(low)
            first, end = system.begin[low], system.begin[high]
            leading = np.logical_or.reduceat(marked[system.target[first:end]], system.begin[low:high] - first)
            if leading.any():
                self._refine(low + np.flatnonzero(leading), after)
            low = high
        differing = np.flatnonzero(after != before)
        self._blocks = after
        self._rounds.append((differing.astype(np.int32), after[differing].astype(np.int32)))
        return differing

    def _end_of_batch(self, low: int) -> int:
        """Where a batch that begins with this transition ends: behind all transitions of its last state."""
        if low + _TRANSITIONS >= self._system.transitions:
            return self._system.transitions
        return int(self._offsets[self._system.source[low + _TRANSITIONS] + 1])

    def _refine(self, transitions: Numbers, after: Numbers) -> None:
        """Enter the new blocks of the sources of these transitions."""
        before, source = self._blocks, self._system.source[transitions]
        answers = self._answers(transitions)
        first = np.flatnonzero(np.concatenate(([True], source[1:] != source[:-1])))
        looking = source[first]
        # A batch of states at a time, so that not all of their sets are in memory as words.
        step = max(1, _BATCH // self._sets.width // max(1, len(transitions) // len(first)))
        for low in range(0, len(first), step):
            high = min(len(first), low + step)
            begin, end = first[low], first[high] if high < len(first) else len(transitions)
            common = self._sets.intersections(answers[begin:end], first[low:high] - begin)
            states = looking[low:high]
            kept = common & self._sets.rows[before[states]]
            fewer = (kept != self._sets.rows[before[states]]).any(axis=1)
            if fewer.any():
                after[states[fewer]] = self._sets.numbers(kept[fewer])

    def _answers(self, transitions: Numbers) -> Numbers:
        """For each of these transitions the set of the states that answer it."""
        system = self._system
        entry, begin = entries_of(system.begin, transitions)
        words = np.add.reduceat(self._masses[system.weight[entry]] * self._words_of(system.target[entry]), begin[:-1])
        words = mixed(words ^ self._action[system.action[transitions]]) & self._mask
        some, inverse = alike(words)
        known = []
        for word, transition in zip(words[some].tolist(), transitions[some].tolist(), strict=True):
            answer = self._answer.get(word)
            if answer is None:
                answer = self._answer[word] = self._sets.add(self._answering(transition))
            known.append(answer)
        numbers: Numbers = np.array(known, dtype=np.int64)[inverse]
        return numbers

    def _words_of(self, states: Numbers) -> Words:
        """The random words of these states' blocks."""
        words: Words = self._sets.words[self._blocks[states]]
        return words

    def _answering(self, transition: int) -> int:
        """The set of the specification's states that answer a transition, by the current relation."""
        system = self._system
        lifted: dict[int, int] = {}
        for e in range(int(system.begin[transition]), int(system.begin[transition + 1])):
            simulating = self._sets.bits[int(self._blocks[system.target[e]])]
            lifted[simulating] = lifted.get(simulating, 0) + self._scaled[int(system.weight[e])]
        return self._specification.answering(system.alphabet[system.action[transition]], lifted)
