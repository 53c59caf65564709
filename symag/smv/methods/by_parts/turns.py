"""Several partitions take turns: none goes beyond the current bound on assumption states.

The bounds are numbers of states, not seconds, so the same command always does the same.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from symag.smv.methods.by_parts.decision import DecompositionProblem
from symag.smv.methods.by_parts.module import Module
from symag.smv.partition import Partition

#: How many states an assumption may have before the next attempt gets its turn.
BOUNDS = (3, 10, 40, 160, 1 << 30)
#: How many states an assumption may have before fallbacks begin.
PATIENCE = 3


class Learning(Protocol):
    """A run of one of the two algorithms."""

    @property
    def states(self) -> int:
        """The size of the largest assumption so far."""
        ...


RunT = TypeVar("RunT", bound=Learning)
OutcomeT = TypeVar("OutcomeT")


class Attempt(Struct, Generic[RunT, OutcomeT], frozen=True, eq=False):
    """Learning for one partition. ``rounds`` yields before every round and returns the outcome, or None without one.

    ``fallback``: it waits until the others may have more than ``PATIENCE`` states.
    """

    subject: DecompositionProblem
    partition: Partition
    modules: tuple[Module, ...]
    run: RunT
    rounds: Generator[int, None, OutcomeT | None]
    fallback: bool = False


def take_turns(attempts: Sequence[Attempt[RunT, OutcomeT]]) -> tuple[Attempt[RunT, OutcomeT], OutcomeT]:
    """The first attempt with an outcome, and the outcome. Raises ValueError if every attempt ends without one."""
    waiting = list(attempts)
    for bound in BOUNDS:
        for attempt in tuple(waiting):
            if attempt.fallback and bound <= PATIENCE:
                continue
            while attempt.run.states <= bound:
                try:
                    next(attempt.rounds)
                except StopIteration as stop:
                    if stop.value is not None:
                        return attempt, stop.value
                    waiting.remove(attempt)
                    break
    raise ValueError("every attempt ended without an outcome")
