"""The readers of flat systems of variables: SMV, AIGER and BTOR2 files by their suffix."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

from symag.core.files import has_suffix
from symag.smv.model.flat import FlatSystem

#: The readers of other formats by suffix: modules with ``read(path)``, imported when they are used.
#: Adding one is one package and one line for each suffix.
READERS: Mapping[str, str] = {
    ".aag": "symag.smv.aiger",
    ".aig": "symag.smv.aiger",
    ".btor2": "symag.smv.btor2",
    ".btor": "symag.smv.btor2",
}
SUFFIXES = (".smv", *READERS)
#: The files beside them that are read too, if they exist: names of the bits.
BESIDE: Mapping[str, tuple[str, ...]] = {
    ".aag": (".ywa", ".aim"),
    ".aig": (".ywa", ".aim"),
}


def files_beside(path: str) -> tuple[str, ...]:
    """The files that are read with this one, if they exist."""
    suffixes = next((beside for suffix, beside in BESIDE.items() if has_suffix(path, suffix)), ())
    return tuple(str(Path(path).with_suffix(suffix)) for suffix in suffixes)


def read_flat_system(path: str) -> FlatSystem:
    """Read, type-check and flatten an SMV model, or read a file in one of the formats of ``READERS`` as one.

    Raises InputError with the position.
    """
    suffix = next((suffix for suffix in READERS if has_suffix(path, suffix)), None)
    reader = importlib.import_module("symag.smv" if suffix is None else READERS[suffix])
    system: FlatSystem = reader.read(path)
    return system
