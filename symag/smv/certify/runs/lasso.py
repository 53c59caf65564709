"""LTL with past, evaluated exactly along a lasso.

The word of a lasso repeats from its loop on. The truth of a formula repeats too, but perhaps later: with d past
operators nested in one another it repeats after d rounds of the loop at the latest. (The value of a past operator after
a round is a monotone function of its value before: a constant, or the same value.) So the word is written out for d + 1
rounds of the loop, and its last round repeats. (Markey and Schnoebelen, "Model checking a path", CONCUR 2003.)
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.errors import CertificationError
from symag.core.trace import Trace
from symag.smv.certify.properties import LINEAR, has_operator
from symag.smv.certify.runs.runs import truths
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Constant, Expression, Operation

_PAST = frozenset(("Y", "Z", "H", "O", "S", "T"))


def holds_along(system: FlatSystem, formula: Expression, trace: Trace) -> bool:
    """Whether an LTL formula is true at the beginning of a lasso. Raises CertificationError as ``truths_along``."""
    return truths_along(system, formula, trace)[0]


def truths_along(system: FlatSystem, formula: Expression, trace: Trace) -> tuple[bool, ...]:
    """The truth of an LTL formula at every step of a lasso, at the first visit of the step.

    Raises CertificationError if a part of the formula has no value. Costs its size times the steps times the rounds.
    """
    if trace.kind != "lasso" or trace.loop is None:
        raise CertificationError("an LTL formula is evaluated along infinite runs only")
    with deep_recursion():
        distinct = list({id(atom): atom for atom in atoms(formula)}.values())
        rows = truths(system, distinct, trace)
        rounds = past_depth(formula) + 1
        period = len(trace.steps) - trace.loop
        word = rows[: trace.loop] + rows[trace.loop :] * rounds
        columns = {id(atom): [row[index] for row in word] for index, atom in enumerate(distinct)}
        return tuple(LassoEvaluation(columns, len(word), period).of(formula)[: len(trace.steps)])


def atoms(formula: Expression) -> list[Expression]:
    """The largest parts of an LTL formula without temporal operators, with repetitions."""
    if not has_operator(formula, LINEAR):
        return [formula]
    assert isinstance(formula, Operation)
    operands = formula.operands[:1] if has_bounds(formula) else formula.operands
    return [atom for operand in operands for atom in atoms(operand)]


def past_depth(formula: Expression) -> int:
    """How deep past operators are nested; a bounded one counts once for each step up to its bound, and once more."""
    if not has_operator(formula, LINEAR):
        return 0
    assert isinstance(formula, Operation)
    below = max(past_depth(operand) for operand in formula.operands)
    if formula.operator not in _PAST:
        return below
    return below + (max(bounds_of(formula)) + 1 if has_bounds(formula) else 1)


def has_bounds(formula: Operation) -> bool:
    """Whether it is ``F [low, high] f``, or the same with ``G``, ``H`` or ``O``."""
    return formula.operator in ("F", "G", "H", "O") and len(formula.operands) == 3


def bounds_of(formula: Operation) -> tuple[int, int]:
    """The bounds of such a formula."""
    low, high = formula.operands[1:]
    assert isinstance(low, Constant)
    assert isinstance(high, Constant)
    assert isinstance(low.value, int)
    assert isinstance(high.value, int)
    return low.value, high.value


class LassoEvaluation:
    """The truths of formulas at every position of a word, whose last ``period`` positions repeat for ever.

    ``columns`` are the truths of atoms by their ``id``; ``after`` is the position that follows each one.
    """

    def __init__(self, columns: dict[int, list[bool]], length: int, period: int) -> None:
        self._columns = columns
        self.length = length
        self.after = [*range(1, length), length - period]

    def of(self, formula: Expression) -> Sequence[bool]:
        """The truth of a formula, whose atoms have columns, at every position."""
        if id(formula) in self._columns:
            return self._columns[id(formula)]
        assert isinstance(formula, Operation)
        if has_bounds(formula):
            return self.bounded(formula.operator, self.of(formula.operands[0]), *bounds_of(formula))
        values = [self.of(operand) for operand in formula.operands]
        return self.operation(formula.operator, values[0], values[-1], values)

    def operation(
        self, operator: str, first: Sequence[bool], last: Sequence[bool], values: Sequence[Sequence[bool]]
    ) -> Sequence[bool]:
        """An operator's truths from those of its first and last operand; of ``and`` and ``or`` from all ``values``."""
        always = [True] * self.length
        match operator:
            case "not":
                return [not value for value in first]
            case "and":
                return [all(row) for row in zip(*values, strict=True)]
            case "or":
                return [any(row) for row in zip(*values, strict=True)]
            case "implies":
                return [not a or b for a, b in zip(first, last, strict=True)]
            case "xor":
                return [a != b for a, b in zip(first, last, strict=True)]
            case "iff" | "xnor":
                return [a == b for a, b in zip(first, last, strict=True)]
            case "X":
                return [first[after] for after in self.after]
            case "Y":
                return [False, *first[:-1]]
            case "Z":
                return [True, *first[:-1]]
            case "F":
                return self._until(always, last)
            case "U":
                return self._until(first, last)
            case "G":
                return _negated(self._until(always, _negated(last)))
            case "V":
                return _negated(self._until(_negated(first), _negated(last)))
            case "O":
                return _since(always, last)
            case "S":
                return _since(first, last)
            case "H":
                return _negated(_since(always, _negated(last)))
            case "T":
                return _negated(_since(_negated(first), _negated(last)))
        raise CertificationError(f"no replay exists for the operator {operator}")

    def _until(self, hold: Sequence[bool], goal: Sequence[bool]) -> list[bool]:
        truths = list(goal)
        for _ in range(2):  # the second round brings the truth at the loop's start to its end
            for index in range(self.length - 1, -1, -1):
                truths[index] = truths[index] or (hold[index] and truths[self.after[index]])
        return truths

    def bounded(self, operator: str, value: Sequence[bool], low: int, high: int) -> Sequence[bool]:
        """``F``, ``G``, ``O`` or ``H`` with bounds. As NuSMV, a step before the beginning is false for ``H`` too."""
        step = "X" if operator in "FG" else "Y"
        combined = any if operator in "FO" else all
        if low > high:
            return [operator in "GH"] * self.length
        truths = value
        for _ in range(high - low):
            later = self.operation(step, truths, truths, ())
            truths = [combined(both) for both in zip(value, later, strict=True)]
        for _ in range(low):
            truths = self.operation(step, truths, truths, ())
        return truths


def _since(hold: Sequence[bool], goal: Sequence[bool]) -> list[bool]:
    truths: list[bool] = []
    for index, met in enumerate(goal):
        truths.append(met or (index > 0 and hold[index] and truths[-1]))
    return truths


def _negated(values: Sequence[bool]) -> list[bool]:
    return [not value for value in values]
