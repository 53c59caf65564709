"""Safety properties of LTL for the methods that decide invariants: by a monitor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symag.core.errors import UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.smv.methods.ltl import without_added
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import in_its_logic, invariant_of
from symag.smv.model.typed import Operation
from symag.smv.model.types import BooleanType
from symag.smv.temporal.monitor import monitored

#: A method's ``decide`` for properties that ``invariant_of`` reads as invariants.
DecideInvariant = Callable[[FlatSystem, Property, SmvOptions, Progress], PropertyResult]


def by_monitor(
    decide: DecideInvariant, system: FlatSystem, target: Property, options: SmvOptions, progress: Progress
) -> PropertyResult:
    """Decide a property with ``decide``: an invariant at once, a safety property of LTL by its monitor.

    A violation is a fair lasso of the system without the monitor. A proof about the monitored system has no
    certificate. Raises UnsupportedError for LTL that is not safe in the form of ``symag.smv.temporal.safety``, and what
    ``decide`` raises.
    """
    stated = in_its_logic(target)
    if stated.kind != "LTL" or stated.expression is None or invariant_of(system, stated) is not None:
        return decide(system, target, options, progress)
    product = monitored(system, stated.expression)
    if product is None:
        raise UnsupportedError("LTL that is not a safety property with a deterministic monitor")
    position = stated.expression.position
    always = Operation("G", (product.invariant,), BooleanType(), position)
    result = decide(product.system, replace(stated, expression=always), options, progress)
    trace = None if result.trace is None else without_added(result.trace, frozenset(system.by_name))
    return replace(result, trace=trace, certificate=None)
