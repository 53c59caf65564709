"""The jobs of a suite; processes of their own list the properties of every model."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from symag.core.limits import JobLimits
from symag.core.reports import ListedQuestion
from symag.process.pool import CommandPool
from symag.process.python import python_command
from symag.process.supervision import CommandExit, SupervisedCommand
from symag.suites.jobs import Job
from symag.suites.suites import Suite


def jobs(suite: Suite, limits: JobLimits, workers: int, progress: Callable[[str], None]) -> list[Job]:
    """All jobs of a suite in its order; a model whose properties cannot be listed has one job, which fails."""
    models = list(dict.fromkeys(entry.model for entry in suite.entries))
    properties = properties_of(models, limits, workers, progress)
    return [job for entry in suite.entries for job in suite.jobs(entry, properties[entry.model])]


def properties_of(
    models: Sequence[Path], limits: JobLimits, workers: int, progress: Callable[[str], None]
) -> dict[Path, Sequence[ListedQuestion]]:
    """The properties of each model; if they cannot be listed, a single one of kind ``model``."""
    listed_of: dict[Path, Sequence[ListedQuestion]] = {}

    def commands(folder: str) -> Iterator[tuple[Path, SupervisedCommand]]:
        for number, model in enumerate(models):
            output = f"{folder}/{number}.out"
            command = python_command("symag.suites.listing", str(model))
            digest = partial(_listed, output=output)
            yield model, SupervisedCommand(command, limits, output, f"{folder}/{number}.err", digest)

    with tempfile.TemporaryDirectory(prefix="symag-batch-") as folder, CommandPool[Path]() as pool:
        for model, listed in pool.completed(commands(folder), workers):
            listed_of[model] = _UNREADABLE if listed is None else listed
            progress(f"reading models: {len(listed_of)} of {len(models)}")
    return listed_of


_UNREADABLE = (ListedQuestion(None, "model", "the properties cannot be listed"),)


def _listed(ending: CommandExit, output: str) -> Sequence[ListedQuestion]:
    try:
        report = json.loads(Path(output).read_bytes())
    except (OSError, ValueError):
        return _UNREADABLE
    return _UNREADABLE if ending.status != 0 else [ListedQuestion(**fields) for fields in report["properties"]]
