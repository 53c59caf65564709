"""The properties of a model, one after the other."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from symag.core.errors import UsageError
from symag.core.limits import Limits, Progress, no_progress
from symag.core.results import PropertyResult
from symag.core.tables import AUTO
from symag.process.decisions import decisions
from symag.smv.certify.circuits.packages import check_package
from symag.smv.checking.inquiry import DeciderAndJudge, PropertyInquiry
from symag.smv.checking.portfolio import Contest
from symag.smv.checking.rechecks import SharedRecheck
from symag.smv.checking.reuse import Reuse, earlier_proofs
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property


def select(system: FlatSystem, keys: Sequence[str | int]) -> tuple[Property, ...]:
    """The properties with these names or NuSMV indices, in the model's order; all of them without ``keys``.

    Raises UsageError for a name or number that no property has.
    """
    if not keys:
        return system.properties
    selected: set[int] = set()
    for key in keys:
        indices = [item.index for item in system.properties if item.name == key or str(item.index) == str(key)]
        if not indices:
            names = ", ".join(item.name or str(item.index) for item in system.properties)
            raise UsageError(f"no property '{key}'" + (f"; there are {names}" if names else "; the model has none"))
        selected.update(indices)
    return tuple(item for item in system.properties if item.index in selected)


def inquiries(
    system: FlatSystem,
    properties: Sequence[Property],
    method: str = AUTO,
    options: SmvOptions | None = None,
    limits: Limits | None = None,
    judges: DeciderAndJudge | None = None,
) -> Generator[PropertyInquiry, None, None]:
    """One inquiry for each property, in order. ``judges`` replaces symag's own methods and re-check.

    Raises UsageError, and InputError for a file of --reuse.
    """
    chosen = judges or DeciderAndJudge()
    if method not in chosen.methods.names():
        raise UsageError(f"no method '{method}'; there are {', '.join(chosen.methods.names())}")
    tuning = options or SmvOptions()
    if tuning.parts is not None and tuning.parts > len(system.variables):
        raise UsageError(f"{tuning.parts} parts are more than the {len(system.variables)} variables of the model")
    check_package(tuning.certify_bdd)
    bounds = limits or Limits()
    tuning = replace(tuning, memory=bounds.memory or tuning.memory, stoppable=method == AUTO or bounds != Limits())
    proofs = earlier_proofs(tuning.reuse)
    contest = Contest(system, properties, method, tuning, chosen.methods, bounds.memory)
    reuse = Reuse(system, properties, proofs, tuning, bounds.memory) if proofs else None
    judge = None
    if chosen.accept is None and len(properties) > 1:
        judge = SharedRecheck(system, properties, tuning.certify_bdd, bounds.memory)
    try:
        for position in range(len(properties)):
            yield PropertyInquiry(system, contest, position, bounds, chosen, reuse, judge)
    finally:
        contest.close()
        if judge is not None:
            judge.close()
        if reuse is not None:
            reuse.close()


def check(
    system: FlatSystem,
    properties: Sequence[Property],
    method: str = AUTO,
    options: SmvOptions | None = None,
    limits: Limits | None = None,
    certify: bool = True,
    progress: Progress = no_progress,
    judges: DeciderAndJudge | None = None,
) -> list[tuple[Property, PropertyResult]]:
    """The properties with their answers. ``limits`` are for each property. Raises InputError and UsageError."""
    posed = inquiries(system, properties, method, options, limits, judges)
    return list(decisions(posed, limits or Limits(), certify, progress))
