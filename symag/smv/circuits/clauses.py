"""Graphs as clauses for a SAT solver (Tseitin 1968); wide conjunctions, XORs and choices are recognised in the gates.

A clause's literals are non-zero integers as in DIMACS. Solver variable 1 is TRUE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pysat.solvers import Solver

from symag.smv.circuits.graph import INPUT, Graph


class SatSolver:
    """An incremental solver of python-sat; literals are as in DIMACS. ``queries`` counts the calls of ``solve``."""

    def __init__(self, name: str) -> None:
        self._solver: Any = Solver(name=name)
        self.add = self._solver.add_clause
        self.queries = 0

    def solve(self, assumptions: Sequence[int]) -> bool:
        """Whether all clauses and assumptions can be true together."""
        self.queries += 1
        return bool(self._solver.solve(assumptions=assumptions))

    def solve_within(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        """``solve``; None after ``conflicts`` conflicts without an answer. Only for MiniSat and Glucose."""
        self.queries += 1
        self._solver.conf_budget(conflicts)
        answer: bool | None = self._solver.solve_limited(assumptions=assumptions)
        return answer

    def model(self) -> list[int]:
        """After ``solve`` has returned True: at index v - 1 the literal of variable v that is true."""
        model: list[int] = self._solver.get_model()
        return model

    def core(self) -> list[int]:
        """After ``solve`` has returned False: assumptions that cannot be true together, perhaps none."""
        return list(self._solver.get_core() or ())

    def prefer(self, literals: Sequence[int]) -> None:
        """From now on try these literals first; only for MiniSat and Glucose."""
        self._solver.set_phases(literals)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()


AddClause = Callable[[list[int]], object]

#: The largest number of literals of a conjunction; wider ones are split.
_WIDEST = 24


class GateClauses:
    """Clauses of a graph's gates; they are passed to ``add`` when a literal is first needed.

    ``variable`` maps nodes to solver variables; ``fresh`` makes further ones, ``largest`` is the last one so far.
    """

    def __init__(self, graph: Graph, add: AddClause) -> None:
        self._graph = graph
        self._add = add
        self.largest = 1
        self.variable: dict[int, int] = {0: -1}  # node 0 is FALSE
        add([1])

    def fresh(self) -> int:
        """A new solver variable."""
        self.largest += 1
        return self.largest

    def of_input(self, node: int) -> int:
        """The solver variable of an input."""
        variable = self.variable.get(node)
        if variable is None:
            variable = self.variable[node] = self.fresh()
        return variable

    def literal(self, literal: int) -> int:
        """The solver literal of a graph's literal; the new gates below it are added first, in linear time."""
        node = literal >> 1
        variable = self.variable.get(node)
        if variable is None:
            self._define(node)
            variable = self.variable[node]
        return -variable if literal & 1 else variable

    def literals(self, literals: Iterable[int]) -> list[int]:
        """``literal`` of all these literals."""
        return [self.literal(literal) for literal in literals]

    def _define(self, root: int) -> None:
        graph, variable = self._graph, self.variable
        left = graph.left
        stack: list[tuple[int, tuple[str, list[int]] | None]] = [(root, None)]
        while stack:
            node, shape = stack.pop()
            if node in variable:
                continue
            if left[node] == INPUT:
                self.of_input(node)
                continue
            if shape is None:
                shape = self._shape(node)
                missing = [(below >> 1, None) for below in shape[1] if below >> 1 not in variable]
                if missing:
                    stack.append((node, shape))
                    stack.extend(missing)
                    continue
            kind, operands = shape
            signals = [-variable[operand >> 1] if operand & 1 else variable[operand >> 1] for operand in operands]
            variable[node] = own = self.fresh()
            self._emit(kind, own, signals)

    def _emit(self, kind: str, own: int, signals: list[int]) -> None:
        add = self._add
        if kind == "and":
            for signal in signals:
                add([-own, signal])
            add([own, *(-signal for signal in signals)])
        elif kind == "xor":
            a, b = signals
            add([-own, a, b])
            add([-own, -a, -b])
            add([own, -a, b])
            add([own, a, -b])
        else:
            condition, a, b = signals
            add([-own, -condition, a])
            add([own, -condition, -a])
            add([-own, condition, b])
            add([own, condition, -b])
            add([-own, a, b])
            add([own, -a, -b])

    def _shape(self, node: int) -> tuple[str, list[int]]:
        """The kind of a gate: ``and`` of literals, ``xor`` of two, or ``choice`` (condition, then, else)."""
        left, right = self._graph.left, self._graph.right
        a, b = left[node], right[node]
        if a & 1 and b & 1:
            x, y, u, v = left[a >> 1], right[a >> 1], left[b >> 1], right[b >> 1]
            if INPUT not in (x, u):
                if x ^ 1 in (u, v) and y ^ 1 in (u, v):  # !(x & y) & !(!x & !y)
                    return "xor", [x, y]
                for condition, then, other, rest in ((x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)):
                    if condition ^ 1 == other:  # !(c & t) & !(!c & e)
                        return "choice", [condition, then ^ 1, rest ^ 1]
        return "and", self._operands(node)

    def _operands(self, node: int) -> list[int]:
        """The literals whose conjunction a gate is; gates that only one other gate reads are merged into it."""
        left, right, uses, variable = self._graph.left, self._graph.right, self._graph.uses, self.variable
        leaves: dict[int, None] = {}
        stack = [right[node], left[node]]
        while stack:
            literal = stack.pop()
            below = literal >> 1
            if (
                literal & 1
                or left[below] == INPUT
                or uses[below] > 1
                or below in variable
                or len(leaves) + len(stack) >= _WIDEST
            ):
                leaves[literal] = None
            else:
                stack.append(right[below])
                stack.append(left[below])
        return list(leaves)
