"""Writes a large random AIGER file whose shortest counterexample has a given length.

python -m scripts.circuits.large_aiger FILE.aig [--latches 5000] [--gates 40000] [--inputs 60] [--depth 48]
    [--seed 1] [--all]

A counterexample passes a chain of ``depth`` latches with conditions on inputs and random gates; every latch matters.
With --all every gate does: those that nothing reads are joined to the latches in the bad literal.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from symag.smv.aiger import Aiger, AigerLatch, binary_bytes

#: Operands are mostly among the NEAR gates before a gate, so that the graph is deep.
NEAR, SHARE = 3_000, 0.7


@dataclass
class Gates:
    """Gates that grow; ``known`` are all literals so far."""

    known: list[int]
    ands: list[tuple[int, int, int]] = field(default_factory=list)

    def both(self, a: int, b: int) -> int:
        left = 2 * (len(self.known) + 1)
        self.ands.append((left, max(a, b), min(a, b)))
        self.known.append(left)
        return left

    def either(self, a: int, b: int) -> int:
        return self.both(a ^ 1, b ^ 1) ^ 1

    def graph(self, inputs: list[int], following: dict[int, int], bad: int) -> Aiger:
        """The graph with one bad literal; ``following`` are the latches' next literals."""
        return Aiger(
            maximum=len(self.known),
            inputs=tuple(inputs),
            latches=tuple(AigerLatch(*latch) for latch in following.items()),
            outputs=(),
            ands=tuple(self.ands),
            bad=(bad,),
        )


def large(latches: int, gates: int, inputs: int, depth: int, seed: int, all_matter: bool = False) -> Aiger:
    """The graph; ``latches`` > ``depth`` and ``inputs`` > 2."""
    random = Random(seed)
    free = [2 * number for number in range(1, inputs + 1)]
    own = [2 * (inputs + number) for number in range(1, latches + 1)]
    graph = Gates([*free, *own])
    for _ in range(gates):
        start = max(0, len(graph.known) - NEAR) if random.random() < SHARE else 0
        a, b = graph.known[random.randrange(start, len(graph.known))], random.choice(graph.known)
        if a != b:
            graph.both(a ^ random.randint(0, 1), b ^ random.randint(0, 1))
    following = [random.choice(graph.known) ^ random.randint(0, 1) for _ in own]
    reached = graph.both(free[0], free[1])
    for number in range(depth):
        following[number] = reached
        passed = graph.either(free[2 + number % (inputs - 2)], graph.both(free[0], random.choice(graph.known)))
        reached = graph.both(own[number], passed)
    mixed = own[depth:]
    if all_matter:
        read = {operand & ~1 for _, *operands in graph.ands for operand in operands}
        read.update(literal & ~1 for literal in (*following, reached))
        mixed += [left for left, _, _ in graph.ands if left not in read]
    while len(mixed) > 1:
        pairs = zip(mixed[::2], mixed[1::2], strict=False)
        mixed = [graph.either(a, b ^ 1) if random.randint(0, 1) else graph.both(a, b ^ 1) for a, b in pairs] + (
            mixed[-1:] if len(mixed) % 2 else []
        )
    bad = graph.both(reached, graph.either(mixed[0], free[2]))
    return graph.graph(free, dict(zip(own, following, strict=True)), bad)


def main() -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--latches", type=int, default=5_000)
    parser.add_argument("--gates", type=int, default=40_000)
    parser.add_argument("--inputs", type=int, default=60)
    parser.add_argument("--depth", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="Every gate matters.")
    given = parser.parse_args()
    graph = large(given.latches, given.gates, given.inputs, given.depth, given.seed, given.all)
    given.file.write_bytes(binary_bytes(graph))
    return 0


if __name__ == "__main__":
    sys.exit(main())
