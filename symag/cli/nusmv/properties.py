"""The property database: NuSMV's list of properties, and its spelling of a property."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from symag.cli.nusmv.model import KIND_WORDS
from symag.cli.nusmv.streams import CommandError
from symag.smv.model.flat import Property, PropertyKind

Status = Literal["Unchecked", "True", "False", "Number"]
_RULE = "--------------------------  PROPERTY LIST  -------------------------"
_HEADING = "**** PROPERTY LIST [ Type, Status, Counter-example Number, Name ] ****"
#: NuSMV prints a blank before a leading temporal operator.
_PREFIX = re.compile(r"[XYZGHFO] ")
#: The instance that a property is about: NuSMV prints no second blank after it.
_CONTEXT = re.compile(r" IN \S+$")
#: As many characters of a formula are shown by ``prop_print_method truncated``.
_TRUNCATED = 40


@dataclass(slots=True)
class PropertyEntry:
    """A property with its status; ``value`` is that of a COMPUTE, ``trace`` the number of the counterexample."""

    subject: Property
    status: Status = "Unchecked"
    value: int | str | None = None
    trace: int | None = None

    @property
    def shown(self) -> str:
        """The text between NuSMV's words, as in ``-- specification AG x  is true``."""
        text = self.subject.text
        if _is_choice(text[: _end_of_bracket(text) + 1]) or (
            self.subject.kind in ("LTL", "PSL") and _PREFIX.match(text)
        ):
            text = f" {text}"
        backwards = text[::-1].translate(_MIRROR)
        if _is_choice(backwards[: _end_of_bracket(backwards) + 1]):
            text = f"{text} "
        if self.subject.kind in ("PSL", "CTL") and text.endswith(" ]"):
            text = f"{text} "
        return text

    def title(self, method: str | None) -> str:
        """What stands for the property in answers by ``prop_print_method``, with NuSMV's blank behind it."""
        if method == "name" and self.subject.name is not None:
            return f"'{self.subject.name}'"
        if method in ("name", "index"):
            return f"[{self.subject.index}]" + ("" if self.subject.kind == "COMPUTE" else " ")
        context = _CONTEXT.search(self.shown)
        if method == "truncated":
            text = self.shown if context is None else self.shown[: context.start()]
            end = "" if context is None else context[0].lstrip()
            return (f"{text[:_TRUNCATED]} [...]" if len(text) > _TRUNCATED else text) + end
        return self.shown if context is not None else f"{self.shown} "

    def worded(self, method: str | None) -> str:
        """NuSMV's word for the kind, and the title."""
        words = {"INVARSPEC": "invariant", "COMPUTE": "the result of"}
        return f"{words.get(self.subject.kind, 'specification')} {self.title(method)}"

    def list_lines(self) -> Iterator[str]:
        """The two lines of a list."""
        status = str(self.status)
        if self.status == "Number":
            status = "Infinite" if self.value == "infinity" else str(self.value)
        blanks = "" if _CONTEXT.search(self.shown) else "  " if self.subject.kind == "COMPUTE" else " "
        trace = "N/A" if self.trace is None else str(self.trace)
        yield f"{self.subject.index:03d} :{self.shown}{blanks}"
        yield f"  [{KIND_WORDS[self.subject.kind]:<15}{status:<15}{trace:<7}{self.subject.name or 'N/A'}]"

    def xml_lines(self) -> Iterator[str]:
        """The element of a list in XML."""
        yield "  <property>"
        yield f"    <name>{self.subject.name or ''}</name>"
        yield f"    <index>{self.subject.index}</index>"
        blank = "" if _CONTEXT.search(self.shown) else "  " if self.subject.kind == "COMPUTE" else " "
        yield f"    <formula><![CDATA[\n{self.shown}{blank}\n]]>\n</formula>"
        yield f"    <type>{KIND_WORDS[self.subject.kind]}</type>"
        yield f"    <status>{self.status.upper()}</status>"
        yield f"    <bound>-1</bound>\n    <trace>{self.trace or 0}</trace>\n </property>\n"


_MIRROR = str.maketrans("()", ")(")


def _end_of_bracket(text: str) -> int:
    """The index at which the leading bracket of a text is closed; -1 if there is none."""
    depth = 0
    for index, character in enumerate(text if text.startswith("(") else ""):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index
    return -1


def _is_choice(bracketed: str) -> bool:
    """Whether a text in brackets is of the form ``(c ? a : b)``, around which NuSMV prints blanks."""
    depth = 0
    for character in bracketed:
        depth += (character == "(") - (character == ")")
        if character == "?" and depth == 1:
            return True
    return False


class PropertyDatabase:
    """The properties of the model, and those that commands added."""

    def __init__(self, properties: tuple[Property, ...]) -> None:
        self.entries = [PropertyEntry(property_) for property_ in properties]

    def add(self, property_: Property) -> PropertyEntry:
        """Add the property of a command; its index must be ``len(entries)``."""
        self.entries.append(PropertyEntry(property_))
        return self.entries[-1]

    def of_kind(self, kind: PropertyKind) -> list[PropertyEntry]:
        """The properties of a kind, in their order."""
        return [entry for entry in self.entries if entry.subject.kind == kind]

    def at(self, text: str) -> PropertyEntry:
        """The property with an index. Raises CommandError."""
        if not self.entries:
            raise CommandError("Error: there isn't any property available.")
        if not text.lstrip("-").isdecimal():
            raise CommandError(f'Error: property index "{text}" is not a valid value (must be integer).')
        if not 0 <= int(text) < len(self.entries):
            last = len(self.entries) - 1
            raise CommandError(f'Error: property index "{text}" is not valid (must be in the range [0,{last}]).')
        return self.entries[int(text)]

    def named(self, name: str) -> PropertyEntry:
        """The property with a name. Raises CommandError."""
        for entry in self.entries:
            if entry.subject.name == name:
                return entry
        raise CommandError(f'No property named "{name}"')

    def list_lines(
        self, kind: PropertyKind | None = None, status: Status | None = None, only: PropertyEntry | None = None
    ) -> Iterator[str]:
        """The list of all properties, or of those with a kind or status, or of one."""
        yield _HEADING
        yield _RULE
        if not self.entries and kind is None and status is None:
            yield "The properties DB is empty."
        for entry in self._selected(kind, status, only):
            yield from entry.list_lines()

    def xml_lines(
        self, kind: PropertyKind | None = None, status: Status | None = None, only: PropertyEntry | None = None
    ) -> Iterator[str]:
        """As ``list_lines``, in XML."""
        yield '<?xml version="1.0"?>\n<properties xmlns="http://es.fbk.eu"'
        yield 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        yield 'xsi:schemaLocation="http://es.fbk.eu/xsd properties.xsd">\n'
        if not self.entries and kind is None and status is None:
            yield "  <!-- The properties DB is empty. -->"
        for entry in self._selected(kind, status, only):
            yield from entry.xml_lines()
        yield "</properties>"

    def _selected(
        self, kind: PropertyKind | None, status: Status | None, only: PropertyEntry | None
    ) -> Iterator[PropertyEntry]:
        for entry in self.entries:
            is_selected = only is None or entry is only
            if is_selected and kind in (None, entry.subject.kind) and status in (None, entry.status):
                yield entry
