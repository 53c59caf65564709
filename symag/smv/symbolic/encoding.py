"""Model variables as bits: names, codes, cubes, validity, renaming between current and next.

Bit k of variable ``x`` is ``x.k`` now and ``x.k'`` in the next state; ``symag.smv.certificates`` says which value
a bit pattern stands for. Frozen variables have no next bits of their own: their current bits stand for both, so
that no conjunct has to keep them equal. Input variables have current bits only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext, Renaming
from symag.core.trace import Value
from symag.smv.model.flat import FlatSystem, Variable, VariableKind
from symag.smv.model.types import bit_count, code_count, code_of, value_of


def current_bit(variable: str, index: int) -> str:
    """The name of bit ``index`` (0: the least significant) of a variable in the current state."""
    return f"{variable}.{index}"


def next_bit(variable: str, index: int) -> str:
    """The name of bit ``index`` of a variable in the next state."""
    return f"{variable}.{index}'"


def bit_names(
    variables: Iterable[Variable],
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]], dict[str, tuple[str, int, bool]]]:
    """The current and the next bits of each variable, the least significant first; (variable, index, primed) by bit.

    The next bits of a frozen variable are its current ones; an input has no next bits.
    """
    current: dict[str, tuple[str, ...]] = {}
    following: dict[str, tuple[str, ...]] = {}
    owner: dict[str, tuple[str, int, bool]] = {}
    for variable in variables:
        indices = range(bit_count(variable.type))
        current[variable.name] = tuple(current_bit(variable.name, index) for index in indices)
        owner.update((current_bit(variable.name, index), (variable.name, index, False)) for index in indices)
        if variable.kind is VariableKind.STATE:
            following[variable.name] = tuple(next_bit(variable.name, index) for index in indices)
            owner.update((next_bit(variable.name, index), (variable.name, index, True)) for index in indices)
        elif variable.kind is VariableKind.FROZEN:
            following[variable.name] = current[variable.name]
    return current, following, owner


class Encoding(Struct, frozen=True, eq=False):
    """The bits of the variables of one system in one context, least significant bit first."""

    context: BddContext
    variables: Mapping[str, Variable]
    current: Mapping[str, tuple[str, ...]]
    next: Mapping[str, tuple[str, ...]]
    variable_of_bit: Mapping[str, tuple[str, int, bool]]
    _to_next: Renaming
    _to_current: Renaming

    @classmethod
    def declare(cls, context: BddContext, system: FlatSystem, order: Sequence[tuple[str, int]]) -> Encoding:
        """Declare all bits in the context: ``(variable, bit)`` in the given order, a next bit after its current bit."""
        variables = {variable.name: variable for variable in system.variables}
        context.declare(
            (current_bit(name, index), next_bit(name, index))
            if variables[name].kind is VariableKind.STATE
            else (current_bit(name, index),)
            for name, index in order
        )
        return cls.over(context, system.variables)

    @classmethod
    def over(cls, context: BddContext, variables: Iterable[Variable]) -> Encoding:
        """The encoding of variables whose bits are already declared in the context."""
        by_name = {variable.name: variable for variable in variables}
        current, following, owner = bit_names(by_name.values())
        pairs = [
            (now, then)
            for name, names in following.items()
            for now, then in zip(current[name], names, strict=True)
            if now != then
        ]
        return cls(
            context,
            by_name,
            current,
            following,
            owner,
            context.renaming({now: context.bit(then) for now, then in pairs}),
            context.renaming({then: context.bit(now) for now, then in pairs}),
        )

    def current_bits(self, variables: Iterable[str]) -> tuple[str, ...]:
        """The current (or input) bits of the variables."""
        return tuple(bit for name in variables for bit in self.current[name])

    def next_bits(self, variables: Iterable[str]) -> tuple[str, ...]:
        """The next bits of the variables, without frozen ones, which have none of their own."""
        return tuple(
            bit for name in variables if self.variables[name].kind is VariableKind.STATE for bit in self.next[name]
        )

    def names(self, *kinds: VariableKind) -> tuple[str, ...]:
        """The variables of these kinds, in declaration order."""
        return tuple(name for name, variable in self.variables.items() if variable.kind in kinds)

    def state_names(self) -> tuple[str, ...]:
        """State and frozen variables, which have values in a state."""
        return self.names(VariableKind.STATE, VariableKind.FROZEN)

    def to_next(self, diagram: Bdd) -> Bdd:
        """Rename every current bit to its next bit."""
        return self.context.rename(diagram, self._to_next)

    def to_current(self, diagram: Bdd) -> Bdd:
        """Rename every next bit to its current bit; the diagram has no current state bits."""
        return self.context.rename(diagram, self._to_current)

    def renaming(self, variables: Iterable[str], *, to_next: bool) -> Renaming:
        """The renaming of only these variables, for ``context.rename``."""
        chosen = (self._to_next if to_next else self._to_current).by_bit
        bits = self.current_bits(variables) if to_next else self.next_bits(variables)
        return self.context.renaming({bit: chosen[bit] for bit in bits if bit in chosen})

    def bits(self, variable: str, primed: bool = False) -> tuple[Bdd, ...]:
        """The diagrams of a variable's bits."""
        names = self.next[variable] if primed else self.current[variable]
        return tuple(self.context.bit(name) for name in names)

    def code(self, variable: str, value: Value) -> int:
        """The bit pattern of a variable's value. Raises ValueError if its type lacks the value."""
        return code_of(self.variables[variable].type, value)

    def has_code(self, variable: str, code: int, primed: bool = False) -> Bdd:
        """The condition that a variable's bits are this pattern."""
        names = self.next[variable] if primed else self.current[variable]
        return self.context.cube({name: bool(code >> index & 1) for index, name in enumerate(names)})

    def equals(self, variable: str, value: Value) -> Bdd:
        """The condition that a variable has a value. Raises ValueError if its type lacks the value."""
        return self.has_code(variable, self.code(variable, value))

    def valid(self, variable: str, primed: bool = False) -> Bdd:
        """The condition that a variable's bits stand for a value."""
        last = code_count(self.variables[variable].type) - 1
        result = self.context.true
        for index, bit in enumerate(self.bits(variable, primed)):  # result: the bits below index are at most last's
            result = ~bit | result if last >> index & 1 else ~bit & result
        return result

    def all_valid(self, variables: Iterable[str]) -> Bdd:
        """The condition that each of these variables has a value of its type."""
        return self.context.conjunction(self.valid(name) for name in variables)

    def valuation(self, values: Mapping[str, Value], primed: bool = False) -> Bdd:
        """The condition that every given variable has its given value."""
        bits: dict[str, bool] = {}
        for name, value in values.items():
            code = self.code(name, value)
            names = self.next[name] if primed else self.current[name]
            bits.update((bit, bool(code >> index & 1)) for index, bit in enumerate(names))
        return self.context.cube(bits)

    def decode(
        self, assignment: Mapping[str, bool], variables: Iterable[str], primed: bool = False
    ) -> dict[str, Value]:
        """The values of variables under an assignment of bits; a bit that is left out counts as FALSE."""
        result = {}
        for name in variables:
            names = self.next[name] if primed else self.current[name]
            code = sum(1 << index for index, bit in enumerate(names) if assignment.get(bit, False))
            result[name] = value_of(self.variables[name].type, code)
        return result

    def pick_values(self, diagram: Bdd, variables: Iterable[str]) -> dict[str, Value]:
        """Values of variables in one valuation of a diagram; a bit that may be either is FALSE.

        The diagram must imply that every variable in its support has a pattern with a value.
        """
        return self.decode(self.context.pick(diagram), variables)

    def variables_in(self, diagram: Bdd) -> tuple[frozenset[str], frozenset[str]]:
        """The variables whose current (or input) bits a diagram reads, and those whose next bits it reads."""
        bits = [self.variable_of_bit[bit] for bit in self.context.support(diagram)]
        return (
            frozenset(name for name, _, primed in bits if not primed),
            frozenset(name for name, _, primed in bits if primed),
        )
