"""NuSMV's XML format of traces (its plugin 4), written byte for byte as NuSMV 2.6 does, and read back."""

from __future__ import annotations

import xml.parsers.expat
from collections.abc import Iterator, Mapping

from symag.core.errors import InputError
from symag.core.trace import Step, Value
from symag.traces.reading import TraceReading, value_of
from symag.traces.report import Purpose, TraceReport

_TYPES: Mapping[Purpose, int] = {"Counterexample": 0, "Simulation": 1, "Execution": 2}
_PURPOSES: Mapping[str, Purpose] = {str(number): purpose for purpose, number in _TYPES.items()}
#: The elements of a trace, each with its possible parents.
_PARENTS: Mapping[str, tuple[str | None, ...]] = {
    "counter-example": (None,),
    "node": ("counter-example",),
    "loops": ("counter-example",),
    "state": ("node",),
    "combinatorial": ("node",),
    "input": ("node",),
    "value": ("state", "combinatorial", "input"),
}


def text(report: TraceReport, every_loop: bool = False) -> str:
    """The document, with every value in every state; DEFINEs follow the variables.

    ``every_loop`` lists all states that equal the one that a lasso returns to, as NuSMV does.
    """
    return "\n".join(_lines(report, every_loop)) + "\n"


def _lines(report: TraceReport, every_loop: bool) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    description = _escaped(report.description)
    yield f'<counter-example type="{_TYPES[report.purpose]}" id="{report.number}" desc="{description}" >'
    positions = list(report.positions())
    for number, position in enumerate(positions, start=1):
        yield "\t<node>"
        yield f'\t\t<state id="{number}">'
        yield from _values(report.state_texts(position))
        yield "\t\t</state>"
        if number < len(positions):
            for tag, values in (
                ("combinatorial", list(report.transition_texts(position))),
                ("input", list(report.input_texts(position))),
            ):
                if values:
                    yield f'\t\t<{tag} id="{number + 1}">'
                    yield from _values(values)
                    yield f"\t\t</{tag}>"
        yield "\t</node>"
    loops = ",".join(f"{loop + 1} " for loop in report.loops(every_loop))
    yield f"\t<loops> {loops}</loops>"
    yield "</counter-example>"


def _values(values: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> Iterator[str]:
    for name, shown in values:
        yield f'\t\t\t<value variable="{_escaped(name)}">{_escaped(shown)}</value>'


def _escaped(shown: str) -> str:
    # xml.sax.saxutils has this function, but its import takes as long as the check of a small model.
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        shown = shown.replace(character, entity)
    return shown


def read(content: str, file: str) -> list[TraceReading]:
    """The trace of a document of symag or NuSMV. Raises InputError, with the line, for any other text.

    Document types and entities are refused: no trace needs them.
    """
    reader = _Reader(file)
    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = reader.doctype
    reader.parser = parser
    try:
        parser.Parse(content.encode("utf-8", "replace"), True)
    except xml.parsers.expat.ExpatError as error:
        message = xml.parsers.expat.errors.messages.get(error.code, "malformed")
        raise InputError(f"not an XML trace, or a truncated one: {message}", file, error.lineno) from None
    return [reader.finish()]


class _Reader:
    """Collects the content of the elements; an element where NuSMV never puts it is an error."""

    def __init__(self, file: str) -> None:
        self.parser = xml.parsers.expat.ParserCreate()
        self._file = file
        self._open: list[str] = []
        self._name = ""
        self._text: list[str] = []
        self._states: list[dict[str, Value]] = []
        self._inputs: list[dict[str, Value]] = []
        self._loops: tuple[int, ...] = ()
        self._purpose: Purpose = "Counterexample"
        self._description = ""
        self._number: int | None = None
        self._lines: dict[str, int] = {}

    def wrong(self, message: str) -> InputError:
        return InputError(message, self._file, self.parser.CurrentLineNumber)

    def doctype(self, *_: object) -> None:
        raise self.wrong("a document type declaration does not belong into a trace")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        parent = self._open[-1] if self._open else None
        if parent not in _PARENTS.get(tag, ()):
            where = f"in <{parent}>" if parent else "as the document; expected <counter-example>"
            raise self.wrong(f"unexpected <{tag}> {where}")
        self._open.append(tag)
        self._text = []
        if tag == "counter-example":
            self._purpose = _PURPOSES.get(attributes.get("type", ""), "Counterexample")
            self._description = attributes.get("desc", "")
            number = attributes.get("id", "")
            self._number = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None
        elif tag == "node":
            if len(self._inputs) < len(self._states):
                self._inputs.append({})
        elif tag == "state":
            self._states.append({})
        elif tag in ("input", "combinatorial"):
            if not self._states:
                raise self.wrong(f"<{tag}> before the first <state>")
            if len(self._inputs) < len(self._states):
                self._inputs.append({})
        elif tag == "value":
            if "variable" not in attributes:
                raise self.wrong("<value> without the attribute variable")
            self._name = attributes["variable"]
            self._lines.setdefault(self._name, self.parser.CurrentLineNumber)

    def characters(self, data: str) -> None:
        self._text.append(data)

    def end(self, tag: str) -> None:
        self._open.pop()
        content = "".join(self._text).strip()
        self._text = []
        if tag == "value":
            # A DEFINE that reads both a state and its inputs may be among the inputs.
            section = self._states[-1] if self._open[-1] == "state" else self._inputs[-1]
            section[self._name] = value_of(content)
        elif tag == "loops":
            loops = [part.strip() for part in content.split(",") if part.strip()]
            if any(not (part.isascii() and part.isdigit() and len(part) < 10) for part in loops):
                raise self.wrong(f"'{content[:60]}' are no loops: expected numbers of states")
            self._loops = tuple(int(part) - 1 for part in loops)

    def finish(self) -> TraceReading:
        if not self._states:
            raise InputError("the trace has no states: expected <node><state>", self._file)
        for loop in self._loops:
            if not 0 <= loop < len(self._states) - 1:
                raise InputError(f"the loop starts at state {loop + 1}, which does not precede the last", self._file)
        inputs = [*self._inputs, *({} for _ in self._states)][: len(self._states)]
        steps = tuple(Step(state, inputs_) for state, inputs_ in zip(self._states, inputs, strict=True))
        return TraceReading(
            self._file,
            steps,
            self._loops,
            self._purpose,
            self._description,
            self._number,
            None,
            None,
            self._lines,
        )
