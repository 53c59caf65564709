"""How many states a model reaches, counted exactly, in a child process under limits."""

from __future__ import annotations

import time
from dataclasses import dataclass

from symag.engine.race import once, race
from symag.limits import Limits, Progress, no_progress
from symag.smv.flat import FlatSystem, VariableKind


@dataclass(frozen=True, slots=True)
class ReachableStates:
    """``count`` valuations of state and frozen variables are reachable; ``diameter`` is the number of
    breadth-first rings, the initial states included, as NuSMV counts it (None if the search was not
    breadth first). ``reason`` is given instead
    where the search did not end (``timeout``, ``memory`` ...).
    """

    count: int | None
    diameter: int | None
    reason: str | None = None


def reachable_states(
    system: FlatSystem, order_file: str | None, limits: Limits, progress: Progress = no_progress
) -> ReachableStates:
    """Breadth-first search through the whole system. Raises InputError as ``encode`` does."""
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds

    def work(report: Progress) -> ReachableStates:
        return _search(system, order_file, limits.memory, report)

    outcome = race([once("reachable", work, limits.memory)], lambda _: True, deadline, progress)[-1].outcome
    if outcome.error is not None:
        raise outcome.error
    found: ReachableStates | None = outcome.value
    return ReachableStates(None, None, outcome.reason) if found is None else found


def _search(system: FlatSystem, order_file: str | None, memory: int | None, progress: Progress) -> ReachableStates:
    from symag.symbolic.counting import count
    from symag.symbolic.orderfile import chosen_order
    from symag.symbolic.reachability import reachable_states
    from symag.symbolic.system import encode

    symbolic = encode(system, chosen_order(system, order_file), memory=memory)
    reached = reachable_states(symbolic, progress)
    encoding = symbolic.encoding
    bits = [bit for name in encoding.names(VariableKind.STATE, VariableKind.FROZEN) for bit in encoding.current[name]]
    return ReachableStates(count(symbolic.context, reached.states, bits), len(reached.rings) or None)
