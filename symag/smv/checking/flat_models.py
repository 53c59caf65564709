"""The readers of flat systems of variables: SMV, AIGER and BTOR2 files by their suffix."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

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


def read_flat_system(path: str) -> FlatSystem:
    """Read, type-check and flatten an SMV model, or read a file in one of the formats of ``READERS`` as one.

    Raises InputError with the position.
    """
    suffix = next((suffix for suffix in READERS if has_suffix(path, suffix)), None)
    reader = importlib.import_module("symag.smv" if suffix is None else READERS[suffix])
    system: FlatSystem = reader.read(path)
    return system
