"""PSL with sequences, evaluated exactly along a lasso."""

from __future__ import annotations

from symag.core.errors import CertificationError
from symag.core.trace import Trace
from symag.smv.certify.properties import LOGICAL
from symag.smv.certify.runs.runs import outcomes, truth
from symag.smv.certify.sequences.derivatives import Residue, can_match, derivative, is_nullable, residue_of
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression, Operation

_TEMPORAL = frozenset(("X", "F", "G", "U", "V"))


def holds_along(system: FlatSystem, formula: Expression, trace: Trace) -> bool:
    """Whether a formula with sequences is true at the beginning of a lasso. Raises CertificationError."""
    if trace.kind != "lasso" or trace.loop is None:
        raise CertificationError("a PSL formula is evaluated along infinite runs only")
    return _Word(system, trace, trace.loop).truths(formula)[0]


class _Word:
    """The positions of a lasso; a formula has one truth at each."""

    def __init__(self, system: FlatSystem, trace: Trace, loop: int) -> None:
        self._system = system
        self._trace = trace
        self._length = len(trace.steps)
        self._next = [*range(1, self._length), loop]

    def truths(self, formula: Expression) -> list[bool]:
        """The truth at every position."""
        if isinstance(formula, Operation):
            operator, operands = formula.operator, formula.operands
            if operator.startswith("seq "):
                return self._sequence(operator, operands)
            if _is_linear(formula):
                return self._combined(operator, [self.truths(operand) for operand in operands])
        return [
            truth(self._system, row[0], "the property", number)
            for number, row in outcomes(self._system, [formula], self._trace)
        ]

    def _combined(self, operator: str, parts: list[list[bool]]) -> list[bool]:
        rows = list(zip(*parts, strict=True))
        match operator:
            case "not":
                return [not row[0] for row in rows]
            case "and":
                return [all(row) for row in rows]
            case "or":
                return [any(row) for row in rows]
            case "implies":
                return [not row[0] or row[1] for row in rows]
            case "iff" | "xnor":
                return [row[0] == row[1] for row in rows]
            case "xor":
                return [row[0] != row[1] for row in rows]
            case "X":
                return [parts[0][following] for following in self._next]
            case "F":
                return self._until([True] * self._length, parts[0])
            case "G":
                return [not value for value in self._until([True] * self._length, [not value for value in parts[0]])]
            case "U":
                return self._until(parts[0], parts[1])
        # q V p is the negation of (not q) U (not p)
        released = self._until([not value for value in parts[0]], [not value for value in parts[1]])
        return [not value for value in released]

    def _until(self, left: list[bool], right: list[bool]) -> list[bool]:
        truths = list(right)
        for _ in range(self._length):
            truths = [now or (left[k] and truths[self._next[k]]) for k, now in enumerate(truths)]
        return truths

    def _sequence(self, operator: str, operands: tuple[Expression, ...]) -> list[bool]:
        letters: list[Expression] = []
        start = residue_of(operands[0], letters)
        columns = [self.truths(letter) for letter in letters]
        rows = [tuple(column[k] for column in columns) for k in range(self._length)]
        goal = self.truths(operands[1]) if operator == "seq |->" else [False] * self._length
        return [self._from(position, start, rows, goal, operator) for position in range(self._length)]

    def _from(
        self, position: int, start: Residue, rows: list[tuple[bool, ...]], goal: list[bool], operator: str
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
            position = self._next[position]
        # No match has decided, the word repeats, and every beginning of it could be continued to a match.
        return operator != "seq {}!"


def _is_linear(formula: Expression) -> bool:
    if not isinstance(formula, Operation):
        return False
    if formula.operator.startswith("seq ") or formula.operator in _TEMPORAL:
        return True
    return formula.operator in LOGICAL and any(_is_linear(operand) for operand in formula.operands)
