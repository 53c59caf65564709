"""Which methods ``auto`` runs, in which order: the cheap one alone first, then a race on all processors."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from typing import Literal

from symag.engine.race import Runner
from symag.engine.registry import AUTO, Registry
from symag.limits import Progress
from symag.methods.smv.options import Options
from symag.results import PropertyResult
from symag.smv.flat import FlatSystem, Property

#: (method, direction, seconds after the start). Most properties are decided before the second line
#: starts, so small problems pay for one process only.
SCHEDULE: tuple[tuple[str, Literal["forward", "backward"] | None, float], ...] = (
    ("monolithic", "forward", 0.0),
    ("monolithic", "backward", 0.5),
    ("rule-g", None, 0.5),
)

#: Seconds by which a line waits longer when there are not as many processors as lines before and with it.
CROWDED = 2.0


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def runners(
    system: FlatSystem, property_: Property, method: str, options: Options, registry: Registry
) -> tuple[Runner, ...]:
    """The computations that may decide a property: one for a single method, the schedule for ``auto``.

    Raises UsageError for a name that is not registered. With ``options.direction`` other than ``both``,
    ``auto`` searches in that direction only.
    """
    if method != AUTO:
        decide = registry.decide(method)
        return (Runner(method, partial(decide, system, property_, options)),)
    chosen: list[Runner] = []
    free = processors()
    for name, direction, delay in SCHEDULE:
        if name not in registry.modules or (direction is not None and options.direction not in ("both", direction)):
            continue
        own = options if direction is None else replace(options, direction=direction)
        label = name if direction is None else f"{name} ({direction})"
        wait = delay if len(chosen) < free else delay + CROWDED
        # The first method is needed in any case, and imported once for all properties.
        decide = registry.decide(name) if not chosen else partial(_decide, registry, name)
        chosen.append(Runner(label, partial(decide, system, property_, own), wait))
    return tuple(chosen)


def _decide(
    registry: Registry, method: str, system: FlatSystem, property_: Property, options: Options, progress: Progress
) -> PropertyResult:
    """Runs in the child: imports the method only if its turn has come."""
    return registry.decide(method)(system, property_, options, progress)
