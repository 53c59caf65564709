"""Contracts as values, and their TOML file.

A table for each part, such as::

    [north]                      # the part's name
    instance = "north"           # its variables: those of a module instance (default: of the instance of that name),
    variables = ["cars_north"]   # and single ones
    assume = ["token & next(north.colour) = green -> next(token)"]
    guarantee = ["north.colour = green -> token"]

Conditions are boolean expressions with full names, over states or, with ``next``, over steps. Parts have no variable in
common.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from symag.core.errors import InputError
from symag.core.input_files import content_of_file
from symag.smv.expression_reader import expression
from symag.smv.model.dependencies import Supports
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType

_KEYS = ("instance", "variables", "assume", "guarantee")


@dataclass(frozen=True, slots=True)
class Condition:
    """A boolean expression over states, or (``on_steps``) over steps, with the text that the user wrote."""

    text: str
    expression: Expression
    on_steps: bool


@dataclass(frozen=True, slots=True)
class Contract:
    """A part by its variables, what it assumes of the others, and what it guarantees in every state or step."""

    part: str
    variables: tuple[str, ...]
    assumptions: tuple[Condition, ...]
    guarantees: tuple[Condition, ...]


def read_contracts(path: str, system: FlatSystem) -> tuple[Contract, ...]:
    """The contracts in a TOML file about a system.

    Raises InputError, with the table and the key, for what is no contract or names what the system does not have.
    """
    try:
        document = tomllib.loads(content_of_file(path).decode())
    except UnicodeDecodeError:
        raise InputError("not a file of contracts: it is not text", path) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not a file of contracts: {error}", path) from None
    if not document:
        raise InputError('the file has no contract: expected a table [PART] with guarantee = ["EXPRESSION"]', path)
    supports = Supports(system)
    contracts = [_contract(path, system, supports, part, table) for part, table in document.items()]
    owner: dict[str, str] = {}
    for contract in contracts:
        for name in contract.variables:
            if name in owner:
                raise InputError(f"[{contract.part}]: {name} is a variable of [{owner[name]}] already", path)
            owner[name] = contract.part
    return tuple(contracts)


def _contract(path: str, system: FlatSystem, supports: Supports, part: str, table: Any) -> Contract:
    if not isinstance(table, dict):
        raise InputError(f"{part} is no table: expected [{part}] with {', '.join(_KEYS)}", path)
    unknown = sorted(table.keys() - set(_KEYS))
    if unknown:
        raise InputError(f"[{part}]: unknown key '{unknown[0]}', expected {', '.join(_KEYS)}", path)
    guarantees = _conditions(path, system, supports, part, table, "guarantee")
    assumptions = _conditions(path, system, supports, part, table, "assume")
    return Contract(part, _variables(path, system, part, table), assumptions, guarantees)


def _variables(path: str, system: FlatSystem, part: str, table: Mapping[str, Any]) -> tuple[str, ...]:
    single = _texts(path, part, table, "variables")
    for name in single:
        if name not in system.by_name:
            raise InputError(f"[{part}].variables: the model has no variable '{name}'", path)
    instance = table.get("instance", None if single else part)
    if instance is not None and not isinstance(instance, str):
        raise InputError(f"[{part}].instance is no text", path)
    own = [name for name in system.by_name if instance is not None and name.startswith(f"{instance}.")]
    if instance is not None and not own:
        raise InputError(f"[{part}]: the model has no instance '{instance}' with variables", path)
    return tuple(dict.fromkeys((*own, *single)))


def _conditions(
    path: str, system: FlatSystem, supports: Supports, part: str, table: Mapping[str, Any], key: str
) -> tuple[Condition, ...]:
    conditions = []
    for number, text in enumerate(_texts(path, part, table, key)):
        where = f"[{part}].{key}[{number}]"
        try:
            read = expression(system, text, f"{path}: {where}")
        except InputError as error:
            raise InputError(str(error)) from None
        support = supports.of(read)
        inputs = any(system.by_name[name].kind is VariableKind.INPUT for name in support.current)
        if not isinstance(read.type, BooleanType) or inputs:
            raise InputError(f"{where}: '{text}' is no boolean expression over states and next states", path)
        conditions.append(Condition(text, read, bool(support.next)))
    return tuple(conditions)


def _texts(path: str, part: str, table: Mapping[str, Any], key: str) -> list[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"[{part}].{key} is no list of texts", path)
    return value
