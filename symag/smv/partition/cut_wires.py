"""Partitions with the wires that suit them: first a cut, then its wires, then the best cut with these wires.

A cut of the variables alone does not see where DEFINEs narrow what one part shows to another, so a second one is made
with DEFINEs as variables: those that cross the borders of instances (as the valid, ready and data signals of a
handshake channel do), or all if there are few. For the variables of either the wires are chosen by
``symag.smv.partition.wiring``; the partition with fewer I/O bits gives the wires.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from symag.smv.model.dependencies import Supports, relations
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import DefineReference, Expression
from symag.smv.model.types import BooleanType, bit_count
from symag.smv.model.wires import WiredSystem, fresh_name, is_function_of_the_state, publish, wired
from symag.smv.partition.hypergraph import hypergraph
from symag.smv.partition.partitioners import partitions
from symag.smv.partition.parts import Partition, PartitionOrigin, partition_of
from symag.smv.partition.units import Grain, enclosing
from symag.smv.partition.wiring import DefineGraph

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
    part_of = {name: number for number, part in enumerate(parts) for name in part}
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
