"""The gates of a netlist: DEFINEs in arrays, so that a million of them cost megabytes and no objects.

Laws of this file: a literal is twice a node's number, plus one for negation; node 0 is FALSE, then come the variables,
then the gates. A gate is the conjunction of two literals of smaller nodes. Gates read present values only.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from symag.smv.model.typed import BOOLEAN, Constant, DefineReference, Expression, Operation, VariableReference

#: Levels of fewer nodes are walked through one by one, which costs less than numpy's calls. So are graphs of fewer
#: nodes where numpy has not been imported: that takes 30 to 60 ms, the walk 4 at most.
_WIDE, _MANY = 100, 10_000


def new_below(first: array[int], second: array[int], offset: int, roots: Iterable[int], seen: bytearray) -> list[int]:
    """The nodes that ``roots`` depend on and that are not marked in ``seen``, in increasing order; they are marked.

    Node n is a gate if n - ``offset`` is an index of ``first`` and ``second`` where they are not negative: these are
    its operands, literals (twice the node, plus one for negation). Linear in the nodes that are new, and sorting.
    """
    frontier = []
    for root in roots:
        if not seen[root]:
            seen[root] = 1
            frontier.append(root)
    nodes = list(frontier)
    while frontier:
        if len(frontier) >= _WIDE and (len(seen) >= _MANY or "numpy" in sys.modules):
            return _below_many(first, second, offset, frontier, seen, nodes)
        frontier = _operands(first, second, offset, frontier, seen)
        nodes += frontier
    nodes.sort()
    return nodes


def _operands(first: array[int], second: array[int], offset: int, nodes: list[int], seen: bytearray) -> list[int]:
    """The operands of nodes that are not marked yet."""
    following = []
    for node in nodes:
        gate = node - offset
        if gate >= 0 and first[gate] >= 0:
            for operand in (first[gate] >> 1, second[gate] >> 1):
                if not seen[operand]:
                    seen[operand] = 1
                    following.append(operand)
    return following


def _below_many(
    first: array[int], second: array[int], offset: int, frontier: list[int], seen: bytearray, nodes: list[int]
) -> list[int]:
    """``new_below`` where levels may be wide: ``frontier`` are the last of the ``nodes`` so far."""
    # Most models have no netlist, and start without numpy.
    import numpy as np

    marks = np.frombuffer(seen, dtype=np.uint8)
    one, other = (np.frombuffer(operands, dtype=np.int32) for operands in (first, second))
    levels = [np.array(nodes, dtype=np.int64)]
    #: Of every node, its last place among some operands: those that have another one are duplicates.
    last = np.zeros(len(seen), dtype=np.int32)
    while frontier:
        if len(frontier) < _WIDE:
            frontier = _operands(first, second, offset, frontier, seen)
            levels.append(np.array(frontier, dtype=np.int64))
            continue
        wide = levels[-1][-len(frontier) :]
        while len(wide) >= _WIDE:
            gates = wide[wide >= offset] - offset
            operands = np.concatenate([one[gates], other[gates]])
            operands = operands[operands >= 0].astype(np.int64) >> 1
            operands = operands[marks[operands] == 0]
            places = np.arange(len(operands), dtype=np.int32)
            last[operands] = places
            wide = operands[last[operands] == places]
            marks[wide] = 1
            levels.append(wide)
        frontier = wide.tolist()
    below: list[int] = np.sort(np.concatenate(levels)).tolist()
    return below


class Gates(Struct, frozen=True, eq=False):
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
            return Constant(bool(literal), BOOLEAN, 0)
        plain: Expression
        if node <= len(self.variables):
            plain = VariableReference(self.variables[node - 1], False, BOOLEAN, 0)
        else:
            name = f"{self.prefix}{self.numbers[node - 1 - len(self.variables)]}"
            plain = DefineReference(name, False, BOOLEAN, 0)
        return Operation("not", (plain,), BOOLEAN, 0) if literal & 1 else plain

    def body(self, node: int) -> Expression:
        """The expression that defines a gate."""
        gate = node - 1 - len(self.variables)
        operands = self.expression(self.first[gate]), self.expression(self.second[gate])
        return Operation("and", operands, BOOLEAN, 0)

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


class GateDefines(Mapping[str, Expression]):
    """The DEFINEs of a netlist by name: its gates, whose expressions are made when they are used, then ``others``."""

    def __init__(self, gates: Gates, others: Mapping[str, Expression]) -> None:
        self.gates = gates
        self.others = others
        self._made: dict[str, Expression] = {}

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
