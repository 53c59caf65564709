"""The questions about a system: a specification, a formula, or a file of properties, for each value of constants."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from symag.core.errors import UsageError
from symag.core.limits import Limits, Progress
from symag.core.values import replace
from symag.lpts.checking.check import ReadProblem, SimulationFiles, SimulationQuestion, read_simulation
from symag.lpts.lpts import fraction_of

_MOST_VALUES = 100_000


def questions(files: SimulationFiles) -> tuple[SimulationQuestion, ...]:
    """Every property for every value of the constants, the first property first. Raises InputError and UsageError."""
    listed, total = [files.question], 1
    if files.triples is not None or files.properties is not None:
        # Here, so that a question about a specification does not wait for the readers of formulas.
        from symag.lpts.checking.inquiries.written_questions import listed_in_files

        listed, total = listed_in_files(files)
    ranges = {name: _values(name, text) for name, text in files.constants.items() if ":" in text}
    valuations = [tuple(zip(ranges, combination, strict=True)) for combination in itertools.product(*ranges.values())]
    if len(valuations) * len(listed) > _MOST_VALUES:
        raise UsageError(f"--const asks for {len(valuations)} values, expected at most {_MOST_VALUES}")
    result = [
        replace(question, text=question.text + _suffix(valuation), constants=valuation)
        for valuation in valuations
        for question in listed
    ]
    # A certificate names its property by the index, and is re-checked without a selection.
    return tuple(
        replace(question, index=number // len(listed) * total + question.place)
        for number, question in enumerate(result)
    )


def _suffix(valuation: Sequence[tuple[str, str]]) -> str:
    return f" with {', '.join(f'{name}={value}' for name, value in valuation)}" if valuation else ""


def _values(name: str, text: str) -> list[str]:
    """``1:3`` is 1, 2, 3 and ``0:0.5:2`` is 0, 0.5, 1, 1.5, 2, as in PRISM's experiments. Raises UsageError."""
    wrong = UsageError(f"--const {name}={text}: expected a value, FROM:TO or FROM:STEP:TO with a positive step")
    parts = text.split(":")
    try:
        numbers = [fraction_of(part) for part in parts]
    except (ValueError, ZeroDivisionError):
        raise wrong from None
    low, high = numbers[0], numbers[-1]
    step = numbers[1] if len(numbers) == 3 else Fraction(1)
    if len(numbers) > 3 or step <= 0 or low > high or (high - low) / step > _MOST_VALUES:
        raise wrong
    return [str(low + k * step) for k in range(int((high - low) / step) + 1)]


def read_questions(
    files: SimulationFiles, questions_: Sequence[SimulationQuestion], limits: Limits, progress: Progress
) -> list[ReadProblem]:
    """The problems of questions about the same values of constants, read in one child process.

    Raises InputError and UsageError.
    """
    files = replace(files, constants={**files.constants, **dict(questions_[0].constants)})
    if files.triples is None and files.specification is not None:
        return [read_simulation(files, None, limits, progress)]
    # Here, so that a question about a specification does not wait for the readers of formulas.
    from symag.lpts.checking.inquiries.written_questions import read_written

    return read_written(files, questions_, limits, progress)


def grouped(questions_: Sequence[SimulationQuestion]) -> list[list[SimulationQuestion]]:
    """The questions in groups of neighbours with the same values of constants."""
    return [list(group) for _, group in itertools.groupby(questions_, lambda question: question.constants)]
