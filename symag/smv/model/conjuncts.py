"""The conjuncts of constraints: those that have no variable in common are constraints of their own.

``INIT a = 0 & b = 0`` says as much as ``INIT a = 0`` and ``INIT b = 0``, but a constraint is in a cone of influence as
a whole, with all its variables. NuSMV separates all conjuncts; here those of one cone stay together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symag.core.values import replace
from symag.smv.model.failures import Failures
from symag.smv.model.flat import Constraint, FlatSystem
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Expression, conjunction, is_conjunction


def conjuncts(expression: Expression) -> Iterator[Expression]:
    """The operands of ``&`` at the top of an expression, from left to right; the expression itself if it is none."""
    stack = [expression]
    while stack:
        part = stack.pop()
        if is_conjunction(part):
            stack += reversed(part.operands)
        else:
            yield part


def with_independent_constraints(system: FlatSystem) -> FlatSystem:
    """The system with its INIT, INVAR and TRANS separated into constraints without common variables.

    A constraint that may fail to evaluate stays as it is: a conjunct can protect another one from that. The same object
    if nothing is separated. Linear in the size of the constraints.
    """
    groups = (system.init, system.invar, system.trans)
    separator = _Separator(system)
    init, invar, trans = (tuple(separator.separated(group)) for group in groups)
    if (len(init), len(invar), len(trans)) == tuple(map(len, groups)):
        return system
    return replace(system, init=init, invar=invar, trans=trans)


class _Separator:
    def __init__(self, system: FlatSystem) -> None:
        self._failures = Failures(system)
        self._supports = Supports(system)

    def separated(self, constraints: Iterable[Constraint]) -> Iterator[Constraint]:
        for constraint in constraints:
            parts = list(conjuncts(constraint.expression))
            groups = self._groups(parts) if len(parts) > 1 else [parts]
            if len(groups) == 1 or self._failures.possible(constraint):
                yield constraint
            else:
                yield from (Constraint(conjunction(*group), constraint.position) for group in groups)

    def _groups(self, parts: Sequence[Expression]) -> list[list[Expression]]:
        """The parts in groups without common variables, each group and all of them in their order."""
        variables = [self._supports.of(part).variables for part in parts]
        readers: dict[str, list[int]] = {}
        for number, names in enumerate(variables):
            for name in names:
                readers.setdefault(name, []).append(number)
        groups: list[list[Expression]] = []
        grouped: set[int] = set()
        for start in range(len(parts)):
            if start in grouped:
                continue
            grouped.add(start)
            group = [start]
            for number in group:  # which grows
                for name in variables[number]:
                    others = [other for other in readers.pop(name, ()) if other not in grouped]
                    grouped.update(others)
                    group += others
            groups.append([parts[number] for number in sorted(group)])
        return groups
