"""What a batch is made of: models with the ways to ask them, from a folder, a pattern, a verdict file or a TOML file.

A TOML file::

    expected = ["../suites/smv/nusmv-verdicts.json"]   # verdict files of other tools, as they are

    [[models]]
    files = ["arbiter*.smv", "msi2.smv"]     # patterns, relative to this file
    properties = ["exclusive", "3"]          # names, numbers or kinds (safety); all of them if it is not there
    targets = ["SYS"]                        # composite processes of FSP; all of them if it is not there
    methods = ["auto", "rule-g"]             # default: the methods of the command line
    options = ["--parts 3", "--parts 4"]     # each is a variant of every job; default: one without options
    specification = "one.nm"                 # of probabilistic models: do they simulate it? (else: how many states?)
    expected = "holds"                       # of every property of these models
"""

from __future__ import annotations

import glob
import os.path
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from symag.core.errors import InputError, UsageError
from symag.core.reports import ListedQuestion
from symag.suites.expectations import Expectations, expectations, is_verdict_file
from symag.suites.jobs import Job
from symag.suites.listing import SUFFIXES

_KEYS: Mapping[str, type] = {
    "files": list,
    "properties": list,
    "targets": list,
    "methods": list,
    "options": list,
    "specification": str,
    "expected": str,
}


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """A model and its questions. Empty ``properties`` and ``targets``: all; ``variants`` are lists of options."""

    model: Path
    methods: tuple[str, ...]
    properties: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    variants: tuple[tuple[str, ...], ...] = ((),)
    specification: Path | None = None
    expected: str | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """Models in a fixed order, and what is known about them."""

    entries: tuple[SuiteEntry, ...]
    known: Expectations

    def jobs(self, entry: SuiteEntry, properties: Sequence[ListedQuestion]) -> Iterator[Job]:
        """The jobs for a model with these properties.

        A property that is asked for and not there gives a job too, whose outcome says so.
        """
        chosen = [property_ for property_ in properties if not entry.targets or property_.target in entry.targets]
        if entry.properties:
            selected = [
                property_
                for property_ in chosen
                if {property_.name, property_.property, property_.kind} & {*entry.properties}
            ]
            names = {name for property_ in selected for name in (property_.name, property_.property, property_.kind)}
            missing = [ListedQuestion(name, "?", name) for name in entry.properties if name not in names]
            chosen = [*selected, *missing]
        model = str(entry.model)
        for listed in chosen:
            if listed.property is None:
                yield from self._whole(entry, listed)
                continue
            expected = entry.expected or self.known.answer(
                entry.model, listed.kind, listed.target, listed.text, listed.name
            )
            for method in entry.methods:
                for options in entry.variants:
                    yield Job(
                        model,
                        listed.property,
                        listed.kind,
                        listed.text,
                        listed.name,
                        listed.target,
                        method,
                        options,
                        (),
                        expected,
                    )

    def _whole(self, entry: SuiteEntry, listed: ListedQuestion) -> Iterator[Job]:
        """What is asked about a model without properties of its own."""
        if listed.kind == "model":
            yield Job(str(entry.model), None, listed.kind, listed.text)
        elif entry.specification is None:
            yield from self._counts(entry, listed)
        else:
            specification = str(entry.specification)
            # Seen from the model's folder: two specifications with one name are two problems.
            text = f"simulated by {os.path.relpath(specification, entry.model.parent)}"
            for method in entry.methods:
                for variant in entry.variants:
                    options = ("--specification", specification, *variant)
                    job = Job(str(entry.model), None, "simulation", text, method=method, options=options)
                    yield replace(job, files=(specification,), expected=entry.expected)

    def _counts(self, entry: SuiteEntry, listed: ListedQuestion) -> Iterator[Job]:
        """To count the states, with every setting that something is known about, or with the options given."""
        counts = {
            known_answer.options: known_answer.answer
            for known_answer in self.known.of(entry.model)
            if known_answer.kind == "count"
        }
        variants = entry.variants if entry.variants != ((),) else tuple(counts) or ((),)
        for options in variants:
            expected = entry.expected or counts.get(options)
            yield Job(str(entry.model), None, listed.kind, listed.text, None, None, "explicit", options, (), expected)


def suite(given: str, methods: Sequence[str], expected: Sequence[Path]) -> Suite:
    """Read SUITE: a folder (with the verdict files in it), a pattern, a model, a verdict file, or a TOML file.

    ``methods`` are those of the command line, ``expected`` further verdict files. Raises UsageError if there is
    nothing to run, InputError for a file that is wrong.
    """
    path = Path(given)
    files = list(expected)
    if path.suffix == ".toml":
        entries, named = _toml(path, tuple(methods))
        files += named
    elif path.is_dir():
        # A folder's own verdict files speak of the models below it.
        files += [file for file in sorted(path.rglob("*.json")) if is_verdict_file(file)]
        entries = [SuiteEntry(model, tuple(methods)) for model in _models(path)]
    elif path.suffix == ".json":
        files.append(path)
        models = sorted(expectations([path]).by_model)
        entries = [SuiteEntry(model, tuple(methods)) for model in models if model.is_file()]
    else:
        paths = sorted(map(Path, glob.glob(given, recursive=True)))
        entries = [SuiteEntry(model, tuple(methods)) for model in paths if model.suffix in SUFFIXES]
    if not entries:
        raise UsageError(f"{given}: no models there; a suite is a folder, a pattern, a verdict file or a .toml file")
    return Suite(tuple(entries), expectations(files))


def _models(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.suffix in SUFFIXES and file.is_file())


def _toml(path: Path, methods: tuple[str, ...]) -> tuple[list[SuiteEntry], list[Path]]:
    try:
        document = tomllib.loads(path.read_text())
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not TOML: {error}", str(path)) from error
    tables = document.pop("models", [])
    named = document.pop("expected", [])
    if document or not isinstance(tables, list) or not _are_texts(named):
        raise InputError("expected [[models]] tables and, perhaps, a list of file names 'expected'", str(path))
    entries = [entry for number, table in enumerate(tables, 1) for entry in _asked(path, number, table, methods)]
    return entries, [path.parent / name for name in named]


def _asked(path: Path, number: int, table: Mapping[str, Any], methods: tuple[str, ...]) -> Iterator[SuiteEntry]:
    for name, value in table.items():
        kind = _KEYS.get(name)
        if kind is None:
            raise InputError(f"models {number}: unknown key '{name}'; there are {', '.join(_KEYS)}", str(path))
        if not isinstance(value, kind) or (kind is list and not _are_texts(value)):
            expected = "a list of strings" if kind is list else "a string"
            raise InputError(f"models {number}: '{name}' should be {expected}", str(path))
    files = {file for pattern in table.get("files", ()) for file in path.parent.glob(pattern)}
    if not files:
        raise InputError(f"models {number}: 'files' names no file", str(path))
    options = [shlex.split(words) for words in table.get("options", [""])]
    for model in sorted(files):
        yield SuiteEntry(
            model,
            tuple(table.get("methods", methods)),
            tuple(table.get("properties", ())),
            tuple(table.get("targets", ())),
            tuple(map(tuple, options)),
            path.parent / table["specification"] if "specification" in table else None,
            table.get("expected"),
        )


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
