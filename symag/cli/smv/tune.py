"""``symag tune``: find by experiment how a model is best cut and checked."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from symag.cli.options.settings import SECONDS, json_option, memory_option, packed, property_option
from symag.cli.output.streams import ProgressLine, print_json, warn
from symag.cli.status import ALL_HOLD, INTERNAL_ERROR, INTERRUPTED, UNDECIDED, WRONG_USAGE
from symag.core.errors import UsageError
from symag.core.files import write_file
from symag.suites.library import tunings
from symag.suites.tuning.predictors import correlations
from symag.suites.tuning.settings import DEFAULT, Setting, TunedOptions, beside
from symag.suites.tuning.trials import Trial, Tuning

#: The most settings in the table.
_SHOWN = 10


class Experiment(Struct, frozen=True):
    """The size of the experiment: ``count`` settings, ``timeout`` CPU seconds for each run, ``budget`` seconds for
    each property.
    """

    count: int
    timeout: float
    memory: int | None
    workers: int
    seed: int
    always: str
    budget: float

    @property
    def common(self) -> tuple[str, ...]:
        """The options of every setting. Raises UsageError."""
        try:
            return tuple(shlex.split(self.always))
        except ValueError as error:
            raise UsageError(f"--always {self.always!r}: {error}") from error

    def tunings(self, models: Sequence[str], properties: Sequence[str], line: ProgressLine) -> Iterator[Tuning]:
        """The tuning of each property as soon as it is finished. Raises UsageError."""
        limits = (self.count, self.timeout, self.memory, self.workers, self.seed)
        return tunings(models, properties, *limits, self.common, self.budget, line)


@click.command("tune", short_help="Find good settings for SMV models.")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True, type=click.Path())
@property_option
@click.option("--budget", type=SECONDS, default=600.0, show_default=True, help="Wall-clock seconds for each property.")
@click.option(
    "--settings", "count", type=click.IntRange(min=6), default=200, show_default=True, help="How many to try, at most."
)
@click.option("--timeout", type=SECONDS, default=60.0, show_default=True, help="CPU seconds for one run.")
@click.option(
    "--always", default="", metavar="OPTIONS", help="Options of check for every setting: '--no-cone-of-influence'."
)
@memory_option("one run")
@click.option(
    "--jobs", "workers", type=click.IntRange(min=1), default=1, show_default=True, help="This many at a time."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed tries the same settings.")
@click.option(
    "--apply",
    is_flag=True,
    help="Write the best setting to MODEL.toml, for check --settings; of several invariants to MODEL.N.toml.",
)
@json_option
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@packed("experiment", Experiment, "count", "timeout", "memory", "workers", "seed", "always", "budget")
def command(
    models: tuple[str, ...],
    properties: tuple[str, ...],
    experiment: Experiment,
    apply: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Try many settings on the invariants of every MODEL and recommend the fastest one.

    Each setting runs 'symag check', certification included, in a process of its own; its cost is the CPU time of the
    whole command. All settings first get a short time; in each further round the better half gets three times as much.
    Settings differ in method, parts, imbalance, partitioner, seed, wires, grain and heuristics. At the end the best
    one, the best one of Rule-G and the default run in turn, three times each; their medians decide.

    Exit status: 0, or 30 if no setting decides one of the properties, 2 wrong usage, 3 bad input.

    \b
    Example:
      symag tune models/counter.smv --property parity_right --settings 8 --budget 60
    """
    line = ProgressLine(quiet, False)
    results: list[Tuning] = []
    status: int | None = None
    try:
        for tuning in experiment.tunings(models, properties, line):
            line.clear()
            results.append(tuning)
            if not as_json:
                for text in _lines(tuning):
                    print(text, flush=True)
            if apply and tuning.best is not None:
                path = _applied(tuning, tuning.best, experiment.common)
                if not as_json:
                    print(f"   written to {path}; symag check {tuning.question.model} --settings {path} uses it")
    except KeyboardInterrupt:
        line.clear()
        warn("interrupted")
        status = INTERRUPTED
    except UsageError as error:
        line.clear()
        if not results:
            raise
        # What was found before is not lost.
        warn(str(error))
        status = WRONG_USAGE
    if as_json and (results or status is None):
        print_json({"schema": 1, "tunings": [_json(tuning) for tuning in results]})
    if any(len(tuning.verdicts()) > 1 for tuning in results):
        warn("settings disagree about the verdict: please report this with the output of --json")
        return INTERNAL_ERROR
    undecided = any(tuning.best is None for tuning in results)
    return status if status is not None else UNDECIDED if undecided else ALL_HOLD


