"""The formats of files that hold one labelled transition system. Adding one is one module and one line here."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.core.source import SourceText
    from symag.lts.lts import Lts

#: By suffix the module, with ``parsed(source, name)``. It is imported when a file of the format is read.
AUTOMATA: Mapping[str, str] = {
    ".aut": "symag.lts.language.aldebaran",
}


def reader_of(path: str) -> Callable[[SourceText, str], Lts]:
    """What reads a file with one of the suffixes: the LTS with a name. Raises KeyError for other files."""
    suffix = next(suffix for suffix in AUTOMATA if path.endswith(suffix))
    return cast("Callable[[SourceText, str], Lts]", importlib.import_module(AUTOMATA[suffix]).parsed)
