"""Compares symag's partitioner (METIS starts, then hill-climbing) with Mt-KaHyPar.

    python -m scripts.smv.compare_partitioners MODEL.smv...            every model, 2 to 4 parts, c = 1.0, 1.2 .. 2.0

For each setting both get the same hypergraph and the same bounds |V|/(c k) <= |V_i| <= |V| c / k.
Mt-KaHyPar (preset quality, cut objective, seed 0, one thread) has only the upper bound; if its answer violates
the lower one, it runs again with the next smaller tolerance. The table has I/O bits and max |X_i u IO_i| of both,
CPU seconds, and at the end the geometric means of the ratios (symag / Mt-KaHyPar, lower is better). Models that
cannot be read, or have fewer vertices than parts, are left out and counted.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import dataclass

from symag.core.errors import InputError, UnsupportedError
from symag.smv import read
from symag.smv.model.flat import FlatSystem
from symag.smv.partition import hypergraph, mtkahypar, partitions
from symag.smv.partition.hypergraph import Hypergraph
from symag.smv.partition.partitioners import IMBALANCES
from symag.smv.partition.parts import weight_bounds
from symag.smv.partition.refinement import Nets, VertexAssignment


@dataclass(frozen=True)
class Row:
    """One setting: (I/O bits, largest part with I/O) of both, None if there was no feasible partition."""

    model: str
    bits: int
    parts: int
    imbalance: float
    ours: tuple[int, int] | None
    theirs: tuple[int, int] | None
    seconds: float
    their_seconds: float


def their_best(graph: Hypergraph, nets: Nets, parts: int, imbalance: float) -> tuple[int, int] | None:
    """I/O bits and largest size of Mt-KaHyPar's partition."""
    bounds = weight_bounds(graph.weight, parts, imbalance)
    for tolerance in sorted((c for c in {*IMBALANCES, imbalance} if c <= imbalance), reverse=True):
        for preset, _, assignment in mtkahypar.starts(nets, parts, 0, 1)(tolerance):
            placement = VertexAssignment(nets, assignment, parts, bounds)
            if preset == "quality" and not placement.excess:
                return placement.io, max(placement.size)
    return None


def measured(name: str, system: FlatSystem, parts: int, imbalance: float) -> Row:
    """Both partitioners on one setting."""
    graph = hypergraph(system)
    begun = time.process_time()
    cuts = partitions(system, parts, imbalance)
    between = time.process_time()
    theirs = their_best(graph, Nets.of(graph), parts, imbalance)
    ended = time.process_time()
    ours = (cuts[0].io_bits, cuts[0].mx) if cuts else None
    return Row(name, sum(graph.bits), parts, imbalance, ours, theirs, between - begun, ended - between)


def geometric_mean(ratios: list[float]) -> float:
    """1.0 for none."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def shown(quality: tuple[int, int] | None) -> str:
    """For the table."""
    return f"{quality[0]:5d} {quality[1]:5d}" if quality else "    -     -"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL.smv")
    parser.add_argument("--parts", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--imbalance", type=float, nargs="+", default=list(IMBALANCES))
    arguments = parser.parse_args()

    rows, left_out = [], 0
    print(f"{'model':32} bits  n    c |  symag: I/O, mx | Mt-KaHyPar |  CPU s  (theirs)")
    for path in arguments.models:
        try:
            system = read(path)
        except (InputError, UnsupportedError):
            left_out += 1
            continue
        vertices = len(hypergraph(system).vertices)
        for parts in arguments.parts:
            if parts > vertices:
                left_out += parts == min(arguments.parts)
                continue
            for imbalance in arguments.imbalance:
                row = measured("/".join(path.split("/")[-2:]), system, parts, imbalance)
                rows.append(row)
                print(
                    f"{row.model:32.32} {row.bits:4d} {parts:2d} {imbalance:4.1f} |     {shown(row.ours)} |"
                    f"{shown(row.theirs)} | {row.seconds:6.3f} ({row.their_seconds:.3f})"
                )
    pairs = [(row.ours, row.theirs) for row in rows if row.ours and row.theirs]
    io = [max(ours[0], 1) / max(theirs[0], 1) for ours, theirs in pairs]
    mx = [ours[1] / theirs[1] for ours, theirs in pairs]
    print(f"\n{len(rows)} settings, {left_out} models left out; feasible for both: {len(pairs)}")
    print(f"no feasible partition: symag {sum(not r.ours for r in rows)}, of these Mt-KaHyPar had one for", end=" ")
    print(f"{sum(not r.ours and r.theirs is not None for r in rows)}; Mt-KaHyPar {sum(not r.theirs for r in rows)}")
    print(f"geometric mean of the ratios: I/O {geometric_mean(io):.3f}, mx {geometric_mean(mx):.3f}")
    print(f"CPU seconds: mean {sum(r.seconds for r in rows) / max(1, len(rows)):.3f}, ", end="")
    slowest = max(rows, key=lambda row: row.seconds, default=None)
    if slowest:
        print(f"slowest {slowest.seconds:.3f} ({slowest.model}, n = {slowest.parts}, c = {slowest.imbalance})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
