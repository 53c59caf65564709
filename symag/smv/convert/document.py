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
        "variables": [
            {"name": variable.name, "kind": variable.kind.value, **_type(variable.type)}
            for variable in system.variables
        ],
        "defines": {name: expression_text(value) for name, value in system.defines.items()},
        "assignments": [
            {"variable": assignment.variable, "time": assignment.time, "value": expression_text(assignment.value)}
            for assignment in system.assignments
        ],
        "init": _texts(system.init),
        "invar": _texts(system.invar),
        "trans": _texts(system.trans),
        "justice": _texts(system.justice),
        "compassion": [_texts(pair) for pair in system.compassion],
        "properties": [
            {
                "index": property_.index,
                "kind": property_.kind,
                "name": property_.name,
                "text": property_.text,
                "line": property_.line,
            }
            for property_ in system.properties
        ],
    }


def _texts(constraints: Iterable[Constraint]) -> list[str]:
    return [expression_text(constraint.expression) for constraint in constraints]


def _type(kind: Any) -> dict[str, Any]:
    document: dict[str, Any] = {"type": type_declaration(kind), "bits": bit_count(kind), "values": None}
    match kind:
        case EnumerationType(constants):
            document["values"] = list(constants)
        case RangeType(low, high):
            document |= {"low": low, "high": high}
        case WordType(width, signed):
            document |= {"width": width, "signed": signed}
    return document
