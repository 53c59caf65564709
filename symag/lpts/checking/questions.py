"""The questions about a system: a specification, a formula, or a file of properties, for each value of constants."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct

from symag.core.errors import UsageError
from symag.core.limits import Limits, Progress, no_progress
from symag.core.reasons import Reason
from symag.core.source import SourceText, text_of_file
from symag.lpts.checking.check import (
    ReadProblem,
    SimulationFiles,
    SimulationQuestion,
    constants_of_files,
    read_simulation,
)
from symag.lpts.language.properties.parser import parse_formula, parse_properties
from symag.lpts.language.properties.reading import read_quantitative, with_given
from symag.lpts.language.properties.routing import reads_of_some_scheduler, safety_formula
from symag.lpts.language.properties.syntax import PropertiesText, PropertyText
from symag.lpts.language.reading import read_system
from symag.lpts.language.triples.parser import TripleText
from symag.lpts.language.triples.reading import constants_of_triples, read_triples, triple_texts
from symag.lpts.lpts import fraction_of
from symag.lpts.quantitative import QuantitativeProblem
from symag.lpts.starts import starts
from symag.lpts.triples import TripleProblem
from symag.process.limited import limited

_MOST_VALUES = 100_000
_Text = TypeVar("_Text", PropertyText, TripleText)


class _Texts(Struct, frozen=True, eq=False):
    """Properties, the text in which they stand, and its definitions if it is a file."""

    properties: tuple[PropertyText, ...]
    source: SourceText
    definitions: PropertiesText | None


def questions(files: SimulationFiles) -> tuple[SimulationQuestion, ...]:
    """Every property for every value of the constants, the first property first. Raises InputError and UsageError."""
    total = 1
    if files.triples is not None:
        listed = _listed_triples(files.triples, files.selected)
        total = len(triple_texts(files.triples))
    elif files.properties is None:
        listed = [files.question]
    else:
        texts = _texts(files)
        total = len(texts.properties)
        listed = [
            SimulationQuestion(property_.text, "pctl", 0, property_.name, property_.line, place=place)
            for place, property_ in _selected(texts.properties, files.selected)
        ]
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


def _listed_triples(path: str, keys: Sequence[str]) -> list[SimulationQuestion]:
    written = triple_texts(path)
    return [
        SimulationQuestion(text.text, "triple", 0, text.name, text.line, place=place)
        for place, text in _selected(written, keys)
    ]


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


def _texts(files: SimulationFiles) -> _Texts:
    if files.properties is None:
        assert files.formula is not None
        source = SourceText.of("--formula", files.formula)
        return _Texts((parse_formula(source),), source, None)
    source = SourceText.of(files.properties, text_of_file(files.properties))
    definitions = parse_properties(source)
    return _Texts(definitions.properties, source, definitions)


def _selected(properties: Sequence[_Text], keys: Sequence[str]) -> list[tuple[int, _Text]]:
    """The properties with these names or numbers, in the order of the file. Raises UsageError if one is missing."""
    numbered = list(enumerate(properties))
    unknown = [key for key in keys if not any(_has_key(key, place, text) for place, text in numbered)]
    if unknown:
        known = ", ".join(text.name or str(place) for place, text in numbered) or "none"
        raise UsageError(f"no property '{unknown[0]}'; there are {known}")
    return [(place, text) for place, text in numbered if not keys or any(_has_key(key, place, text) for key in keys)]


def _has_key(key: str, place: int, text: PropertyText | TripleText) -> bool:
    return key == text.name or key == str(place)


def read_questions(
    files: SimulationFiles, questions_: Sequence[SimulationQuestion], limits: Limits, progress: Progress = no_progress
) -> list[ReadProblem]:
    """The problems of questions about the same values of constants, read in one child process.

    Raises InputError and UsageError.
    """
    files = replace(files, constants={**files.constants, **dict(questions_[0].constants)})
    if files.triples is not None:
        return _read_triples(files, files.triples, [question.place for question in questions_], limits, progress)
    if files.specification is not None:
        return [read_simulation(files, None, limits, progress)]
    if files.formula is not None:
        formula = safety_formula(files.formula, files.path, bool(files.further), files.constants)
        if formula is not None:
            simulation = read_simulation(files, formula, limits, progress)
            if files.further and reads_of_some_scheduler(formula):
                warning = (
                    "P>q inside a formula about several files says that some scheduler exceeds q, not all as in PRISM"
                )
                simulation = replace(simulation, warnings=(*simulation.warnings, warning))
            return [simulation]
    if files.further or files.alphabets:
        raise UsageError("--component and --alphabet: formulas of this kind are decided for the modules of one file")

    def work(report: Progress) -> tuple[list[QuantitativeProblem], tuple[str, ...]]:
        return _problems(files, [question.place for question in questions_], report)

    outcome = limited("reading", work, limits, progress)
    if outcome.value is None:
        return [ReadProblem(None, reason=outcome.reason or "no answer") for _ in questions_]
    problems, warnings = outcome.value
    return [ReadProblem(problem, warnings) for problem in problems]


def _read_triples(
    files: SimulationFiles, path: str, places: Sequence[int], limits: Limits, progress: Progress
) -> list[ReadProblem]:
    only_there = constants_of_triples(path) - constants_of_files((files.path, *files.further))
    constants = {name: value for name, value in files.constants.items() if name not in only_there}

    def work(report: Progress) -> tuple[list[TripleProblem], tuple[str, ...]] | None:
        system = read_system(files.path, files.further, constants, files.alphabets, report)
        if starts(system.components[0]):
            return None
        problems = read_triples(path, files.constants, system.components)
        return [problems[place] for place in places], system.warnings

    outcome = limited("reading", work, limits, progress)
    if outcome.value is None:
        reason = outcome.reason or Reason.UNSUPPORTED.text("triples are about one initial state, and there are several")
        return [ReadProblem(None, reason=reason) for _ in places]
    problems, warnings = outcome.value
    return [ReadProblem(problem, warnings) for problem in problems]


def _problems(
    files: SimulationFiles, places: Sequence[int], progress: Progress
) -> tuple[list[QuantitativeProblem], tuple[str, ...]]:
    texts = _texts(files)
    definitions = () if texts.definitions is None else (texts.definitions,)
    model = with_given(read_quantitative(files.path, files.constants, progress), definitions, files.constants)
    problems = [model.problem(texts.properties[place], texts.source, texts.definitions) for place in places]
    return problems, model.warnings


def grouped(questions_: Sequence[SimulationQuestion]) -> list[list[SimulationQuestion]]:
    """The questions in groups of neighbours with the same values of constants."""
    return [list(group) for _, group in itertools.groupby(questions_, lambda question: question.constants)]
