"""The gates of a netlist: DEFINEs in arrays, so that a million of them cost megabytes and no objects.

Laws of this file: a literal is twice a node's number, plus one for negation; node 0 is FALSE, then come the variables,
then the gates. A gate is the conjunction of two literals of smaller nodes. Gates read present values only.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from symag.smv.model.cones import new_below
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType

_BOOLEAN = BooleanType()


@dataclass(frozen=True, slots=True, eq=False)
class Gates:
    """``first[k]`` and ``second[k]`` are the operands of gate k, whose node is ``1 + len(variables) + k``.

    Its name is ``prefix`` with ``numbers[k]``; ``gate_of`` maps numbers to gates, None if ``numbers`` is a range.
    ``used[k]`` is 0 for a gate that no expression reads, which is no DEFINE.
    """

    variables: tuple[str, ...]
    first: array[int]
    second: array[int]
    used: bytearray
    prefix: str
    numbers: Sequence[int]
    gate_of: Mapping[int, int] | None = None

    def node(self, name: str) -> int | None:
        """The node of a gate by its name; None for any other name."""
        digits = name[len(self.prefix) :]
        if not (name.startswith(self.prefix) and digits.isascii() and digits.isdecimal()) or digits[0] == "0":
            return None
        number = int(digits)
        if self.gate_of is not None:
            gate = self.gate_of.get(number, -1)
        else:
            gate = number - self.numbers[0] if self.numbers and number in self.numbers else -1
        return 1 + len(self.variables) + gate if gate >= 0 and self.used[gate] else None

    def names(self) -> Iterator[str]:
        """The names of the gates in use, operands before gates."""
        return (f"{self.prefix}{number}" for number, used in zip(self.numbers, self.used, strict=True) if used)

    def expression(self, literal: int) -> Expression:
        """The expression of a literal: a reference to its node, perhaps negated."""
        node = literal >> 1
        if node == 0:
            return Constant(bool(literal), _BOOLEAN, 0)
        plain: Expression
        if node <= len(self.variables):
            plain = VariableReference(self.variables[node - 1], False, _BOOLEAN, 0)
        else:
            name = f"{self.prefix}{self.numbers[node - 1 - len(self.variables)]}"
            plain = DefineReference(name, False, _BOOLEAN, 0)
        return Operation("not", (plain,), _BOOLEAN, 0) if literal & 1 else plain

    def body(self, node: int) -> Expression:
        """The expression that defines a gate."""
        gate = node - 1 - len(self.variables)
        operands = self.expression(self.first[gate]), self.expression(self.second[gate])
        return Operation("and", operands, _BOOLEAN, 0)

    def new_nodes(self, roots: Iterable[int], seen: bytearray) -> list[int]:
        """The variables and gates that some nodes depend on and that are not marked in ``seen``, in increasing order.

        They are marked there. Linear in the nodes that are new, and sorting.
        """
        nodes = new_below(self.first, self.second, 1 + len(self.variables), roots, seen)
        return nodes[1:] if nodes and nodes[0] == 0 else nodes

    def fresh_marks(self) -> bytearray:
        """A mark for every node, none of them set."""
        return bytearray(1 + len(self.variables) + len(self.first))

    def variable_names(self, nodes: Sequence[int]) -> Iterator[str]:
        """The names of the variables among some nodes in increasing order."""
        last = bisect_right(nodes, len(self.variables))
        return (self.variables[node - 1] for node in nodes[:last] if node > 0)


@dataclass(frozen=True, slots=True, eq=False)
class GateDefines(Mapping[str, Expression]):
    """The DEFINEs of a netlist by name: its gates, whose expressions are made when they are used, then ``others``."""

    gates: Gates
    others: Mapping[str, Expression]
    _made: dict[str, Expression] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Expression:
        made = self._made.get(name)
        if made is None:
            node = self.gates.node(name)
            if node is None:
                return self.others[name]
            made = self._made[name] = self.gates.body(node)
        return made

    def __iter__(self) -> Iterator[str]:
        yield from self.gates.names()
        yield from self.others

    def __len__(self) -> int:
        return sum(self.gates.used) + len(self.others)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (self.gates.node(name) is not None or name in self.others)


def gates_of(defines: Mapping[str, Expression]) -> Gates | None:
    """The gates among DEFINEs; None if they are not those of a netlist."""
    return defines.gates if isinstance(defines, GateDefines) else None


def with_others(defines: Mapping[str, Expression], others: Mapping[str, Expression]) -> Mapping[str, Expression]:
    """More DEFINEs; costs nothing for the gates among them."""
    if isinstance(defines, GateDefines):
        return GateDefines(defines.gates, {**defines.others, **others})
    return {**defines, **others}
