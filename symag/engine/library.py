"""The functions of the package ``symag``, for every family."""

from __future__ import annotations

import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symag.core.errors import UsageError
from symag.core.files import write_file
from symag.core.input_files import inputs_kept
from symag.core.limits import Limits, Progress, no_progress
from symag.core.options import check_read, declarations, made
from symag.engine.answers import Answers
from symag.engine.check import EvidenceFiles, answers
from symag.engine.families import FAMILIES, family_of
from symag.process.family import Family

if TYPE_CHECKING:
    # Only a type.
    from symag.core.reports import Conversion

#: Keywords that say how a model is read.
_OF_READING = frozenset(("components", "constants", "alphabets"))


def family_and_request(path: str, given: Mapping[str, Any]) -> tuple[Family, Any]:
    """The family of the model in a file, and its request with given values (see ``request_for``)."""
    family = family_of(path)
    return family, request_for(family, path, given)


def read_model(path: str, request: Mapping[str, Any]) -> Any:
    """The model in a file. Keywords that the family's request does not declare are constants.

    Raises InputError and UsageError.
    """
    family, own = family_and_request(path, request)
    return family.read(path, own)


def fields_of(family: Family) -> set[str]:
    """The keywords of the family's request."""
    return {declaration.keyword for declaration in declarations(family.request)}


def request_for(family: Family, path: str, given: Mapping[str, Any]) -> Any:
    """The family's request with given values; keywords that it does not declare are constants. Raises UsageError."""
    declared = fields_of(family)
    own = {name: _listed(family.request, name, value) for name, value in given.items() if name in declared}
    constants = {name: value for name, value in given.items() if name not in declared}
    if constants and "constants" not in declared:
        others = [other.label for other in FAMILIES if "constants" in fields_of(other)]
        message = f"there is no option '{min(constants)}', and constants are for {' and '.join(others)} models"
        raise UsageError(f"{path}: {message}")
    if constants:
        own["constants"] = {**own.get("constants", {}), **constants}
    return made(family.request, own)


@inputs_kept()
def converted(path: str, output: str | None, form: str | None, request: Mapping[str, Any]) -> Conversion:
    """The model in a format, written to ``output`` if it is given. Raises InputError and UsageError."""
    family, own = family_and_request(path, request)
    kind = conversion_format(family, path, output or "-", form)
    result = family.convert(path, own, kind, output or "-", no_progress)
    if output is not None:
        write_file(output, result.content)
    return result


def conversion_format(family: Family, model: str, destination: str, form: str | None) -> str:
    """The format ``form``, or that of the suffix. Raises UsageError for a format that the family does not write."""
    forms = tuple(dict.fromkeys(family.conversions.values()))
    suffixes = {suffix: known for other in FAMILIES for suffix, known in other.conversions.items()}
    kind = form or suffixes.get(Path(destination).suffix.lower())
    if kind is None:
        raise UsageError(f"{destination}: the suffix says no format; use --to {_alternatives(forms)}")
    if kind not in forms:
        raise UsageError(f"{model}: {family.one_model} is not written as {kind}; use --to {_alternatives(forms)}")
    return kind


def _alternatives(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


@inputs_kept()
def check_model(
    model: Any,
    properties: tuple[str | int, ...],
    method: str,
    limits: Limits,
    certify: bool,
    progress: Progress,
    evidence: tuple[str | None, str | None],
    settings: Mapping[str, Any],
) -> Answers:
    """The answers about a model, or about the one in a file. Raises UsageError, InputError and CertificationError.

    ``evidence`` says where certificates and traces go.
    """
    path = os.fspath(model) if isinstance(model, str | os.PathLike) else None
    family = family_of(path) if path is not None else _family_with(model)
    requested = {declaration.keyword for declaration in declarations(family.request, "check")}
    if path is None:
        if read := _OF_READING & settings.keys():
            raise UsageError(f"'{min(read)}' is for read(), which has read this model")
        requested -= _OF_READING
    settings = _with_constants(family, requested, settings)
    given = {name: _listed(family.request, name, value) for name, value in settings.items() if name in requested}
    if properties:
        given["properties"] = _asked_for(family, properties)
    request: Any = made(family.request, given)
    settings_ = {
        name: _listed(family.options, name, value) for name, value in settings.items() if name not in requested
    }
    check_read(family.options, settings_, family.methods.deciding(method), family.methods.names())
    options: Any = made(family.options, settings_)
    system = family.read(path, request) if path is not None else family.asking(model, request)
    questions = family.questions(system, request)
    decided = [question for question in questions if family.decides(method, question)]
    files = EvidenceFiles.of(family, system, decided, *evidence, form=None)
    known = Answers(answers(family, system, questions, method, options, limits, certify, progress, files))
    errors = [error for answer in known for error in answer.evidence_errors]
    if errors:
        raise UsageError(errors[0])
    if not questions:
        family.unasked(system, limits, progress)
    return known


def _with_constants(family: Family, requested: AbstractSet[str], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The keywords of ``check``; those that no family knows are constants. Raises UsageError where there are none."""
    unknown = {name for name in given if name not in requested and not hasattr(family.options(), name)}
    wrong = unknown
    if "constants" in requested:
        kinds = (kind for other in FAMILIES for kind in (other.request, other.options))
        wrong = unknown & {declaration.keyword for kind in kinds for declaration in declarations(kind)}
    if wrong:
        options = (declaration.keyword for declaration in declarations(family.options, "check"))
        known = ", ".join(dict.fromkeys((*sorted(requested), *options)))
        declared = {declaration.keyword for declaration in declarations(family.request, "check")}
        has_read = "constants" in declared - requested
        late = "; values of constants are for read(), which has read this model" if has_read else ""
        raise UsageError(f"check() has no argument '{min(wrong)}' for {family.name}; there are {known}{late}")
    if not unknown:
        return given
    constants = {**given.get("constants", {}), **{name: given[name] for name in unknown}}
    return {**{name: value for name, value in given.items() if name not in unknown}, "constants": constants}


def check_takes(command: str, path: str) -> None:
    """Raises UsageError for a model of a family that the command is not for."""
    family = family_of(path)
    if command not in family.further_commands:
        takes = " and ".join(other.name for other in FAMILIES if command in other.further_commands)
        raise UsageError(f"{path}: {command} takes {takes}, not {family.name}")


def _listed(options: type, keyword: str, value: Any) -> Any:
    """The value; for an option that takes several texts, a single text becomes a tuple of one. Paths become texts."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    elif isinstance(value, list | tuple):
        value = tuple(os.fspath(item) if isinstance(item, os.PathLike) else item for item in value)
    kinds = {declaration.keyword: declaration.kind for declaration in declarations(options)}
    if kinds.get(keyword) == "list":
        return (value,) if isinstance(value, str) else value if isinstance(value, Mapping) else tuple(value or ())
    return value


def _asked_for(family: Family, properties: tuple[str | int, ...]) -> tuple[str | int, ...] | str:
    """The names of properties; where ``properties`` is an option for a file, its path. Raises UsageError."""
    kinds = {declaration.keyword: declaration.kind for declaration in declarations(family.request, "check")}
    if kinds["properties"] == "list":
        return properties
    if len(properties) != 1 or not isinstance(properties[0], str):
        raise UsageError(f"'properties' is one file for {family.name}; 'selected' names some of its properties")
    return properties[0]


def _family_with(model: Any) -> Family:
    """The family that has read a model. Raises UsageError for any other value."""
    for family in FAMILIES:
        if family.has_read(model):
            return family
    raise UsageError(f"check() takes a path or what symag.read gives, not {type(model).__name__}")
