"""Trace files: every format by its suffix, written and read back."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from symag.core.errors import InputError, UsageError
from symag.core.files import has_suffix, write_file
from symag.core.input_files import content_of_file
from symag.core.trace import Step, Trace
from symag.smv.model.flat import FlatSystem, Property, kind_word
from symag.traces.report import with_words, without_words

if TYPE_CHECKING:
    from symag.traces.reading import TraceReading
    from symag.traces.report import TraceReport


class TraceFormat(Protocol):
    """A format of trace files, a module of ``symag.traces``."""

    def text(self, report: TraceReport) -> str:
        """A file's content."""

    def read(self, content: str, file: str) -> list[TraceReading]:
        """The traces in a content; raises InputError that names the file."""


#: Adding a format is one file in ``symag.traces`` and one line here; it is imported when it is asked for. JSON
#: is a document of evidence.
FORMATS: Mapping[str, str] = {
    "txt": "symag.traces.plain",
    "xml": "symag.traces.xml",
    "vcd": "symag.traces.vcd",
    "html": "symag.traces.html",
}
#: The page shows more than other formats.
PAGE = "html"
DUMP = "vcd"
JSON = "json"
#: The formats that a trace of any model can be written in.
NAMES = (JSON, *FORMATS)
#: For each format in the model's own language, a witness of AIGER or BTOR2, the suffixes of the models that it is for.
WITNESSES: Mapping[str, tuple[str, ...]] = {"cex": (".aag", ".aig"), "wit": (".btor2", ".btor")}
_LANGUAGE = {"cex": "an AIGER", "wit": "a BTOR2"}
#: All formats, with those that only models in one language have.
ALL_NAMES = (*NAMES, *WITNESSES)
#: The word for these models in messages.
MODELS = "SMV models"
#: The beginnings of files whose suffix names no format; a file with another beginning is plain text.
_FIRST = {"sat": "wit", "{": JSON, "<?xml": "xml", "<counter-example": "xml", "$": "vcd", "<!DOCTYPE html": "html"}


def _format(name: str) -> TraceFormat:
    return cast(TraceFormat, importlib.import_module(FORMATS[name]))


def write_trace(
    path: str | os.PathLike[str], system: FlatSystem, checked: Property | None, report: TraceReport, name: str
) -> None:
    """Write a report in the format with this name. Raises UsageError."""
    if name == JSON:
        from symag.smv.certify import write_trace as write_json  # with its SAT solver, slow to import

        write_json(Path(path), system, checked, report.trace)
    elif name in WITNESSES:
        write_file(path, witness_text(os.fspath(path), name, system, checked, report.trace))
    else:
        write_file(path, _format(name).text(with_words(report, system.words)))


def read_trace(
    path: str, system: FlatSystem, expected: Property | None = None, number: int | None = None
) -> tuple[Property | None, tuple[Trace, ...]]:
    """The trace in a file and the property that it claims to refute; None if it claims none.

    A ``.cex`` file is an AIGER witness, also of the graph that ``symag convert`` makes of the model, and claims no
    property; a ``.wit`` file is a BTOR2 witness. There are several traces if the file does not say to which of several
    states the loop returns. ``expected`` is the property that the trace must be of, ``number`` chooses one of several
    traces in a text. Raises InputError for a file without such a trace or with one of another model.
    """
    name = _format_of(path)
    if name in WITNESSES:
        return read_witness(_content(path), path, name, system, expected)
    if name == JSON:
        # For start-up: only this format needs it.
        from symag.smv.certify import read_trace as read_json

        claimed, trace = read_json(path, system)
        if expected is not None and claimed is not None and claimed.index != expected.index:
            raise InputError(f"the trace is of another property: {claimed.text[:200]}", path)
        return expected or claimed, (trace,)
    readings = _format(name).read(_content(path), path)
    reading = _selected(path, readings, expected, number)
    claimed = next((item for item in system.properties if _is_of(reading, item)), None)
    if reading.property is not None and claimed is None:
        raise InputError(f"trace of a property that the model does not have: {reading.property[:200]}", path)
    inputs = system.inputs.union(word for word, bits in system.words.items() if system.inputs.issuperset(bits))
    states = {name for name in (*system.by_name, *system.words) if name not in inputs}
    traces = reading.traces(states, inputs, system.defines.keys())
    return expected or claimed, tuple(without_words(trace, system.words) for trace in traces)


