"""The structure of a TRANS before the encoding: a conjunction, whose operands may be disjunctions of events.

An event keeps some variables by equations ``next(x) = x``, mostly in defines that many events share. A large
model has thousands of events, and each keeps nearly all variables. Those equations are recognised here, and get
no diagrams.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.supports import Supports
from symag.smv.model.typed import DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import code_count

#: The least average share of the bits of state variables that an event keeps: with less, events are not local.
KEPT_SHARE = 0.3


class Operand(NamedTuple):
    """A boolean subexpression; ``primed`` if it stands under ``next``."""

    expression: Expression
    primed: bool = False


class KeepingOperand(NamedTuple):
    """An operand of a disjunction: ``kept`` keep their values, and all of ``rest`` holds."""

    kept: frozenset[str]
    rest: tuple[Operand, ...]


class ConjunctOfTrans(Struct, frozen=True, eq=False):
    """An operand of a constraint's topmost ``and``.

    If it is a disjunction of two or more operands, and each keeps some variables, ``choices`` are these operands.
    """

    whole: Operand
    choices: tuple[KeepingOperand, ...]


def parts_of_trans(system: FlatSystem) -> tuple[tuple[ConjunctOfTrans, ...], ...]:
    """The parts of each TRANS. Each define is read once, however many events refer to it."""
    reader = _Reader(system.defines)
    return tuple(reader.parts(constraint.expression) for constraint in system.trans)


def conjuncts(defines: Mapping[str, Expression], expression: Expression) -> list[Operand]:
    """The operands of an expression's topmost ``and``, also inside defines; else the expression itself."""
    return _Reader(defines).operands(Operand(expression), "and")


#: A variable that selects interactions has at least and at most this number of values.
_SELECTING = range(3, 513)


def interaction_variable(system: FlatSystem) -> str | None:
    """The variable that may select interactions (see ``interactions``), or None, also without INVAR. Linear time.

    At least half of the relations read it, and none relates its next value to a current one.
    """
    if not system.trans or not system.invar:
        return None
    supports = Supports(system)
    relations = [assignment.value for assignment in system.assignments if assignment.time == "next"]
    relations += [part.expression for item in system.trans for part in conjuncts(system.defines, item.expression)]
    reads = [supports.of(relation) for relation in relations]
    bound = {assignment.variable for assignment in system.assignments}.union(
        *(read.next for read in reads if read.current)
    )
    readers = {
        variable.name: sum(variable.name in read.current for read in reads)
        for variable in system.variables
        if variable.kind is not VariableKind.FROZEN
        and variable.name not in bound
        and variable.name != system.selector
        and code_count(variable.type) in _SELECTING
    }
    best = max(readers, key=lambda name: readers[name], default=None)
    return best if best is not None and 2 * readers[best] >= len(reads) else None


def is_relational(system: FlatSystem) -> bool:
    """Whether TRANS alone says what follows a state, and no conjunct of it is an equation ``next(x) = e``. Linear.

    A circuit may be written with such equations.
    """
    if not system.trans or any(assignment.time == "next" for assignment in system.assignments):
        return False
    parts = (part.expression for item in system.trans for part in conjuncts(system.defines, item.expression))
    return not any(_gives_next_value(part) for part in parts)


def _gives_next_value(part: Expression) -> bool:
    """Whether it is an equation with a next value as one side."""
    if not isinstance(part, Operation) or part.operator not in ("=", "iff", "xnor"):
        return False
    return any(isinstance(side, VariableReference) and side.primed for side in part.operands)


class _Reader:
    def __init__(self, defines: Mapping[str, Expression]) -> None:
        self._defines = defines
        self._of_define: dict[tuple[str, bool], KeepingOperand] = {}

    def parts(self, expression: Expression) -> tuple[ConjunctOfTrans, ...]:
        return tuple(
            ConjunctOfTrans(operand, self._choices(operand)) for operand in self.operands(Operand(expression), "and")
        )

    def operands(self, whole: Operand, operator: Literal["and", "or"]) -> list[Operand]:
        result: list[Operand] = []
        stack = [whole]
        seen: set[tuple[str, bool]] = set()
        while stack:
            part = stack.pop()
            expression, primed = part
            if isinstance(expression, Operation) and expression.operator == operator:
                stack.extend([Operand(operand, primed) for operand in reversed(expression.operands)])
            elif isinstance(expression, DefineReference):
                self._push(expression, primed, stack, seen)
            else:
                result.append(part)
        return result

    def _push(
        self, reference: DefineReference, primed: bool, stack: list[Operand], seen: set[tuple[str, bool]]
    ) -> None:
        """Push the body of a define, once: ``and`` and ``or`` are idempotent."""
        key = reference.name, primed or reference.primed
        if key not in seen:
            seen.add(key)
            stack.append(Operand(self._defines[reference.name], key[1]))

    def _choices(self, whole: Operand) -> tuple[KeepingOperand, ...]:
        operands = self.operands(whole, "or")
        choices: list[KeepingOperand] = []
        for operand in operands if len(operands) > 1 else ():
            choice = self._choice(operand)
            if not choice.kept:
                return ()
            choices.append(choice)
        return tuple(choices)

    def _choice(self, operand: Operand, *, inside_define: bool = False) -> KeepingOperand:
        """The variables that an operand keeps, and its other conjuncts. Defines inside defines need no recursion."""
        seen: set[tuple[str, bool]] = set()
        unchanged: set[str] = set()
        rest: list[Operand] = []
        stack = [operand]
        while stack:
            part = stack.pop()
            expression, primed = part
            if isinstance(expression, Operation):
                if expression.operator == "and":
                    stack.extend([Operand(disjunct, primed) for disjunct in reversed(expression.operands)])
                    continue
                name = None if primed else kept_variable(expression)
                if name is not None:
                    unchanged.add(name)
                    continue
            elif isinstance(expression, DefineReference) and inside_define:
                self._push(expression, primed, stack, seen)
                continue
            elif isinstance(expression, DefineReference):
                inner = self._choice_of_define(expression, primed)
                if inner.kept:
                    unchanged |= inner.kept
                    rest.extend(inner.rest)
                    continue
            rest.append(part)
        return KeepingOperand(frozenset(unchanged), tuple(rest))

    def _choice_of_define(self, reference: DefineReference, primed: bool) -> KeepingOperand:
        key = reference.name, primed or reference.primed
        if key not in self._of_define:
            self._of_define[key] = self._choice(Operand(self._defines[reference.name], key[1]), inside_define=True)
        return self._of_define[key]


def kept_variable(equation: Operation) -> str | None:
    """``x`` if the operation is ``next(x) = x`` or ``x = next(x)``."""
    if equation.operator not in ("=", "iff", "xnor"):
        return None
    left, right = equation.operands
    if not isinstance(left, VariableReference) or not isinstance(right, VariableReference):
        return None
    return left.name if left.name == right.name and left.primed != right.primed else None
