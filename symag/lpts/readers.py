"""The files that probabilistic systems are read from, by their suffix, and a system as the family reads it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lpts.checking.check import ReadProblem, SimulationFiles

    # Only for its name: it needs numpy, which takes time to import.
    from symag.lpts.state_values import NamedStates

#: Files in PRISM's language.
PRISM_SUFFIXES = (".nm", ".pm", ".prism")
#: The readers of formats that list the states of one system: modules with ``read(path)``, which returns a
#: ``NamedStates`` and are imported when they are used. Adding one is one module and one line for each suffix.
READERS: Mapping[str, str] = {
    ".tra": "symag.lpts.language.explicit",
}
SUFFIXES = (*PRISM_SUFFIXES, *READERS)
#: The suffixes in words.
SUFFIXES_TEXT = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"


def lists_states(path: str) -> bool:
    """Whether the file is in one of the formats of ``READERS``."""
    return path.endswith(tuple(READERS))


def read_states(path: str) -> NamedStates:
    """The system in a file of a format of ``READERS``. Raises InputError, and StopIteration for other files."""
    suffix = next(suffix for suffix in READERS if path.endswith(suffix))
    states: NamedStates = importlib.import_module(READERS[suffix]).read(path)
    return states


class LptsModel:
    """A system and what is asked of it, perhaps nothing yet, by their files; read when they are needed, under limits.

    ``problem`` is what they were read as, None before.
    """

    def __init__(self, files: SimulationFiles) -> None:
        self.files = files
        self.problem: ReadProblem | None = None

    def __repr__(self) -> str:
        return f"{self.files.title} (a probabilistic system)"

    def _repr_html_(self) -> str:
        # For start-up: only notebooks need it.
        from symag.lpts.checking.notebook import model_html

        return model_html(self.files)
