"""A flat system as JSON: everything that a program needs to use the model, expressions as NuSMV's text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symag.smv.model.flat import Constraint, FlatSystem
from symag.smv.model.printer import expression_text, type_declaration
from symag.smv.model.types import EnumerationType, RangeType, WordType, bit_count

SCHEMA = 1


def system_document(system: FlatSystem) -> dict[str, Any]:
    """The system as plain JSON values; linear in its text.

    ``{"schema": 1, "model": path, "variables": [{"name", "kind": VAR|IVAR|FROZENVAR, "type", "bits", "values"}],
    "defines": {name: text}, "assignments": [{"variable", "time": init|next|current, "value"}], "init": [text],
    "invar": [text], "trans": [text], "justice": [text], "compassion": [[text, text]], "properties": [{"index",
    "kind", "name", "text", "line"}]}``; ``values`` lists the values in the order of their bit patterns, and
    is null for booleans, ranges (``"low"``, ``"high"``) and words (``"width"``, ``"signed"``).
    """
    return {
        "schema": SCHEMA,
        "model": system.source.path,
        "variables": [{"name": each.name, "kind": each.kind.value, **_type(each.type)} for each in system.variables],
        "defines": {name: expression_text(value) for name, value in system.defines.items()},
        "assignments": [
            {"variable": each.variable, "time": each.time, "value": expression_text(each.value)}
            for each in system.assignments
        ],
        "init": _texts(system.init),
        "invar": _texts(system.invar),
        "trans": _texts(system.trans),
        "justice": _texts(system.justice),
        "compassion": [_texts(pair) for pair in system.compassion],
        "properties": [
            {"index": each.index, "kind": each.kind, "name": each.name, "text": each.text, "line": each.line}
            for each in system.properties
        ],
    }


def _texts(constraints: Iterable[Constraint]) -> list[str]:
    return [expression_text(each.expression) for each in constraints]


def _type(kind: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"type": type_declaration(kind), "bits": bit_count(kind), "values": None}
    match kind:
        case EnumerationType(constants):
            found["values"] = list(constants)
        case RangeType(low, high):
            found |= {"low": low, "high": high}
        case WordType(width, signed):
            found |= {"width": width, "signed": signed}
    return found
