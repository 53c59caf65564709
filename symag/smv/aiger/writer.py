"""An and-inverter graph as text (``.aag``) or bytes (``.aig``)."""

from __future__ import annotations

from collections.abc import Iterable

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
    """The binary form; linear. The graph must be numbered as that form wants it (see ``is_canonical``)."""
    if not is_canonical(graph):
        raise ValueError("the binary form wants inputs, latches and gates numbered in this order")
    lines = [_header("aig", graph), *(_latch_end(latch) for latch in graph.latches), *_sections(graph)]
    parts = bytearray(("\n".join(lines) + "\n").encode())
    for left, first, second in graph.ands:
        high, low = max(first, second), min(first, second)
        for delta in (left - high, high - low):
            while delta > 127:
                parts.append(delta & 127 | 128)
                delta >>= 7
            parts.append(delta)
    parts.extend("".join(f"{line}\n" for line in _symbols(graph)).encode())
    return bytes(parts)


def is_canonical(graph: Aiger) -> bool:
    """Whether inputs, then latches, then gates have the numbers 1, 2, 3 .., each gate above its operands."""
    defined = [*graph.inputs, *(latch.literal for latch in graph.latches), *(left for left, _, _ in graph.ands)]
    numbered = defined == list(range(2, 2 * len(defined) + 2, 2)) and graph.maximum == len(defined)
    return numbered and all(left > max(first, second) for left, first, second in graph.ands)


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
