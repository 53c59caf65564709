"""The system over bits: every variable of several bits becomes one boolean variable for each bit.

Laws of this file:

- Bit k of a variable ``x`` is the boolean variable ``x.k``, with the meaning that ``symag.smv.certificates`` gives
  to bits; no model can declare such a name. ``x`` itself becomes a DEFINE over its bits, so every
  expression stays valid, and a boolean variable stays as it is.
- An assignment of an expression with one value becomes an assignment of each bit, so that the bits of one
  variable can be in different parts. An assignment of a set becomes one constraint over all bits.
- Bit patterns that stand for no value are excluded by an INVAR (of an input variable, by a TRANS).

So the runs of the system and of the system over bits are the same, value by value.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from symag.core.values import replace
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.bit_of_value import BitsOfValues, bit_name, constant, joined
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Property, Variable, VariableKind
from symag.smv.model.typed import BOOLEAN, Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, VariableType, WordType, bit_count, values


class Bitwise(Struct, frozen=True, eq=False):
    """``system`` over bits; ``bits[name]`` is the variable and the bit that a boolean variable stands for.

    ``bits`` has an entry for every variable of ``system``; a boolean variable of the model is its own bit 0.
    """

    system: FlatSystem
    bits: dict[str, tuple[str, int]]


def bitwise(system: FlatSystem) -> Bitwise:
    """The system over bits. Its properties are the same ones; linear in the size of the system and its types.

    The system must be free of evaluation errors (values out of range, cases without a true condition).
    """
    with deep_recursion():
        return _Splitting(system).result()


class _Splitting:
    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._split = {v.name: v for v in system.variables if not isinstance(v.type, BooleanType)}
        self._bits = BitsOfValues(self._split)
        self._rewritten: dict[int, tuple[Expression, Expression]] = {}

    def result(self) -> Bitwise:
        system = self._system
        bits: dict[str, tuple[str, int]] = {}
        variables: list[Variable] = []
        domains: dict[bool, list[Constraint]] = {False: [], True: []}
        for variable in system.variables:
            if variable.name not in self._split:
                variables.append(variable)
                bits[variable.name] = (variable.name, 0)
                continue
            indices = range(bit_count(variable.type))
            for index in reversed(indices) if isinstance(variable.type, WordType) else indices:
                name = bit_name(variable.name, index)
                variables.append(Variable(name, BOOLEAN, variable.kind, variable.position))
                bits[name] = (variable.name, index)
            domains[variable.kind is VariableKind.INPUT].extend(_domain(variable))
        assignments, constraints = self._assignments()
        split = replace(
            system,
            variables=tuple(variables),
            defines={
                **{name: _decoded(variable) for name, variable in self._split.items()},
                **{name: self._of(value) for name, value in system.defines.items()},
            },
            assignments=assignments,
            init=(*constraints["init"], *map(self._rewritten_constraint, system.init)),
            invar=(*domains[False], *constraints["current"], *map(self._rewritten_constraint, system.invar)),
            trans=(*domains[True], *constraints["next"], *map(self._rewritten_constraint, system.trans)),
            justice=tuple(map(self._rewritten_constraint, system.justice)),
            compassion=tuple(
                (self._rewritten_constraint(often), self._rewritten_constraint(answer))
                for often, answer in system.compassion
            ),
            properties=tuple(map(self._property, system.properties)),
            selector=None if system.selector in self._split else system.selector,
        )
        return Bitwise(split, bits)

    def _assignments(self) -> tuple[tuple[Assignment, ...], dict[str, list[Constraint]]]:
        assignments: list[Assignment] = []
        constraints: dict[str, list[Constraint]] = {"init": [], "current": [], "next": []}
        for assignment in self._system.assignments:
            variable = self._split.get(assignment.variable)
            value = self._of(assignment.value)
            if variable is None:
                assignments.append(replace(assignment, value=value))
            elif self._has_one_value(assignment.value):
                for index in range(bit_count(variable.type)):
                    bit = self._bits.bit(variable.type, value, index)
                    assignments.append(
                        Assignment(bit_name(variable.name, index), assignment.time, bit, assignment.position)
                    )
            else:
                primed = assignment.time == "next"
                reference = DefineReference(variable.name, primed, variable.type, assignment.position)
                member = Operation("in", (reference, value), BOOLEAN, assignment.position)
                constraints[assignment.time].append(Constraint(member, assignment.position))
        return tuple(assignments), constraints

    def _rewritten_constraint(self, constraint: Constraint) -> Constraint:
        return replace(constraint, expression=self._of(constraint.expression))

    def _property(self, checked: Property) -> Property:
        return checked if checked.expression is None else replace(checked, expression=self._of(checked.expression))

    def _of(self, expression: Expression) -> Expression:
        """The expression with variables of several bits read through their DEFINEs; does not recurse."""
        stack = [(expression, False)]
        while stack:
            node, below_done = stack.pop()
            if id(node) in self._rewritten:
                continue
            new: Expression = node
            if isinstance(node, Operation):
                if not below_done:
                    stack.append((node, True))
                    stack.extend((operand, False) for operand in node.operands)
                    continue
                operands = tuple(self._rewritten[id(operand)][1] for operand in node.operands)
                if any(one is not other for one, other in zip(operands, node.operands, strict=True)):
                    new = replace(node, operands=operands)
            elif isinstance(node, VariableReference) and node.name in self._split:
                new = DefineReference(node.name, node.primed, node.type, node.position)
            # The old node is kept with the new one, so that no other node can get its id.
            self._rewritten[id(node)] = (node, new)
        return self._rewritten[id(expression)][1]

    def _has_one_value(self, expression: Expression) -> bool:
        """Whether the expression never denotes several values: no union, but in an operand of ``in``."""
        stack: list[Expression] = [expression]
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, DefineReference):
                stack.append(self._system.defines[node.name])
            elif isinstance(node, Operation):
                if node.operator == "union":
                    return False
                if node.operator != "in":
                    stack.extend(node.operands)
        return True


def _domain(variable: Variable) -> Iterator[Constraint]:
    """The condition that the bits stand for a value, if not all patterns do."""
    if isinstance(variable.type, WordType):
        return
    last = len(values(variable.type)) - 1
    excluded: Expression = Constant(False, BOOLEAN, variable.position)
    for index in range(bit_count(variable.type)):  # excluded: the bits up to index are above last's
        bit = VariableReference(bit_name(variable.name, index), False, BOOLEAN, variable.position)
        operator = "and" if last >> index & 1 else "or"
        excluded = Operation(operator, (bit, excluded), BOOLEAN, variable.position)
    if last + 1 != 1 << bit_count(variable.type):
        yield Constraint(Operation("not", (excluded,), BOOLEAN, variable.position), variable.position)


def _decoded(variable: Variable) -> Expression:
    """The variable's value as an expression over its bits."""
    position = variable.position
    bits: list[Expression] = [
        VariableReference(bit_name(variable.name, index), False, BOOLEAN, position)
        for index in range(bit_count(variable.type))
    ]
    if isinstance(variable.type, WordType):
        word = joined(bits)
        return Operation("signed", (word,), variable.type, position) if variable.type.signed else word
    codes = values(variable.type)
    level: list[Expression] = [constant(value, variable.type, position) for value in codes]
    for bit in bits:
        # Pairs of codes that differ in this bit; a code without a partner has the bit 0 by itself.
        level = [
            _choice(bit, level[index + 1], level[index], variable.type) if index + 1 < len(level) else level[index]
            for index in range(0, len(level), 2)
        ]
    return level[0]


def _choice(bit: Expression, high: Expression, low: Expression, kind: VariableType) -> Expression:
    always = Constant(True, BOOLEAN, bit.position)
    return Operation("case", (bit, high, always, low), kind, bit.position)
