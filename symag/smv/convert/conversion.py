"""An SMV model in another format, as ``symag convert`` writes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from symag.core.errors import UnsupportedError, UsageError
from symag.smv.aiger.format import Aiger
from symag.smv.aiger.writer import ascii_text, binary_bytes
from symag.smv.certify.files import read_certificate
from symag.smv.convert.aiger import is_expressible, needs_tableau, to_aiger
from symag.smv.convert.dependencies import dependency_graph
from symag.smv.convert.document import system_document
from symag.smv.convert.formats import FORMATS
from symag.smv.convert.witness_circuit import witness_circuit
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import flat_text
from symag.smv.symbolic.system import encode


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
    as_text = output == "-" or output.endswith(".aag")
    return ascii_text(graph).encode() if as_text else binary_bytes(graph)


def smv_content(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    """The flat model in SMV. Linear in its size."""
    left_out = [property_ for property_ in chosen if property_.expression is None]
    text = flat_text(_with_properties(system, chosen))
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


def json_content(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    """The flat model as a JSON document."""
    document = system_document(_with_properties(system, chosen))
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode(), []


def dot_content(system: FlatSystem, chosen: Sequence[Property], output: str) -> tuple[bytes, list[str]]:
    """The graph of the variables that each variable reads."""
    return dependency_graph(_with_properties(system, chosen)).encode(), []


def _with_properties(system: FlatSystem, chosen: Sequence[Property]) -> FlatSystem:
    return replace(system, properties=tuple(chosen))
