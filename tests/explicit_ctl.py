"""CTL on the explicit state graph: the judge of the symbolic fix-points.

Only what NuSMV's semantics says: the initial states from which a fair path starts must satisfy the formula,
and paths are fair. Fairness is decided by strongly connected components, bounded operators by recursion
over the bounds, everything else by the textbook's fixed points on sets of states.
"""

from __future__ import annotations

from functools import cache

from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import CTL_OPERATORS, Constant, Expression, Operation, subexpressions
from tests.brute_force import Explicit, State, _fair_cores


class ExplicitCtl:
    """The reachable states of a system, and where CTL formulas hold among them."""

    def __init__(self, system: FlatSystem) -> None:
        self.system = system
        self.graph = Explicit(system)
        self.initial = self.graph.initial_states()
        self.states = list(self.graph.reachable())
        self.edges = [edge for state in self.states for edge in self.graph.edges(state)]
        self.fair = self.graph.fair_states(self.states)
        self.successors: dict[State, set[State]] = {state: set() for state in self.states}
        for source, _, target in self.edges:
            if target in self.fair:
                self.successors[source].add(target)

    def holds(self, expression: Expression) -> bool:
        """The verdict on a CTL property."""
        return (set(self.initial) & self.fair) <= self.satisfying(expression)

    def satisfying(self, expression: Expression) -> set[State]:
        """The fair states in which the formula holds."""
        parts = subexpressions(expression)
        if not any(isinstance(part, Operation) and part.operator in CTL_OPERATORS for part in parts):
            return self.graph.satisfying(expression, self.states) & self.fair
        assert isinstance(expression, Operation)
        operator = expression.operator
        if operator in ("ABU", "EBU", "ABF", "EBF", "ABG", "EBG"):
            return self._bounded(expression)
        sets = [self.satisfying(operand) for operand in expression.operands]
        first, last = sets[0], sets[-1]
        match operator:
            case "not":
                return self.fair - first
            case "and":
                return set.intersection(*sets)
            case "or":
                return set.union(*sets)
            case "implies":
                return (self.fair - first) | last
            case "iff" | "xnor" | "xor":
                odd = {state for state in self.fair if sum(state in each for each in sets) % 2}
                same = odd if len(sets) % 2 else self.fair - odd
                return odd if operator == "xor" else same
            case "EX":
                return {state for state in self.fair if self.successors[state] & first}
            case "AX":
                return {state for state in self.fair if self.successors[state] <= first}
            case "EF":
                return self._until(self.fair, first)
            case "AG":
                return self.fair - self._until(self.fair, self.fair - first)
            case "EU":
                return self._until(first, last)
            case "EG":
                return self._always(first)
            case "AF":
                return self.fair - self._always(self.fair - first)
            case "AU":
                not_last = self.fair - last
                return self.fair - self._always(not_last) - self._until(not_last, not_last - first)
        raise AssertionError(operator)

    def _until(self, hold: set[State], goal: set[State]) -> set[State]:
        found = set(goal)
        while True:
            grown = found | {state for state in hold if self.successors[state] & found}
            if grown == found:
                return found
            found = grown

    def _always(self, hold: set[State]) -> set[State]:
        edges = [edge for edge in self.edges if edge[0] in hold and edge[2] in hold]
        source = self.system
        justice = [self.graph._edges_where(item.expression, edges) for item in source.justice]
        pairs = [
            (self.graph._edges_where(often.expression, edges), self.graph._edges_where(answer.expression, edges))
            for often, answer in source.compassion
        ]
        found = _fair_cores(edges, justice, pairs)
        while True:
            grown = found | {origin for origin, _, target in edges if target in found}
            if grown == found:
                return found
            found = grown

    def _bounded(self, expression: Operation) -> set[State]:
        *formulas, low, high = expression.operands
        assert isinstance(low, Constant)
        assert isinstance(high, Constant)
        sets = [self.satisfying(each) for each in formulas]
        goal, hold = sets[-1], sets[0] if len(sets) == 2 else self.fair
        some = any if expression.operator[0] == "E" else all

        @cache
        def until(state: State, least: int, most: int) -> bool:
            if least == 0 and state in goal:
                return True
            if most == 0 or state not in hold:
                return False
            return some(until(each, max(least - 1, 0), most - 1) for each in self.successors[state])

        @cache
        def always(state: State, least: int, most: int) -> bool:
            if least == 0 and state not in goal:
                return False
            return most == 0 or some(always(each, max(least - 1, 0), most - 1) for each in self.successors[state])

        check = always if expression.operator[-1] == "G" else until
        return {state for state in self.fair if check(state, int(low.value), int(high.value))}
