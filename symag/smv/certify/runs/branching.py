"""CTL properties that one path refutes: the truths of formulas that a path shows in its states.

A path with a fair infinite continuation can show that a formula with an existential path quantifier is true in one of
its states, or that a formula with a universal one is false, namely if the rest of the path is an example. It shows
nothing that depends on all paths. Clarke, Jha, Lu and Veith, "Tree-like counterexamples in model checking" (LICS 2002),
call the formulas that always have such a counterexample linear.
"""

from __future__ import annotations

from collections.abc import Iterator

from symag.core.trace import Trace
from symag.smv.certify.properties import BRANCHING, has_operator
from symag.smv.certify.runs.runs import truths
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression, Operation

#: For each operator with a universal quantifier, the dual one with an existential quantifier.
_DUAL = {"AX": "EX", "AF": "EG", "AG": "EF"}


def refutes(system: FlatSystem, formula: Expression, trace: Trace) -> bool:
    """Whether a run shows that its first state does not satisfy a CTL formula.

    The run is a fair infinite run, or the beginning of one. Costs the formula's size times the square of the number of
    steps.
    """
    with deep_recursion():
        path = _Path(system, formula, trace)
        return path.shows(formula, False, 0)


def shown_truths(system: FlatSystem, formula: Expression, trace: Trace) -> tuple[bool | None, ...]:
    """The truth of a CTL formula in each state of a run, None where the run does not show it.

    The run is a fair infinite run, or the beginning of one. Costs as much as ``refutes``.
    """
    with deep_recursion():
        path = _Path(system, formula, trace)
        return tuple(
            True if path.shows(formula, True, step) else False if path.shows(formula, False, step) else None
            for step in range(len(trace.steps))
        )


class _Path:
    """The truths that a path shows: ``_known`` says for (formula, value, step) whether it shows that value."""

    def __init__(self, system: FlatSystem, formula: Expression, trace: Trace) -> None:
        self._trace = trace
        self._known: dict[tuple[int, bool, int], bool] = {}
        atoms = list(_atoms(formula))
        self._atoms = {id(atom): index for index, atom in enumerate(atoms)}
        self._rows = truths(system, atoms, trace)

    def shows(self, formula: Expression, value: bool, step: int) -> bool:
        """Whether the path shows that the formula has this value in the state of a step."""
        key = id(formula), value, step
        if key not in self._known:
            self._known[key] = self._shows(formula, value, step)
        return self._known[key]

    def _shows(self, formula: Expression, value: bool, step: int) -> bool:
        if id(formula) in self._atoms:
            return self._rows[step][self._atoms[id(formula)]] is value
        assert isinstance(formula, Operation)
        operator, operands = formula.operator, formula.operands
        match operator:
            case "not":
                return self.shows(operands[0], not value, step)
            case "and" | "or":
                shown = [self.shows(operand, value, step) for operand in operands]
                return any(shown) if (operator == "or") is value else all(shown)
            case "implies":
                shown = [self.shows(operands[0], not value, step), self.shows(operands[1], value, step)]
                return any(shown) if value else all(shown)
            case "xor" | "xnor" | "iff":
                same = value is not (operator == "xor")
                return any(
                    self.shows(operands[0], side, step) and self.shows(operands[1], side is same, step)
                    for side in (True, False)
                )
            case "EX" | "EF" | "EG" if value:
                return self._along(operator, operands[0], True, step)
            case "AX" | "AF" | "AG" if not value:
                return self._along(_DUAL[operator], operands[0], False, step)
            case "EU" if value:
                return self._until(operands[0], operands[1], step)
            case "AU" if not value:
                return self._never_until(operands[0], operands[1], step)
        return False

    def _along(self, operator: str, operand: Expression, value: bool, step: int) -> bool:
        if operator == "EX":
            after = self._trace.after(step)
            return after is not None and self.shows(operand, value, after)
        if operator == "EF":
            return any(self.shows(operand, value, later) for later in self._trace.steps_from(step))
        return self._trace.kind == "lasso" and all(
            self.shows(operand, value, later) for later in self._trace.steps_from(step)
        )

    def _until(self, hold: Expression, goal: Expression, step: int) -> bool:
        for later in self._trace.steps_from(step):
            if self.shows(goal, True, later):
                return True
            if not self.shows(hold, True, later):
                return False
        return False

    def _never_until(self, hold: Expression, goal: Expression, step: int) -> bool:
        for later in self._trace.steps_from(step):
            if not self.shows(goal, False, later):
                return False
            if self.shows(hold, False, later):
                return True
        return self._trace.kind == "lasso"


def _atoms(formula: Expression) -> Iterator[Expression]:
    if isinstance(formula, Operation) and formula.operator in BRANCHING:
        for operand in formula.operands if formula.operator in ("AU", "EU") else formula.operands[:1]:
            yield from _atoms(operand)
    elif isinstance(formula, Operation) and has_operator(formula, BRANCHING):
        for operand in formula.operands:
            yield from _atoms(operand)
    else:
        yield formula
