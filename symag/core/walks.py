"""Simulated runs of a model: what the user requests, and what is reported, for every family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from symag.core.errors import UsageError
from symag.core.trace import Trace

_GuideStep = TypeVar("_GuideStep")

#: The most steps of a run, all of which are kept: those of a small model take a GiB.
MOST_STEPS = 1_000_000


class Ask(Protocol):
    """Asks for the next step of a run."""

    def __call__(
        self, count: int, texts: Iterable[str], most: int, drawing: Iterable[str] = (), are_all: bool = True
    ) -> int | None:
        """One of ``count`` choices, by its number, from their texts, the first ``most`` of which are listed.

        ``drawing`` are lines that show the state. Without ``are_all`` there are more choices than these. None stops
        the run.
        """


class WalkRequest(Struct, frozen=True):
    """The user's request for a run.

    ``steps`` is the number of transitions (None: as many as the guide has, else 10). The run follows the file ``guide``
    and is written to the file ``trace`` in ``trace_format``. With ``ask`` the user chooses every step; ``full`` shows
    unchanged values too. The same ``seed`` gives the same run.

    Raises UsageError for more than ``MOST_STEPS``, and for fewer than none.
    """

    steps: int | None = None
    seed: int = 0
    guide: str | None = None
    ask: Ask | None = None
    full: bool = False
    trace: str | None = None
    trace_format: str | None = None

    def __post_init__(self) -> None:
        if self.steps is not None and not 0 <= self.steps <= MOST_STEPS:
            raise UsageError(f"a run has 0 to {MOST_STEPS:,} steps, not {self.steps}")

    def length(self, guided: int) -> int:
        """The number of transitions beside a guide of so many."""
        return self.steps if self.steps is not None else guided or 10


class WalkPlan(Struct, Generic[_GuideStep], frozen=True):
    """The number of steps, and the ``seed`` of random choices. The first steps are those of the ``guide``."""

    steps: int
    seed: int = 0
    guide: tuple[_GuideStep, ...] = ()


class Walk(Struct, frozen=True):
    """A run; ``ending`` says why it has fewer steps than planned, ``reason`` why there is none."""

    trace: Trace | None
    ending: str | None = None
    reason: str | None = None

    def document(self, model: str, seed: int, **further: object) -> dict[str, object]:
        """The object that ``--json`` prints."""
        return {
            "schema": 1,
            "model": model,
            "seed": seed,
            "steps": 0 if self.trace is None else len(self.trace.steps) - 1,
            "ending": self.ending,
            "reason": self.reason,
            **further,
            "trace": None if self.trace is None else self.trace.to_json(),
        }

    def lines(self, shown: Callable[[Trace], Iterable[str]]) -> Iterator[str]:
        """The run as text, of which ``shown`` gives the steps."""
        if self.trace is None:
            yield f"-- no run ({self.reason})"
            return
        yield from shown(self.trace)
        if self.ending is not None:
            steps = len(self.trace.steps) - 1
            yield f"-- the run ends after {steps} step{'' if steps == 1 else 's'}: {self.ending}"
