"""Wires: expressions over the state that become fresh variables ``w := e``.

A part that reads a DEFINE reads every variable that the DEFINE reads. If the DEFINE is a wire, one part computes it and
the others read one bit. A wire has the value of its expression in every state, so the system with wires has the same
runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from symag.core.values import replace
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Variable, VariableKind
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference, subexpressions
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, WordType, bit_count

# Operators that have one value if their operands have. Not among them are those that may be undefined (division,
# shifts, indices, conversions of numbers out of range) and union, which is allowed only inside ``in``.
_LOGICAL = frozenset(
    {"not", "and", "or", "xor", "xnor", "implies", "iff", "=", "!=", "<", "<=", ">", ">=", "in", "case"}
)
_ARITHMETIC = frozenset({"+", "-", "*", "negate", "abs", "min", "max", "count"})
_WORDS = frozenset({"concat", "select", "extend", "resize", "signed", "unsigned", "word1"})
_TOTAL = _LOGICAL | _ARITHMETIC | _WORDS


def publish(system: FlatSystem, wires: Sequence[tuple[str, Expression]]) -> FlatSystem:
    """The system with a state variable for each (name, expression), after all other variables.

    A wire's type is its expression's: boolean, word, enumeration or range. Where an expression is just a
    DEFINE, all references to that DEFINE, now or under ``next``, become references to the wire. Properties
    and fairness constraints are rewritten too. Linear in the size of the system.

    Raises ValueError if a name is taken, or an expression is not a function of the state: if it reads
    inputs or next values, may denote a set or be undefined (see ``is_function_of_the_state``).
    """
    taken = {variable.name for variable in system.variables} | set(system.defines)
    supports = Supports(system)
    variables: list[Variable] = []
    defined: dict[str, str] = {}
    for name, expression in wires:
        if name in taken:
            raise ValueError(f"the name {name} of a wire is taken")
        taken.add(name)
        kind = expression.type
        if not isinstance(kind, BooleanType | EnumerationType | RangeType | WordType):
            raise ValueError(f"the wire {name} would not have a finite type")
        if not is_function_of_the_state(system, expression, supports):
            raise ValueError(f"the expression of the wire {name} is not a function of the state")
        variables.append(Variable(name, kind, VariableKind.STATE, expression.position))
        if isinstance(expression, DefineReference):
            defined.setdefault(expression.name, name)

    rewriting = _Rewriting(defined)
    assignments = [replace(a, value=rewriting.of(a.value)) for a in system.assignments]
    for name, expression in wires:
        # The first wire of a DEFINE computes it; further wires of the same DEFINE read the first one.
        computes = isinstance(expression, DefineReference) and defined[expression.name] == name
        value = expression if computes else rewriting.of(expression)
        assignments.append(Assignment(name, "current", value, expression.position))
    return replace(
        system,
        variables=(*system.variables, *variables),
        defines={name: rewriting.of(value) for name, value in system.defines.items()},
        assignments=tuple(assignments),
        init=rewriting.all_of(system.init),
        invar=rewriting.all_of(system.invar),
        trans=rewriting.all_of(system.trans),
        justice=rewriting.all_of(system.justice),
        compassion=tuple((rewriting.within(p), rewriting.within(q)) for p, q in system.compassion),
        properties=tuple(
            p if p.expression is None else replace(p, expression=rewriting.of(p.expression)) for p in system.properties
        ),
    )


class WiredSystem(Struct, frozen=True, eq=False):
    """A system with ``wires`` as variables, each paired with its expression, after those of the original;
    ``property_wire`` names the one that stands for the invariant, if there is one.
    """

    system: FlatSystem
    wires: tuple[tuple[str, Expression], ...]
    property_wire: str | None


def wired(
    system: FlatSystem, invariant: Expression | None, wires: Literal["none", "property", "defines"]
) -> WiredSystem:
    """Make wires of nothing, of the invariant, or of the candidate DEFINEs and the invariant.

    There is no wire for an invariant that is not a function of the state.
    """
    published = list(candidate_wires(system)) if wires == "defines" else []
    name = None
    if invariant is not None and wires != "none" and is_function_of_the_state(system, invariant):
        name = fresh_name(system, "property")
        published.append((name, invariant))
    return WiredSystem(publish(system, published), tuple(published), name)


def is_function_of_the_state(system: FlatSystem, expression: Expression, supports: Supports | None = None) -> bool:
    """Whether the expression has exactly one value in every valuation of the state variables.

    The test is syntactic, so it may be False of an expression that has one value: it asks for no inputs, no ``next``,
    no sets outside of ``in``, no operator that may be undefined, and TRUE as the last condition of every ``case``.
    """
    read = (supports or Supports(system)).of(expression)
    if read.next or read.current & system.inputs:
        return False
    seen: set[tuple[str, bool]] = set()
    stack: list[tuple[Expression, bool]] = [(expression, False)]
    visited: set[tuple[int, bool]] = set()
    while stack:
        node, as_set = stack.pop()
        if (id(node), as_set) in visited:
            continue
        visited.add((id(node), as_set))
        if isinstance(node, DefineReference) and (node.name, as_set) not in seen:
            seen.add((node.name, as_set))
            stack.append((system.defines[node.name], as_set))
        elif isinstance(node, Operation):
            if node.operator == "in":
                stack.extend(((node.operands[0], True), (node.operands[1], True)))
                continue
            if node.operator == "union" and as_set:
                stack.extend((operand, True) for operand in node.operands)
                continue
            if node.operator not in _TOTAL or (node.operator == "case" and not _ends_in_true(node)):
                return False
            stack.extend((operand, as_set and node.operator == "case") for operand in node.operands)
    return True


def state_functions(system: FlatSystem, operands: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """The boolean DEFINEs that are functions of the state (as above, or fewer), in the given order.

    ``operands`` gives the variables and DEFINEs that each DEFINE reads, operands before readers. Linear.
    """
    functions = {variable.name for variable in system.variables if variable.kind is not VariableKind.INPUT}
    for name, read in operands.items():
        value = system.defines[name]
        if read <= functions and _is_total(value):
            functions.add(name)
            if isinstance(value.type, BooleanType):
                yield name


def _is_total(expression: Expression) -> bool:
    """Whether the expression itself reads nothing under ``next`` and has one value if its DEFINEs have."""
    alternatives = set()
    for node in subexpressions(expression):
        if isinstance(node, VariableReference | DefineReference):
            if node.primed:
                return False
        elif isinstance(node, Operation):
            if node.operator == "in" and isinstance(node.operands[1], Operation):
                alternatives.add(id(node.operands[1]))
            elif node.operator == "union" and id(node) in alternatives:
                alternatives.update(id(operand) for operand in node.operands)
            elif node.operator not in _TOTAL or (node.operator == "case" and not _ends_in_true(node)):
                return False
    return True


def _ends_in_true(node: Operation) -> bool:
    last = node.operands[-2]
    return isinstance(last, Constant) and last.value is True


def candidate_wires(system: FlatSystem) -> tuple[tuple[str, Expression], ...]:
    """The boolean DEFINEs that may be good places for a cut, as (fresh name, reference), in the system's order.

    They are functions of the state, depend on at least two bits, and are read by an assignment, a constraint or another
    DEFINE.
    """
    supports = Supports(system)
    used = _referred_to(system)
    bits = {variable.name: bit_count(variable.type) for variable in system.variables}
    wires = []
    for name, value in system.defines.items():
        if name not in used or not isinstance(value.type, BooleanType) or isinstance(value, DefineReference):
            continue
        reference = DefineReference(name, False, value.type, value.position)
        if sum(bits[n] for n in supports.of(value).variables) < 2:
            continue
        if is_function_of_the_state(system, reference, supports):
            wires.append((fresh_name(system, f"{name}.wire"), reference))
    return tuple(wires)


def fresh_name(system: FlatSystem, stem: str) -> str:
    """The stem, or the stem with a number behind it, such that no variable or DEFINE has that name."""
    name, number = stem, 1
    while name in system.by_name or name in system.defines:
        number += 1
        name = f"{stem}{number}"
    return name


def _referred_to(system: FlatSystem) -> set[str]:
    roots = [a.value for a in system.assignments]
    roots += [c.expression for group in (system.init, system.invar, system.trans) for c in group]
    used: set[str] = set()
    while roots:
        for node in subexpressions(roots.pop()):
            if isinstance(node, DefineReference) and node.name not in used:
                used.add(node.name)
                roots.append(system.defines[node.name])
    return used


class _Rewriting:
    """Replaces references to DEFINEs by references to variables; shared nodes stay shared."""

    def __init__(self, replacement: Mapping[str, str]) -> None:
        self._replacement = replacement
        self._done: dict[int, tuple[Expression, Expression]] = {}

    def of(self, expression: Expression) -> Expression:
        """The rewritten expression (the same object if nothing changes); does not recurse."""
        if not self._replacement:
            return expression
        stack = [(expression, False)]
        while stack:
            node, below_done = stack.pop()
            if id(node) in self._done:
                continue
            if isinstance(node, Operation) and not below_done:
                stack.append((node, True))
                stack.extend((operand, False) for operand in node.operands if id(operand) not in self._done)
            else:
                # The old node is kept with the new one: its id must not be given to another object.
                self._done[id(node)] = (node, self._one(node))
        return self._done[id(expression)][1]

    def _one(self, node: Expression) -> Expression:
        if isinstance(node, DefineReference) and node.name in self._replacement:
            return VariableReference(self._replacement[node.name], node.primed, node.type, node.position)
        if isinstance(node, Operation):
            operands = tuple(self._done[id(operand)][1] for operand in node.operands)
            if any(new is not old for new, old in zip(operands, node.operands, strict=True)):
                return replace(node, operands=operands)
        return node

    def within(self, constraint: Constraint) -> Constraint:
        """The constraint with its expression rewritten."""
        return replace(constraint, expression=self.of(constraint.expression))

    def all_of(self, constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        """All of them rewritten."""
        return tuple(self.within(constraint) for constraint in constraints)
