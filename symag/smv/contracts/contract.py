"""Contracts as values, and how they are written: in a TOML file, or in comments ``--@ ..`` of the model.

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

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.input_files import content_of_file
from symag.core.values import replace
from symag.smv.expression_reader import expression
from symag.smv.model.failures import Failures
from symag.smv.model.flat import FlatSystem
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Constant, Expression
from symag.smv.model.types import BooleanType

#: A line of a model that is a line of contracts.
_COMMENT = re.compile(r"(\s*--@)(.*)")

_KEYS = ("instance", "variables", "assume", "guarantee")


class ContractCondition(Struct, frozen=True):
    """A boolean expression over states, or (``on_steps``) over steps, with the text that the user wrote."""

    text: str
    expression: Expression
    on_steps: bool


class Contract(Struct, frozen=True):
    """A part by its variables, what it assumes of the others, and what it guarantees in every state or step."""

    part: str
    variables: tuple[str, ...]
    assumptions: tuple[ContractCondition, ...]
    guarantees: tuple[ContractCondition, ...]


def read_contracts(path: str, system: FlatSystem) -> tuple[Contract, ...]:
    """The contracts in a TOML file about a system.

    Raises InputError, with the table and the key, for a file without contracts, and for names that the system does not
    have.
    """
    try:
        text = content_of_file(path).decode()
    except UnicodeDecodeError:
        raise InputError("not a file of contracts: it is not text", path) from None
    return _contracts(text, path, system, "not a file of contracts", "the file has no contract")


def without_contract(system: FlatSystem, contracts: Sequence[Contract]) -> tuple[Contract, ...]:
    """A contract that says nothing for every instance of the main module without one; a variable of two counts once."""
    owned = {name for contract in contracts for name in contract.variables}
    taken = {contract.part for contract in contracts}
    members: dict[str, list[str]] = {}
    for name in system.by_name:
        instance, dot, _ = name.partition(".")
        if dot and name not in owned and instance not in taken:
            members.setdefault(instance, []).append(name)
    return tuple(Contract(instance, tuple(names), (), ()) for instance, names in members.items())


def contracts_in_comments(system: FlatSystem, required: bool = True) -> tuple[Contract, ...]:
    """The contracts in the lines of a model that begin with ``--@``: what follows on all of them is one such file.

    Raises InputError as ``read_contracts`` does; a model without such lines has no contracts unless one is
    ``required``.
    """
    source = system.source
    # Lines and columns of errors are those of the model.
    lines = (_COMMENT.match(line) for line in source.text.split("\n"))
    text = "\n".join("" if line is None else " " * line.end(1) + line[2] for line in lines)
    if not required and not text.strip():
        return ()
    return _contracts(text, source.path, system, "not contracts, in comments --@", "no comment --@ has a contract")


def _contracts(text: str, path: str, system: FlatSystem, wrong: str, missing: str) -> tuple[Contract, ...]:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{wrong}: {error}", path) from None
    if not document:
        raise InputError(f'{missing}: expected a table [PART] with guarantee = ["EXPRESSION"]', path)
    reading = _Reading(path, system)
    contracts = [reading.contract(part, table) for part, table in document.items()]
    owner: dict[str, str] = {}
    for contract in contracts:
        for name in contract.variables:
            if name in owner:
                raise InputError(f"[{contract.part}]: {name} is a variable of [{owner[name]}] already", path)
            owner[name] = contract.part
    return tuple(contracts)


class _Reading:
    """Reads the tables of one file."""

    def __init__(self, path: str, system: FlatSystem) -> None:
        self._path = path
        self._system = system
        self._supports = Supports(system)
        # A DEFINE that can fail is an error of the model, which is reported there.
        opaque = dict.fromkeys(system.defines, Constant(True, BooleanType(), 0))
        self._failures = Failures(replace(system, defines=opaque))

    def contract(self, part: str, table: Any) -> Contract:
        if not isinstance(table, dict):
            raise InputError(f"{part} is not a table: expected [{part}] with {', '.join(_KEYS)}", self._path)
        unknown = sorted(table.keys() - set(_KEYS))
        if unknown:
            raise InputError(f"[{part}]: unknown key '{unknown[0]}', expected {', '.join(_KEYS)}", self._path)
        guarantees = self._conditions(part, table, "guarantee")
        assumptions = self._conditions(part, table, "assume")
        return Contract(part, self._variables(part, table), assumptions, guarantees)

    def _variables(self, part: str, table: Mapping[str, Any]) -> tuple[str, ...]:
        names = self._system.by_name
        single = _texts(self._path, part, table, "variables")
        for name in single:
            if name not in names:
                raise InputError(f"[{part}].variables: the model has no variable '{name}'", self._path)
        instance = table.get("instance", None if single else part)
        if instance is not None and not isinstance(instance, str):
            raise InputError(f"[{part}].instance is not a text", self._path)
        own = [name for name in names if instance is not None and name.startswith(f"{instance}.")]
        if instance is not None and not own:
            raise InputError(f"[{part}]: the model has no instance '{instance}' with variables", self._path)
        return tuple(dict.fromkeys((*own, *single)))

    def _conditions(self, part: str, table: Mapping[str, Any], key: str) -> tuple[ContractCondition, ...]:
        texts = _texts(self._path, part, table, key)
        return tuple(self._condition(f"[{part}].{key}[{number}]", text) for number, text in enumerate(texts))

    def _condition(self, where: str, text: str) -> ContractCondition:
        read = expression(self._system, text, f"{self._path}: {where}")
        support = self._supports.of(read)
        if not isinstance(read.type, BooleanType) or support.current & self._system.inputs:
            raise InputError(f"{where}: '{text}' is not a boolean expression over states and next states", self._path)
        if self._failures.in_expression(read):
            raise InputError(
                f"{where}: '{text}' may have no value (a division, shift or index, a case without TRUE)", self._path
            )
        return ContractCondition(text, read, bool(support.next))


def _texts(path: str, part: str, table: Mapping[str, Any], key: str) -> list[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"[{part}].{key} is not a list of texts", path)
    return value
