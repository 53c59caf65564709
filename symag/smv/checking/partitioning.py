"""The best cut of a model into parts, for all of it or for one invariant: ``symag partition``, ``symag.partition``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from symag.core.errors import UsageError
from symag.smv.checking.check import select
from symag.smv.model.bits import bitwise
from symag.smv.model.dependencies import cone_of_influence, references
from symag.smv.model.flat import FlatSystem
from symag.smv.model.properties import invariant_of
from symag.smv.model.typed import Expression
from symag.smv.model.wires import wired
from symag.smv.partition import Partition, partitions
from symag.smv.partition.quiet import libraries_silent


@dataclass(frozen=True, slots=True)
class CutRequest:
    """How to cut: see ``symag.smv.methods.options``; ``cone``: only the cone of influence of the invariant."""

    parts: int = 2
    imbalance: float | None = None
    partitioner: str = "metis"
    grain: Literal["variable", "bit"] = "variable"
    wires: Literal["none", "property", "defines"] = "property"
    seed: int = 0
    cone: bool = True


@dataclass(frozen=True, slots=True)
class CutModel:
    """The best partition, None if none is within the imbalance; ``read`` are the variables that the invariant reads."""

    partition: Partition | None
    read: frozenset[str]


def cut_model(system: FlatSystem, names: tuple[str | int, ...], request: CutRequest) -> CutModel:
    """Cut the model, or with an invariant (by name or index) its cone of influence. Raises UsageError."""
    expression = _expression(system, names) if names else None
    if request.grain == "bit":
        system = bitwise(system).system
        expression = _expression(system, names) if names else None
    if expression is not None and request.cone:
        system = cone_of_influence(system, expression)
    cut = wired(system, expression, request.wires)
    weightless = [name for name, _ in cut.wires]
    with libraries_silent():
        candidates = partitions(
            cut.system, request.parts, request.imbalance, request.partitioner, request.seed, weightless
        )
    read = frozenset() if expression is None else frozenset(references(system, expression).current)
    return CutModel(candidates[0] if candidates else None, read)


def _expression(system: FlatSystem, names: tuple[str | int, ...]) -> Expression:
    selected = select(system, names)
    expression = invariant_of(system, selected[0]) if len(selected) == 1 else None
    if expression is None:
        raise UsageError("the cone of influence is that of one invariant: give --property once, with one")
    return expression
