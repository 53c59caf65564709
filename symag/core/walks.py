"""Simulated runs of a model: what the user requests, and what is reported, for every family."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from symag.core.trace import Trace


class Ask(Protocol):
    """Asks for the next step of a run."""

    def __call__(self, count: int, texts: Iterable[str], most: int, drawing: Iterable[str] = ()) -> int | None:
        """One of ``count`` choices, by its number, from their texts, the first ``most`` of which are listed.

        ``drawing`` are lines that show the state. None stops the run.
        """


@dataclass(frozen=True, slots=True)
class WalkRequest:
    """The user's request for a run.

    ``steps`` is the number of transitions (None: as many as the guide has, else 10). The run follows the file ``guide``
    and is written to the file ``trace`` in ``trace_format``. With ``ask`` the user chooses every step; ``full`` shows
    unchanged values too. The same ``seed`` gives the same run.
    """

    steps: int | None = None
    seed: int = 0
    guide: str | None = None
    ask: Ask | None = None
    full: bool = False
    trace: str | None = None
    trace_format: str | None = None


def run_object(
    model: str, seed: int, trace: Trace | None, ending: str | None, reason: str | None, **further: object
) -> dict[str, object]:
    """The object that ``--json`` prints; ``ending`` says why a run stopped early, ``reason`` why there is none."""
    return {
        "schema": 1,
        "model": model,
        "seed": seed,
        "steps": 0 if trace is None else len(trace.steps) - 1,
        "ending": ending,
        "reason": reason,
        **further,
        "trace": None if trace is None else trace.to_json(),
    }


def ending_line(steps: int, ending: str) -> str:
    """The last line of a run that stopped early."""
    return f"-- the run ends after {steps} step{'' if steps == 1 else 's'}: {ending}"
