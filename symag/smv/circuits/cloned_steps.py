"""The steps of a large transition circuit: its clauses are made once, and copied for every step with numpy.

Constants that follow from the reset values are left out of the copies, and so is all that no literal needs. Equal gates
of different steps are not merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from symag.smv.circuits.clauses import AddClause
from symag.smv.circuits.cone_clauses import ConeClauses, Integers, clauses_in
from symag.smv.circuits.gates import WIDE
from symag.smv.circuits.graph import INPUT
from symag.smv.circuits.netlists import levels_of
from symag.smv.circuits.transitions import TransitionCircuit
from symag.smv.model.cones import new_below

#: Literals of a solver, or of the clauses that are copied.
Signals = NDArray[np.int32]

#: No next function.
_NONE = -1


class ClonedSteps:
    """See ``StepsAsClauses``; ``roots`` are all literals that may be asked for, but for latches and inputs.

    A step costs time linear in the gates that are new, and, as long as values follow from the resets, in all gates.
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
        #: By step: the marks of nodes that are known or have clauses; by variable of the template, the solver literal.
        self._seen: list[bytearray] = []
        self._literals: list[Signals] = []

    def literal(self, literal: int, step: int) -> int:
        """See ``StepsAsClauses``."""
        while len(self._seen) <= step:
            self._extend()
        own = self._template.literal(literal)
        if not self._literals[step][abs(own)]:
            self._load(literal >> 1, step)
        signal = int(self._literals[step][abs(own)])
        return signal if own > 0 else -signal

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
        if self._seen:
            following = self._next[latches]
            values, opposed = true[following], true[following ^ 1]
            true[2:] = False
            true[2 * latches], true[2 * latches + 1] = values, opposed
        if true[2:].any():
            for nodes, a, b in self._levels:
                true[nodes] = true[a] & true[b]
                true[nodes + 1] = true[a ^ 1] | true[b ^ 1]
        is_known = true[::2] | true[1::2]
        self._seen.append(bytearray(is_known.astype(np.uint8).tobytes()))
        literals = np.zeros(self._template.largest + 1, dtype=np.int32)
        literals[1] = 1
        known = np.flatnonzero(is_known & (self._template.variables > 0))
        literals[self._template.variables[known]] = np.where(true[2 * known], 1, -1)
        self._literals.append(literals)

    def _load(self, root: int, step: int) -> None:
        """Add the clauses of all gates below a node at a step that have none yet."""
        graph, roots = self._graph, [root]
        new: list[Integers] = []
        while roots and len(new) <= step:
            seen = self._seen[step - len(new)]
            new.append(np.array(new_below(graph.left, graph.right, 0, roots, seen), dtype=np.int64))
            following = self._next[new[-1]]
            roots = (following[following != _NONE] >> 1).tolist()
        for number, nodes in reversed(list(enumerate(new))):
            self._clone(nodes, step - number)

    def _clone(self, nodes: Integers, step: int) -> None:
        """The clauses of nodes at a step; what they depend on has its literals."""
        template, literals = self._template, self._literals[step]
        following = self._next[nodes]
        is_latch = following != _NONE
        if step > 0:
            below, latches = following[is_latch], nodes[is_latch]
            own = template.variables[below >> 1].astype(np.int64) * (1 - 2 * (below & 1))
            literals[template.variables[latches]] = self._literals[step - 1][np.abs(own)] * np.sign(own)
            nodes = nodes[~is_latch]
        fresh = template.variables[nodes]
        fresh = np.sort(fresh[fresh > 0])
        literals[fresh] = np.arange(self._largest + 1, self._largest + 1 + len(fresh))
        self._largest += len(fresh)
        places = fresh[fresh >= template.first_gate] - template.first_gate
        clauses = _simplified(template.literals_of(places.astype(np.int64)), literals)
        add = self._add
        for some in clauses_in(clauses):
            for clause in some:
                add(clause)


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
