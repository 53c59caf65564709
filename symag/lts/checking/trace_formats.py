"""The formats in which traces of labelled transition systems are written, and those that are read as actions.

Adding one is one module and one line here. A trace in JSON, or in a page that carries it, is a document of evidence.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from msgspec import Struct

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.core.trace import Trace
    from symag.lts import Model
    from symag.lts.questions import CompositeQuestion
    from symag.traces.actions import ActionTrace


class WrittenRun(Struct, frozen=True):
    """A run of a composite process; ``question`` is the one that it answers, None if it answers none.

    A page shows ``assumption_runs``, the states of assumptions along it, and the command that writes its ``file``.
    """

    model: Model
    target: str
    question: CompositeQuestion | None
    trace: Trace
    assumption_runs: Sequence[Sequence[str]] = ()
    file: str | None = None


class TraceFormat(Protocol):
    """A module of a format; only formats that list the actions of a run have ``parsed``."""

    def text(self, run: WrittenRun) -> str:
        """A file's content."""

    def parsed(self, content: str, file: str) -> ActionTrace:
        """The actions in a content. Raises InputError that names the file."""


#: By suffix; the first one is for folders. Modules are imported when they are used.
FORMATS: Mapping[str, str] = {
    "json": "symag.lts.checking.evidence",
    "txt": "symag.lts.checking.traces",
    "html": "symag.lts.checking.trace_page",
}
#: The text that LTSA prints.
_PLAIN = "txt"
#: The word for these models in messages.
MODELS = "labelled transition systems"


def format_named(name: str) -> TraceFormat:
    """The module of a format of the table."""
    return cast(TraceFormat, importlib.import_module(FORMATS[name]))


def format_of(path: str) -> TraceFormat:
    """The format of a file of actions, by its suffix; plain text for other suffixes."""
    suffix = Path(path).suffix.removeprefix(".").lower()
    named = format_named(suffix if suffix in FORMATS else _PLAIN)
    return named if hasattr(named, "parsed") else format_named(_PLAIN)
