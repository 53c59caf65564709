"""And-inverter graphs in the AIGER 1.9 format as a value, as text (``.aag``) and as bytes
(``.aig``; Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond", 2011).

Laws of this file: a literal is twice its variable's number, plus one for negation; 0 is FALSE and 1 is TRUE.
An input has any value at any step. A latch has its reset value at step 0 (any value if that is itself) and
then what its ``next`` was one step earlier. A bad literal that is true at step k is a violation if every
constraint is true at steps 0 to k. A justice property is violated by an infinite run on which all
constraints always hold and all its literals, and all fairness literals, are true infinitely often.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import overload

import numpy as np
from msgspec import Struct, field, structs
from numpy.typing import NDArray

#: The input, latch, output, ... that a symbol names: ``(letter, position)``, with a letter of i l o b c j f.
SymbolKey = tuple[str, int]


#: So many gates at a time become tuples.
_CHUNK = 1 << 16


class Ands(Sequence[tuple[int, int, int]]):
    """Gates ``(left, first, second)`` as the rows of one array, 24 bytes each."""

    __slots__ = ("rows",)

    def __init__(self, rows: NDArray[np.int64]) -> None:
        self.rows = rows

    @classmethod
    def of(cls, ands: Iterable[tuple[int, int, int]]) -> Ands:
        """Gates in any form; Ands are given back."""
        if isinstance(ands, Ands):
            return ands
        return cls(np.array(list(ands), dtype=np.int64).reshape(-1, 3))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        for start in range(0, len(self.rows), _CHUNK):
            yield from map(tuple, self.rows[start : start + _CHUNK].tolist())

    @overload
    def __getitem__(self, index: int) -> tuple[int, int, int]: ...
    @overload
    def __getitem__(self, index: slice) -> Ands: ...
    def __getitem__(self, index: int | slice) -> tuple[int, int, int] | Ands:
        if isinstance(index, slice):
            return Ands(self.rows[index])
        left, first, second = self.rows[index].tolist()
        return left, first, second

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ands) and np.array_equal(self.rows, other.rows)

    def __hash__(self) -> int:
        return hash(self.rows.tobytes())

    def __repr__(self) -> str:
        return f"Ands({list(self)})"


class AigerLatch(Struct, frozen=True):
    """A latch's own literal, what it becomes, and its value at step 0: 0, 1 or its own literal."""

    literal: int
    next: int
    reset: int = 0


class Aiger(Struct, frozen=True):
    """A whole file. ``ands`` are ``(left, first, second)``: the positive literal left is first & second.

    ``maximum`` is the largest variable number. Every variable in use is defined once; gates stand in no
    particular order but depend on each other without circles. ``symbols`` are names, ``comments`` lines. Whatever
    sequence ``ands`` is made of, it becomes ``Ands``.
    """

    maximum: int
    inputs: tuple[int, ...]
    latches: tuple[AigerLatch, ...]
    outputs: tuple[int, ...]
    ands: Sequence[tuple[int, int, int]]
    bad: tuple[int, ...] = ()
    constraints: tuple[int, ...] = ()
    justice: tuple[tuple[int, ...], ...] = ()
    fairness: tuple[int, ...] = ()
    symbols: Mapping[SymbolKey, str] = field(default_factory=dict)
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        structs.force_setattr(self, "ands", Ands.of(self.ands))

    @property
    def leaves(self) -> list[int]:
        """The literals of the inputs, then those of the latches."""
        return [*self.inputs, *(latch.literal for latch in self.latches)]

    @property
    def rows(self) -> NDArray[np.int64]:
        """The gates as an array of rows left, first, second."""
        return Ands.of(self.ands).rows

    def is_canonical(self) -> bool:
        """Whether inputs, then latches, then gates have the numbers 1, 2, 3 .., each gate above its operands."""
        leaves = self.leaves
        rows, defined = self.rows, len(leaves) + len(self.ands)
        return (
            self.maximum == defined
            and leaves == list(range(2, 2 * len(leaves) + 2, 2))
            and bool((rows[:, 0] == np.arange(2 * len(leaves) + 2, 2 * defined + 2, 2)).all())
            and is_topological(rows)
        )

    def roots(self) -> Iterator[int]:
        """Every literal that something outside the gates reads."""
        for latch in self.latches:
            yield latch.next
        yield from (*self.outputs, *self.bad, *self.constraints, *self.fairness)
        for literals in self.justice:
            yield from literals


