"""The functions ``symag.batch`` and ``symag.tune``."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path

from symag.core.errors import InputError, UsageError
from symag.core.limits import JobLimits, Progress, no_progress
from symag.suites.run import Batch
from symag.suites.store import Results, Row, has_rows
from symag.suites.suites import jobs, properties_of, suite
from symag.suites.tuning.settings import settings
from symag.suites.tuning.trials import TunedProperty, Tuning
from symag.suites.tuning.tuner import Tuner


def run_suite(
    given: str,
    output: Path,
    methods: Sequence[str],
    limits: JobLimits,
    workers: int,
    resume: bool,
    expected: Sequence[Path],
    evidence: Path | None,
) -> list[Row]:
    """Run the jobs of a suite that have no row in ``output``; all rows about present contents.

    Raises UsageError and InputError.
    """
    if not methods:
        raise UsageError("no method is given; without methods it is auto")
    models = suite(given, tuple(methods), tuple(expected))
    if not resume and has_rows(output):
        raise UsageError(f"{output} exists already: resume=True continues it")
    with Results(output, writing=True) as results:
        batch = Batch(results, limits, workers, evidence)
        batch.contents.read(str(model) for model in models.models())
        batch.run(batch.waiting(jobs(models, limits, workers, no_progress)))
        return [row for row in results.rows() if row.is_current]


def tunings(
    models: Sequence[str],
    names: Sequence[str],
    count: int,
    timeout: float,
    memory: int | None,
    workers: int,
    seed: int,
    always: Sequence[str],
    budget: float,
    progress: Progress = no_progress,
) -> Iterator[Tuning]:
    """For each invariant its tuning; a run has ``timeout`` CPU seconds. Raises UsageError and InputError."""
    if workers < 1 or not budget > 0:
        raise UsageError(f"jobs is at least 1 and the budget positive, not {workers} and {budget}")
    limits = JobLimits(timeout, None, memory)
    candidates = settings(count, seed, importlib.util.find_spec("mtkahypar") is not None)
    tuner = Tuner(candidates, timeout, memory, workers, progress, tuple(always))
    for question in tuned_properties(models, names, limits, workers, progress):
        yield tuner.tune(question, budget)


def tuned_properties(
    models: Sequence[str], names: Sequence[str], limits: JobLimits, workers: int, progress: Progress
) -> list[TunedProperty]:
    """The invariants with these names or numbers, or all.

    Raises InputError for a model that is wrong or cannot be read, UsageError if a model has none, or if no model has
    one of the names.
    """
    questions: list[TunedProperty] = []
    unknown = set(names)
    for model, properties in properties_of([Path(path) for path in models], limits, workers, progress).items():
        if isinstance(properties, InputError):
            raise properties
        invariants = [listed for listed in properties if listed.kind == "INVARSPEC"]
        if names:
            invariants = [invariant for invariant in invariants if {invariant.name, invariant.property} & {*names}]
        if not invariants:
            if any(listed.kind == "model" for listed in properties):
                raise UsageError(
                    f"{model}: its properties cannot be listed within the limits; 'symag info {model}' says why"
                )
            which = f" called {' or '.join(names)}" if names else ""
            raise UsageError(f"{model}: there is no invariant{which} to tune for")
        for invariant in invariants:
            assert invariant.property is not None
            questions.append(TunedProperty(str(model), invariant.property, invariant.text, len(invariants) == 1))
            unknown -= {invariant.name, invariant.property}
    if unknown:
        raise UsageError(f"there is no invariant called {' or '.join(sorted(unknown))} to tune for")
    return questions
