"""The formats in which trees and walks of probabilistic systems are written; one more is a module and a line here.

``symag replay`` reads trees, ``symag simulate --guide`` walks: from the JSON, or from a page that carries it.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.core.results import PropertyResult
    from symag.lpts.checking.check import SimulationFiles, SimulationQuestion
    from symag.lpts.checking.simulation import Walk
    from symag.lpts.model import LptsModel


@dataclass(frozen=True, slots=True)
class WrittenTree:
    """An answer with a tree; ``document`` is its certificate as JSON, ``file`` the file that is written."""

    model: LptsModel
    question: SimulationQuestion
    result: PropertyResult
    document: str
    file: str


@dataclass(frozen=True, slots=True)
class WrittenWalk:
    """A walk through the system of some files; ``document`` has the members of its JSON object."""

    files: SimulationFiles
    walk: Walk
    document: Mapping[str, Any]


class TraceFormat(Protocol):
    """A module of a format."""

    def tree_text(self, tree: WrittenTree) -> str:
        """The content of a file with a tree. Raises UsageError if the answer has none that is written so."""

    def walk_text(self, walk: WrittenWalk) -> str:
        """The content of a file with a walk."""


#: By suffix; the first one is for folders. Modules are imported when they are used.
FORMATS: Mapping[str, str] = {
    "json": "symag.lpts.checking.json_traces",
    "html": "symag.lpts.checking.html_traces",
}
#: The word for these models in messages.
MODELS = "PRISM models"


def format_named(name: str) -> TraceFormat:
    """The module of a format of the table."""
    return cast(TraceFormat, importlib.import_module(FORMATS[name]))
