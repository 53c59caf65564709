"""A flat system over boolean variables only, as SMV: each bit a variable, each old variable a DEFINE of its bits.

Initial states, invariants and transitions are circuits, one DEFINE a gate. Properties and DEFINEs stay as they are:
they read the DEFINEs that stand for the old variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import FALSE, TRUE, Circuit
from symag.smv.certify.circuits.constraints import VariableReads, requirements
from symag.smv.model.flat import FlatSystem, Variable, VariableKind
from symag.smv.model.printer import expression_text, loose_constants, property_lines
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, WordType, bit_count

_SECTIONS = {"initial": "INIT", "state": "INVAR", "transition": "TRANS"}
#: The prefix of the names of gates' DEFINEs.
GATE = "__expr"


def boolean_text(system: FlatSystem) -> str:
    """The boolean model; reading it back gives a system with the same runs. Linear in the size of its circuits.

    The system must be free of evaluation errors (a ``case`` without a true condition, a division by zero): they would
    count as FALSE.
    """
    return "\n".join(_lines(system)) + "\n"


def bit_names(variable: Variable) -> tuple[str, ...]:
    """The names of a variable's bits, the lowest first; a boolean variable is its own bit."""
    if isinstance(variable.type, BooleanType):
        return (variable.name,)
    return tuple(f"{variable.name}.{index}" for index in range(bit_count(variable.type)))


def _lines(system: FlatSystem) -> Iterator[str]:
    circuit = Circuit()
    encoder = Encoder(system, circuit)
    names: dict[int, str] = {}
    for variable in system.variables:
        for primed in (False, True):
            if primed and variable.kind is not VariableKind.STATE:
                continue
            for signal, name in zip(encoder.bits(variable.name, primed), bit_names(variable), strict=True):
                names[signal] = f"next({name})" if primed else name
    constraints = [
        (_SECTIONS[requirement.moment], requirement.signal(encoder))
        for requirement in requirements(system, VariableReads(system))
    ]
    for variable in system.variables:
        section = "TRANS" if variable.kind is VariableKind.INPUT else "INVAR"
        constraints.append((section, encoder.in_range(variable.name, False)))
    constraints.extend(("JUSTICE", encoder.truth(constraint.expression)) for constraint in system.justice)
    pairs = [
        (encoder.truth(premise.expression), encoder.truth(conclusion.expression))
        for premise, conclusion in system.compassion
    ]
    roots = [*(signal for _, signal in constraints), *(signal for pair in pairs for signal in pair)]
    gates = list(_gates(circuit, roots, names))
    yield f"-- Boolean model generated from {system.source.path}"
    yield "MODULE main"
    symbols = dict.fromkeys(
        constant
        for variable in system.variables
        if isinstance(variable.type, EnumerationType)
        for constant in variable.type.constants
        if isinstance(constant, str)
    )
    symbols.update(dict.fromkeys(loose_constants(system)))
    if symbols:
        yield f"CONSTANTS {', '.join(symbols)};"
    for kind in VariableKind:
        declared = [variable for variable in system.variables if variable.kind is kind]
        if declared:
            yield kind.value
            yield from (f"  {name} : boolean;" for variable in declared for name in bit_names(variable))
    yield "DEFINE"
    for variable in system.variables:
        if not isinstance(variable.type, BooleanType):
            yield f"  {variable.name} := {_value(variable)};"
    yield from (f"  {name} := {expression_text(body)};" for name, body in system.defines.items())
    yield from gates
    shown = _shown(names)
    yield from (f"{section} {shown(signal)};" for section, signal in constraints if signal != TRUE)
    yield from (f"COMPASSION ({shown(premise)}, {shown(conclusion)});" for premise, conclusion in pairs)
    yield from property_lines(system.properties)


def _gates(circuit: Circuit, roots: Sequence[int], names: dict[int, str]) -> Iterator[str]:
    """A DEFINE for each gate, operands first; their names are added to ``names``."""
    shown = _shown(names)
    for signal in circuit.cone(roots):
        if signal in names or signal == TRUE:
            continue
        gate = circuit.gates[signal]
        operands = [shown(operand) for operand in gate[1:] if isinstance(operand, int)]
        names[signal] = f"{GATE}{signal}"
        if gate[0] == "and":
            body = " & ".join(operands)
        elif gate[0] == "xor":
            body = " xor ".join(operands)
        else:
            body = f"({operands[0]} ? {operands[1]} : {operands[2]})"
        yield f"  {names[signal]} := {body};"


def _shown(names: Mapping[int, str]) -> Callable[[int], str]:
    """A function that gives the texts of signals; one without a name is the arbitrary value of an evaluation error."""

    def shown(signal: int) -> str:
        if abs(signal) == TRUE:
            return "FALSE" if signal == FALSE else "TRUE"
        return f"{'!' if signal < 0 else ''}{names.get(abs(signal), 'FALSE')}"

    return shown


def _value(variable: Variable) -> str:
    """A variable's value from its bits."""
    names = bit_names(variable)
    match variable.type:
        case WordType(_, signed):
            bits = " :: ".join(f"word1({name})" for name in reversed(names))
            return f"signed({bits})" if signed else bits
        case EnumerationType(constants):
            return _choice([str(constant) for constant in constants], list(names))
        case RangeType(low, high):
            return _choice([str(number) for number in range(low, high + 1)], list(names))
        case BooleanType():
            return names[0]


def _choice(values: Sequence[str], names: list[str]) -> str:
    """The value with the index that the bits, lowest first, stand for; for other codes one of the values."""
    if len(values) == 1 or not names:
        return values[0]
    name, rest = names[0], names[1:]
    low, high = list(values[::2]), list(values[1::2])
    return f"({name} ? {_choice(high, rest)} : {_choice(low, rest)})"
