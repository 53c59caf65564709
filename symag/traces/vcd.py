"""Value change dumps (IEEE 1364), for waveform viewers such as GTKWave.

One time unit is one step; inputs are at the state that their transition leaves. Truth values are wires, words
registers, numbers integers (two's complement), symbols strings (GTKWave's extension). A lasso ends with
the state that it returns to. The scope ``symag`` has signals that the model does not have: ``loop`` is 1 in the loop,
``property.NAME`` is the truth of a property where it is known, ``code.NAME`` has a number for each symbol, for readers
that do not show strings. The comment in the header adds as JSON: the variables with their types, the start of the
loop, the tables of these numbers, the texts of properties.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from symag.core.errors import InputError
from symag.core.trace import Step, Value
from symag.traces.reading import TraceReading, described_trace, value_of
from symag.traces.report import Domain, TraceReport

if TYPE_CHECKING:
    from vcd.reader import Token

#: The scope around the names of the model: viewers need a scope for every signal.
_TOP = "main"
#: The scope around the signals ``loop``, ``property.NAME`` and ``code.NAME``.
_OWN = "symag"
_ODD = re.compile(r"\W+")
_UNKNOWN = "x"


def text(report: TraceReport) -> str:
    """The dump of a trace, DEFINEs included. It has no date, so that equal traces give equal files."""
    # For start-up: only dumps need it.
    from vcd import VCDWriter

    columns = [(f"{_TOP}.{name}", domain, column) for name, domain, column in _columns(report)]
    columns += [(f"{_OWN}.{name}", domain, column) for name, domain, column in _own_columns(report)]
    out = io.StringIO()
    with VCDWriter(out, timescale="1 ns", date="", comment=_comment(report), version="symag") as writer:
        variables = []
        for path, domain, column in columns:
            scope, _, reference = path.rpartition(".")
            kind, size = _declaration(domain, column)
            first = _encoded(column[0], domain, size)
            variables.append((writer.register_var(scope, reference, kind, size, init=first), domain, size))
        for time in range(1, len(list(report.positions()))):
            for (variable, domain, size), (_, _, column) in zip(variables, columns, strict=True):
                writer.change(variable, time, _encoded(column[time], domain, size))
        writer.close(len(list(report.positions())))
    return out.getvalue()


def _columns(report: TraceReport) -> Iterator[tuple[str, Domain, list[Value | None]]]:
    """Names with their values at every position that is shown; None for no value."""
    steps = report.trace.steps
    positions = list(report.positions())
    for name, domain in report.states.items():
        yield name, domain, [steps[position].state.get(name) for position in positions]
    for name, domain in report.inputs.items():
        yield name, domain, [steps[position].inputs.get(name) for position in positions]
    for define in report.defines:
        texts = [define.texts[position] for position in positions]
        symbol = define.domain.kind == "symbol"
        column = [None if shown is None else shown if symbol else value_of(shown) for shown in texts]
        yield define.name, define.domain, column


def _own_columns(report: TraceReport) -> Iterator[tuple[str, Domain, list[Value | None]]]:
    """The signals of the scope ``symag``: whether a position is in the loop, properties, the numbers of symbols."""
    positions = list(report.positions())
    loop = report.trace.loop
    yield "loop", Domain("boolean"), [loop is not None and number >= loop for number in range(len(positions))]
    for name, (_, truths) in _properties(report).items():
        yield f"property.{name}", Domain("boolean"), [truths[position] for position in positions]
    for name, domain, column in _columns(report):
        if domain.kind == "symbol":
            codes = _codes(column)
            numbers: list[Value | None] = [None if value is None else codes[domain.text(value)] for value in column]
            yield f"code.{name}", Domain("integer"), numbers


def _codes(column: Sequence[Value | None]) -> dict[str, int]:
    """The number of each symbol, in the order of their texts."""
    texts = sorted({str(value) for value in column if value is not None})
    return {text: number for number, text in enumerate(texts)}


def _properties(report: TraceReport) -> dict[str, tuple[str, tuple[bool | None, ...]]]:
    """The properties by distinct names that a dump can have."""
    properties: dict[str, tuple[str, tuple[bool | None, ...]]] = {}
    for name, text_and_truths in report.properties.items():
        plain = _ODD.sub("_", name)
        properties[f"{plain}_{len(properties)}" if plain in properties else plain] = text_and_truths
    return properties


def _declaration(domain: Domain, column: list[Value | None]) -> tuple[str, int]:
    """The kind of a signal and its number of bits."""
    match domain.kind:
        case "boolean":
            return "wire", 1
        case "word":
            return "reg", domain.width
        case "symbol":
            return "string", 1
        case "integer":
            return "integer", max([32, *(value.bit_length() + 1 for value in column if isinstance(value, int))])


def _encoded(value: Value | None, domain: Domain, size: int) -> int | str:
    if domain.kind == "symbol":
        return "" if value is None else domain.text(value)
    return _UNKNOWN if value is None or isinstance(value, str) else int(value) & ((1 << size) - 1)


def _comment(report: TraceReport) -> str:
    """The description of the trace as JSON, on one line without a ``$``, which would end the comment."""
    content = {
        "symag": "trace",
        "purpose": report.purpose,
        "description": report.description,
        "number": report.number,
        "model": report.model,
        "word": report.word,
        "property": report.property,
        "steps": len(report.trace.steps),
        "loop": report.trace.loop,
        "states": {name: _type(domain) for name, domain in report.states.items()},
        "inputs": {name: _type(domain) for name, domain in report.inputs.items()},
        "codes": {name: _codes(column) for name, domain, column in _columns(report) if domain.kind == "symbol"},
        "properties": {name: text for name, (text, _) in _properties(report).items()},
    }
    return json.dumps(content, separators=(",", ":")).replace("$", "\\u0024")


def _type(domain: Domain) -> str:
    if domain.kind == "word":
        return f"{'signed' if domain.signed else 'unsigned'} word {domain.width}"
    return domain.kind


def _domain(text: object) -> Domain | None:
    if text in ("boolean", "integer", "symbol"):
        return Domain(text)
    sign, _, width = str(text).partition(" word ")
    if sign not in ("signed", "unsigned") or not (width.isascii() and width.isdigit() and 0 < int(width[:9]) < 10**6):
        return None
    return Domain("word", int(width), sign == "signed")


def read(content: str, file: str) -> list[TraceReading]:
    """The trace of a dump that symag wrote. Raises InputError, with the line, for any other text."""
    # For start-up: only dumps need it.
    from vcd.reader import VCDParseError, tokenize

    reader = _Reader(file)
    try:
        for token in tokenize(io.BytesIO(content.encode("utf-8"))):
            reader.take(token)
    except VCDParseError as error:
        message = str(error).split(": ", 1)[-1]
        raise InputError(f"not a dump, or a truncated one: {message}", file, error.loc.line) from None
    except ValueError as error:  # letters that are not ASCII, numbers of thousands of digits
        raise InputError(f"not a dump: {error}", file) from None
    return [reader.finish()]


class _Reader:
    """Follows the signals through time."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._about: dict[str, Any] | None = None
        self._scopes: list[str] = []
        self._names: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        self._domains: dict[str, Domain] = {}
        self._values: dict[str, Value] = {}
        self._rows: list[dict[str, Value]] = []
        self._lines: dict[str, int] = {}

    def take(self, token: Token) -> None:
        # For start-up: only dumps need it.
        from vcd.reader import TokenKind

        line = token.span.start.line
        match token.kind:
            case TokenKind.COMMENT:
                self._describe(token.comment, line)
            case TokenKind.SCOPE:
                self._scopes.append(token.scope.ident)
            case TokenKind.UPSCOPE:
                if not self._scopes:
                    raise InputError("$upscope without a $scope", self._file, line)
                self._scopes.pop()
            case TokenKind.VAR:
                name = ".".join([*self._scopes[1:], token.var.ref_str])
                if self._scopes[:1] == [_OWN]:
                    name = f"{_OWN}:{name}"  # no name of a model's signal
                self._names[token.var.id_code] = name
                self._sizes[name] = token.var.size
                self._lines[name] = line
            case TokenKind.CHANGE_TIME:
                self._advance(token.time_change, line)
            case TokenKind.CHANGE_SCALAR:
                self._change(token.scalar_change.id_code, token.scalar_change.value, line)
            case TokenKind.CHANGE_VECTOR:
                self._change(token.vector_change.id_code, token.vector_change.value, line)
            case TokenKind.CHANGE_STRING:
                self._change(token.string_change.id_code, token.string_change.value, line)

    def _advance(self, time: int, line: int) -> None:
        """Add the rows up to a time; the file leaves out times at which nothing changes."""
        last = self._steps() + 1
        if not len(self._rows) <= time <= last:
            raise InputError(f"time {time} is out of order: expected {len(self._rows)} to {last}", self._file, line)
        while len(self._rows) < time:
            self._rows.append(dict(self._values))

    def _steps(self) -> int:
        """The number of steps according to the comment."""
        if self._about is None:
            raise InputError("not a trace: expected a dump with symag's comment in its header", self._file, 1)
        count = self._about.get("steps")
        if type(count) is not int or count < 1:
            raise InputError("malformed comment: steps is not a number above zero", self._file, 1)
        return count

    def _describe(self, comment: str, line: int) -> None:
        try:
            about = json.loads(comment)
        except (ValueError, RecursionError):
            return
        if not isinstance(about, dict) or about.get("symag") != "trace":
            return
        for key in ("states", "inputs"):
            listed = about.get(key)
            for name, type_ in (listed if isinstance(listed, dict) else {"": None}).items():
                domain = _domain(type_)
                if domain is None:
                    raise InputError(f"malformed comment: {key} do not name types of variables", self._file, line)
                self._domains[name] = domain
        self._about = about

    def _change(self, identifier: str, value: int | str, line: int) -> None:
        name = self._names.get(identifier)
        if name is None:
            raise InputError(f"change of a signal {identifier!r} that is not declared", self._file, line)
        domain = self._domains.get(name)
        if domain is None:  # a DEFINE
            return
        if value in ("", "x", "X"):
            self._values.pop(name, None)
            return
        if domain.kind == "symbol":
            self._values[name] = value_of(str(value))
        elif domain.kind == "boolean" and value in ("0", "1"):
            self._values[name] = value == "1"
        elif str(value).isdigit() and domain.kind != "boolean":
            self._values[name] = self._number(int(value), name, domain)
        else:
            raise InputError(
                f"{name} has the value {value!r}, which is not a value of type {domain.kind}", self._file, line
            )

    def _number(self, pattern: int, name: str, domain: Domain) -> int:
        size = domain.width if domain.kind == "word" else self._sizes[name]
        signed = domain.signed or domain.kind == "integer"
        return pattern - (1 << size) if signed and pattern >> (size - 1) else pattern

    def finish(self) -> TraceReading:
        count = self._steps()
        about = self._about or {}
        loop = about.get("loop")
        if count > len(self._rows):
            raise InputError(f"truncated: {len(self._rows)} of {count} steps", self._file)
        inputs = about["inputs"]
        steps = [
            Step(
                {name: value for name, value in row.items() if name not in inputs},
                {name: value for name, value in row.items() if name in inputs},
            )
            for row in self._rows[:count]
        ]
        if loop is not None and (type(loop) is not int or not 0 <= loop < count):
            raise InputError(f"malformed comment: there is no step {loop} to return to", self._file)
        return described_trace(self._file, steps, loop, about, self._lines)
