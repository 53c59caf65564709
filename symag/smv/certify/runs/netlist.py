"""The gates of a netlist over one state, level by level: the interpreter's own way through the reader's arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from symag.core.trace import Value
from symag.smv.certify.runs.operators import Denotation, Failure
from symag.smv.model.gates import Gates


class NetlistProgram:
    """Asked for the ``place`` of gates, then to ``lay_out``, then to ``run`` on every state. Each is linear."""

    def __init__(self, gates: Gates) -> None:
        self._gates = gates
        self._roots: dict[tuple[int, bool], int] = {}
        self._levels: list[tuple[Any, Any, Any]] = []
        self._variables: list[int] = []

    def has(self, name: str) -> bool:
        """Whether a gate has this name."""
        return self._gates.node(name) is not None

    def place(self, name: str, primed: bool) -> int | None:
        """Where ``run`` gives the value of the gate with a name, now or in the next state; None if there is none."""
        node = self._gates.node(name)
        return None if node is None else self._roots.setdefault((node, primed), len(self._roots))

    def lay_out(self) -> None:
        """Sort the gates that are needed by level."""
        gates, border = self._gates, 1 + len(self._gates.variables)
        first, second = gates.first, gates.second
        needed = gates.fresh_marks()
        for node, _ in self._roots:
            needed[node] = 1
        heights = [0] * len(needed)
        for node in range(len(needed) - 1, border - 1, -1):
            if needed[node]:
                needed[first[node - border] >> 1] = needed[second[node - border] >> 1] = 1
        chosen = [node for node in range(border, len(needed)) if needed[node]]
        for node in chosen:
            a, b = heights[first[node - border] >> 1], heights[second[node - border] >> 1]
            heights[node] = 1 + (a if a > b else b)
        self._variables = [node for node in range(1, border) if needed[node]]
        nodes = np.array(chosen, dtype=np.int64)
        level = np.array([heights[node] for node in chosen], dtype=np.int64)
        order = np.argsort(level, kind="stable")
        operands = [np.frombuffer(column, dtype=np.int32) for column in (first, second)]
        for part in np.split(order, np.flatnonzero(np.diff(level[order])) + 1):
            members = nodes[part]
            self._levels.append((members, operands[0][members - border], operands[1][members - border]))

    def run(self, current: Mapping[str, Value], following: Mapping[str, Value] | None) -> list[Denotation]:
        """The values of the gates, by place; a variable without a value makes a Failure of those that depend on it."""
        results: list[Denotation] = [False] * len(self._roots)
        for primed, valuation in ((False, current), (True, following)):
            roots = [(node, place) for (node, when), place in self._roots.items() if when is primed]
            if not roots:
                continue
            known, true, missing = self._evaluated({} if valuation is None else valuation)
            for node, place in roots:
                time = "the next state" if primed else "this state"
                failure = Failure(f"{missing} has no value in {time}", 0)
                results[place] = bool(true[node]) if known[node] else failure
        return results

    def _evaluated(self, valuation: Mapping[str, Value]) -> tuple[Any, Any, str]:
        """Which nodes have a value, which are true, and a variable without a value."""
        names = self._gates.variables
        true = np.zeros(1 + len(names) + len(self._gates.first), dtype=bool)
        known = np.ones(len(true), dtype=bool)
        missing = ""
        for node in self._variables:
            value = valuation.get(names[node - 1])
            if value is None:
                known[node], missing = False, names[node - 1]
            else:
                true[node] = value
        for nodes, a, b in self._levels:
            x, y = true[a >> 1] ^ (a & 1).astype(bool), true[b >> 1] ^ (b & 1).astype(bool)
            true[nodes] = x & y
            if missing:
                # FALSE beside anything is FALSE.
                one, other = known[a >> 1], known[b >> 1]
                known[nodes] = (one & other) | (one & ~x) | (other & ~y)
        return known, true, missing
