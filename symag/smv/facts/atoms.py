"""The atoms of facts: conditions on one state, each with its literals now and next and as an expression.

An atom is a boolean variable, ``x = v`` for an enumeration or a short range, a bit of a word or a longer range, a
boolean DEFINE over states, or the conjunction of two of these that belong to one module instance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from operator import or_

from msgspec import Struct

from symag.smv.facts.circuit import StepCircuit
from symag.smv.model.flat import Variable, VariableKind
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, EnumerationType, IntegerType, RangeType, SymbolType, WordType, values

#: How names begin that are not the user's, and those among them that are of BTOR2's shared conditions. The others are
#: gates, of AIGER files and of boolean models: too many to be atoms.
_HIDDEN, _SHARED = "__", "__n"
#: Ranges of up to this many values have atoms ``x = v``, longer ones have bits as atoms.
SHORT = 8

_BOOLEAN = BooleanType()
_INTEGER = IntegerType()


class StateAtom(Struct, frozen=True, eq=False):
    """A condition on a state: its literal now and next, its expression, and the module instance that it belongs to.

    ``latches`` is the support of the literal now, as a bit set of the circuit's inputs, ``steps`` that of the literal
    next. ``is_product``: it is a conjunction.
    """

    now: int
    then: int
    expression: Expression
    scope: str
    latches: int
    steps: int
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
            if now >> 1:
                latches = circuit.inputs.of(now)
                steps = circuit.inputs.of(then)
                atoms.append(StateAtom(now, then, expression, scope_of(variable.name), latches, steps))
    return atoms


def define_atoms(circuit: StepCircuit, *, shared: bool) -> list[StateAtom]:
    """The boolean DEFINEs over states, without those that equal a variable's atom or an earlier DEFINE.

    With ``shared`` also the conditions of a BTOR2 file that have no name of their own and occur more than once.
    """
    latches = reduce(or_, map(circuit.inputs.of, circuit.latches), 0)
    nodes = {0, *(atom.now >> 1 for atom in state_atoms(circuit))}
    atoms = []
    for name, body in sorted(circuit.system.defines.items(), key=lambda item: (item[0].count("."), len(item[0]))):
        is_left_out = name.startswith(_HIDDEN) and not (shared and name.startswith(_SHARED))
        if not isinstance(body.type, BooleanType) or is_left_out:
            continue
        reference = DefineReference(name, False, _BOOLEAN, 0)
        now = circuit.literal(reference)
        if now >> 1 in nodes:
            continue
        read = circuit.inputs.of(now)
        if not read & ~latches:
            nodes.add(now >> 1)
            then = circuit.literal(reference, primed=True)
            atoms.append(StateAtom(now, then, reference, scope_of(name), read, circuit.inputs.of(then)))
    return atoms


def members(circuit: StepCircuit, atoms: Sequence[StateAtom]) -> dict[str, list[int]]:
    """For every module instance the numbers of the atoms that equal one of its variables or DEFINEs."""
    by_node = {atom.now >> 1: number for number, atom in enumerate(atoms)}
    numbers: dict[str, set[int]] = {}
    for number, atom in enumerate(atoms):
        numbers.setdefault(atom.scope, set()).add(number)
    for name, body in circuit.system.defines.items():
        if isinstance(body.type, BooleanType):
            node = circuit.literal(DefineReference(name, False, _BOOLEAN, 0)) >> 1
            if node in by_node:
                numbers.setdefault(scope_of(name), set()).add(by_node[node])
    return {scope: sorted(numbers[scope]) for scope in sorted(numbers)}


def products(circuit: StepCircuit, atoms: Sequence[StateAtom], limit: int) -> list[StateAtom]:
    """Conjunctions of a variable's atom with another atom of the same instance: at most ``limit``."""
    conjunction = circuit.graph.conjunction
    nodes = {0, *(atom.now >> 1 for atom in atoms)}
    result: list[StateAtom] = []
    for numbers in members(circuit, atoms).values():
        group = [atoms[number] for number in numbers]
        of_variables = [atom for atom in group if isinstance(atom.expression, VariableReference)]
        for first, second, negated in product(of_variables, group, (0, 1)):
            now = conjunction(first.now ^ negated, second.now)
            if second is first or now >> 1 in nodes:
                continue
            if len(result) >= limit:
                return result
            nodes.add(now >> 1)
            then = conjunction(first.then ^ negated, second.then)
            literal = negation(first.expression) if negated else first.expression
            both = Operation("and", (literal, second.expression), _BOOLEAN, 0)
            read = first.latches | second.latches
            result.append(StateAtom(now, then, both, first.scope, read, first.steps | second.steps, is_product=True))
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
        now, then = (circuit.bits[variable.name, primed][bit[1]] for primed in (False, True))
        return now, then
    return circuit.literal(expression), circuit.literal(expression, primed=True)
