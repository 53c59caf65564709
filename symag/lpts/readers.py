"""The files that probabilistic systems are read from, and the formats that they are written in, by their suffix.

A writer is a function ``writer(named, decimals)``: the text of a ``symag.lpts.state_values.NamedStates``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from symag.core.files import has_suffix
from symag.core.tables import WrittenFormat

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.

    # Only for its name: it needs numpy, which takes time to import.
    from symag.lpts.state_values import NamedStates

#: Files in PRISM's language.
PRISM_SUFFIXES = (".nm", ".pm", ".prism")
#: The readers of formats that list the states of one system: modules with ``read(path)``, which returns a
#: ``NamedStates`` and are imported when they are used. Adding one is one module and one line for each suffix.
READERS: Mapping[str, str] = {
    ".tra": "symag.lpts.language.explicit",
}
#: The files beside them that are read too, if they exist: labels and the values of variables.
BESIDE: Mapping[str, tuple[str, ...]] = {
    ".tra": (".lab", ".sta"),
}
SUFFIXES = (*PRISM_SUFFIXES, *READERS)
#: The suffixes in words.
SUFFIXES_TEXT = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"


def lists_states(path: str) -> bool:
    """Whether the file is in one of the formats of ``READERS``."""
    return has_suffix(path, tuple(READERS))


def read_states(path: str) -> NamedStates:
    """The system in a file of a format of ``READERS``. Raises InputError, and StopIteration for other files."""
    suffix = next(suffix for suffix in READERS if has_suffix(path, suffix))
    states: NamedStates = importlib.import_module(READERS[suffix]).read(path)
    return states


def files_beside(path: str) -> tuple[str, ...]:
    """The files that are read with this one, if they exist."""
    suffixes = next((beside for suffix, beside in BESIDE.items() if has_suffix(path, suffix)), ())
    return tuple(str(Path(path).with_suffix(suffix)) for suffix in suffixes)


FORMATS: Mapping[str, WrittenFormat] = {
    "tra": WrittenFormat("symag.lpts.convert.conversion:transitions_text", (".tra",)),
    "lab": WrittenFormat("symag.lpts.convert.conversion:labels_text", (".lab",)),
    "sta": WrittenFormat("symag.lpts.convert.conversion:states_text", (".sta",)),
    "drn": WrittenFormat("symag.lpts.convert.conversion:drn_text", (".drn",)),
    "dot": WrittenFormat("symag.lpts.convert.conversion:picture", (".dot",)),
}
