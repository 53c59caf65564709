"""PSL with sequences, evaluated exactly along a lasso."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.errors import CertificationError
from symag.core.trace import Trace
from symag.smv.certify.properties import LOGICAL
from symag.smv.certify.runs.lasso import LassoEvaluation
from symag.smv.certify.runs.runs import truths
from symag.smv.certify.sequences.derivatives import Residue, can_match, derivative, is_nullable, residue_of
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression, Operation

_TEMPORAL = frozenset(("X", "F", "G", "U", "V"))


def holds_along(system: FlatSystem, formula: Expression, trace: Trace) -> bool:
    """Whether a formula with sequences is true at the beginning of a lasso. Raises CertificationError."""
    if trace.kind != "lasso" or trace.loop is None:
        raise CertificationError("a PSL formula is evaluated along infinite runs only")
    return _Word(system, trace, trace.loop).of(formula)[0]


class _Word(LassoEvaluation):
    """The positions of a lasso; formulas may have sequences, and atoms are evaluated where they occur."""

    def __init__(self, system: FlatSystem, trace: Trace, loop: int) -> None:
        super().__init__({}, len(trace.steps), len(trace.steps) - loop)
        self._system = system
        self._trace = trace

    def of(self, formula: Expression) -> Sequence[bool]:
        if isinstance(formula, Operation) and formula.operator.startswith("seq "):
            return self._sequence(formula.operator, formula.operands)
        if _is_linear(formula):
            return super().of(formula)
        return [row[0] for row in truths(self._system, [formula], self._trace)]

    def _sequence(self, operator: str, operands: tuple[Expression, ...]) -> list[bool]:
        letters: list[Expression] = []
        start = residue_of(operands[0], letters)
        columns = [self.of(letter) for letter in letters]
        rows = [tuple(column[k] for column in columns) for k in range(self.length)]
        goal = self.of(operands[1]) if operator == "seq |->" else [False] * self.length
        return [self._from(position, start, rows, goal, operator) for position in range(self.length)]

    def _from(
        self, position: int, start: Residue, rows: list[tuple[bool, ...]], goal: Sequence[bool], operator: str
    ) -> bool:
        """The truth at a position. The pairs of a step and a residue repeat in the end, for both are finitely many."""
        residue = start
        seen: set[tuple[int, Residue]] = set()
        while (position, residue) not in seen:
            seen.add((position, residue))
            residue = derivative(residue, rows[position])
            if is_nullable(residue):
                if operator != "seq |->":
                    return True
                if not goal[position]:
                    return False
            if not can_match(residue, len(rows[position])):
                return operator == "seq |->"
            position = self.after[position]
        # No match has decided, the word repeats, and every beginning of it could be continued to a match.
        return operator != "seq {}!"


def _is_linear(formula: Expression) -> bool:
    if not isinstance(formula, Operation):
        return False
    if formula.operator.startswith("seq ") or formula.operator in _TEMPORAL:
        return True
    return formula.operator in LOGICAL and any(_is_linear(operand) for operand in formula.operands)
