"""Partitions with the wires that suit them: first a cut, then its wires, then the best cut with these wires.

A cut of the variables alone does not see where DEFINEs narrow what one part shows to another, so a second one is made
with DEFINEs as variables: those that cross the borders of instances (as the valid, ready and data signals of a
handshake channel do), or all if there are few. For the variables of either the wires are chosen by
``DefineGraph``; the partition with fewer I/O bits gives the wires.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from symag.core.grouping import group_of
from symag.smv.model.dependencies import Dependency, relations
from symag.smv.model.flat import Assignment, Constraint, FlatSystem
from symag.smv.model.supports import Supports
from symag.smv.model.typed import DefineReference, Expression, references
from symag.smv.model.types import BooleanType, bit_count
from symag.smv.model.wires import WiredSystem, fresh_name, is_function_of_the_state, publish, state_functions, wired
from symag.smv.partition.hypergraph import Grain, enclosing, hypergraph
from symag.smv.partition.partitioners import partitions
from symag.smv.partition.parts import Partition, PartitionOrigin, partition_of

#: Capacities are in thousandths of a bit; a wire is a little dearer than a variable of one bit.
_BIT, _WIRE, _UNBOUNDED = 1_000, 1_001, 1 << 30


class DefineGraph(Struct, frozen=True, eq=False):
    """The DEFINEs that relations read: ``operands[d]`` are the names that DEFINE d reads, operands before readers.

    ``eligible`` are those that can be wires.

    A variable or DEFINE leads to the DEFINEs and relations that read it. What part i shows to the others is a set of
    nodes that every path from its variables to a relation of another part goes through. A least such set is a minimum
    cut with a capacity for each node: the bits of a variable, one for a boolean DEFINE that is a function of the state
    (``symag.smv.model.wires``), no bound for other DEFINEs. Its DEFINEs become wires of part i. For a DEFINE that also
    reads variables of other parts this is an upper bound, for the wire then shows these to part i; so both are tried,
    all such DEFINEs and only those of part i's own variables, and the better cut is taken.
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
    import numpy as np  # with scipy half a second, which no help should cost
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

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


#: The largest number of DEFINEs that a first cut takes for variables.
MOST_SIGNALS = 600

#: How many partitions of each first cut are tried for wires.
_TRIED = 4


def cut_wired(
    system: FlatSystem,
    invariant: Expression | None,
    counts: Sequence[int],
    imbalance: float | None = None,
    partitioner: str = "metis",
    seed: int = 0,
    grain: Grain = "variable",
) -> WiredSystem:
    """The system with the property and the DEFINEs as wires that suit partitions into each of ``counts`` parts.

    Raises UsageError as ``partitions`` does. Costs a few partitionings and maximum flows for each count.
    """
    plain = wired(system, invariant, "property")
    graph = DefineGraph.of(plain.system)
    cuttable = len(system.variables)
    chosen: dict[str, None] = {}
    for count in counts:
        if count > cuttable:
            continue
        best: tuple[tuple[int, int], Mapping[str, int]] | None = None
        for names in _first_cuts(plain, graph, count, imbalance, partitioner, seed, grain):
            for wires in choices(plain, graph, names):
                cost = _cost(plain, names, wires)
                if best is None or cost < best[0]:
                    best = cost, wires
        chosen.update(dict.fromkeys(() if best is None else best[1]))
    return _with_defines(plain, chosen)


def _first_cuts(
    plain: WiredSystem,
    graph: DefineGraph,
    count: int,
    imbalance: float | None,
    partitioner: str,
    seed: int,
    grain: Grain,
) -> Iterator[list[set[str]]]:
    """The variables of each part, without wires, for a few partitions."""
    seen = set()
    signals = _signals(plain.system, graph)
    for names in ((), signals) if signals else ((),):
        subject = _with_defines(plain, names)
        weightless = [name for name, _ in (*plain.wires, *subject.wires)]
        # With signals one imbalance costs as much as all others together without them.
        bound = 1.6 if imbalance is None and names else imbalance
        for partition in partitions(subject.system, count, bound, partitioner, seed, weightless, grain)[:_TRIED]:
            own = tuple(tuple(name for name in part if name not in weightless) for part in partition.parts)
            if own not in seen and all(own):
                seen.add(own)
                yield [set(part) for part in own]


def _signals(system: FlatSystem, graph: DefineGraph) -> list[str]:
    """The DEFINEs over two bits or more that another instance reads; all that can be wires if there are few."""
    supports = Supports(system)
    sizes = {variable.name: bit_count(variable.type) for variable in system.variables}
    narrowing = [
        name
        for name in graph.operands
        if name in graph.eligible and sum(sizes[n] for n in supports.of(system.defines[name]).current) > 1
    ]
    if len(narrowing) > MOST_SIGNALS:
        read_outside = set()
        for reader, operands in graph.operands.items():
            read_outside |= {name for name in operands if _instance(name) != _instance(reader)}
        narrowing = [name for name in narrowing if name in read_outside]
    return narrowing if len(narrowing) <= MOST_SIGNALS else []


def _instance(name: str) -> str:
    return (enclosing(name) or [""])[-1]


def choices(plain: WiredSystem, graph: DefineGraph, parts: Sequence[set[str]]) -> Iterator[dict[str, int]]:
    """Wires for a partition, each with its part: over variables of their parts only, and over any."""
    yield {}
    all_relations = relations(plain.system)
    for pure in (True, False):
        wires: dict[str, int] = {}
        for number, part in enumerate(parts):
            readers = [item for item in all_relations if not _is_owned(item.next_variables, item.assigned, part)]
            for name in sorted(graph.wires(part, readers, pure)):
                wires.setdefault(name, number)
        if wires:
            yield wires


def _is_owned(following: frozenset[str], assigned: str | None, part: set[str]) -> bool:
    return bool(following & part) or assigned in part


def _cost(plain: WiredSystem, parts: Sequence[set[str]], wires: Mapping[str, int]) -> tuple[int, int]:
    """The I/O bits and the largest part with its I/O, once these DEFINEs are wires of these parts."""
    partition = assigned_partition(plain, parts, wires)
    return partition.io_bits, partition.mx


def assigned_partition(plain: WiredSystem, parts: Sequence[set[str]], wires: Mapping[str, int]) -> Partition:
    """The partition with these variables, and with DEFINEs as wires, each of the part that is given for it.

    A wire of the property is in the part where it costs least.
    """
    subject = _with_defines(plain, wires)
    graph = hypergraph(subject.system, [name for name, _ in subject.wires])
    part_of = group_of(parts)
    part_of |= {name: wires[e.name] for name, e in subject.wires if isinstance(e, DefineReference) and e.name in wires}
    candidates = []
    for home in range(len(parts)) if plain.property_wire is not None else (0,):
        assignment = [part_of.get(names[0], home) for names in graph.vertices]
        candidates.append(partition_of(graph, assignment, 1.0, PartitionOrigin("assigned", "", 0)))
    return min(candidates, key=lambda partition: (partition.io_bits, partition.mx))


def _with_defines(plain: WiredSystem, names: Iterable[str]) -> WiredSystem:
    """The wired system with further wires for these DEFINEs."""
    further: list[tuple[str, Expression]] = []
    system = plain.system
    supports = Supports(system)
    for name in names:
        reference = DefineReference(name, False, BooleanType(), system.defines[name].position)
        if is_function_of_the_state(system, reference, supports):
            further.append((fresh_name(system, f"{name}.wire"), reference))
    return WiredSystem(publish(system, further), (*plain.wires, *further), plain.property_wire)
