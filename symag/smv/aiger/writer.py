"""An and-inverter graph as text (``.aag``) or bytes (``.aig``)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from symag.smv.aiger.format import Aiger, AigerLatch


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
