"""The formats in which trees and walks of probabilistic systems are written; one more is a module and a line here.

``symag replay`` reads trees, ``symag simulate --guide`` walks: from the JSON, or from a page that carries it.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lpts.checking.written_traces import WrittenTree, WrittenWalk


class TraceFormat(Protocol):
    """A module of a format."""

    def tree_text(self, tree: WrittenTree) -> str:
        """The content of a file with a tree. Raises UsageError if the answer has none that is written so."""

    def walk_text(self, walk: WrittenWalk) -> str:
        """The content of a file with a walk."""


#: By suffix; the first one is for folders. Modules are imported when they are used.
FORMATS: Mapping[str, str] = {
    "json": "symag.lpts.checking.written_traces",
    "html": "symag.lpts.checking.html_traces",
}
#: The word for these models in messages.
MODELS = "PRISM models"


def format_named(name: str) -> TraceFormat:
    """The module of a format of the table."""
    return cast(TraceFormat, importlib.import_module(FORMATS[name]))
