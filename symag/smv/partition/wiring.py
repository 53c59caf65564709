"""Wires chosen by the size of the cut: DEFINEs that a partition crosses in the place of more bits.

Take the DEFINEs of a system as a graph: a variable or DEFINE leads to the DEFINEs and relations that read it. What part
i shows to the others is a set of nodes that every path from its variables to a relation of another part goes through. A
least such set is a minimum cut with a capacity for each node: the bits of a variable, one for a boolean DEFINE that is
a function of the state (``symag.smv.model.wires``), no bound for other DEFINEs. Its DEFINEs become wires of part i. For
a DEFINE that also reads variables of other parts this is an upper bound, for the wire then shows these to part i; so
both are tried, all such DEFINEs and only those of part i's own variables, and the better cut is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from msgspec import Struct
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from symag.smv.model.dependencies import Dependency
from symag.smv.model.flat import Assignment, Constraint, FlatSystem
from symag.smv.model.typed import DefineReference, Expression, references
from symag.smv.model.types import bit_count
from symag.smv.model.wires import state_functions

#: Capacities are in thousandths of a bit; a wire is a little dearer than a variable of one bit.
_BIT, _WIRE, _UNBOUNDED = 1_000, 1_001, 1 << 30


class DefineGraph(Struct, frozen=True, eq=False):
    """The DEFINEs that relations read: ``operands[d]`` are the names that DEFINE d reads, operands before readers.

    ``eligible`` are those that can be wires.
    """

    system: FlatSystem
    operands: Mapping[str, frozenset[str]]
    eligible: frozenset[str]

    @classmethod
    def of(cls, system: FlatSystem) -> DefineGraph:
        """Linear in the size of the system."""
        roots = [
            *(assignment.value for assignment in system.assignments),
            *(item.expression for item in (*system.init, *system.invar, *system.trans)),
        ]
        reads: dict[str, frozenset[str]] = {}
        operands: dict[str, frozenset[str]] = {}
        stack = [(name, False) for root in roots for name in _read(root)]
        primed = {name for root in roots for name in _primed(root)}
        while stack:
            name, below_done = stack.pop()
            if below_done:
                operands[name] = reads[name]
            elif name in system.defines and name not in reads:
                reads[name] = _read(system.defines[name])
                primed |= _primed(system.defines[name])
                stack.append((name, True))
                stack.extend((operand, False) for operand in reads[name])
        return cls(system, operands, frozenset(state_functions(system, operands)) - primed)

    def wires(self, part: Collection[str], readers: Sequence[Dependency], pure: bool) -> frozenset[str]:
        """The DEFINEs of a least cut between the variables of a part and the relations of others.

        With ``pure`` only DEFINEs over the part's variables count. Costs a maximum flow.
        """
        own = frozenset(part)
        read = {name for reader in readers for name in _read(_expression(reader.origin))}
        below = self._reached_from(sorted(read))
        names = [name for name in below if name in own or name in self.operands]
        if own.isdisjoint(names):
            return frozenset()
        number = {name: index for index, name in enumerate(names)}
        allowed = self.over(own) if pure else self.eligible
        # Node k enters at 2k and leaves at 2k + 1.
        source, sink = 2 * len(names), 2 * len(names) + 1
        arcs: list[tuple[int, int, int]] = []
        sizes = {variable.name: bit_count(variable.type) for variable in self.system.variables}
        for name, index in number.items():
            capacity = sizes[name] * _BIT if name in own else _WIRE if name in allowed else _UNBOUNDED
            arcs.append((2 * index, 2 * index + 1, capacity))
            if name in own:
                arcs.append((source, 2 * index, _UNBOUNDED))
            for operand in self.operands.get(name, ()):
                if operand in number:
                    arcs.append((2 * number[operand] + 1, 2 * index, _UNBOUNDED))
        arcs.extend((2 * number[name] + 1, sink, _UNBOUNDED) for name in sorted(read) if name in number)
        cut = _least_cut(arcs, source, sink)
        return frozenset(name for name, index in number.items() if index in cut and name in self.operands)

    def over(self, own: frozenset[str]) -> frozenset[str]:
        """The eligible DEFINEs that read no other variables."""
        inside = set(own)
        for name, operands in self.operands.items():
            if operands <= inside:
                inside.add(name)
        return self.eligible & inside

    def _reached_from(self, names: Sequence[str]) -> dict[str, None]:
        """The names with all that their DEFINEs read, without repetition."""
        reached: dict[str, None] = {}
        stack = list(names)
        while stack:
            name = stack.pop()
            if name not in reached:
                reached[name] = None
                stack.extend(self.operands.get(name, ()))
        return reached


def _least_cut(arcs: Sequence[tuple[int, int, int]], source: int, sink: int) -> set[int]:
    """The numbers of the nodes whose inner arc is in a minimum cut."""
    tails, heads, capacities = (np.array(column, dtype=np.int32) for column in zip(*arcs, strict=True))
    shape = (sink + 1, sink + 1)
    network = csr_array((capacities, (tails, heads)), shape=shape, dtype=np.int32)
    residual = network - maximum_flow(network, source, sink).flow
    residual.eliminate_zeros()
    reached = np.zeros(sink + 1, dtype=bool)
    reached[breadth_first_order(residual, source, return_predecessors=False)] = True
    return {node for node in range(source // 2) if reached[2 * node] and not reached[2 * node + 1]}


def _expression(origin: Assignment | Constraint) -> Expression:
    return origin.value if isinstance(origin, Assignment) else origin.expression


def _read(expression: Expression) -> frozenset[str]:
    """The variables that an expression reads in the present state, and all DEFINEs that it names."""
    return frozenset(
        reference.name
        for reference in references(expression)
        if not reference.primed or isinstance(reference, DefineReference)
    )


def _primed(expression: Expression) -> frozenset[str]:
    """The DEFINEs that an expression names under ``next``."""
    return frozenset(r.name for r in references(expression) if r.primed and isinstance(r, DefineReference))
