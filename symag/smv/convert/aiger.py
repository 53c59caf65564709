"""A flat system as an and-inverter graph whose violations are those of the system.

- Bit k of a variable is the index bit of ``symag.smv.certificates``. A state variable is a latch for each bit. With a
  current assignment of one value it is a circuit; without assignments, and if no expression reads it under ``next``, it
  is an input. Frozen variables are latches that keep their value.
- ``next(x) := e`` with one value is the latch's next function. If the next value is free or one of a set, it comes from
  inputs of its own, and a latch ``_ok_`` says whether every transition so far was one of the system. So the last state
  of a counterexample needs no successor, as in the system.
- Constant initial values are resets; other conditions on initial states are constraints that a latch ``_first_``
  confines to the first step.
- INVAR, types that do not use all bit patterns, and ``_ok_`` are constraints of the graph.
- Invariants are bad literals. ``AG p`` in a system with fairness or possible dead ends is a justice property: a latch
  remembers that p was false once. LTL ``!((G F p1) & .. & (G F pn))`` is one too, of p1 .. pn. Another LTL property is
  a justice property of the system with its tableau, which restricts the runs; so it must be the only property.

Symbols name the bits: ``x`` for a boolean variable, ``x[k]`` for bit k of another, ``x'`` for the choice of its
next value. Comments list the variables with their types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from symag.core.errors import UnsupportedError
from symag.core.limits import Deadline
from symag.smv.aiger.format import Aiger, Ands
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import FALSE, TRUE, Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.numbers import Bits
from symag.smv.certify.circuits.scalars import Scalar
from symag.smv.convert.assembly import GraphLatch, GraphParts
from symag.smv.convert.codes import code, fits, outside
from symag.smv.model.flat import FlatSystem, Property, Variable, VariableKind
from symag.smv.model.printer import type_declaration
from symag.smv.model.properties import in_its_logic, invariant_of, justice_of
from symag.smv.model.supports import references, references_of_all
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType, SetType, bit_count
from symag.smv.temporal.tableau import product
from symag.smv.traversal.deadends import is_total


class AigerExport(Struct, frozen=True, eq=False):
    """The graph, and the properties of its bad and its justice literals, in their order.

    ``is_total``: the circuits show that no evaluation in the system can fail, and that no assigned value is out of
    range. If they do not, the caller has to check that, for otherwise the graph has no meaning. ``bits`` are the
    literals of every variable's current bits; ``ands`` are the graph's gates and after them those that only ``bits``
    need.
    """

    graph: Aiger
    bad: tuple[Property, ...]
    justice: tuple[Property, ...]
    is_total: bool
    bits: Mapping[str, tuple[int, ...]]
    ands: Ands


def is_expressible(system: FlatSystem, candidate: Property) -> bool:
    """Whether a property can be a bad or a justice literal: an invariant of the states, AG of one, or LTL."""
    if invariant_of(system, candidate) is not None:
        return candidate.kind == "INVARSPEC" or not system.compassion
    stated = in_its_logic(candidate)
    return stated.kind == "LTL" and stated.expression is not None and not system.compassion


def needs_tableau(system: FlatSystem, candidate: Property) -> bool:
    """Whether a property must be the only one of its graph: LTL (or PSL) that is neither an invariant of states nor a
    justice property.
    """
    stated = in_its_logic(candidate)
    if stated.kind != "LTL" or stated.expression is None:
        return False
    return invariant_of(system, candidate) is None and justice_of(system, candidate) is None


def to_aiger(system: FlatSystem, properties: Sequence[Property]) -> AigerExport:
    """The system with these properties. Linear in the size of its circuits, and one question to a SAT solver.

    Raises UnsupportedError for a property that is not ``is_expressible``.
    """
    for property_ in properties:
        if not is_expressible(system, property_):
            raise UnsupportedError(f"{property_.kind} {property_.text} in AIGER")
    if not any(needs_tableau(system, property_) for property_ in properties):
        return _Export(system).result(properties)
    if len(properties) > 1:
        raise UnsupportedError("an LTL property beside others in one AIGER file")
    formula = in_its_logic(properties[0]).expression
    assert formula is not None  # needs_tableau says so
    return _Export(product(system, formula).system).result(properties)


class _Export:
    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._circuit = Circuit()
        self._encoder = Encoder(system, self._circuit)
        self._parts = GraphParts()
        #: Conditions on initial states, on all states, and on transitions.
        self._first: list[int] = []
        self._always: list[int] = []
        self._steps: list[int] = []
        self._outside: list[int] = []
        self._read_next = _read_under_next(system)

    def result(self, properties: Sequence[Property]) -> AigerExport:
        system, encoder, parts = self._system, self._encoder, self._parts
        for variable in system.variables:
            self._add(variable)
        self._first.extend(encoder.truth(constraint.expression) for constraint in system.init)
        self._always.extend(encoder.truth(constraint.expression) for constraint in system.invar)
        self._steps.extend(encoder.truth(constraint.expression) for constraint in system.trans)
        parts.constraints += [*self._always, *self._on_first(), *self._on_steps()]
        bad = [property_ for property_ in properties if self._is_finite(property_)]
        justice = [property_ for property_ in properties if not self._is_finite(property_)]
        parts.bad += [(_symbol(property_), -self._invariant(property_)) for property_ in bad]
        parts.justice += [
            (_symbol(property_), self._often(number, property_)) for number, property_ in enumerate(justice)
        ]
        if justice:
            parts.fairness += [encoder.truth(condition.expression) for condition in system.justice]
        named = {bit for item in system.variables for time in (False, True) for bit in encoder.bits(item.name, time)}
        gates, graph = parts.assembled(self._circuit, named, _comments(system))
        is_total = not gates.undefined and not self._may_leave_a_type()
        bits = {
            declared.name: tuple(gates.literal(bit) for bit in encoder.bits(declared.name, False))
            for declared in system.variables
        }
        return AigerExport(graph, tuple(bad), tuple(justice), is_total, bits, gates.ands)

    def _may_leave_a_type(self) -> bool:
        """Whether some assigned value is out of range under some values of the variables."""
        if all(signal == FALSE for signal in self._outside):
            return False
        with Satisfiability(self._circuit, Deadline(None)) as solver:
            for primed in (False, True):
                solver.require(self._encoder.in_range(variable.name, primed) for variable in self._system.variables)
            return solver.is_satisfiable([self._circuit.any(self._outside)])

    def _code(self, variable: Variable, value: Scalar) -> Bits:
        self._outside.append(outside(self._circuit, variable.type, value))
        return code(self._circuit, variable.type, value)

    def _member(self, variable: Variable, expression: Expression, primed: bool) -> int:
        """The condition that a variable has one of the values of an expression, by a code of its type."""
        if not fits(self._system, variable, expression):
            self._outside.append(TRUE)
        encoder, name = self._encoder, variable.name
        contained = encoder.contains(expression, encoder.variable(name, primed))
        return self._circuit.conjunction(contained, encoder.in_range(name, primed))

    def _add(self, variable: Variable) -> None:
        name, encoder, parts = variable.name, self._encoder, self._parts
        current = encoder.bits(name, False)
        names = bit_names(variable)
        if variable.kind is VariableKind.INPUT:
            parts.inputs.extend(zip(names, current, strict=True))
            _append(self._steps, encoder.in_range(name, False))
            return
        assigned = self._system.assigned
        always = assigned.get((name, "current"))
        if always is not None and not _is_set(always.value):
            self._define(current, self._code(variable, encoder.value(always.value)))
            self._define(encoder.bits(name, True), self._code(variable, encoder.value(always.value, primed=True)))
            return
        if always is not None:
            self._always.append(self._member(variable, always.value, False))
        frozen = variable.kind is VariableKind.FROZEN
        if (name, "init") not in assigned or not (frozen or (name, "next") in assigned):
            _append(self._always, encoder.in_range(name, False))
        unassigned = (name, "next") not in assigned and not frozen
        if unassigned and name not in self._read_next:
            parts.inputs.extend(zip(names, current, strict=True))
            self._start(variable, with_resets=False)
            return
        resets = self._start(variable, with_resets=True)
        for bit, signal, following_bit, reset in zip(names, current, self._next(variable), resets, strict=True):
            parts.latches.append(GraphLatch(bit, signal, following_bit, reset))

    def _start(self, variable: Variable, with_resets: bool) -> list[int | None]:
        """The resets of the variable's bits; other initial values become a condition on the first step."""
        anything: list[int | None] = [None for _ in self._encoder.bits(variable.name, False)]
        assignment = self._system.assigned.get((variable.name, "init"))
        if assignment is None:
            return anything
        if not _is_set(assignment.value):
            bits = self._code(variable, self._encoder.value(assignment.value))
            if with_resets and all(abs(bit) == TRUE for bit in bits):
                return [int(bit == TRUE) for bit in bits]
        self._first.append(self._member(variable, assignment.value, False))
        return anything

    def _next(self, variable: Variable) -> Bits:
        """The signals of the variable's next bits."""
        name, encoder = variable.name, self._encoder
        if variable.kind is VariableKind.FROZEN:
            return encoder.bits(name, False)
        following = encoder.bits(name, True)
        assignment = self._system.assigned.get((name, "next"))
        if assignment is not None and self._system.is_defined(name, "next"):
            self._define(following, self._code(variable, encoder.value(assignment.value)))
            return following
        self._parts.inputs.extend(
            (f"{bit}'", signal) for bit, signal in zip(bit_names(variable), following, strict=True)
        )
        if assignment is not None:
            self._steps.append(self._member(variable, assignment.value, True))
        return following

    def _define(self, signals: Bits, meanings: Bits) -> None:
        self._parts.meanings.update(zip(signals, meanings, strict=True))

    def _on_first(self) -> list[int]:
        """The conditions on initial states as constraints."""
        conditions = [signal for signal in self._first if signal != TRUE]
        if not conditions:
            return []
        first = self._circuit.input()
        self._parts.latches.append(GraphLatch("_first_", first, FALSE, 1))
        return [self._circuit.disjunction(-first, signal) for signal in conditions]

    def _on_steps(self) -> list[int]:
        """The conditions on transitions as one constraint on the transitions so far."""
        conditions = [signal for signal in self._steps if signal != TRUE]
        if not conditions:
            return []
        fine = self._circuit.input()
        self._parts.latches.append(GraphLatch("_ok_", fine, self._circuit.all([fine, *conditions]), 1))
        return [fine]

    def _once(self, number: int, signal: int) -> int:
        """Whether a signal was true at some earlier step."""
        seen = self._circuit.input()
        self._parts.latches.append(GraphLatch(f"_seen_{number}_", seen, self._circuit.disjunction(seen, signal), 0))
        return seen

    def _often(self, number: int, candidate: Property) -> Sequence[int]:
        """What is true infinitely often on a fair run that violates a property."""
        conditions = justice_of(self._system, candidate)
        if conditions is not None:
            return [self._encoder.truth(condition) for condition in conditions]
        if needs_tableau(self._system, candidate):
            return [TRUE]  # with its tableau, every fair run violates it
        return [self._once(number, -self._invariant(candidate))]

    def _is_finite(self, candidate: Property) -> bool:
        """Whether a finite run shows that the property is violated."""
        if candidate.kind == "INVARSPEC":
            return True
        is_invariant = invariant_of(self._system, candidate) is not None
        return is_invariant and not self._system.justice and is_total(self._system)

    def _invariant(self, candidate: Property) -> int:
        expression = invariant_of(self._system, candidate)
        assert expression is not None  # is_expressible says so
        return self._encoder.truth(expression)


