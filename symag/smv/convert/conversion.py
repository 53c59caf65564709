"""An SMV model in another format, as ``symag convert`` writes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from symag.core.errors import UnsupportedError, UsageError
from symag.core.files import has_suffix
from symag.core.values import replace
from symag.smv.aiger.format import Aiger, ascii_text, binary_bytes
from symag.smv.certify.kinds import read_certificate
from symag.smv.convert.aiger import is_expressible, needs_tableau, to_aiger
from symag.smv.convert.formats import FORMATS
from symag.smv.convert.witness_circuit import witness_circuit
from symag.smv.model.dependencies import relations
from symag.smv.model.flat import Constraint, FlatSystem, Property, VariableKind
from symag.smv.model.printer import expression_text, flat_text, type_declaration
from symag.smv.model.supports import Supports
from symag.smv.model.types import EnumerationType, RangeType, WordType, bit_count
from symag.smv.symbolic.system import encode
from symag.traces.graphviz import quoted


def converted(
    system: FlatSystem, chosen: Sequence[Property], named: bool, form: str, output: str
) -> tuple[bytes, list[str]]:
    """The content of the file ``output``, and warnings about what it leaves out.

    Raises UsageError if a property is left out that the user has ``named``.
    """
    content, warnings = FORMATS[form].function()(system, chosen, output)
    if named and warnings:
        # The user would expect the property in the file.
        raise UsageError(f"{output} is not written: {warnings[0].removeprefix('left out, as ')}")
    return content, [*system.warnings, *warnings]


def converted_certificate(system: FlatSystem, path: str, form: str, output: str) -> bytes:
    """The certificate in a file as the content of the file ``output``: an AIGER witness circuit.

    Raises UsageError for another format and for certificates that are no such circuits, InputError for a file that is
    no certificate of the system.
    """
    if form != "aiger":
        raise UsageError(f"{output}: a certificate is written as AIGER, to a file in .aig or .aag")
    checked, certificate = read_certificate(path, system)
    try:
        graph = witness_circuit(system, checked, certificate)
    except UnsupportedError as error:
        raise UsageError(f"{output} is not written: {error} are not supported") from None
    return _aiger_bytes(graph, output)


def _aiger_bytes(graph: Aiger, output: str) -> bytes:
    as_text = output == "-" or has_suffix(output, ".aag")
    return ascii_text(graph).encode() if as_text else binary_bytes(graph)


def smv_content(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    """The flat model in SMV. Linear in its size.

    Raises UsageError if a variable has the name of a process, which is a constant there.
    """
    names = (*system.by_name, *system.defines)
    shared = next((name for name in names if name.rpartition(".")[2] in system.processes), None)
    if shared is not None:
        message = f"'{shared}' has the name of a process, which is a constant in a flat model: rename one of them"
        raise UsageError(f"{output} is not written: {message}")
    left_out = [property_ for property_ in chosen if property_.expression is None]
    text = flat_text(replace(system, properties=tuple(chosen)))
    return text.encode(), [
        f"left out, as symag does not represent it: {property_.kind} {property_.text}" for property_ in left_out
    ]


def aiger_content(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    """An AIGER circuit, binary unless the suffix is ``.aag``. Raises UnsupportedError for other properties."""
    expressible = [property_ for property_ in chosen if is_expressible(system, property_)]
    if len(expressible) > 1:
        expressible = [property_ for property_ in expressible if not needs_tableau(system, property_)]
    exported = to_aiger(system, expressible)
    if not exported.is_total:
        encode(system)  # raises InputError if an evaluation can fail
    warnings = [_why_left_out(system, property_) for property_ in chosen if property_ not in expressible]
    return _aiger_bytes(exported.graph, output), warnings


def _why_left_out(system: FlatSystem, candidate: Property) -> str:
    if needs_tableau(system, candidate) and not system.compassion:
        return f"left out, as an LTL property needs a file of its own (--property): {candidate.text}"
    return f"left out, as AIGER cannot say it: {candidate.kind} {candidate.text}"


SCHEMA = 1


def json_content(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    """The flat model as a JSON document; linear in its text.

    ``{"schema": 1, "model": path, "variables": [{"name", "kind": VAR|IVAR|FROZENVAR, "type", "bits", "values"}],
    "defines": {name: text}, "assignments": [{"variable", "time": init|next|current, "value"}], "init": [text],
    "invar": [text], "trans": [text], "justice": [text], "compassion": [[text, text]], "properties": [{"index",
    "kind", "name", "text", "line"}]}``; ``values`` lists the values in the order of their bit patterns, and
    is null for booleans, ranges (``"low"``, ``"high"``) and words (``"width"``, ``"signed"``).
    """
    document = {
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
            for property_ in chosen
        ],
    }
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode(errors="backslashreplace"), []


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


_SHAPES = {VariableKind.STATE: "box", VariableKind.INPUT: "invtriangle", VariableKind.FROZEN: "octagon"}


def dot_content(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    """A node for each variable, with its bits if it has several: input variables are triangles, frozen ones octagons.

    An arrow leads from a variable to each variable whose assignment reads it. A constraint is a dot with lines to its
    variables, a property a double ellipse with arrows from its variables.
    """
    lines = ["digraph dependencies {", "  node [fontsize=10];"]
    for variable in system.variables:
        bits = bit_count(variable.type)
        label = variable.name if bits == 1 else f"{variable.name} [{bits}]"
        lines.append(f"  {quoted(variable.name)} [label={quoted(label)}, shape={_SHAPES[variable.kind]}];")
    rank = {variable.name: number for number, variable in enumerate(system.variables)}
    supports = Supports(system)
    arrows: dict[str, None] = {}
    for number, relation in enumerate(relations(system, supports)):
        read = sorted(relation.current | relation.next, key=rank.__getitem__)
        if relation.assigned is not None:
            arrows.update((f"  {quoted(name)} -> {quoted(relation.assigned)};", None) for name in read)
            continue
        lines.append(f'  "constraint {number}" [shape=point, xlabel={quoted(relation.kind.upper())}];')
        arrows.update((f'  {quoted(name)} -> "constraint {number}" [dir=none];', None) for name in read)
    for property_ in chosen:
        if property_.expression is None:
            continue
        node = quoted(f"property {property_.index}")
        label = quoted(property_.name or f"{property_.kind} {property_.index}")
        lines.append(f"  {node} [label={label}, shape=ellipse, peripheries=2];")
        read = sorted(supports.of(property_.expression).variables, key=rank.__getitem__)
        arrows.update((f"  {quoted(name)} -> {node};", None) for name in read)
    return ("\n".join([*lines, *arrows, "}"]) + "\n").encode(), []
