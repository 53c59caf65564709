"""Hill-climbing on the paper's own objective: moves of single vertices between parts.

Partitioners minimise the weight of cut hyperedges, or of cut edges in a graph derived from the hypergraph. The
objective here is max_i |X_i u IO_i| (paper, Section 3) and the number of I/O bits; |X_i u IO_i| is the bits of X_i
and of the variables that part i reads from others. The moves follow Fiduccia and Mattheyses: every vertex moves at
most once in a pass, the best move first even if it makes the cost worse, and the best assignment of the pass is
kept. So that balanced parts can swap vertices, a pass may leave the bounds on the weights by twice a vertex of
median weight; only assignments within the bounds count. (Twice the heaviest vertex was tried: where one variable
has 26 of 95 bits, passes then stay out of balance and find nothing.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from symag.smv.partition.hypergraph import Hypergraph


class Nets(Struct, frozen=True, eq=False):
    """The hyperedges that can be cut, equal ones merged: ``nets[e]`` is (bits, owner, pins).

    ``weights`` and ``bits`` of the vertices are the hypergraph's.
    """

    weights: tuple[int, ...]
    bits: tuple[int, ...]
    nets: tuple[tuple[int, int, tuple[int, ...]], ...]
    incident: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, graph: Hypergraph) -> Nets:
        """The hyperedges with at least two pins; those with the same owner and pins are merged."""
        merged: dict[tuple[int, tuple[int, ...]], int] = {}
        for edge in graph.edges:
            if len(edge.pins) > 1 and edge.bits:
                merged[edge.owner, edge.pins] = merged.get((edge.owner, edge.pins), 0) + edge.bits
        nets = tuple((weight, owner, pins) for (owner, pins), weight in merged.items())
        incident: list[list[int]] = [[] for _ in graph.vertices]
        for number, (_, _, pins) in enumerate(nets):
            for vertex in pins:
                incident[vertex].append(number)
        return cls(graph.weights, graph.bits, nets, tuple(map(tuple, incident)))


#: A function from an imbalance to first assignments, each with its expansion (or preset) and seed.
Starts = Callable[[float], Iterator[tuple[str, int, tuple[int, ...]]]]


class VertexAssignment:
    """An assignment of vertices to parts; moves keep its costs up to date."""

    def __init__(self, nets: Nets, assignment: Sequence[int], parts: int, bounds: tuple[int, int]) -> None:
        self._nets = nets
        self.part = list(assignment)
        self.low, self.high = bounds
        self.weight = [0] * parts
        self.size = [0] * parts
        for vertex, part in enumerate(self.part):
            self.weight[part] += nets.weights[vertex]
            self.size[part] += nets.bits[vertex]
        self.io = 0
        self._pins: list[list[int]] = []
        for weight, owner, pins in nets.nets:
            inside = [0] * parts
            for vertex in pins:
                inside[self.part[vertex]] += 1
            self._pins.append(inside)
            home = self.part[owner]
            readers = [part for part in range(parts) if inside[part] and part != home]
            for part in readers:
                self.size[part] += weight
            if readers:
                self.io += weight

    @property
    def excess(self) -> int:
        """The sum over all parts of how far their weights are outside the bounds."""
        return sum(max(0, w - self.high, self.low - w) for w in self.weight)

    def excess_after(self, vertex: int, target: int) -> int:
        """The excess if the vertex moved."""
        weight, low, high, source = self._nets.weights[vertex], self.low, self.high, self.part[vertex]
        total = 0
        for part, load in enumerate(self.weight):
            if part == source:
                load -= weight
            elif part == target:
                load += weight
            if load > high:
                total += load - high
            elif load < low:
                total += low - load
        return total

    @property
    def cost(self) -> int:
        """The objective of hill-climbing: see ``combined``."""
        return combined(self.io, max(self.size), sum(self.size))

    def change(self, vertex: int, target: int) -> tuple[int, int, int]:
        """What a move adds to the I/O bits, to the size of the vertex's part, and to the target's size."""
        source = self.part[vertex]
        io, left, entered = 0, -self._nets.bits[vertex], self._nets.bits[vertex]
        for number in self._nets.incident[vertex]:
            weight, owner, pins = self._nets.nets[number]
            inside = self._pins[number]
            here, there = inside[source], inside[target]
            if here == len(pins):
                io += weight
            elif here == 1 and there == len(pins) - 1:
                io -= weight
            if vertex == owner:
                if here > 1:
                    left += weight
                if there:
                    entered -= weight
            else:
                if here == 1:
                    left -= weight
                if not there:
                    entered += weight
        return io, left, entered

    def move(self, vertex: int, target: int) -> None:
        """Move a vertex and update all costs."""
        source = self.part[vertex]
        io, left, entered = self.change(vertex, target)
        self.io += io
        self.size[source] += left
        self.size[target] += entered
        self.weight[source] -= self._nets.weights[vertex]
        self.weight[target] += self._nets.weights[vertex]
        for number in self._nets.incident[vertex]:
            self._pins[number][source] -= 1
            self._pins[number][target] += 1
        self.part[vertex] = target

    def critical(self, vertex: int, target: int) -> list[int]:
        """The nets of the vertex for whose other pins a move of the vertex changes the result of ``change``.

        That depends on whether a part has no pin, one, more, all but one, or all. So most hyperedges with many pins
        in both parts, such as that of the selector of processes, are not among them.
        """
        source, numbers = self.part[vertex], []
        for number in self._nets.incident[vertex]:
            pins = len(self._nets.nets[number][2])
            here, there = self._pins[number][source], self._pins[number][target]
            if here <= 2 or here >= pins - 1 or there <= 1 or there >= pins - 2:
                numbers.append(number)
        return numbers

    def on_the_border(self, vertex: int) -> bool:
        """Whether some hyperedge of the vertex is cut."""
        source = self.part[vertex]
        return any(self._pins[n][source] < len(self._nets.nets[n][2]) for n in self._nets.incident[vertex])


def combined(io: int, mx: int, total: int) -> int:
    """The objective as one number: 1.5 times the I/O bits, plus the largest part with its I/O, in thousandths.

    With these weights neither is worse than Mt-KaHyPar's (scripts/smv/compare_partitioners.py); the sum of all sizes
    breaks ties.
    """
    return 1500 * io + 1000 * mx + total


def refine(
    nets: Nets, assignment: Sequence[int], parts: int, bounds: tuple[int, int], passes: int = 8
) -> tuple[int, ...] | None:
    """An assignment within the bounds on the weights, improved by at most ``passes`` passes; None if none was found."""
    placement = VertexAssignment(nets, assignment, parts, bounds)
    if not _balance(placement, nets, parts):
        return None
    for _ in range(passes):
        if not _one_pass(placement, nets, parts):
            break
    return tuple(placement.part)


def _balance(placement: VertexAssignment, nets: Nets, parts: int) -> bool:
    """Move vertices until the weights are within the bounds: least excess first, then least cost."""
    excess = placement.excess
    while excess:
        moves = [
            (vertex, target) for vertex, part in enumerate(placement.part) for target in range(parts) if target != part
        ]
        after = [placement.excess_after(vertex, target) for vertex, target in moves]
        least = min(after, default=excess)
        if least >= excess:
            return False
        best = min(
            (_cost_after(placement, *move, placement.change(*move)), *move)
            for move, left in zip(moves, after, strict=True)
            if left == least
        )
        placement.move(*best[1:])
        excess = least
    return True


def _cost_after(placement: VertexAssignment, vertex: int, target: int, change: tuple[int, int, int]) -> int:
    size, source = placement.size, placement.part[vertex]
    io, left, entered = change
    largest, total = 0, left + entered
    for part, load in enumerate(size):
        total += load
        if part == source:
            load += left
        elif part == target:
            load += entered
        if load > largest:
            largest = load
    return combined(placement.io + io, largest, total)


def _one_pass(placement: VertexAssignment, nets: Nets, parts: int) -> bool:
    """Do one pass of moves; return whether the cost went down."""
    count = len(nets.weights)
    patience = 12 + count // 20
    start = best_cost = placement.cost
    allowed = 2 * max(1, sorted(nets.weights)[count // 2])
    free = [True] * count
    changes: list[list[tuple[int, int, int] | None]] = [[None] * parts for _ in range(count)]
    border = {vertex for vertex in range(count) if placement.on_the_border(vertex)}
    done: list[tuple[int, int]] = []
    best_length = 0
    while len(done) - best_length < patience:
        chosen = _best_move(placement, nets, sorted(border), changes, allowed)
        if chosen is None:
            break
        cost, vertex, target = chosen
        done.append((vertex, placement.part[vertex]))
        free[vertex] = False
        border.discard(vertex)
        touched = placement.critical(vertex, target)
        placement.move(vertex, target)
        for neighbour in {pin for number in touched for pin in nets.nets[number][2] if free[pin]}:
            changes[neighbour] = [None] * parts
            if placement.on_the_border(neighbour):
                border.add(neighbour)
            else:
                border.discard(neighbour)
        if cost < best_cost and not placement.excess:
            best_cost, best_length = cost, len(done)
    for vertex, source in reversed(done[best_length:]):
        placement.move(vertex, source)
    return best_cost < start


def _best_move(
    placement: VertexAssignment,
    nets: Nets,
    vertices: Sequence[int],
    changes: list[list[tuple[int, int, int] | None]],
    allowed: int,
) -> tuple[int, int, int] | None:
    """(cost after it, vertex, target) of the cheapest move with an excess of at most ``allowed`` after it, or None.

    ``changes`` caches the results of ``change``. This loop takes most of the time of partitioning, so it computes
    excess and cost from the differences, without ``excess_after`` and ``_cost_after``.
    """
    low, high, load, size, io = placement.low, placement.high, placement.weight, placement.size, placement.io
    parts = range(len(load))
    excesses = [max(0, part_weight - high, low - part_weight) for part_weight in load]
    excess, total = sum(excesses), sum(size)
    by_size = sorted(parts, key=size.__getitem__, reverse=True)[:3]
    best: tuple[int, int, int] | None = None
    for vertex in vertices:
        source, weight, costs = placement.part[vertex], nets.weights[vertex], changes[vertex]
        lighter = load[source] - weight
        room = allowed - excess + excesses[source] - max(0, lighter - high, low - lighter)
        for target in parts:
            if target == source:
                continue
            heavier = load[target] + weight
            if max(0, heavier - high, low - heavier) - excesses[target] > room:
                continue
            change = costs[target]
            if change is None:
                change = costs[target] = placement.change(vertex, target)
            more_io, left, entered = change
            largest = max(size[source] + left, size[target] + entered)
            for part in by_size:
                if part not in (source, target):
                    largest = max(largest, size[part])
                    break
            cost = combined(io + more_io, largest, total + left + entered)
            if best is None or cost < best[0]:
                best = (cost, vertex, target)
    return best