def _read_under_next(system: FlatSystem) -> set[str]:
    """The variables whose next value an expression reads, also through current assignments."""
    read: set[str] = set()
    always = {item.variable: item.value for item in system.assignments if item.time == "current"}
    reads = {name: references(system, value).current for name, value in always.items()}
    constraints = (*system.init, *system.invar, *system.trans)
    everything = [item.value for item in system.assignments] + [item.expression for item in constraints]
    stack = list(references_of_all(system, everything).next)
    while stack:
        name = stack.pop()
        if name not in read:
            read.add(name)
            stack.extend(reads.get(name, ()))
    return read


def bit_names(variable: Variable) -> tuple[str, ...]:
    """The names of a variable's bits in the symbols, least significant first."""
    if isinstance(variable.type, BooleanType):
        return (variable.name,)
    return tuple(f"{variable.name}[{index}]" for index in range(bit_count(variable.type)))


def _symbol(candidate: Property) -> str:
    return candidate.name or " ".join(candidate.text.split())


def _comments(system: FlatSystem) -> list[str]:
    lines = [f"converted from {system.source.path}; bit k of a variable is bit k of its value's place in its type"]
    lines.extend(
        f"{variable.kind.value} {variable.name} : {type_declaration(variable.type)}" for variable in system.variables
    )
    return lines


def _append(signals: list[int], signal: int) -> None:
    if signal != TRUE:
        signals.append(signal)


def _is_set(expression: Expression) -> bool:
    return isinstance(expression.type, SetType)
