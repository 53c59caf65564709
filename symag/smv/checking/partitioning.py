"""The best cut of a model into parts, for all of it or for one invariant: ``symag partition``, ``symag.partition``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from msgspec import Struct

from symag.core.errors import UsageError
from symag.smv.checking.check import select
from symag.smv.model.bits import bitwise
from symag.smv.model.dependencies import cone_of_influence
from symag.smv.model.flat import FlatSystem
from symag.smv.model.properties import invariant_of
from symag.smv.model.supports import references
from symag.smv.model.typed import Expression
from symag.smv.model.wires import wired
from symag.smv.partition import Partition, partitions
from symag.smv.partition.cut_wires import cut_wired
from symag.smv.partition.hypergraph import FinestGrain, moved
from symag.smv.partition.metis import libraries_silent
from symag.smv.partition.reasons import PartReasons, kept_whole, reasons

Wires = Literal["none", "property", "defines", "cut"]


@dataclass(frozen=True, slots=True)
class CutRequest:
    """How to cut: see ``symag.smv.methods.options``; ``cone``: only the cone of influence of the invariant.

    Raises UsageError for another word.
    """

    parts: int = 2
    imbalance: float | None = None
    partitioner: str = "metis"
    grain: FinestGrain = "variable"
    wires: Wires = "property"
    seed: int = 0
    cone: bool = True

    def __post_init__(self) -> None:
        for name, word, words in (("grain", self.grain, FinestGrain), ("wires", self.wires, Wires)):
            if word not in get_args(words):
                raise UsageError(f"{name} is one of {', '.join(get_args(words))}, not {word!r}")


class CutModel(Struct, frozen=True):
    """The best partition, None if none is within the imbalance; ``read`` are the variables that the invariant reads.

    ``reasons`` say for each part why it is what it is.
    """

    partition: Partition | None
    read: frozenset[str]
    reasons: tuple[PartReasons, ...]


def cut_model(system: FlatSystem, names: tuple[str | int, ...], request: CutRequest) -> CutModel:
    """Cut the model, or with an invariant (by name or index) its cone of influence. Raises UsageError."""
    expression = _expression(system, names) if names else None
    if request.grain == "bit":
        system = bitwise(system).system
        expression = _expression(system, names) if names else None
    if expression is not None and request.cone:
        whole = len(system.variables)
        system = cone_of_influence(system, expression)
        if len(system.variables) < min(whole, request.parts):
            raise UsageError(
                f"{request.parts} parts are more than the variables on which the property depends"
                f" ({len(system.variables)} of {whole}); --no-cone-of-influence cuts all"
            )
    grain = moved(request.grain)
    search = request.imbalance, request.partitioner, request.seed
    with libraries_silent():
        if request.wires == "cut":
            cut = cut_wired(system, expression, (request.parts,), *search, grain)
        else:
            cut = wired(system, expression, request.wires)
        weightless = [name for name, _ in cut.wires]
        candidates = partitions(cut.system, request.parts, *search, weightless, grain)
    read = frozenset() if expression is None else frozenset(references(system, expression).current)
    if not candidates:
        return CutModel(None, read, ())
    kept = kept_whole(candidates[0], grain, weightless)
    return CutModel(candidates[0], read, reasons(candidates[0], kept, cut.wires))


def _expression(system: FlatSystem, names: tuple[str | int, ...]) -> Expression:
    selected = select(system, names)
    expression = invariant_of(system, selected[0]) if len(selected) == 1 else None
    if expression is None:
        raise UsageError("the cone of influence is that of one invariant: give --property once, with one")
    return expression
