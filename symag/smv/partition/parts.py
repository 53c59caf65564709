"""A partition: the variables and relations that each part owns, and the costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from msgspec import Struct

from symag.smv.model.dependencies import Dependency
from symag.smv.model.flat import FlatSystem
from symag.smv.model.types import bit_count
from symag.smv.partition.hypergraph import Hypergraph, owners


class PartitionOrigin(Struct, frozen=True):
    """The origin of a partition: the partitioner, its expansion (or preset) with the algorithm, and the seed."""

    partitioner: str
    expansion: str
    seed: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Partition:
    """The variables of ``system`` in disjoint parts, and the relations that each owns, in the system's order.

    ``parts[i]`` are the variables of part i (X_i); parts are ordered by their first variable. ``owned[i]`` are the
    relations of part i: every relation of the system has exactly one owner, and reads next values of the owner's
    variables only. ``inputs[i]`` are the variables of other parts that part i reads, ``outputs[i]`` its own that
    others read; ``io`` is the union of all of them, ``io_bits`` their bits. ``sizes[i]`` is |X_i u IO_i| in bits
    (without the part's own weightless variables), ``mx`` the largest of them (the paper's objective). ``imbalance``
    is the bound c of the partition: |V|/(c k) <= |X_i| <= |V| c / k in variables (see ``weight_bounds``).
    """

    system: FlatSystem
    parts: tuple[tuple[str, ...], ...]
    owned: tuple[tuple[Dependency, ...], ...]
    inputs: tuple[tuple[str, ...], ...]
    outputs: tuple[tuple[str, ...], ...]
    io: tuple[str, ...]
    io_bits: int
    sizes: tuple[int, ...]
    mx: int
    imbalance: float
    origin: PartitionOrigin

    @property
    def cut(self) -> int:
        """The number of cut hyperedges, which is that of the I/O variables."""
        return len(self.io)

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """A table for a notebook: a row for each part."""
        words = self.system.words
        rows = []
        for number, names in enumerate(self.parts):
            texts = [", ".join(_in_words(group, words)) for group in (names, self.inputs[number], self.outputs[number])]
            cells = (str(number), *map(escape, texts), f"{self.sizes[number]} bits")
            rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
        heads = "".join(f"<th>{head}</th>" for head in ("part", "variables", "reads", "is read", "with I/O"))
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        return f"<p>{escape(next(_lines(self)))}</p>\n{table}"


def _lines(partition: Partition) -> Iterator[str]:
    """The partition in a line, and three lines for each part."""
    origin, words = partition.origin, partition.system.words
    yield (
        f"{len(partition.parts)} parts, {len(partition.io)} I/O variables ({partition.io_bits} bits), "
        f"mx {partition.mx} bits, imbalance {partition.imbalance:g} "
        f"({origin.partitioner}, {origin.expansion}, seed {origin.seed})"
    )
    for number, names in enumerate(partition.parts):
        yield f"part {number}: {', '.join(_in_words(names, words))}"
        yield f"  reads:   {', '.join(_in_words(partition.inputs[number], words)) or 'nothing'}"
        yield f"  is read: {', '.join(_in_words(partition.outputs[number], words)) or 'nothing'}"


def _in_words(names: Iterable[str], words: Mapping[str, Sequence[str]]) -> list[str]:
    """The names; a word replaces its bits if all of them are there."""
    shown = list(names)
    for word, bits in words.items():
        if set(bits) <= set(shown):
            shown[shown.index(next(name for name in shown if name in bits))] = word
            shown = [name for name in shown if name not in bits]
    return shown


def weight_bounds(weight: int, parts: int, imbalance: float) -> tuple[int, int]:
    """Least and greatest weight of a part: |V|/(c k) <= |V_i| <= |V| c / k, in whole units and never 0.

    A part may always have |V|/k rounded down or up, so that c = 1.0 means "as equal as possible".
    """
    # A little slack keeps 10 * 1.2 / 2 from being rounded down to 5.
    low = math.ceil(weight / (imbalance * parts) - 1e-9)
    high = math.floor(weight * imbalance / parts + 1e-9)
    return max(1, min(low, weight // parts)), max(high, -(-weight // parts))


def partition_of(graph: Hypergraph, assignment: Sequence[int], imbalance: float, origin: PartitionOrigin) -> Partition:
    """The partition in which vertex v belongs to part ``assignment[v]`` (any numbering, none empty)."""
    system = graph.system
    numbers = {old: new for new, old in enumerate(dict.fromkeys(assignment))}
    part_of = {name: numbers[assignment[v]] for v, names in enumerate(graph.vertices) for name in names}
    count = len(numbers)
    owned, reads = _ownership(graph, part_of, count)

    bits = {variable.name: bit_count(variable.type) for variable in system.variables}
    names = [variable.name for variable in system.variables]
    shared = {name for part, read in enumerate(reads) for name in read if part_of[name] != part}
    parts = tuple(tuple(n for n in names if part_of[n] == part) for part in range(count))
    inputs = tuple(tuple(n for n in names if n in reads[part] and part_of[n] != part) for part in range(count))
    io = tuple(n for n in names if n in shared)
    heavy = [tuple(n for n in own if n not in graph.weightless) for own in parts]
    sizes = tuple(sum(bits[n] for n in (*own, *read)) for own, read in zip(heavy, inputs, strict=True))
    return Partition(
        system=system,
        parts=parts,
        owned=owned,
        inputs=inputs,
        outputs=tuple(tuple(n for n in own if n in shared) for own in parts),
        io=io,
        io_bits=sum(bits[n] for n in io),
        sizes=sizes,
        mx=max(sizes),
        imbalance=imbalance,
        origin=origin,
    )


def _ownership(
    graph: Hypergraph, part_of: dict[str, int], count: int
) -> tuple[tuple[tuple[Dependency, ...], ...], list[set[str]]]:
    """The relations that each part owns, and the variables that it reads.

    Relations with one possible owner come first; the others go where they cost least.
    """
    reads: list[set[str]] = [set() for _ in range(count)]
    owner: dict[int, int] = {}
    free = []
    for number, relation in enumerate(graph.relations):
        candidates = sorted({part_of[name] for name in owners(relation)})
        if len(candidates) > 1:
            free.append((number, candidates))
            continue
        owner[number] = candidates[0] if candidates else 0
        reads[owner[number]] |= relation.variables
    bits = {edge.variable: edge.bits for edge in graph.edges}
    for number, candidates in free:
        variables = graph.relations[number].variables
        shared = {n for part, read in enumerate(reads) for n in read if part_of[n] != part}
        best = min(
            candidates,
            key=lambda part: (
                sum(bits[n] for n in variables - shared if part_of[n] != part),
                sum(bits[n] for n in variables - reads[part] if part_of[n] != part),
                part,
            ),
        )
        owner[number] = best
        reads[best] |= variables
    owned = tuple(
        tuple(relation for index, relation in enumerate(graph.relations) if owner[index] == part)
        for part in range(count)
    )
    return owned, reads
