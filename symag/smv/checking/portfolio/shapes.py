"""What the schedule of a race knows of an invariant: how many state bits matter to it, and the kind of the model."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from functools import cached_property

from symag.smv.model.dependencies import Cones, influencing
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.gates import gates_of
from symag.smv.model.typed import Expression
from symag.smv.model.types import WordType, bit_count
from symag.smv.model.waiting import all_may_wait

#: A property with at most this many state bits in its cone of influence counts as small. (BDD search decided 11 of 12
#: HWMCC files with fewer latches, and 6 of 30 with more.)
FEW_BITS = 50

#: Properties of systems with more state bits than this count as large; their cones are not computed, which takes time.
MANY_BITS = 1_000

#: Of properties with more state bits than this in their cones BDD search starts last: SAT is tried first.
THOUSANDS_OF_BITS = 2_000

#: Words and ranges of at least this many bits are wide.
WIDE = 8

#: The share of the variables from which on a cone is nearly the whole system.
NEARLY_ALL = 0.9


class Shape(enum.IntEnum):
    """What the schedule knows of an invariant: how many state bits matter to it, and the kind of the model."""

    FEW_BITS = 0
    FEW_BITS_OF_GATES = 1
    MANY_BITS = 2
    MANY_BITS_OF_GATES = 3
    THOUSANDS_OF_BITS = 4
    MANY_BITS_OF_PROCESSES = 5
    MANY_BITS_OF_COMPONENTS = 6
    FEW_BITS_OF_CIRCUIT = 7
    MANY_BITS_OF_WORDS = 8
    MANY_BITS_OF_VALUES = 9


class Shapes:
    """The shapes of the invariants of one system."""

    def __init__(self, system: FlatSystem) -> None:
        self._system = system

    def of(self, invariant: Expression) -> Shape:
        """The shape of an invariant."""
        gates = gates_of(self._system.defines) is not None
        if not self._has_many_bits(invariant):
            if gates:
                return Shape.FEW_BITS_OF_GATES
            return Shape.FEW_BITS_OF_CIRCUIT if self._is_circuit else Shape.FEW_BITS
        if self.is_large_relation and self._is_of_words:
            return Shape.MANY_BITS_OF_WORDS
        if self._has_thousands_of_bits(invariant):
            return Shape.THOUSANDS_OF_BITS
        if self._system.selector is not None or all_may_wait(self._system):
            return Shape.MANY_BITS_OF_PROCESSES
        if self._system.trans:
            from symag.smv.symbolic import choices  # for start-up: few models have TRANS

            if choices.interaction_variable(self._system) is not None:
                return Shape.MANY_BITS_OF_COMPONENTS
        if self.is_large_relation:
            return Shape.MANY_BITS_OF_PROCESSES
        if self._is_of_values:
            return Shape.MANY_BITS_OF_VALUES
        return Shape.MANY_BITS_OF_GATES if gates else Shape.MANY_BITS

    @cached_property
    def is_large_relation(self) -> bool:
        """Whether only TRANS, without interactions, says what follows, of more bits than BDD search usually manages."""
        if not self._system.trans or self._state_bits(self._system.by_name) <= FEW_BITS:
            return False
        from symag.smv.symbolic import choices  # for start-up: few models have TRANS

        return choices.is_relational(self._system) and choices.interaction_variable(self._system) is None

    @cached_property
    def _is_of_words(self) -> bool:
        """Whether most bits are those of wide words, as in programs."""
        types = [variable.type for variable in self._system.variables]
        wide = sum(of.width for of in types if isinstance(of, WordType) and of.width >= WIDE)
        return 2 * wide > sum(map(bit_count, types))

    @cached_property
    def _is_of_values(self) -> bool:
        """Whether most bits are those of enumerations and small ranges of more than two values."""
        types = [variable.type for variable in self._system.variables]
        of_values = [bit_count(of) for of in types if not isinstance(of, WordType) and 1 < bit_count(of) < WIDE]
        return 2 * sum(of_values) > sum(map(bit_count, types))

    @cached_property
    def _is_circuit(self) -> bool:
        """Whether all variables have two values, and most names are DEFINEs: a netlist by hand."""
        variables = self._system.variables
        are_bits = all(bit_count(variable.type) == 1 for variable in variables)
        return are_bits and len(self._system.defines) > len(variables) and self._system.selector is None

    @cached_property
    def _cones(self) -> Cones:
        return Cones(self._system)

    def _has_many_bits(self, invariant: Expression) -> bool:
        """Whether the cone of influence has more state bits than BDD search usually manages."""
        total = self._state_bits(self._system.by_name)
        if not FEW_BITS < total <= MANY_BITS:
            return total > MANY_BITS
        return self._state_bits(self._cones.variables(invariant)) > FEW_BITS

    def _has_thousands_of_bits(self, invariant: Expression) -> bool:
        """Whether about the cone of influence has that many; linear."""
        if self._state_bits(self._system.by_name) <= THOUSANDS_OF_BITS:
            return False
        return self._state_bits(influencing(self._system, [invariant])) > THOUSANDS_OF_BITS

    def _state_bits(self, names: Iterable[str]) -> int:
        variables = map(self._system.by_name.__getitem__, names)
        return sum(bit_count(item.type) for item in variables if item.kind is VariableKind.STATE)

    def is_coupled(self, invariant: Expression) -> bool:
        """Whether nearly all of the system can influence the invariant, in a system without processes."""
        if self._system.selector is not None:
            return False
        return len(self._cones.variables(invariant)) >= NEARLY_ALL * len(self._system.variables)
