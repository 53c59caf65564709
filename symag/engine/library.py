"""What ``symag.read`` and ``symag.check`` do, for every family."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from symag.core.errors import UsageError
from symag.core.limits import Limits, Progress
from symag.core.options import check_read, declarations, made
from symag.engine.answers import Answer
from symag.engine.check import answers
from symag.engine.families import FAMILIES, family_of
from symag.engine.family import Family


def read_model(path: str, request: Mapping[str, Any]) -> Any:
    """The model in a file. Keywords that the family's request does not declare are constants.

    Raises InputError and UsageError.
    """
    family = family_of(path)
    declared = {declaration.keyword for declaration in declarations(family.request)}
    own = {name: value for name, value in request.items() if name in declared}
    constants = {name: value for name, value in request.items() if name not in declared}
    if constants and "constants" not in declared:
        raise UsageError(f"{path}: constants are for FSP")
    if constants:
        own["constants"] = {**own.get("constants", {}), **constants}
    return family.read(path, made(family.request, own))


def check_model(
    model: Any,
    properties: tuple[str | int, ...],
    method: str,
    limits: Limits,
    certify: bool,
    progress: Progress,
    settings: Mapping[str, Any],
) -> list[Answer]:
    """The answers about a model, or about the one in a file. Raises UsageError, InputError and CertificationError."""
    path = os.fspath(model) if isinstance(model, str | os.PathLike) else None
    family = family_of(path) if path is not None else _family_with(model)
    requested = {declaration.keyword for declaration in declarations(family.request, "check")}
    keywords = [declaration.keyword for kind in (family.request, family.options) for declaration in declarations(kind)]
    for name in settings:
        if name not in requested and name not in keywords and not hasattr(family.options(), name):
            message = f"check() has no argument '{name}' for this kind of model; there are {', '.join(keywords)}"
            raise UsageError(message)
    given = {name: _listed(family.request, name, value) for name, value in settings.items() if name in requested}
    if properties:
        given["properties"] = properties
    request: Any = made(family.request, given)
    settings_ = {
        name: _listed(family.options, name, value) for name, value in settings.items() if name not in requested
    }
    check_read(family.options, settings_, family.resolved(method), family.methods())
    options: Any = made(family.options, settings_)
    system = family.read(path, request) if path is not None else model
    questions = family.questions(system, request)
    return list(answers(family, system, questions, method, options, limits, certify, progress))


def _listed(options: type, keyword: str, value: Any) -> Any:
    """One text where several are possible is a sequence of one."""
    kinds = {declaration.keyword: declaration.kind for declaration in declarations(options)}
    if kinds.get(keyword) == "list":
        return (value,) if isinstance(value, str) else value if isinstance(value, Mapping) else tuple(value or ())
    return value


def _family_with(model: Any) -> Family:
    """The family that has read a model. Raises UsageError for what no family reads."""
    for family in FAMILIES:
        if family.has_read(model):
            return family
    raise UsageError(f"check() takes a path or what symag.read gives, not {type(model).__name__}")
