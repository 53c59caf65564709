"""Writes a random AIGER file of a million gates in some 60 levels, whose property holds by a few of them.

python -m scripts.circuits.wide_aiger FILE.aig [--gates 1000000] [--latches 5000] [--narrow] [--bad] [--seed 7]

Two latches are never TRUE together, as the first gates below them tell. Both also read a tree over all gates; with
--narrow they read a counter instead, with --bad the bad literal itself reads the tree.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

from scripts.circuits.large_aiger import Gates
from symag.smv.aiger import Aiger, binary_bytes

#: The latches of the counter, and how many levels the random gates have.
_COUNTER, _LEVELS = 6, 60


def wide(gates: int, latches: int, seed: int, *, narrow: bool = False, bad_reads_all: bool = False) -> Aiger:
    """The graph; ``gates`` is about how many it has."""
    random = Random(seed)
    inputs = max(20, latches // 20)
    free = [2 * number for number in range(1, inputs + 1)]
    own = [2 * (inputs + number) for number in range(1, latches + 1)]
    graph = Gates([*free, *own])
    p, q, *data = own[_COUNTER:]
    pool = [*free, *data]
    budget = gates - 4 * len(pool) - 200
    width = max(500, budget // 3 // _LEVELS)
    layer = last = pool
    while len(graph.ands) < budget:
        new = []
        for _ in range(width):
            a, b = (random.choice(layer) ^ random.getrandbits(1) for _ in range(2))
            kind = random.random()
            if a >> 1 == b >> 1:
                continue
            if kind < 0.5:
                new.append(graph.both(a, b) ^ random.getrandbits(1))
            elif kind < 0.85:
                new.append(graph.either(graph.both(a, b ^ 1), graph.both(a ^ 1, b)))
            else:
                choice = random.choice(layer)
                new.append(graph.either(graph.both(choice, a), graph.both(choice ^ 1, b)))
        layer = new + random.sample(pool, min(len(pool), width // 4))
        last = layer if len(new) < len(data) else new
    following = {latch: graph.both(random.choice(last) ^ random.getrandbits(1), random.choice(free)) for latch in data}
    tree = list(last)
    while len(tree) > 1:
        pairs = zip(tree[::2], tree[1::2], strict=False)
        rest = tree[-1:] if len(tree) % 2 else []
        tree = [graph.both(a ^ random.getrandbits(1), b) ^ 1 for a, b in pairs] + rest
    carry = free[1]
    for latch in own[:_COUNTER]:
        following[latch] = graph.either(graph.both(latch, carry ^ 1), graph.both(latch ^ 1, carry))
        carry = graph.both(latch, carry)
    first, second = (own[0], own[1]) if narrow else (tree[0], graph.either(tree[0], free[2]))
    following[p], following[q] = graph.both(first, free[0]), graph.both(second, free[0] ^ 1)
    bad = graph.both(p, q)
    if bad_reads_all:
        bad = graph.both(bad, tree[0])
    return graph.graph(free, {latch: following[latch] for latch in own}, bad)


def main() -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--gates", type=int, default=1_000_000)
    parser.add_argument("--latches", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--narrow", action="store_true", help="The property needs few gates only.")
    parser.add_argument("--bad", action="store_true", help="The bad literal reads all gates.")
    given = parser.parse_args()
    graph = wide(given.gates, given.latches, given.seed, narrow=given.narrow, bad_reads_all=given.bad)
    given.file.write_bytes(binary_bytes(graph))
    return 0


if __name__ == "__main__":
    sys.exit(main())
