"""The negation of LTL with past along the rounds of a loop, as a monitor: a lasso need not repeat past values at once.

While the states of a loop repeat, the values of past operators may still change for some rounds: each goes from one
round to the next by a monotone function, so that operators nested d deep repeat after round d. Here the values of the
rounds 0 to d of one loop stand side by side. Round 0 goes on with the values before the loop, and the last one repeats.
Then a shortest run to the end of a loop is a shortest lasso of the system that violates the formula.

Sources: Benedetti, Cimatti, "Bounded model checking for past LTL" (TACAS 2003) for the rounds; Schuppan, Biere,
"Shortest counterexamples for symbolic model checking of LTL with past" (TACAS 2005) for a monitor that is tight.
"""

from __future__ import annotations

from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.graph import FALSE
from symag.smv.circuits.transitions import Latch
from symag.smv.methods.sat.lasso_monitor import LoopLatches
from symag.smv.methods.sat.lasso_truth import past_depth
from symag.smv.model.equal_expressions import EqualExpressions
from symag.smv.model.typed import Expression, Operation, conjunction, disjunction
from symag.smv.temporal.tableau import bounds_of, is_temporal


class RoundsOfLoop:
    """The monitor of one formula, whose latches and conditions are added to those of ``loop``.

    ``invariants`` must hold in every state; every loop must meet ``conditions``; ``inputs`` are the nodes of guesses.
    """

    def __init__(self, blasting: Blasting, loop: LoopLatches) -> None:
        self.invariants: list[int] = []
        self.conditions: list[int] = []
        self.inputs: list[int] = []
        self._blasting = blasting
        self._graph = blasting.graph
        self._loop = loop
        self._equal = EqualExpressions()
        self._unbounded: dict[int, Expression] = {}
        self._truths: dict[int, list[int]] = {}

    def violate(self, formula: Expression) -> None:
        """Require that the formula is false in the first state. Costs its size times the depth of past in it."""
        graph = self._graph
        first = graph.input()
        self._loop.latches.append(Latch(first >> 1, FALSE, True, None))
        self.invariants.append(graph.conjunction(first, self._truth(formula, 0)) ^ 1)

    def _truth(self, formula: Expression, number: int) -> int:
        """The value of a sub-formula in the current state of a round; of rounds after its last one, as there."""
        truths = self._of_rounds(self._equal.of(formula))
        return truths[min(number, len(truths) - 1)]

    def _of_rounds(self, formula: Expression) -> list[int]:
        if id(formula) not in self._truths:
            self._truths[id(formula)] = self._visit(formula)
        return self._truths[id(formula)]

    def _visit(self, formula: Expression) -> list[int]:
        if not is_temporal(formula):
            return [self._blasting.truth(formula)]
        assert isinstance(formula, Operation)
        bounds = bounds_of(formula)
        if bounds is not None:
            return self._of_rounds(self._equal.of(_unfolded(formula, *bounds)))
        rounds = range(past_depth(formula) + 1)
        operands = [[self._truth(operand, number) for operand in formula.operands] for number in rounds]
        match formula.operator:
            case "Y" | "Z" | "O" | "H" | "S" | "T":
                return self._past(formula.operator, operands)
            case "X" | "F" | "G" | "U" | "V":
                return self._future(formula.operator, operands)
            case _:
                return [self._logical(formula.operator, values) for values in operands]

    def _logical(self, operator: str, values: list[int]) -> int:
        graph, first, last = self._graph, values[0], values[-1]
        match operator:
            case "not":
                return first ^ 1
            case "and":
                return graph.all(values)
            case "or":
                return graph.any(values)
            case "implies":
                return graph.disjunction(first ^ 1, last)
            case _:
                assert operator in ("xor", "iff", "xnor")
                return graph.equal(first, last) ^ (operator == "xor")

    def _past(self, operator: str, operands: list[list[int]]) -> list[int]:
        """A latch remembers the value of the state before; in a later round it starts where the last one ended."""
        graph, loop = self._graph, self._loop
        memory = [graph.input() for _ in operands]
        goals = [self._goal(operator, values, adjacent) for values, adjacent in zip(operands, memory, strict=True)]
        for number, (own, goal) in enumerate(zip(memory, goals, strict=True)):
            if number == 0:
                loop.latches.append(Latch(own >> 1, goal, operator in "ZHT", None))
            else:
                loop.latches.append(Latch(own >> 1, graph.choice(loop.inside, goal, own), None, None))
        self._go_on(memory)
        return memory if operator in "YZ" else goals

    def _future(self, operator: str, operands: list[list[int]]) -> list[int]:
        """An input guesses the value in the next state, where a latch says what was guessed."""
        graph = self._graph
        guesses = [graph.input() for _ in operands]
        guessed = [graph.input() for _ in operands]
        self.inputs += [guess >> 1 for guess in guesses]
        goals = [self._goal(operator, values, adjacent) for values, adjacent in zip(operands, guesses, strict=True)]
        for own, guess, goal in zip(guessed, guesses, goals, strict=True):
            self._loop.latches.append(Latch(own >> 1, guess, None, None))
            self.invariants.append(graph.equal(own, goal))
        self._go_on(guessed)
        last = operands[-1][-1]
        if operator in "FU":
            self.conditions.append(graph.disjunction(last, goals[-1] ^ 1))
        elif operator in "GV":
            self.conditions.append(graph.disjunction(goals[-1], last ^ 1))
        return guesses if operator == "X" else goals

    def _goal(self, operator: str, operands: list[int], adjacent: int) -> int:
        """The value of an operator (of X, Y, Z: of its operand), given its own in the next or the last state."""
        graph, first, last = self._graph, operands[0], operands[-1]
        match operator:
            case "F" | "O":
                return graph.disjunction(last, adjacent)
            case "G" | "H":
                return graph.conjunction(last, adjacent)
            case "U" | "S":
                return graph.disjunction(last, graph.conjunction(first, adjacent))
            case "V" | "T":
                return graph.conjunction(last, graph.disjunction(first, adjacent))
            case _:
                return last

    def _go_on(self, rounds: list[int]) -> None:
        """Where a round ends, latches have the values with which the next one starts."""
        starts = [self._loop.at_start(own) for own in (rounds[1:] or rounds)]
        for own, start in zip(rounds, [*starts, starts[-1]] if len(rounds) > 1 else starts, strict=True):
            self._loop.require_equal(own, start)


def _unfolded(formula: Operation, low: int, high: int) -> Expression:
    """A bounded operator by X or Y, as in NuSMV (see ``tableau``)."""
    body = formula.operands[0]
    step = "X" if formula.operator in "FG" else "Y"
    joined = disjunction if formula.operator in "FO" else conjunction
    unfolded = body
    for count in range(high):
        unfolded = Operation(step, (unfolded,), formula.type, formula.position)
        if count < high - low:
            unfolded = joined(body, unfolded)
    return unfolded
