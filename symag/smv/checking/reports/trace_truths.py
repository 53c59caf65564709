"""Few truths of the atoms of an LTL formula that make it false along a run, whatever all others are.

A formula is evaluated with two columns for each part: an upper bound of its truth, and a lower bound. An atom whose
truth at a step is unknown has the upper bound TRUE and the lower bound FALSE there, at every visit of the step. If the
upper bound of the formula in the first state is FALSE, the known truths are enough. Truths are left out, in halves and
halves of halves, as long as the others are still enough.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symag.core.limits import Deadline, OutOfTimeError
from symag.core.trace import Trace
from symag.smv.certify.properties import BRANCHING
from symag.smv.certify.runs.lasso import LassoEvaluation, atoms, bounds_of, has_bounds, past_depth
from symag.smv.certify.runs.runs import outcomes
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import expression_text
from symag.smv.model.typed import Expression, Operation, has_operator

#: An atom's truth at a step: its number among the atoms, and the step.
_Place = tuple[int, int]
#: For a part of the formula, the upper and the lower bound of its truth at every position.
_Bounds = tuple[Sequence[bool], Sequence[bool]]
_OF_ALL_RUNS = {"AX": "X", "AF": "F", "AG": "G", "AU": "U"}
_OF_SOME_RUN = {"EX": "X", "EF": "F", "EG": "G", "EU": "U"}


def linear_formula(checked: Property) -> Expression | None:
    """The LTL formula that a run has to violate in order to violate the property; None if there is none.

    Of a CTL formula whose quantifiers all speak of all runs it is the formula without them: if the CTL formula holds,
    so does that on every run.
    """
    if checked.expression is None:
        return None
    if checked.kind == "LTL":
        return checked.expression
    with deep_recursion():
        return _without_quantifiers(checked.expression, True) if checked.kind == "CTL" else None


def _without_quantifiers(formula: Expression, positive: bool) -> Expression | None:
    if not isinstance(formula, Operation) or not has_operator(formula, BRANCHING):
        return formula
    operator, signs = formula.operator, [positive] * len(formula.operands)
    if operator in (_OF_ALL_RUNS if positive else _OF_SOME_RUN):
        operator = (_OF_ALL_RUNS if positive else _OF_SOME_RUN)[operator]
    elif operator == "not":
        signs = [not positive]
    elif operator == "implies":
        signs = [not positive, positive]
    elif operator not in ("and", "or"):
        return None
    operands = []
    for operand, sign in zip(formula.operands, signs, strict=True):
        inner = _without_quantifiers(operand, sign)
        if inner is None:
            return None
        operands.append(inner)
    return Operation(operator, tuple(operands), formula.type, formula.position)


def false_because(
    system: FlatSystem, formula: Expression, trace: Trace, deadline: Deadline
) -> list[tuple[Expression, bool, int]] | None:
    """Few atoms with their truths at steps of a finite run or a lasso that make the formula false on every such run.

    None if all of them together do not: a part has no value, or a finite run has a continuation that satisfies the
    formula. At the deadline the smallest set so far is returned.
    """
    with deep_recursion():
        search = _Search(system, formula, trace)
        known = search.known()
        if not search.is_false(known):
            return None
        try:
            known = _fewer(search, known, deadline)
        except OutOfTimeError:
            known = search.enough
    return [(search.atoms[number], search.truths[number, step], step) for number, step in sorted(known)]


class _Search:
    """``enough`` is the smallest set of places so far with which the formula is false."""

    def __init__(self, system: FlatSystem, formula: Expression, trace: Trace) -> None:
        self._formula = formula
        self._loop, self._steps = trace.loop, len(trace.steps)
        distinct: dict[str, int] = {}
        self._number = {id(atom): distinct.setdefault(expression_text(atom), len(distinct)) for atom in atoms(formula)}
        by_number = {self._number[id(atom)]: atom for atom in atoms(formula)}
        self.atoms = [by_number[number] for number in range(len(by_number))]
        self.truths: dict[_Place, bool] = {}
        for (_, row), step in zip(outcomes(system, self.atoms, trace), range(self._steps), strict=True):
            self.truths.update(((number, step), value) for number, value in enumerate(row) if isinstance(value, bool))
        # A finite run is continued by one more step, of which nothing is known, for ever.
        loop = self._steps if self._loop is None else self._loop
        length = self._steps + (self._loop is None)
        rounds = past_depth(formula) + 1
        self._word = [*range(loop), *[*range(loop, length)] * rounds]
        self._period = length - loop
        self.enough: list[_Place] = []

    def known(self) -> list[_Place]:
        return sorted(self.truths, key=lambda place: (place[1], place[0]))

    def is_false(self, places: Collection[_Place]) -> bool:
        """Whether the formula is false in the first state if only these truths are known."""
        most, least = [], []
        for number in range(len(self.atoms)):
            known = {step: self.truths[number, step] for n, step in places if n == number}
            most.append([known.get(step, True) for step in self._word])
            least.append([known.get(step, False) for step in self._word])
        evaluation = LassoEvaluation({}, len(self._word), self._period)
        answer = not self._bounds(self._formula, evaluation, most, least)[0][0]
        if answer:
            self.enough = list(places)
        return answer

    def _bounds(
        self, formula: Expression, evaluation: LassoEvaluation, most: Sequence[list[bool]], least: Sequence[list[bool]]
    ) -> _Bounds:
        if id(formula) in self._number:
            return most[self._number[id(formula)]], least[self._number[id(formula)]]
        assert isinstance(formula, Operation)
        inner = formula.operands[:1] if has_bounds(formula) else formula.operands
        bounds = [self._bounds(operand, evaluation, most, least) for operand in inner]
        if formula.operator in ("iff", "xnor", "xor", "implies", "not"):
            return _mixed(formula.operator, bounds)
        both = []
        for values in zip(*bounds, strict=True):
            if has_bounds(formula):
                both.append(evaluation.bounded(formula.operator, values[0], *bounds_of(formula)))
            else:
                both.append(evaluation.operation(formula.operator, values[0], values[-1], values))
        return both[0], both[1]


def _mixed(operator: str, bounds: Sequence[_Bounds]) -> _Bounds:
    """The bounds of operators that are not monotone."""
    (most, least), (other_most, other_least) = bounds[0], bounds[-1]
    if operator == "not":
        return [not value for value in least], [not value for value in most]
    columns = zip(most, least, other_most, other_least, strict=True)
    if operator == "implies":
        pairs = [(not b or c, not a or d) for a, b, c, d in columns]
    elif operator == "xor":
        pairs = [((a and not d) or (not b and c), (b and not c) or (not a and d)) for a, b, c, d in columns]
    else:
        pairs = [((a and c) or (not b and not d), (b and d) or (not a and not c)) for a, b, c, d in columns]
    return [upper for upper, _ in pairs], [lower for _, lower in pairs]


def _fewer(search: _Search, known: list[_Place], deadline: Deadline) -> list[_Place]:
    """Leaves out halves of the places that are not known to be needed (QuickXplain, Junker, AAAI 2004)."""

    def needed(background: list[_Place], grown: bool, rest: list[_Place]) -> list[_Place]:
        deadline.check()
        if grown and search.is_false(background):
            return []
        if len(rest) == 1:
            return rest
        half = len(rest) // 2
        right = needed([*background, *rest[:half]], True, rest[half:])
        left = needed([*background, *right], bool(right), rest[:half])
        return [*left, *right]

    return needed([], True, known) if known else []
