"""Why the parts of a partition are what they are, for people to read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from symag.core.grouping import group_of, some
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Expression
from symag.smv.model.types import bit_count
from symag.smv.partition.hypergraph import Grain, Hypergraph, Unit, enclosing, hypergraph, owners, units
from symag.smv.partition.parts import Partition, weight_bounds
from symag.smv.partition.refinement import Nets, VertexAssignment

#: Of each kind of reason at most this many are named; the others are counted.
_SHOWN = 4


class Channel(Struct, frozen=True):
    """Two instances in different parts that read signals of each other, as a handshake's valid and ready."""

    own: str
    other: str
    other_part: int
    shows: tuple[str, ...]
    reads: tuple[str, ...]


class WireReason(Struct, frozen=True):
    """A wire that others read: what it stands for, and how many bits its part would show without it."""

    name: str
    bits: int


class Move(Struct, frozen=True):
    """The cheapest move of a vertex out of a part: what it would add to the I/O bits (perhaps less than 0)."""

    name: str
    target: int
    io_bits: int
    out_of_balance: bool


class PartReasons(Struct, frozen=True):
    """One part: the ``units`` in it, variables ``together`` because a constraint reads their next values at once, the
    channels that its border crosses, its wires, and its cheapest move (None if it shares nothing).
    """

    units: tuple[Unit, ...]
    together: tuple[tuple[str, ...], ...]
    channels: tuple[Channel, ...]
    wires: tuple[WireReason, ...]
    move: Move | None

    def lines(self) -> Iterator[str]:
        """The reasons as sentences."""
        for kind in ("instance", "word"):
            names = [f"{u.name} ({len(u.variables)})" for u in self.units if u.kind == kind]
            if names:
                yield f"{kind}s that stay whole: {some(names, _SHOWN)}"
        for group in self.together[:_SHOWN]:
            yield f"a constraint reads the next values of {some(group, _SHOWN)} together"
        for channel in self.channels[:_SHOWN]:
            yield (
                f"channel {channel.own} - {channel.other} of part {channel.other_part}: "
                f"shows {some(channel.shows, _SHOWN)}; reads {some(channel.reads, _SHOWN)}"
            )
        if self.wires:
            yield f"wires: {some([f'{wire.name} for {wire.bits} bits' for wire in self.wires], _SHOWN)}"
        if self.move is not None:
            change = f"would add {self.move.io_bits}" if self.move.io_bits >= 0 else f"would save {-self.move.io_bits}"
            balance = ", and the parts would be out of balance" if self.move.out_of_balance else ""
            yield f"to move {self.move.name} to part {self.move.target} {change} I/O bits{balance}"


def reasons(
    partition: Partition, whole: Sequence[Unit], wires: Sequence[tuple[str, Expression]]
) -> tuple[PartReasons, ...]:
    """The reasons of each part. ``whole`` are units that are in one part each; ``wires`` are those of the system.

    Linear in the dependencies, and in the number of vertices times parts.
    """
    weightless = [name for name, _ in wires]
    graph = hypergraph(partition.system, weightless, [unit.variables for unit in whole])
    moves = _moves(partition, graph, {name: unit.name for unit in whole for name in unit.variables})
    channels = _channels(partition)
    supports = Supports(partition.system)
    sizes = {variable.name: bit_count(variable.type) for variable in partition.system.variables}
    result = []
    for number, names in enumerate(partition.parts):
        inside = set(names)
        inner = tuple(unit for unit in whole if unit.variables[0] in inside)
        in_units = {name for unit in inner for name in unit.variables}
        together = tuple(group for group in graph.vertices if len(group) > 1 and group[0] in inside - in_units)
        own_wires = tuple(
            WireReason(name, sum(sizes[read] for read in supports.of(expression).current))
            for name, expression in wires
            if name in partition.outputs[number]
        )
        result.append(PartReasons(inner, together, tuple(channels[number]), own_wires, moves[number]))
    return tuple(result)


def kept_whole(partition: Partition, grain: Grain, weightless: Collection[str]) -> tuple[Unit, ...]:
    """The largest units of this grain that are in one part each."""
    part_of = group_of(partition.parts)
    names = [name for name in part_of if name not in weightless]
    whole: list[Unit] = []
    for largest in sorted({len(names) >> shift for shift in range(len(names).bit_length())}, reverse=True):
        covered = {name for unit in whole for name in unit.variables}
        for unit in units(partition.system, grain, largest, weightless):
            if covered.isdisjoint(unit.variables) and len({part_of[name] for name in unit.variables}) == 1:
                whole.append(unit)
    return tuple(whole)


def _moves(partition: Partition, graph: Hypergraph, unit_names: Mapping[str, str]) -> list[Move | None]:
    part_of = group_of(partition.parts)
    count = len(partition.parts)
    bounds = weight_bounds(graph.weight, count, partition.imbalance)
    placement = VertexAssignment(Nets.of(graph), [part_of[group[0]] for group in graph.vertices], count, bounds)
    cheapest: list[Move | None] = [None] * count
    for vertex, group in enumerate(graph.vertices):
        source = placement.part[vertex]
        if not placement.on_the_border(vertex) or len(graph.vertices) <= 1:
            continue
        for target in range(count):
            best = cheapest[source]
            added = placement.change(vertex, target)[0] if target != source else 0
            if target != source and (best is None or added < best.io_bits):
                name = (
                    group[0] if len(group) == 1 else unit_names.get(group[0], f"{group[0]} and {len(group) - 1} more")
                )
                outside = placement.excess_after(vertex, target) > 0
                cheapest[source] = Move(name, target, added, outside)
    return cheapest


def _channels(partition: Partition) -> list[list[Channel]]:
    """The pairs of instances across parts that read each other, by the part of the first."""
    part_of = group_of(partition.parts)
    crossing: dict[tuple[str, str], dict[str, None]] = {}
    home: dict[str, int] = {}
    for number, owned in enumerate(partition.owned):
        for relation in owned:
            readers = sorted(owners(relation) & set(partition.parts[number]))
            if not readers:
                continue
            for name in sorted(relation.variables & set(partition.inputs[number])):
                source, target = _apart(name, readers[0])
                if source and target:
                    home[source], home[target] = part_of[name], number
                    crossing.setdefault((source, target), {})[name] = None
    channels: list[list[Channel]] = [[] for _ in partition.parts]
    for (source, target), shown in crossing.items():
        back = crossing.get((target, source))
        if back is not None:
            channels[home[source]].append(Channel(source, target, home[target], tuple(shown), tuple(back)))
    return channels


def _apart(one: str, other: str) -> tuple[str, str]:
    """The outermost instances of two names that differ; empty for a name outside of instances."""
    first, second = enclosing(one), enclosing(other)
    for left, right in zip(first, second, strict=False):
        if left != right:
            return left, right
    shared = min(len(first), len(second))
    return (first[shared] if len(first) > shared else ""), (second[shared] if len(second) > shared else "")