def is_topological(rows: NDArray[np.int64]) -> bool:
    """Whether every gate has a larger number than its operands, so that there is no circle."""
    return bool((rows[:, 0] > rows[:, 1:].max(axis=1)).all()) if len(rows) else True


def ascii_text(graph: Aiger) -> str:
    """The ASCII form; linear."""
    lines = [_header("aag", graph)]
    lines.extend(str(literal) for literal in graph.inputs)
    lines.extend(f"{latch.literal} {_latch_end(latch)}" for latch in graph.latches)
    lines.extend(_sections(graph))
    lines.extend(f"{left} {first} {second}" for left, first, second in graph.ands)
    lines.extend(_symbols(graph))
    return "\n".join(lines) + "\n"


def binary_bytes(graph: Aiger) -> bytes:
    """The binary form; linear. The graph must be numbered as that form needs it (see ``Aiger.is_canonical``)."""
    if not graph.is_canonical():
        raise ValueError("the binary form wants inputs, latches and gates numbered in this order")
    lines = [_header("aig", graph), *(_latch_end(latch) for latch in graph.latches), *_sections(graph)]
    parts = bytearray(("\n".join(lines) + "\n").encode())
    parts.extend(_gate_bytes(graph.rows))
    parts.extend("".join(f"{line}\n" for line in _symbols(graph)).encode())
    return bytes(parts)


def _gate_bytes(rows: NDArray[np.int64]) -> bytes:
    """The differences between a gate and its operands, seven bits a byte, the lowest first."""
    high, low = rows[:, 1:].max(axis=1), rows[:, 1:].min(axis=1)
    rest = np.stack([rows[:, 0] - high, high - low], axis=1).reshape(-1)
    columns = []
    while True:
        columns.append(np.where(rest > 127, rest & 127 | 128, rest & 127).astype(np.uint8))
        if not (rest > 127).any():
            break
        # A place after the last byte of a number is marked, and left out below.
        rest = np.where(rest > 127, rest >> 7, -1)
    table = np.stack(columns, axis=1)
    there = np.ones(table.shape, dtype=bool)
    for column in range(1, len(columns)):
        there[:, column] = there[:, column - 1] & (table[:, column - 1] > 127)
    return table[there].tobytes()


def _header(word: str, graph: Aiger) -> str:
    counts = [graph.maximum, len(graph.inputs), len(graph.latches), len(graph.outputs), len(graph.ands)]
    extended = [len(graph.bad), len(graph.constraints), len(graph.justice), len(graph.fairness)]
    while extended and extended[-1] == 0:
        extended.pop()
    return " ".join([word, *map(str, counts + extended)])


def _latch_end(latch: AigerLatch) -> str:
    return f"{latch.next}" if latch.reset == 0 else f"{latch.next} {latch.reset}"


def _sections(graph: Aiger) -> Iterable[str]:
    yield from (str(literal) for literal in (*graph.outputs, *graph.bad, *graph.constraints))
    yield from (str(len(literals)) for literals in graph.justice)
    yield from (str(literal) for literals in graph.justice for literal in literals)
    yield from (str(literal) for literal in graph.fairness)


def _symbols(graph: Aiger) -> Iterable[str]:
    yield from (f"{letter}{position} {name}" for (letter, position), name in graph.symbols.items())
    if graph.comments:
        yield "c"
        yield from graph.comments
