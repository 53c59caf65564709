"""Signals of a circuit that have equal values in every reachable state, or opposite ones: signal correspondence.

Source: van Eijk, "Sequential equivalence checking based on structural similarities" (TCAD 2000). Random runs sort the
signals into classes. Then a SAT solver is asked, as long as classes change: are they right in the initial states, and
if they are right in one state, are they in the next? Its counterexamples split classes. In the copies of the circuit
the members of a class are merged beforehand (Mony, Baumgartner, Mishchenko, Brayton, "Speculative reduction-based
scalable redundancy identification", DATE 2009).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from pysat.solvers import Solver

from symag.smv.circuits.equivalence.copies import SOLVER, CircuitCopies
from symag.smv.circuits.equivalence.merging import ordered_nodes
from symag.smv.circuits.evaluation import Evaluation
from symag.smv.circuits.graph import FALSE, INPUT, TRUE
from symag.smv.circuits.random_runs import ALL, RandomRuns
from symag.smv.circuits.transitions import TransitionCircuit

#: Random runs: words of 64 runs, steps at most, and the steps in which they tell some signals apart, else they end.
WORDS = 8
STEPS = 128
PATIENCE = 16


def equal_signals(
    circuit: TransitionCircuit,
    roots: Sequence[int],
    visible: Collection[int],
    seed: int,
    seconds: Callable[[int], float],
    fewest: float = 0.0,
) -> dict[int, int] | None:
    """Nodes below the roots, the constraints and the next functions, each with an older literal that equals it.

    They hold together by induction over one step, in every reachable state and for all inputs. Only signals that read
    nothing but the leaves ``visible`` are compared. None if that takes more than about as many CPU ``seconds`` as are
    allowed for the number of nodes, or as soon as it is known that ``fewest`` latches are not equal to older signals.
    """
    return _Correspondence(circuit, roots, visible, seed, seconds, fewest).result()


class _GivenUpError(Exception):
    """The time is over, or too few latches can be equal to others."""


class _Correspondence:
    """``_class[k]`` is the number of the class of the k-th candidate, ``_sign[k]`` whether it is negated there."""

    def __init__(
        self,
        circuit: TransitionCircuit,
        roots: Sequence[int],
        visible: Collection[int],
        seed: int,
        seconds: Callable[[int], float],
        fewest: float,
    ) -> None:
        started = time.process_time()
        self._circuit = circuit
        self._fewest = fewest
        self._order = ordered_nodes(circuit, roots)
        self._end = started + seconds(len(self._order))
        graph = circuit.graph
        shown = {0} | set(visible)
        for node in self._order:
            if graph.left[node] != INPUT and graph.left[node] >> 1 in shown and graph.right[node] >> 1 in shown:
                shown.add(node)
        candidates = [0, *(node for node in self._order if node in shown)]
        self._candidates = np.array(candidates, dtype=np.int64)
        self._number = {node: number for number, node in enumerate(candidates)}
        self._class = np.zeros(len(candidates), dtype=np.int64)
        self._sign = np.zeros(len(candidates), dtype=np.bool_)
        self._first: list[int] = []
        self._evaluation = Evaluation(graph, [2 * node for node in self._order], WORDS)
        latches = {latch.node for latch in circuit.latches}
        self._inputs = sorted({node for node in self._order if graph.left[node] == INPUT} - latches)
        self._runs = RandomRuns(circuit, self._evaluation, self._inputs, seed)

    def result(self) -> dict[int, int] | None:
        try:
            self._simulate()
            for from_start in (True, False):
                while self._has_changed_in_round(from_start):
                    pass
            self._check_latches()
        except _GivenUpError:
            return None
        firsts = self._first
        return {
            int(self._candidates[number]): self._literal_of(number)
            for number, kind in enumerate(self._class.tolist())
            if firsts[kind] != number
        }

    def _check_latches(self) -> None:
        """Give up if too few latches are equal to others: classes only split, so these only become fewer."""
        if self._fewest:
            numbers = (self._number.get(latch.node) for latch in self._circuit.latches)
            equal = sum(number is not None and self._first[self._class[number]] != number for number in numbers)
            if equal < self._fewest:
                raise _GivenUpError

    def _literal_of(self, number: int) -> int:
        """The oldest member of a candidate's class, negated if their signs differ."""
        first = self._first[self._class[number]]
        return 2 * int(self._candidates[first]) + int(self._sign[first] != self._sign[number])

    def _simulate(self) -> None:
        """Sort the candidates by their values in random runs, until these tell no more apart."""
        hashed = np.zeros(len(self._candidates), dtype=np.uint64)
        weights = self._runs.words(1)[0] | np.uint64(1)
        for step in range(STEPS):
            self._check_time()
            allowed = self._runs.step() if step else self._runs.start()
            rows = self._evaluation.values[self._candidates]
            if step == 0:
                self._sign = self._signs(rows, allowed)
            rows = (rows ^ np.where(self._sign, ALL, np.uint64(0))[:, None]) & allowed
            hashed = hashed * np.uint64(0x9E37_79B9_7F4A_7C15) + (rows * weights).sum(axis=1, dtype=np.uint64)
            hashed ^= hashed >> np.uint64(29)
            if step % PATIENCE == PATIENCE - 1:
                before = len(self._first)
                self._split(hashed)
                if len(self._first) == before:
                    break

    def _signs(self, rows: Any, allowed: Any) -> Any:
        """Whether candidates are TRUE in the first run that counts."""
        for word, runs in enumerate(allowed.tolist()):
            if runs:
                return (rows[:, word] & np.uint64(runs & -runs)) != 0
        return np.zeros(len(rows), dtype=np.bool_)

    def _split(self, keys: Any) -> None:
        """Split the classes by keys of their members."""
        # Equal keys in two classes would join these: that is as unlikely as for two of the hashes, and does no harm.
        own = self._class.astype(np.uint64) * np.uint64(0xD6E8_FEB8_6659_FD93)
        _, first, numbers = np.unique(own ^ keys, return_index=True, return_inverse=True)
        self._class, self._first = numbers.reshape(-1), first.tolist()
        self._check_latches()

    def _has_changed_in_round(self, from_start: bool) -> bool:
        """Ask whether the classes are right, in initial states or one step after states where they are."""
        before = len(self._first)
        circuit = self._circuit
        with Solver(name=SOLVER) as solver:
            copy = CircuitCopies(circuit, solver)
            leaves: dict[int, int] = {node: copy.graph.input() for node in self._inputs}
            if from_start:
                for latch in circuit.latches:
                    plain = copy.graph.input()
                    leaves[latch.node] = plain if latch.reset is None else TRUE if latch.reset else FALSE
                conditions = (*circuit.initial, *circuit.invariants)
            else:
                leaves.update((latch.node, copy.graph.input()) for latch in circuit.latches)
                now = self._assumed(copy, leaves)
                copy.require([now[literal >> 1] ^ (literal & 1) for literal in (*circuit.invariants, *circuit.steps)])
                leaves = {latch.node: now[latch.next >> 1] ^ (latch.next & 1) for latch in circuit.latches}
                leaves.update((node, copy.graph.input()) for node in self._inputs)
                conditions = circuit.invariants
            plain_frame = copy.frame(self._order, leaves) if conditions else {}
            copy.require([plain_frame[literal >> 1] ^ (literal & 1) for literal in conditions])
            self._ask(copy, leaves)
        return len(self._first) > before

    def _assumed(self, copy: CircuitCopies, leaves: Mapping[int, int]) -> dict[int, int]:
        """A copy of the circuit in which the members of each class are equal."""
        image = {0: FALSE}
        for node in self._order:
            literal = copy.signal(node, image, leaves)
            number = self._number.get(node)
            if number is not None and self._first[self._class[number]] != number:
                older = self._literal_of(number)
                other = image[older >> 1] ^ (older & 1)
                copy.require_equal(literal, other)
                literal = other
            image[node] = literal
        return image

    def _ask(self, copy: CircuitCopies, leaves: Mapping[int, int]) -> None:
        """Ask for each member of a class whether it can differ from the oldest one."""
        image = {0: FALSE}
        state = copy.variables(leaves[latch.node] for latch in self._circuit.latches)
        inputs = copy.variables(leaves[node] for node in self._inputs)
        for node in self._order:
            literal = copy.signal(node, image, leaves)
            number = self._number.get(node)
            while number is not None and self._first[self._class[number]] != number:
                older = self._literal_of(number)
                other = image[older >> 1] ^ (older & 1)
                if literal == other:
                    break
                self._check_time()
                answer = copy.can_differ(literal, other)
                if answer is False:
                    copy.require_equal(literal, other)
                    literal = other
                    break
                if answer is None or not self._learned(copy.values(state), copy.values(inputs), number):
                    self._class[number] = len(self._first)
                    self._first.append(number)
            image[node] = literal

    def _learned(self, state: Any, inputs: Any, number: int) -> bool:
        """Split the classes by the state that shows a difference, and by a step of all runs.

        What is equal by induction is never split: runs go on from states in which all classes are right.
        """
        allowed = self._runs.visit(state, inputs)
        rows = self._evaluation.values[self._candidates]
        rows = (rows ^ np.where(self._sign, ALL, np.uint64(0))[:, None]) & allowed
        weights = np.uint64(0x9E37_79B9_7F4A_7C15) ** np.arange(1, WORDS + 1, dtype=np.uint64)
        first = self._first[self._class[number]]
        self._split((rows * weights).sum(axis=1, dtype=np.uint64))
        return bool(self._first[self._class[number]] != first)

    def _check_time(self) -> None:
        if time.process_time() > self._end:
            raise _GivenUpError
