"""What tuning has measured: runs, trials of settings, and the tuning of a property with its recommendation."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from symag.suites.tuning.settings import DEFAULT, Setting


@dataclass(frozen=True, slots=True)
class Measurement:
    """One run: its CPU seconds, its verdict (None: none within the limit), and the limit."""

    seconds: float
    verdict: str | None
    limit: float


@dataclass(frozen=True, slots=True)
class Trial:
    """A setting with its runs. ``predictors`` are figures of the partition before the runs."""

    setting: Setting
    runs: tuple[Measurement, ...] = ()
    predictors: Mapping[str, float] = field(default_factory=dict)

    @property
    def cost(self) -> float | None:
        """The median of the runs that gave a verdict, in CPU seconds; None if there is none."""
        times = [run.seconds for run in self.runs if run.verdict is not None]
        return statistics.median(times) if times else None

    def rank(self) -> tuple[bool, float]:
        """A key that sorts solved trials by cost, then the others by their limits, the largest first."""
        cost = self.cost
        return (False, cost) if cost is not None else (True, -max((run.limit for run in self.runs), default=0.0))


class TunedProperty(Struct, frozen=True):
    """A property of a model; ``property`` is its value for ``--property``; ``is_alone``: no other one is tuned."""

    model: str
    property: str
    text: str
    is_alone: bool = True


class Tuning(Struct, frozen=True):
    """The result of tuning for one property.

    ``trials`` are sorted, the best first; ``rounds`` gives the seconds and the number of settings of each round.
    ``confirmed`` has only the runs of the confirmation.
    """

    question: TunedProperty
    trials: tuple[Trial, ...]
    rounds: tuple[tuple[float, int], ...]
    confirmed: tuple[Trial, ...]
    seconds: float

    @property
    def best(self) -> Trial | None:
        """The recommended trial: the fastest of the confirmation, or the default if it is as fast; None if none."""
        decided = [trial for trial in self.confirmed if trial.cost is not None]
        return min(decided, key=lambda trial: (trial.cost, trial.setting != DEFAULT), default=None)

    @property
    def default(self) -> Trial:
        """The trial without options: of the confirmation, or of the rounds if there was no time for a confirmation."""
        return self.of(DEFAULT) or next(trial for trial in self.trials if trial.setting == DEFAULT)

    def of(self, setting: Setting) -> Trial | None:
        """The trial of a setting in the confirmation; None if it took no part."""
        return next((trial for trial in self.confirmed if trial.setting == setting), None)

    def verdicts(self) -> set[str]:
        """All verdicts of the runs; more than one is a bug of symag."""
        trials = (*self.trials, *self.confirmed)
        return {run.verdict for trial in trials for run in trial.runs if run.verdict is not None}
