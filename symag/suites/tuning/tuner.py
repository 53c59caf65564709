"""Finds by experiment how a model is best cut and checked; hopeless settings are dropped early.

Successive halving: every setting first gets a short time; the better half of them (solved and fast, then unsolved)
is measured again with ``FACTOR`` times the time, until few are left or the budget is spent. A setting that has used
``HOPELESS`` times the CPU time of the best one is dropped at once. The remaining ones are measured ``REPEAT`` times.

The least of many noisy figures is too good. Therefore the default, the best setting, the best one of Rule-G, and
their methods without options run again at the end, ``CONFIRMATIONS`` times in turn and alone; the setting with the
best median is recommended.

Times and limits of runs are CPU seconds, so that a busy machine changes little.

Reference: K. Jamieson and A. Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization"
(AISTATS 2016).
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from symag.core.errors import UsageError
from symag.core.limits import JobLimits
from symag.core.values import replace
from symag.process.pool import CommandPool, supervised
from symag.process.supervision import CommandExit, SupervisedCommand, python_command
from symag.suites.jobs import Job, failure_of
from symag.suites.run import started
from symag.suites.store import JobOutcome
from symag.suites.tuning.settings import DEFAULT, Setting
from symag.suites.tuning.trials import Measurement, Trial, TunedProperty, Tuning

FACTOR = 3.0
HOPELESS = 2.0
REPEAT = 3
FIRST_SECONDS = 2.0
CONFIRMATIONS = 3
#: The share of the budget after which no more partitions are measured: their figures only explain the costs.
PREDICTORS_SHARE = 0.15
#: The share of the budget that the rounds may take, partitions included; the rest is for the confirmation.
ROUNDS_SHARE = 0.75
#: Runs of the confirmation that take less than this share of the budget are repeated even if the budget is spent.
SMALL_SHARE = 0.01
#: The limit of wall time of a run is this many times its limit of CPU time.
WALL_FACTOR = 20.0
#: If the first runs all fail, this number of them is enough to stop.
ALL_FAIL = 5
#: The number of settings that stay to the end, besides the defaults.
FINALISTS = 4


#: Called with a line about the progress.
Report = Callable[[str], None]


class Tuner:
    """Measures settings for one property after the other."""

    def __init__(
        self,
        chosen: Sequence[Setting],
        limit: float,
        memory: int | None,
        workers: int,
        report: Report,
        always: tuple[str, ...] = (),
    ) -> None:
        """A run gets ``limit`` CPU seconds at most and ``memory`` MiB; ``workers`` run at a time.

        Every setting has the options ``always`` besides its own.
        """
        self._chosen = chosen
        self._limit = limit
        self._memory = memory
        self._always = always
        self._workers = workers
        self._report = report
        self._runs = 0

    def tune(self, question: TunedProperty, budget: float) -> Tuning:
        """Measure the settings within ``budget`` seconds of wall time.

        Raises KeyboardInterrupt, and UsageError if none of them can be run.
        """
        started = time.monotonic()
        end = started + ROUNDS_SHARE * budget
        with tempfile.TemporaryDirectory(prefix="symag-tune-") as folder:
            predictors = self._predictors(question, started + PREDICTORS_SHARE * budget, Path(folder))
            trials = {setting: Trial(setting, (), predictors.get(setting, {})) for setting in self._chosen}
            alive = list(trials)
            limit = min(FIRST_SECONDS, self._limit)
            rounds: list[tuple[float, int]] = []
            while alive and time.monotonic() < end:
                rounds.append((limit, len(alive)))
                self._round(question, alive, trials, limit, end, Path(folder))
                alive = self._survivors(trials, alive)
                if all(len(trials[setting].runs) >= REPEAT or trials[setting].cost is None for setting in alive) and (
                    limit == self._limit or any(trials[setting].cost is not None for setting in alive)
                ):
                    break
                limit = min(limit * FACTOR, self._limit)
            ranked = tuple(sorted(trials.values(), key=lambda trial: (*trial.rank(), str(trial.setting))))
            confirmed = self._confirmed(question, _candidates(ranked), started, budget, Path(folder))
        return Tuning(question, ranked, tuple(rounds), confirmed, time.monotonic() - started)

    def _confirmed(
        self, question: TunedProperty, candidates: Sequence[Setting], started: float, budget: float, folder: Path
    ) -> tuple[Trial, ...]:
        """New runs in turn, each alone; at least one for each candidate, and no more after an undecided one."""
        trials = {candidate: Trial(candidate) for candidate in candidates}
        for repeat in range(CONFIRMATIONS):
            for setting, trial in trials.items():
                spent = time.monotonic() >= started + budget
                if any(run.verdict is None or (spent and run.seconds > SMALL_SHARE * budget) for run in trial.runs):
                    continue
                self._report(f"confirmation {repeat + 1} of {CONFIRMATIONS}: {setting}")
                outcome = supervised(partial(self._started, question, setting, self._limit, folder))
                if outcome is not None:
                    trials[setting] = replace(trial, runs=(*trial.runs, _measured(outcome, self._limit)))
        return tuple(trials.values())

    def _survivors(self, trials: Mapping[Setting, Trial], alive: Sequence[Setting]) -> list[Setting]:
        """The better half, at least the finalists, and always the default."""
        ranked = sorted(alive, key=lambda setting: (*trials[setting].rank(), str(setting)))
        kept = ranked[: max(FINALISTS, len(ranked) // 2)]
        best = min((cost for setting in ranked if (cost := trials[setting].cost) is not None), default=None)
        if best is not None:
            kept = [setting for setting in kept if _hopeful(trials[setting], best)]
        return kept if DEFAULT in kept else [*kept, DEFAULT]

    def _round(
        self,
        question: TunedProperty,
        alive: Sequence[Setting],
        trials: dict[Setting, Trial],
        limit: float,
        end: float,
        folder: Path,
    ) -> None:
        done = 0
        best: float | None = None
        failures: list[str] = []

        def commands() -> Iterator[tuple[Setting, SupervisedCommand]]:
            for setting in alive:
                if time.monotonic() >= end:
                    return  # the budget is spent
                # A longer run is hopeless; but the first round ranks slow settings too.
                bound = limit if best is None else min(limit, max(FIRST_SECONDS, HOPELESS * best))
                yield setting, self._started(question, setting, bound, folder)

        with CommandPool[Setting]() as pool:
            for setting, outcome in pool.completed(commands(), self._workers):
                done += 1
                if outcome is not None:
                    trial = trials[setting]
                    trials[setting] = replace(trial, runs=(*trial.runs, _measured(outcome, limit)))
                    failures += [str(outcome.reason)] if failure_of(outcome.reason) is not None else []
                if done == len(failures) >= ALL_FAIL:
                    raise UsageError(f"{question.model}: no setting can be run: {failures[0]}")
                best = min((cost for tried in trials.values() if (cost := tried.cost) is not None), default=None)
                best_text = "" if best is None else f", best {best:.2f} s"
                self._report(f"{limit:g} s: {done} of {len(alive)} settings{best_text}")

    def _started(self, question: TunedProperty, setting: Setting, limit: float, folder: Path) -> SupervisedCommand:
        options = (*self._always, *setting.options)
        job = Job(question.model, question.property, "?", question.text, None, None, setting.method, options)
        limits = JobLimits(WALL_FACTOR * limit, limit, self._memory)
        self._runs += 1
        output, errors = str(folder / f"{self._runs}.out"), str(folder / f"{self._runs}.err")
        return started(job, limits, output, errors)

    def _predictors(self, question: TunedProperty, end: float, folder: Path) -> dict[Setting, Mapping[str, float]]:
        """For settings of a rule, the figures of ``symag partition`` for their first partition: those of which it can
        be started before ``end``.
        """
        cuts = sorted({setting.cut for setting in self._chosen if setting.method in ("rule-g", "rule-s")})
        quality_of: dict[tuple[str, ...], Mapping[str, float]] = {}

        def commands() -> Iterator[tuple[tuple[str, ...], SupervisedCommand]]:
            for number, cut in enumerate(cuts):
                if time.monotonic() >= end:
                    return
                words = [word for word in cut if word != "--partitions"]
                if "--partitions" in cut:
                    words.remove(cut[cut.index("--partitions") + 1])
                output = str(folder / f"partition{number}")
                words += [word for word in self._always if word == "--no-cone-of-influence"]
                arguments = [question.model, "--property", question.property, *words, "--json"]
                command = python_command("symag", "partition", *arguments)
                digest = partial(_quality, output=output)
                yield cut, SupervisedCommand(command, JobLimits(wall=30), output, f"{output}.err", digest)

        with CommandPool[tuple[str, ...]]() as pool:
            for cut, quality in pool.completed(commands(), self._workers):
                quality_of[cut] = quality or {}
                self._report(f"partitions: {len(quality_of)} of {len(cuts)}")
        return {
            setting: quality_of[setting.cut]
            for setting in self._chosen
            if setting.cut in quality_of and setting.method != "monolithic"
        }


def _candidates(trials: Sequence[Trial]) -> list[Setting]:
    """The settings that the confirmation runs, from the sorted trials; none if none of them decides."""
    decided = [trial.setting for trial in trials if trial.cost is not None]
    best = [*decided[:1], *[setting for setting in decided if setting.method == "rule-g"][:1]]
    return list(dict.fromkeys([DEFAULT, *best, *(Setting(setting.method) for setting in best)])) if best else []


def _hopeful(trial: Trial, best: float) -> bool:
    if trial.cost is not None:
        return trial.cost <= HOPELESS * best
    return max((run.seconds for run in trial.runs), default=0.0) <= HOPELESS * best


def _measured(outcome: JobOutcome, limit: float) -> Measurement:
    decided = outcome.verdict in ("holds", "violated")
    return Measurement(outcome.cpu_seconds, outcome.verdict if decided else None, limit)


def _quality(ending: CommandExit, output: str) -> Mapping[str, float] | None:
    """mx and I/O in bits, the number of I/O variables (``cut``), and the largest part over an equal share."""
    try:
        report: dict[str, Any] | None = json.loads(Path(output).read_bytes())["partition"]
    except (OSError, ValueError, KeyError):
        return None
    if report is None or ending.status != 0:
        return None
    sizes = [part["bits"] for part in report["parts"]]
    balance = max(sizes) * len(sizes) / max(1, sum(sizes))
    return {"mx": report["mx"], "io_bits": report["io_bits"], "cut": len(report["io"]), "balance": balance}
