"""Finds out by experiment how a model is best cut and checked: many settings, those that are hopeless dropped early.

Successive halving: every setting gets a short time first; the better half of them (solved and fast, then unsolved)
is measured again with ``FACTOR`` times the time, until few are left or the budget is spent. A setting that has had
``HOPELESS`` times the CPU time of the best one is dropped at once. What is left is measured ``REPEAT`` times.

Reference: K. Jamieson and A. Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization"
(AISTATS 2016).
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from symag.batch.jobs import Job
from symag.batch.pool import Pool
from symag.batch.running import started
from symag.batch.store import Outcome
from symag.batch.supervision import Ending, JobLimits, Supervised

FACTOR = 3.0
HOPELESS = 2.0
REPEAT = 3
FIRST_SECONDS = 2.0
#: Settings that stay to the end, besides the defaults.
FINALISTS = 4

#: What may vary in how the model is cut, and in the search of Rule-G.
_CUT: Mapping[str, Sequence[str]] = {
    "--parts": ("2", "3", "4", "6"),
    "--imbalance": ("1.0", "1.4", "2.0"),
    "--wires": ("none", "property", "defines"),
    "--grain": ("bit",),
    "--seed": ("1", "2", "3"),
    "--partitions": ("1",),
    "--partitioner": ("mtkahypar",),
}
_SEARCH = (
    "--no-reordering",
    "--no-early-falsification",
    "--no-edge-deletion",
    "--no-one-state-first",
    "--no-small-alphabet-first",
    "--look-ahead",
)
#: How likely a sampled setting differs from the default in an option of the cut, and of the search.
_CUT_CHANCE, _SEARCH_CHANCE = 0.5, 0.2
_RULE_S_CHANCE = 0.15


@dataclass(frozen=True, slots=True)
class Setting:
    """A method with options for ``symag check``; ``cut`` are those that ``symag partition`` takes too."""

    method: str
    cut: tuple[str, ...] = ()
    search: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """All options."""
        return (*self.cut, *self.search)

    def __str__(self) -> str:
        return " ".join((self.method, *self.options))


@dataclass(frozen=True, slots=True)
class Measurement:
    """One run: CPU seconds, and the verdict if there is one within the limit."""

    seconds: float
    verdict: str | None
    limit: float


@dataclass(frozen=True, slots=True)
class Trial:
    """A setting with its runs. ``predictors`` is what was known of the partition before."""

    setting: Setting
    runs: tuple[Measurement, ...] = ()
    predictors: Mapping[str, float] = field(default_factory=dict)

    @property
    def cost(self) -> float | None:
        """The median of the runs that gave a verdict, in CPU seconds; None if there is none."""
        times = [run.seconds for run in self.runs if run.verdict is not None]
        return statistics.median(times) if times else None

    def rank(self) -> tuple[bool, float]:
        """Sorts the solved by cost, then the others by the time that was spent in vain."""
        cost = self.cost
        return (False, cost) if cost is not None else (True, -max((run.limit for run in self.runs), default=0.0))


@dataclass(frozen=True, slots=True)
class Question:
    """A property of a model, as ``--property`` names it."""

    model: str
    property: str
    text: str


@dataclass(frozen=True, slots=True)
class Tuning:
    """What was found out about one property.

    ``trials`` are sorted, the best first; ``rounds`` gives the seconds and the number of settings of each round.
    """

    question: Question
    trials: tuple[Trial, ...]
    rounds: tuple[tuple[float, int], ...]
    seconds: float

    @property
    def best(self) -> Trial | None:
        """The fastest setting that decides; None if there is none."""
        return self.trials[0] if self.trials and self.trials[0].cost is not None else None

    @property
    def default(self) -> Trial:
        """The setting without options."""
        return next(trial for trial in self.trials if trial.setting == DEFAULT)

    def verdicts(self) -> set[str]:
        """All verdicts that were given; more than one is an error of symag's."""
        return {run.verdict for trial in self.trials for run in trial.runs if run.verdict is not None}


DEFAULT = Setting("auto")


def settings(count: int, seed: int, mtkahypar: bool) -> list[Setting]:
    """The defaults of every method and a sample of all others, ``count`` in all. The same seed gives the same ones."""
    found = dict.fromkeys([DEFAULT, Setting("rule-g"), Setting("rule-s")])
    found |= dict.fromkeys(Setting("monolithic", (), ("--direction", each)) for each in ("forward", "backward"))
    random = Random(seed)
    while len(found) < count:
        found[_sampled(random, mtkahypar)] = None
    return list(found)


def _sampled(random: Random, mtkahypar: bool) -> Setting:
    method = "rule-s" if random.random() < _RULE_S_CHANCE else "rule-g"
    names = [name for name in _CUT if mtkahypar or name != "--partitioner"]
    # Rule-S has two parts, and none of Rule-G's heuristics.
    if method == "rule-s":
        names.remove("--parts")
    cut = [(name, random.choice(_CUT[name])) for name in names if random.random() < _CUT_CHANCE]
    flags = _SEARCH if method == "rule-g" else ("--no-reordering",)
    search = tuple(flag for flag in flags if random.random() < _SEARCH_CHANCE)
    return Setting(method, tuple(word for pair in cut for word in pair), search)


#: Called with a line about what goes on.
Report = Callable[[str], None]