def _applied(tuning: Tuning, best: Trial, common: Sequence[str]) -> Path:
    """Write the best setting beside the model. Raises UsageError."""
    question = tuning.question
    path = beside(question.model, None if question.is_alone else question.property)
    write_file(path, _tuned(tuning, best, common).text())
    return path


def _lines(tuning: Tuning) -> Iterator[str]:
    question = tuning.question
    yield f"-- {question.model}, property {question.property}: {' '.join(question.text.split())[:100]}"
    tried = ", ".join(f"{count} for {seconds:g} s" for seconds, count in tuning.rounds)
    yield f"   {len(tuning.trials)} settings in {tuning.seconds:.0f} s: {tried}"
    for trial in tuning.trials[:_SHOWN]:
        yield f"   {_cost(trial):>9}  {trial.setting}"
    if tuning.confirmed:
        yield "   run again in turn, each alone:"
        for trial in tuning.confirmed:
            remark = " (the default)" if trial.setting == DEFAULT else ""
            yield f"   {_cost(trial):>9}  {trial.setting}{remark}; {_runs(trial)}"
    yield f"   {_recommendation(tuning)}"
    for correlation in correlations(tuning.trials):
        if correlation.rho is not None:
            ranked = f"{correlation.settings} settings of {correlation.method}"
            yield f"   {correlation.predictor} ranks {ranked} by their cost: rho {correlation.rho:+.2f}"


def _cost(trial: Trial) -> str:
    if not trial.runs:
        return "not run"
    if trial.cost is None:
        return f"> {max(run.seconds for run in trial.runs):.1f} s"
    return f"{trial.cost:.2f} s"


def _runs(trial: Trial) -> str:
    seconds = ", ".join(f"{run.seconds:.2f}" for run in trial.runs)
    return f"median of {len(trial.runs)}: {seconds}" if len(trial.runs) > 1 else f"one run: {seconds}"


def _recommendation(tuning: Tuning) -> str:
    best, default = tuning.best, tuning.default
    if best is None:
        left = sum(not trial.runs for trial in tuning.trials)
        unspent = f"; {left} settings were not run: raise --budget" if left else ""
        return f"no setting decides it within the limits{unspent}"
    others = [trial for trial in tuning.confirmed if trial.setting != DEFAULT and trial.cost is not None]
    if best.setting != DEFAULT:
        text = f"recommended: {best.setting}, {_gain(default, best, 'the default')}"
    elif others:
        nearest = min(others, key=lambda trial: trial.cost or 0)
        text = f"recommended: the default; the best other setting needs {_ratio(nearest, default)} times its time"
    else:
        text = "recommended: the default"
    plain = tuning.of(Setting("rule-g"))
    tuned = next((trial for trial in others if trial.setting.method == "rule-g" and trial.setting.options), None)
    if plain is None or tuned is None:
        return text
    return f"{text}; rule-g tuned is {_gain(plain, tuned, 'without options')}"


def _gain(slow: Trial, fast: Trial, name: str) -> str:
    if slow.cost is None:
        return f"more than {max(run.seconds for run in slow.runs) / (fast.cost or 1):.2f} times as fast as {name}"
    return f"{_ratio(slow, fast)} times as fast as {name}"


def _ratio(slow: Trial, fast: Trial) -> str:
    assert slow.cost is not None
    assert fast.cost is not None
    return f"{slow.cost / fast.cost:.2f}"


def _tuned(tuning: Tuning, best: Trial, common: Sequence[str]) -> TunedOptions:
    remarks = (
        f"symag tune, {time.strftime('%Y-%m-%d')}: {' '.join(tuning.question.text.split())[:100]}",
        f"{best.cost:.2f} s of CPU time; the default: {_cost(tuning.default)}",
    )
    return TunedOptions(
        ("--method", best.setting.method, *common, *best.setting.options), tuning.question.property, remarks
    )


def _json(tuning: Tuning) -> dict[str, Any]:
    return {
        "model": tuning.question.model,
        "property": tuning.question.property,
        "text": tuning.question.text,
        "seconds": round(tuning.seconds, 3),
        "rounds": [{"limit": limit, "settings": count} for limit, count in tuning.rounds],
        "recommended": None if tuning.best is None else str(tuning.best.setting),
        "confirmed": [
            {"setting": str(trial.setting), "cpu_seconds": trial.cost, "runs": [asdict(run) for run in trial.runs]}
            for trial in tuning.confirmed
        ],
        "trials": [
            {
                "method": trial.setting.method,
                "options": list(trial.setting.options),
                "cpu_seconds": trial.cost,
                "runs": [asdict(run) for run in trial.runs],
                "partition": dict(trial.predictors),
            }
            for trial in tuning.trials
        ],
        "correlations": [asdict(correlation) for correlation in correlations(tuning.trials)],
    }
