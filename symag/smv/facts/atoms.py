"""The atoms of facts: conditions on one state, each with its literals now and next and as an expression.

An atom is a boolean variable, ``x = v`` for an enumeration or a short range, a bit of a word or a longer range, a
boolean DEFINE over states, or the conjunction of two of these that belong to one module instance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from msgspec import Struct

from symag.smv.facts.circuit import StepCircuit
from symag.smv.facts.gates import TRUE
from symag.smv.model.flat import Variable, VariableKind
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, EnumerationType, IntegerType, RangeType, SymbolType, WordType, values

#: Ranges of up to this many values have atoms ``x = v``, longer ones have bits as atoms.
SHORT = 8

_BOOLEAN = BooleanType()
_INTEGER = IntegerType()


class StateAtom(Struct, frozen=True, eq=False):
    """A condition on a state: its literal now and next, its expression, and the module instance that it belongs to.

    ``latches`` is the support of the literal now, as a bit set of the circuit's inputs, ``steps`` that of the literal
    next. ``place`` is ``(variable, bit)`` if the atom is a bit of a number. ``is_product``: it is a conjunction.
    """

    now: int
    then: int
    expression: Expression
    scope: str
    latches: int
    steps: int
    place: tuple[str, int] | None = None
    is_product: bool = False


def scope_of(name: str) -> str:
    """The instance that a name belongs to; empty for the main module."""
    return name.rpartition(".")[0]


def state_atoms(circuit: StepCircuit) -> list[StateAtom]:
    """The atoms of every state and frozen variable, in the order of the declarations."""
    atoms = []
    for variable in circuit.system.variables:
        if variable.kind is VariableKind.INPUT:
            continue
        for expression, bit in _of_variable(variable):
            now, then = _literals(circuit, variable, expression, bit)
            if abs(now) != TRUE:
                latches = circuit.gates.support(now)
                steps = circuit.gates.support(then)
                atoms.append(StateAtom(now, then, expression, scope_of(variable.name), latches, steps, bit))
    return atoms


def define_atoms(circuit: StepCircuit) -> list[StateAtom]:
    """The boolean DEFINEs over states, without those that equal a variable's atom or an earlier DEFINE."""
    latches = reduce(or_, map(circuit.gates.support, circuit.latches), 0)
    literals = {abs(atom.now) for atom in state_atoms(circuit)}
    atoms = []
    for name, body in sorted(circuit.system.defines.items(), key=lambda item: (item[0].count("."), len(item[0]))):
        if not isinstance(body.type, BooleanType) or name.startswith("__"):  # names of gates of an AIGER file
            continue
        reference = DefineReference(name, False, _BOOLEAN, 0)
        now = circuit.literal(reference)
        if abs(now) in literals or abs(now) == TRUE:
            continue
        read = circuit.gates.support(now)
        if not read & ~latches:
            literals.add(abs(now))
            then = circuit.literal(reference, primed=True)
            atoms.append(StateAtom(now, then, reference, scope_of(name), read, circuit.gates.support(then)))
    return atoms


def members(circuit: StepCircuit, atoms: Sequence[StateAtom]) -> dict[str, list[int]]:
    """For every module instance the numbers of the atoms that equal one of its variables or DEFINEs."""
    by_literal = {abs(atom.now): number for number, atom in enumerate(atoms)}
    numbers: dict[str, set[int]] = {}
    for number, atom in enumerate(atoms):
        numbers.setdefault(atom.scope, set()).add(number)
    for name, body in circuit.system.defines.items():
        if isinstance(body.type, BooleanType):
            literal = abs(circuit.literal(DefineReference(name, False, _BOOLEAN, 0)))
            if literal in by_literal:
                numbers.setdefault(scope_of(name), set()).add(by_literal[literal])
    return {scope: sorted(numbers[scope]) for scope in sorted(numbers)}


def products(circuit: StepCircuit, atoms: Sequence[StateAtom], limit: int) -> list[StateAtom]:
    """Conjunctions of a variable's atom with another atom of the same instance: at most ``limit``."""
    gates = circuit.gates
    literals = {abs(atom.now) for atom in atoms} | {TRUE}
    result: list[StateAtom] = []
    for numbers in members(circuit, atoms).values():
        group = [atoms[number] for number in numbers]
        for first in group:
            if not isinstance(first.expression, VariableReference):
                continue
            for second in group:
                for sign in (1, -1):
                    now = gates.both(sign * first.now, second.now)
                    if second is first or abs(now) in literals:
                        continue
                    if len(result) >= limit:
                        return result
                    literals.add(abs(now))
                    then = gates.both(sign * first.then, second.then)
                    literal = first.expression if sign > 0 else negation(first.expression)
                    both = Operation("and", (literal, second.expression), _BOOLEAN, 0)
                    read = first.latches | second.latches
                    steps = first.steps | second.steps
                    result.append(StateAtom(now, then, both, first.scope, read, steps, is_product=True))
    return result


def negation(expression: Expression) -> Expression:
    """The negated expression, without a double negation."""
    if isinstance(expression, Operation) and expression.operator == "not":
        return expression.operands[0]
    return Operation("not", (expression,), _BOOLEAN, 0)


def number(value: int) -> Expression:
    """An integer constant."""
    return Constant(value, _INTEGER, 0)


def _of_variable(variable: Variable) -> Iterator[tuple[Expression, tuple[str, int] | None]]:
    kind = variable.type
    itself = VariableReference(variable.name, False, kind, 0)
    match kind:
        case BooleanType():
            yield itself, None
        case WordType(width, _):
            for k in range(width):
                selected = Operation("select", (itself, number(k), number(k)), WordType(1, False), 0)
                yield Operation("bool", (selected,), _BOOLEAN, 0), (variable.name, k)
        case RangeType(low, high) if high - low >= SHORT:
            for k in range((high - low).bit_length()):
                index: Expression = itself if low == 0 else Operation("-", (itself, number(low)), _INTEGER, 0)
                shifted = index if k == 0 else Operation("/", (index, number(1 << k)), _INTEGER, 0)
                odd = Operation("mod", (shifted, number(2)), _INTEGER, 0)
                yield Operation("=", (odd, number(1)), _BOOLEAN, 0), (variable.name, k)
        case EnumerationType() | RangeType():
            for value in list(values(kind))[1:]:
                of = SymbolType() if isinstance(value, str) else _INTEGER
                yield Operation("=", (itself, Constant(value, of, 0)), _BOOLEAN, 0), None


def _literals(
    circuit: StepCircuit, variable: Variable, expression: Expression, bit: tuple[str, int] | None
) -> tuple[int, int]:
    if bit is not None:
        now, then = (circuit.bits.bits(variable.name, primed)[bit[1]].literal for primed in (False, True))
        return now, then
    return circuit.literal(expression), circuit.literal(expression, primed=True)
