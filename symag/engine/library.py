"""The functions of the package ``symag``, for every family."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symag.core.errors import UsageError
from symag.core.files import write_file
from symag.core.limits import Limits, Progress, no_progress
from symag.core.options import check_read, declarations, made
from symag.core.reports import Conversion, Report
from symag.core.walks import WalkRequest
from symag.engine.answers import Answers
from symag.engine.check import answers
from symag.engine.families import FAMILIES, family_of
from symag.engine.family import Family


def read_model(path: str, request: Mapping[str, Any]) -> Any:
    """The model in a file. Keywords that the family's request does not declare are constants.

    Raises InputError and UsageError.
    """
    family = family_of(path)
    return family.read(path, request_for(family, path, request))


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


def model_info(path: str, limits: Limits, request: Mapping[str, Any]) -> Report:
    """The size of a model. Raises InputError and UsageError."""
    family = family_of(path)
    return family.info(path, request_for(family, path, request), limits, no_progress)


def simulated(path: str, walk: WalkRequest, limits: Limits, request: Mapping[str, Any]) -> Report:
    """A run through the model. Raises InputError and UsageError."""
    family = family_of(path)
    return family.simulate(path, request_for(family, path, request), walk, limits, no_progress)


def replayed(path: str, trace: str, limits: Limits, request: Mapping[str, Any]) -> Report:
    """A trace from a file, run again. Raises InputError, UsageError and CertificationError."""
    family = family_of(path)
    return family.replay(path, request_for(family, path, request), trace, False, limits, no_progress)


def rechecked(path: str, certificate: str, limits: Limits, request: Mapping[str, Any]) -> Report:
    """A certificate from a file, re-checked, in words. Raises InputError, UsageError and CertificationError."""
    family = family_of(path)
    return family.recheck(path, request_for(family, path, request), certificate, True, limits, no_progress)


def converted(path: str, output: str | None, form: str | None, request: Mapping[str, Any]) -> Conversion:
    """The model in a format, written to ``output`` if it is given. Raises InputError and UsageError."""
    family = family_of(path)
    kind = conversion_format(family, path, output or "-", form)
    result = family.convert(path, request_for(family, path, request), kind, output or "-", no_progress)
    if output is not None:
        write_file(output, result.content)
    return result


def conversion_format(family: Family, model: str, destination: str, form: str | None) -> str:
    """The format ``form``, or that of the suffix. Raises UsageError for a format that the family does not write."""
    forms = tuple(dict.fromkeys(family.conversions.values()))
    suffixes = {suffix: known for other in FAMILIES for suffix, known in other.conversions.items()}
    kind = form or suffixes.get(Path(destination).suffix)
    if kind is None:
        raise UsageError(f"{destination}: the suffix says no format; use --to {_alternatives(forms)}")
    if kind not in forms:
        raise UsageError(f"{model}: {family.one_model} is not written as {kind}; use --to {_alternatives(forms)}")
    return kind


def _alternatives(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def check_model(
    model: Any,
    properties: tuple[str | int, ...],
    method: str,
    limits: Limits,
    certify: bool,
    progress: Progress,
    settings: Mapping[str, Any],
) -> Answers:
    """The answers about a model, or about the model in a file. Raises UsageError, InputError and CertificationError."""
    path = os.fspath(model) if isinstance(model, str | os.PathLike) else None
    family = family_of(path) if path is not None else _family_with(model)
    requested = {declaration.keyword for declaration in declarations(family.request, "check")}
    keywords = [declaration.keyword for kind in (family.request, family.options) for declaration in declarations(kind)]
    for_request: dict[str, Any] = {}
    for_methods: dict[str, Any] = {}
    for name, value in settings.items():
        if name in requested:
            for_request[name] = _listed(family.request, name, value)
        elif name in keywords or hasattr(family.options(), name):
            for_methods[name] = _listed(family.options, name, value)
        else:
            message = f"check() has no argument '{name}' for this kind of model; there are {', '.join(keywords)}"
            raise UsageError(message)
    if properties:
        for_request["properties"] = properties
    request: Any = made(family.request, for_request)
    check_read(family.options, for_methods, family.methods.deciding(method), family.methods.names())
    options: Any = made(family.options, for_methods)
    system = family.read(path, request) if path is not None else model
    questions = family.questions(system, request)
    return Answers(answers(family, system, questions, method, options, limits, certify, progress))


def _listed(options: type, keyword: str, value: Any) -> Any:
    """The value; for an option that takes several texts, a single text becomes a tuple of one."""
    kinds = {declaration.keyword: declaration.kind for declaration in declarations(options)}
    if kinds.get(keyword) == "list":
        return (value,) if isinstance(value, str) else value if isinstance(value, Mapping) else tuple(value or ())
    return value


def _family_with(model: Any) -> Family:
    """The family that has read a model. Raises UsageError for any other value."""
    for family in FAMILIES:
        if family.has_read(model):
            return family
    raise UsageError(f"check() takes a path or what symag.read gives, not {type(model).__name__}")
