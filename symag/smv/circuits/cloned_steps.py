"""The steps of a large transition circuit: its clauses are made once, and copied for every step with numpy.

Constants that follow from the reset values are left out of the copies, and so is all that no literal needs. Equal gates
of different steps are not merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from symag.smv.circuits.clauses import AddClause
from symag.smv.circuits.cone_clauses import NEAR, ConeClauses, Integers, clauses_in, nearest
from symag.smv.circuits.gates import WIDE
from symag.smv.circuits.graph import INPUT
from symag.smv.circuits.netlists import levels_of
from symag.smv.circuits.transitions import AtStep, TransitionCircuit
from symag.smv.model.gates import new_below

#: Literals of a solver, or of the clauses that are copied.
Signals = NDArray[np.int32]

#: No next function.
_NONE = -1


class ClonedSteps:
    """See ``StepsAsClauses``; ``roots`` are all literals that may be asked for, but for latches and inputs.

    Clauses are added by ``loads``. A step costs time linear in the gates that are new, and, as long as values follow
    from the resets, in all gates.
    """

    def __init__(self, circuit: TransitionCircuit, roots: Iterable[int], add: AddClause, *, from_start: bool) -> None:
        graph = self._graph = circuit.graph
        latches = [latch.node for latch in circuit.latches]
        leaves = [*latches, *circuit.inputs]
        first_gate = 2 + len(leaves)
        self._template = ConeClauses(graph, roots, [(node, k) for k, node in enumerate(leaves, start=2)], first_gate)
        self.inputs: Sequence[int] = circuit.inputs
        self._next = np.full(len(graph), _NONE)
        self._next[latches] = [latch.next for latch in circuit.latches]
        self._following = {latch.node: latch.next for latch in circuit.latches}
        self._latches = np.array(latches, dtype=np.int64)
        self._levels = self._levels_of_gates()
        #: By literal, whether it is known to be TRUE in the last step.
        self._true = np.zeros(2 * len(graph), dtype=bool)
        self._true[1] = True
        for latch in circuit.latches:
            if from_start and latch.reset is not None:
                self._true[2 * latch.node + (not latch.reset)] = True
        self._add = add
        self._largest = 1
        add([1])
        #: By step: by node, whether it is known or its whole cone has clauses; by place of a gate, whether it has
        #: clauses; by variable of the template, its solver literal.
        self._closed: list[bytearray] = []
        self._loaded: list[NDArray[np.bool_]] = []
        self._literals: list[Signals] = []
        #: By number of nodes, the nodes at steps near which this many have clauses.
        self._roots: dict[int, set[tuple[int, int]]] = {}

    def literal(self, literal: int, step: int) -> int:
        """See ``StepsAsClauses``."""
        while len(self._closed) <= step:
            self._extend()
        own = self._template.literal(literal)
        self._allocate(np.array([abs(own)]), step)
        signal = int(self._literals[step][abs(own)])
        return signal if own > 0 else -signal

    def loads(self, literals: Sequence[AtStep]) -> Iterator[None]:
        """See ``StepsAsClauses``."""
        roots = {(literal >> 1, step) for literal, step in literals}
        for number, most in enumerate((*NEAR, None)):
            if self._load([(node, step) for node, step in roots if not self._closed[step][node]], most) or number == 0:
                yield

    def known(self, node: int, step: int) -> int:
        """See ``StepsAsClauses``."""
        return int(self._literals[step][self._template.literal(2 * node)]) if step < len(self._literals) else 0

    def require_difference(self, literals: Sequence[int], one: int, other: int) -> None:
        """See ``StepsAsClauses``."""
        different = []
        for literal in literals:
            a, b = self.literal(literal, one), self.literal(literal, other)
            if a != b:
                self._largest += 1
                self._add([-self._largest, a, b])
                self._add([-self._largest, -a, -b])
                different.append(self._largest)
        self._add(different or [-1])

    def _levels_of_gates(self) -> list[tuple[Integers, Integers, Integers]]:
        """Levels of gates as positive literals with their operands; none for a circuit of narrow levels."""
        left, right = (
            np.frombuffer(part, dtype=np.int32).astype(np.int64) for part in (self._graph.left, self._graph.right)
        )
        nodes = np.flatnonzero(self._template.in_cone & (left != INPUT))
        levels = levels_of(nodes, left[nodes], right[nodes], len(left))
        if len(nodes) < WIDE * len(levels):
            return []
        return [(2 * nodes[level], left[nodes[level]], right[nodes[level]]) for level in levels]

    def _extend(self) -> None:
        """Begin a step: which nodes are constant in it?"""
        true, latches = self._true, self._latches
        if self._closed:
            following = self._next[latches]
            values, opposed = true[following], true[following ^ 1]
            true[2:] = False
            true[2 * latches], true[2 * latches + 1] = values, opposed
        if true[2:].any():
            for nodes, a, b in self._levels:
                true[nodes] = true[a] & true[b]
                true[nodes + 1] = true[a ^ 1] | true[b ^ 1]
        is_known = true[::2] | true[1::2]
        self._closed.append(bytearray(is_known.astype(np.uint8).tobytes()))
        self._loaded.append(np.zeros(self._template.largest + 1 - self._template.first_gate, dtype=bool))
        literals = np.zeros(self._template.largest + 1, dtype=np.int32)
        literals[1] = 1
        known = np.flatnonzero(is_known & (self._template.variables > 0))
        literals[self._template.variables[known]] = np.where(true[2 * known], 1, -1)
        self._literals.append(literals)

    def _load(self, roots: Sequence[tuple[int, int]], most: int | None) -> bool:
        """Add the clauses of gates below nodes at steps that have none yet; whether there were any.

        Of about ``most`` nodes that are near; None: of all.
        """
        graph = self._graph
        if most is not None:
            known = self._roots.setdefault(most, set())
            new = [root for root in roots if root not in known]
            known.update(new)
            by_step = nearest(graph, new, self._closed, self._following, most)
        else:
            by_step = {step: [] for step in range(len(self._closed))}
            for node, step in roots:
                by_step[step].append(node)
            for step in reversed(by_step):
                nodes = by_step[step] = new_below(graph.left, graph.right, 0, by_step[step], self._closed[step])
                if step > 0:
                    following = self._next[nodes]
                    by_step[step - 1] += (following[following != _NONE] >> 1).tolist()
        added = [self._clone(np.array(nodes, dtype=np.int64), step) for step, nodes in by_step.items()]
        return any(added)

    def _clone(self, nodes: Integers, step: int) -> bool:
        """Add the clauses of the gates among some nodes at a step that have none yet; whether there were any."""
        template, loaded = self._template, self._loaded[step]
        places = template.places_of(nodes)
        places = places[~loaded[places]]
        loaded[places] = True
        if not len(places):
            return False
        clauses = template.literals_of(places)
        self._allocate(np.flatnonzero(np.bincount(np.abs(clauses))[1:]) + 1, step)
        add = self._add
        for some in clauses_in(_simplified(clauses, self._literals[step])):
            for clause in some:
                add(clause)
        return True

    def _allocate(self, variables: Integers, step: int) -> None:
        """Give solver literals to variables of the template that have none at a step."""
        template, last_latch = self._template, 1 + len(self._latches)
        open_ = [variables[self._literals[step][variables] == 0]]
        below: list[Integers] = []
        while step - len(below) > 0 and len(latches := open_[-1][open_[-1] <= last_latch]):
            following = self._next[self._latches[latches - 2]]
            below.append(template.variables[following >> 1].astype(np.int64) * (1 - 2 * (following & 1)))
            read = np.unique(np.abs(below[-1]))
            open_.append(read[self._literals[step - len(below)][read] == 0])
        for back in reversed(range(len(open_))):
            literals, fresh = self._literals[step - back], open_[back]
            if back < len(below):
                latches, fresh = fresh[fresh <= last_latch], fresh[fresh > last_latch]
                literals[latches] = self._literals[step - back - 1][np.abs(below[back])] * np.sign(below[back])
            literals[fresh] = np.arange(self._largest + 1, self._largest + 1 + len(fresh))
            self._largest += len(fresh)


def _simplified(clauses: Signals, literals: Signals) -> Signals:
    """Clauses of the template, 0 behind each, with the solver's literals; without those that say nothing.

    A clause with a variable that has no literal is one of a choice whose condition is constant.
    """
    images = literals[np.abs(clauses)] * np.sign(clauses)
    is_end = clauses == 0
    number = np.cumsum(is_end) - is_end
    dropped = np.zeros(int(is_end.sum()), dtype=bool)
    dropped[number[~is_end & ((images == 1) | (images == 0))]] = True
    kept: Signals = images[~dropped[number] & (images != -1)]
    return kept
