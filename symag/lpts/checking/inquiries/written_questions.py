"""Questions that are texts: a formula, properties in a file, triples in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from symag.core.errors import InputError, UnsupportedError, UsageError
from symag.core.limits import Limits, Progress
from symag.core.results import Reason
from symag.core.source import SourceText, text_of_file
from symag.core.values import replace
from symag.lpts.checking.check import (
    ReadProblem,
    SimulationFiles,
    SimulationQuestion,
    constants_of_files,
    read_simulation,
)
from symag.lpts.language.prism.syntax import PropertiesText, PropertyText
from symag.lpts.language.properties.parser import parse_formula, parse_properties
from symag.lpts.language.properties.reading import read_quantitative, with_given
from symag.lpts.language.properties.routing import reads_of_some_scheduler, safety_formula
from symag.lpts.language.reading import read_system
from symag.lpts.language.triples.parser import TripleText
from symag.lpts.language.triples.reading import constants_of_triples, read_triples, triple_texts
from symag.lpts.problems import Problem
from symag.lpts.state_values import starts
from symag.process.race import limited

_Text = TypeVar("_Text", PropertyText, TripleText)


class _Texts(Struct, frozen=True, eq=False):
    """Properties, the text in which they stand, and its definitions if it is a file."""

    properties: tuple[PropertyText, ...]
    source: SourceText
    definitions: PropertiesText | None


def listed_in_files(files: SimulationFiles) -> tuple[list[SimulationQuestion], int]:
    """The selected triples or properties, and how many the file has. Raises InputError and UsageError."""
    if files.triples is not None:
        triples = triple_texts(files.triples)
        listed = [
            SimulationQuestion(text.text, "triple", 0, text.name, text.line, place=place)
            for place, text in _selected(triples, files.selected)
        ]
        return listed, len(triples)
    properties = _texts(files).properties
    listed = [
        SimulationQuestion(property_.text, "pctl", 0, property_.name, property_.line, place=place)
        for place, property_ in _selected(properties, files.selected)
    ]
    return listed, len(properties)


def read_written(
    files: SimulationFiles, questions_: Sequence[SimulationQuestion], limits: Limits, progress: Progress
) -> list[ReadProblem]:
    """The problems of such questions, read in one child process. Raises InputError and UsageError."""
    if files.triples is not None:
        return _read_triples(files, files.triples, [question.place for question in questions_], limits, progress)
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

    def work(report: Progress) -> list[ReadProblem]:
        return _problems(files, [question.place for question in questions_], report)

    outcome = limited("reading", work, limits, progress)
    if outcome.value is None:
        return [ReadProblem(None, reason=outcome.reason or "no answer") for _ in questions_]
    return list(outcome.value)


def _read_triples(
    files: SimulationFiles, path: str, places: Sequence[int], limits: Limits, progress: Progress
) -> list[ReadProblem]:
    only_there = constants_of_triples(path) - constants_of_files((files.path, *files.further))
    constants = {name: value for name, value in files.constants.items() if name not in only_there}

    def work(report: Progress) -> list[ReadProblem] | None:
        system = read_system(files.path, files.further, constants, files.alphabets, report)
        if starts(system.components[0]):
            return None
        problems = read_triples(path, files.constants, system.components)
        return [_read_problem(problems[place], system.warnings) for place in places]

    outcome = limited("reading", work, limits, progress)
    if outcome.value is None:
        reason = outcome.reason or Reason.UNSUPPORTED.text("triples are about one initial state, and there are several")
        return [ReadProblem(None, reason=reason) for _ in places]
    return list(outcome.value)


def _read_problem(problem: Problem | UnsupportedError | InputError, warnings: tuple[str, ...]) -> ReadProblem:
    if isinstance(problem, UnsupportedError):
        return ReadProblem(None, warnings, reason=Reason.UNSUPPORTED.text(str(problem)))
    if isinstance(problem, InputError):
        return ReadProblem(None, warnings, error=problem)
    return ReadProblem(problem, warnings)


def _problems(files: SimulationFiles, places: Sequence[int], progress: Progress) -> list[ReadProblem]:
    texts = _texts(files)
    definitions = () if texts.definitions is None else (texts.definitions,)
    model = with_given(read_quantitative(files.path, files.constants, progress), definitions, files.constants)

    def problem(place: int) -> Problem | UnsupportedError | InputError:
        try:
            return model.problem(texts.properties[place], texts.source, texts.definitions)
        except (UnsupportedError, InputError) as error:
            return error

    return [_read_problem(problem(place), model.warnings) for place in places]


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
