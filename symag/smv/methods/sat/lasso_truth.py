"""LTL with past along the lassos of a bounded search, as literals.

A lasso repeats its states, while the values of past operators may still change for some rounds of the loop: each goes
from one round to the next by a monotone function, so operators nested d deep repeat after d rounds. The formula is
evaluated along d + 1 rounds, the last of which repeats, without more states. Source: Benedetti, Cimatti, "Bounded model
checking for past LTL" (TACAS 2003), which calls this virtual unrolling.
"""

from __future__ import annotations

from symag.smv.circuits.graph import FALSE, TRUE
from symag.smv.methods.sat.steps import Steps
from symag.smv.model.typed import Expression, Operation
from symag.smv.temporal.tableau import bounds_of, is_temporal


def truth_along(steps: Steps, formula: Expression, loop: int, length: int) -> int:
    """A literal that is true iff a formula is true at the start of the lasso from step 0 to ``length`` and to ``loop``.

    It means something only where the states at both are equal. Costs the formula's size times the steps times the
    rounds, each time.
    """
    return _LassoTruth(steps, loop, length, past_depth(formula)).of(formula)[0]


def past_depth(formula: Expression) -> int:
    """How deep past operators are nested; a bounded one counts as many as it looks back at most."""
    if not is_temporal(formula):
        return 0
    assert isinstance(formula, Operation)
    below = max(past_depth(operand) for operand in formula.operands)
    if formula.operator not in "YZOHST":
        return below
    bounds = bounds_of(formula)
    return below + (1 if bounds is None else bounds[1])


class _LassoTruth:
    """The literals of sub-formulas at all positions of a word, whose last ``period`` positions repeat for ever."""

    def __init__(self, steps: Steps, loop: int, length: int, depth: int) -> None:
        self._steps = steps
        self._graph = steps.graph
        self._word = [*range(length), *list(range(loop, length)) * depth]
        self._after = [*range(1, len(self._word)), len(self._word) - (length - loop)]
        self._columns: dict[int, list[int]] = {}

    def of(self, formula: Expression) -> list[int]:
        """The literal of a sub-formula at every position."""
        if id(formula) not in self._columns:
            self._columns[id(formula)] = self._built(formula)
        return self._columns[id(formula)]

    def _built(self, formula: Expression) -> list[int]:
        if not is_temporal(formula):
            return [self._steps.truth(formula, step) for step in self._word]
        assert isinstance(formula, Operation)
        bounds = bounds_of(formula)
        if bounds is not None:
            return self._bounded(formula.operator, self.of(formula.operands[0]), *bounds)
        return self._operation(formula.operator, [self.of(operand) for operand in formula.operands])

    def _operation(self, operator: str, columns: list[list[int]]) -> list[int]:
        graph, first, last = self._graph, columns[0], columns[-1]
        always = [TRUE] * len(first)
        match operator:
            case "not":
                return _negated(first)
            case "and":
                return [graph.all(row) for row in zip(*columns, strict=True)]
            case "or":
                return [graph.any(row) for row in zip(*columns, strict=True)]
            case "implies":
                return [graph.disjunction(a ^ 1, b) for a, b in zip(first, last, strict=True)]
            case "xor" | "iff" | "xnor":
                return [graph.equal(a, b) ^ (operator == "xor") for a, b in zip(first, last, strict=True)]
            case "X":
                return [first[after] for after in self._after]
            case "Y" | "Z":
                return [TRUE if operator == "Z" else FALSE, *first[:-1]]
            case "F":
                return self._until(always, last)
            case "U":
                return self._until(first, last)
            case "G":
                return _negated(self._until(always, _negated(last)))
            case "V":
                return _negated(self._until(_negated(first), _negated(last)))
            case "O":
                return self._since(always, last)
            case "S":
                return self._since(first, last)
            case "H":
                return _negated(self._since(always, _negated(last)))
            case _:
                assert operator == "T"
                return _negated(self._since(_negated(first), _negated(last)))

    def _until(self, holds: list[int], goal: list[int]) -> list[int]:
        graph, truths = self._graph, list(goal)
        for _ in range(2):  # the second round brings the truth at the loop's start to its end
            for k in reversed(range(len(truths))):
                truths[k] = graph.disjunction(truths[k], graph.conjunction(holds[k], truths[self._after[k]]))
        return truths

    def _since(self, holds: list[int], goal: list[int]) -> list[int]:
        graph, truths = self._graph, goal[:1]
        for held, met in zip(holds[1:], goal[1:], strict=True):
            truths.append(graph.disjunction(met, graph.conjunction(held, truths[-1])))
        return truths

    def _bounded(self, operator: str, body: list[int], low: int, high: int) -> list[int]:
        """As in NuSMV a step before the first is false, for ``H`` too."""
        step = "X" if operator in "FG" else "Y"
        joined = self._graph.disjunction if operator in "FO" else self._graph.conjunction
        truths = body
        for count in range(high):
            truths = self._operation(step, [truths])
            if count < high - low:
                truths = [joined(one, other) for one, other in zip(body, truths, strict=True)]
        return truths


def _negated(literals: list[int]) -> list[int]:
    return [literal ^ 1 for literal in literals]