def _format_of(path: str) -> str:
    """The format of a file by its suffix, or else by its first characters."""
    suffix = Path(path).suffix.removeprefix(".").lower()
    if suffix in ALL_NAMES:
        return suffix
    start = _content(path)[:200].lstrip()
    return next((name for first, name in _FIRST.items() if start.startswith(first)), "txt")


def read_guide(path: str, system: FlatSystem) -> tuple[Step, ...]:
    """The steps of a trace file as a guide: variables may be missing. Raises InputError."""
    _, traces = read_trace(path, system)
    return traces[0].steps


def _selected(
    path: str, readings: Sequence[TraceReading], expected: Property | None, number: int | None
) -> TraceReading:
    selected = [reading for reading in readings if number is None or reading.number == number]
    if expected is not None and len(selected) > 1:
        selected = [reading for reading in selected if _is_of(reading, expected)]
    if len(selected) == 1:
        return selected[0]
    numbers = ", ".join(str(reading.number) for reading in readings)
    if not selected:
        raise InputError(f"no such trace in this file; there are {numbers}", path)
    raise InputError(f"{len(selected)} traces in this file: choose one of {numbers} with --number", path)


def _is_of(reading: TraceReading, item: Property) -> bool:
    """Whether the trace claims to refute this property, by its text and NuSMV's word for its kind."""
    if reading.property is None or reading.property.split() != item.text.split():
        return False
    return reading.word is None or reading.word == kind_word(item.kind)


def _content(path: str) -> str:
    try:
        return content_of_file(path).decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise InputError("not a trace file: it is not text", path) from None


def check_language(path: str, name: str, system: FlatSystem) -> None:
    """Raises UsageError if a trace is to be written in a format for models in another language."""
    if name in WITNESSES and not has_suffix(system.source.path, WITNESSES[name]):
        kind = ", ".join(WITNESSES[name])
        raise UsageError(f"{path}: {_LANGUAGE[name]} witness can be written of a model in {kind} only")


def witness_text(path: str, name: str, system: FlatSystem, checked: Property | None, trace: Trace) -> str:
    """The witness of a trace, for the file ``path``. Raises UsageError for a model in another language, or for a run
    that violates no property, which a witness cannot say.
    """
    check_language(path, name, system)
    if checked is None:
        raise UsageError(f"{path}: {_LANGUAGE[name]} witness says which property a run violates: write .xml or .json")
    if name == "cex":
        # For start-up: only this format needs it.
        from symag.smv.aiger.witness import text as aiger_text

        return aiger_text(system, checked, trace)
    # For start-up: only this format needs it.
    from symag.smv.btor2.witness import text as btor2_text

    return btor2_text(system, checked, trace)


def read_witness(
    content: str, path: str, name: str, system: FlatSystem, expected: Property | None
) -> tuple[Property | None, tuple[Trace, ...]]:
    """The run of a witness and the property that it claims to violate; None if it claims none.

    There are several runs if it does not say to which state a loop returns. Raises InputError.
    """
    native = has_suffix(system.source.path, WITNESSES[name])
    if name == "cex" and native:
        # For start-up: only this format needs it.
        from symag.smv.aiger.witness import read_witness as read_aiger

        return read_aiger(content, path, system, expected)
    if name == "cex":
        from symag.smv.convert.witness import read_witness as read_converted  # with certify's circuits, slow to import

        return expected, (read_converted(content, path, system, expected),)
    if not native:
        raise InputError(f"a .wit file is a witness of a BTOR2 model, and {system.source.path} is none", path)
    # For start-up: only this format needs it.
    from symag.smv.btor2.witness import read_witness as read_btor2

    return read_btor2(content, path, system, expected)
