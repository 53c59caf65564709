"""Mt-KaHyPar, a true hypergraph partitioner: an optional extra (``pip install symag[mtkahypar]``)."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import partial
from types import ModuleType

from symag.core.errors import UsageError
from symag.smv.partition.refinement import Nets, Starts


def starts(nets: Nets, parts: int, seed: int, seeds: int) -> Starts:
    """A function from an imbalance to assignments with little weight of cut hyperedges, each with preset and seed.

    One thread is used, so that the seed determines the answer. Mt-KaHyPar bounds the parts from above only. Raises
    UsageError if the package is not installed.
    """
    try:
        library = importlib.import_module("mtkahypar")
    except ImportError:
        raise UsageError("the partitioner mtkahypar is not installed: pip install 'symag[mtkahypar]'") from None
    return partial(_starts, library, nets, parts, range(seed, seed + seeds))


def _starts(
    library: ModuleType, nets: Nets, parts: int, seeds: range, imbalance: float
) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    if not nets.nets or parts == 1:
        return
    environment = library.initialize(1, False)
    for preset in (library.PresetType.DEFAULT, library.PresetType.QUALITY):
        context = environment.context_from_preset(preset)
        context.set_partitioning_parameters(parts, imbalance - 1, library.Objective.CUT)
        context.logging = False
        for number in seeds:
            library.set_seed(number)
            graph = environment.create_hypergraph(
                context,
                len(nets.weights),
                len(nets.nets),
                [list(pins) for _, _, pins in nets.nets],
                list(nets.weights),
                [weight for weight, _, _ in nets.nets],
            )
            yield preset.name.lower(), number, tuple(graph.partition(context).get_partition())