class Tuner:
    """Measures settings for one property after the other."""

    def __init__(self, chosen: Sequence[Setting], limits: JobLimits, workers: int, report: Report) -> None:
        """``limits.wall`` bounds a single run, ``workers`` is how many run at a time."""
        self._chosen = chosen
        self._limits = limits
        self._workers = workers
        self._report = report
        self._runs = 0

    def tune(self, question: Question, budget: float) -> Tuning:
        """Measure the settings within ``budget`` seconds of wall time. Raises KeyboardInterrupt."""
        started = time.monotonic()
        end = started + budget
        with tempfile.TemporaryDirectory(prefix="symag-tune-") as folder:
            predictors = self._predictors(question, Path(folder))
            trials = {each: Trial(each, (), predictors.get(each, {})) for each in self._chosen}
            alive = list(trials)
            limit = min(FIRST_SECONDS, self._limits.wall or FIRST_SECONDS)
            rounds: list[tuple[float, int]] = []
            while alive and time.monotonic() < end:
                rounds.append((limit, len(alive)))
                self._round(question, alive, trials, limit, end, Path(folder))
                alive = self._survivors(trials, alive)
                if all(len(trials[each].runs) >= REPEAT or trials[each].cost is None for each in alive) and (
                    limit == self._limits.wall or any(trials[each].cost is not None for each in alive)
                ):
                    break
                limit = limit * FACTOR if self._limits.wall is None else min(limit * FACTOR, self._limits.wall)
        found = tuple(sorted(trials.values(), key=lambda trial: (*trial.rank(), str(trial.setting))))
        return Tuning(question, found, tuple(rounds), time.monotonic() - started)

    def _survivors(self, trials: Mapping[Setting, Trial], alive: Sequence[Setting]) -> list[Setting]:
        """The better half, at least the finalists, and always the default."""
        ranked = sorted(alive, key=lambda each: (*trials[each].rank(), str(each)))
        kept = ranked[: max(FINALISTS, len(ranked) // 2)]
        best = min((cost for each in ranked if (cost := trials[each].cost) is not None), default=None)
        if best is not None:
            kept = [each for each in kept if _hopeful(trials[each], best)]
        return kept if DEFAULT in kept else [*kept, DEFAULT]

    def _round(
        self,
        question: Question,
        alive: Sequence[Setting],
        trials: dict[Setting, Trial],
        limit: float,
        end: float,
        folder: Path,
    ) -> None:
        waiting = list(alive)[::-1]
        done = 0
        with Pool[Setting]() as pool:
            while pool or waiting:
                while waiting and len(pool) < self._workers and time.monotonic() < end:
                    setting = waiting.pop()
                    pool.add(setting, self._started(question, setting, limit, folder))
                if not pool:
                    return  # the budget is spent
                for setting, outcome in pool.wait(None):
                    done += 1
                    if outcome is not None:
                        trial = trials[setting]
                        trials[setting] = replace(trial, runs=(*trial.runs, _measured(outcome, limit)))
                    best = min((cost for each in trials.values() if (cost := each.cost) is not None), default=None)
                    known = "" if best is None else f", best {best:.2f} s"
                    self._report(f"{limit:g} s: {done} of {len(alive)} settings{known}")

    def _started(self, question: Question, setting: Setting, limit: float, folder: Path) -> Supervised:
        job = Job(question.model, question.property, "?", question.text, None, None, setting.method, setting.options)
        limits = JobLimits(limit, None, self._limits.memory)
        self._runs += 1
        output, errors = str(folder / f"{self._runs}.out"), str(folder / f"{self._runs}.err")
        return started(job, limits, output, errors)

    def _predictors(self, question: Question, folder: Path) -> dict[Setting, Mapping[str, float]]:
        """For each setting of a rule, what ``symag partition`` says of its first partition."""
        cuts = sorted({each.cut for each in self._chosen if each.method in ("rule-g", "rule-s")})
        found: dict[tuple[str, ...], Mapping[str, float]] = {}
        waiting = list(enumerate(cuts))[::-1]
        with Pool[tuple[str, ...]]() as pool:
            while pool or waiting:
                while waiting and len(pool) < self._workers:
                    number, cut = waiting.pop()
                    words = [word for word in cut if word != "--partitions"]
                    if "--partitions" in cut:
                        words.remove(cut[cut.index("--partitions") + 1])
                    output = str(folder / f"partition{number}")
                    asked = [question.model, "--property", question.property, *words, "--json"]
                    command = [sys.executable, "-m", "symag", "partition", *asked]
                    digest = partial(_quality, output=output)
                    pool.add(cut, Supervised(command, JobLimits(wall=30), output, f"{output}.err", digest))
                for cut, quality in pool.wait(None):
                    found[cut] = quality or {}
                    self._report(f"partitions: {len(found)} of {len(cuts)}")
        return {each: found[each.cut] for each in self._chosen if each.cut in found and each.method != "monolithic"}


def _hopeful(trial: Trial, best: float) -> bool:
    if trial.cost is not None:
        return trial.cost <= HOPELESS * best
    return max((run.seconds for run in trial.runs), default=0.0) <= HOPELESS * best


def _measured(outcome: Outcome, limit: float) -> Measurement:
    decided = outcome.verdict in ("holds", "violated")
    return Measurement(outcome.cpu_seconds, outcome.verdict if decided else None, limit)


def _quality(ending: Ending, output: str) -> Mapping[str, float] | None:
    """mx and I/O in bits, the number of I/O variables (the cut), and the largest part over an equal share."""
    try:
        found: dict[str, Any] | None = json.loads(Path(output).read_bytes())["partition"]
    except (OSError, ValueError, KeyError):
        return None
    if found is None or ending.status != 0:
        return None
    sizes = [part["bits"] for part in found["parts"]]
    balance = max(sizes) * len(sizes) / max(1, sum(sizes))
    return {"mx": found["mx"], "io_bits": found["io_bits"], "cut": len(found["io"]), "balance": balance}
