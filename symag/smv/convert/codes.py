"""The bits of a value that an expression takes, as a variable of a given type encodes it."""

from __future__ import annotations

from symag.smv.certify.circuits import numbers
from symag.smv.certify.circuits.circuit import FALSE, TRUE, Circuit
from symag.smv.certify.circuits.numbers import Bits
from symag.smv.certify.circuits.scalars import Number, Scalar, Symbol, Word
from symag.smv.model.flat import FlatSystem, Variable
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, VariableType, WordType, bit_count, values


def code(circuit: Circuit, kind: VariableType, value: Scalar) -> Bits:
    """The bits of the index of a value in its type (``symag.smv.certificates``); the type must have the value."""
    width = bit_count(kind)
    match kind, value:
        case BooleanType(), int():
            return (value,)
        case WordType(), Word(bits):
            return bits
        case RangeType(low, _), Number(bits):
            return numbers.extended(numbers.subtract(circuit, bits, numbers.constant_number(low)), width)
        case RangeType(low, _), Symbol(_, _, number):
            return numbers.extended(numbers.subtract(circuit, number, numbers.constant_number(low)), width)
        case EnumerationType(constants), Number() | Symbol():
            matches = [_is(circuit, value, constant) for constant in constants]
            return tuple(
                circuit.any(signal for index, signal in enumerate(matches) if index >> k & 1) for k in range(width)
            )
    raise ValueError(f"no value of type {kind}")


def outside(circuit: Circuit, kind: VariableType, value: Scalar) -> int:
    """Whether a value is none of the type's; TRUE for a value that cannot be one."""
    match kind, value:
        case (BooleanType(), int()) | (WordType(), Word()):
            return FALSE
        case RangeType(low, high), Number() | Symbol():
            number = value.bits if isinstance(value, Number) else value.number
            below = numbers.less(circuit, number, numbers.constant_number(low))
            above = numbers.less(circuit, numbers.constant_number(high), number)
            symbol = FALSE if isinstance(value, Number) else -value.is_number
            return circuit.any([below, above, symbol])
        case EnumerationType(constants), Number() | Symbol():
            return -circuit.any(_is(circuit, value, constant) for constant in constants)
    return TRUE


def fits(system: FlatSystem, variable: Variable, expression: Expression) -> bool:
    """Whether the form of the set shows that its elements are values of the variable."""
    stack = [expression]
    while stack:
        match stack.pop():
            case Operation("union", operands):
                stack.extend(operands)
            case Operation("case", operands):
                stack.extend(operands[1::2])
            case DefineReference(name):
                stack.append(system.defines[name])
            case Constant(value):
                if not isinstance(variable.type, BooleanType | WordType) and value not in values(variable.type):
                    return False
            case VariableReference(name):
                if system.by_name[name].type != variable.type:
                    return False
            case Operation():
                if not isinstance(variable.type, BooleanType | WordType):
                    return False
    return True


def _is(circuit: Circuit, value: Number | Symbol, constant: int | str) -> int:
    """Whether the value is this constant."""
    if isinstance(constant, str):
        return value.signals.get(constant, FALSE) if isinstance(value, Symbol) else FALSE
    number = numbers.constant_number(constant)
    if isinstance(value, Number):
        return numbers.equal(circuit, value.bits, number)
    return circuit.conjunction(value.is_number, numbers.equal(circuit, value.number, number))
