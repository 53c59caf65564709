"""Stochastic trees that run in a system: counterexamples with their execution mapping (agar-lpts-2012, Section 3)."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from symag.lpts.lpts import Lpts

#: A transition of the system, and a child for each target of its distribution, in the order of the targets.
Move = tuple[int, tuple[int, ...]]


class StochasticTree(Struct, frozen=True):
    """A finite tree; node 0 is the root and every child has a greater number than its parent.

    ``states[n]`` is the state of the system that node n stands for (the execution mapping); ``moves[n]`` are
    the transitions of that state that the tree keeps.
    """

    states: tuple[int, ...]
    moves: tuple[tuple[Move, ...], ...]

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.states)

    def as_lpts(self, system: Lpts) -> tuple[Lpts, list[int]]:
        """The tree as a system whose states are the nodes, and per transition its number in the real system."""
        rows = [
            (node, int(system.action[transition]), transition, children)
            for node, moves in enumerate(self.moves)
            for transition, children in moves
        ]
        rows.sort(key=lambda row: row[:2])
        target, weight, sizes = [], [], [0]
        for _, _, transition, children in rows:
            begin = int(system.begin[transition])
            entries = sorted((child, int(system.weight[begin + k])) for k, child in enumerate(children))
            target += [child for child, _ in entries]
            weight += [number for _, number in entries]
            sizes.append(len(entries))
        tree = Lpts(
            f"tree of {system.name}",
            system.alphabet,
            self.nodes,
            np.array([node for node, _, _, _ in rows], dtype=np.int64),
            np.array([action for _, action, _, _ in rows], dtype=np.int64),
            np.cumsum(sizes, dtype=np.int64),
            np.array(target, dtype=np.int64),
            np.array(weight, dtype=np.int64),
            system.probabilities,
        )
        return tree, [transition for _, _, transition, _ in rows]
