"""The table of families. Adding one is one package and one line here."""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, overload

from symag.core.files import has_suffix
from symag.process.family import Family

if TYPE_CHECKING:
    # Only types: these modules take time to import.
    from symag.lpts.model import LptsModel
    from symag.lts import Model
    from symag.smv.model.flat import FlatSystem

    #: The models that ``symag.read`` returns.
    AnyModel = FlatSystem | Model | LptsModel


def _family(module: str) -> Family:
    family: Family = importlib.import_module(module).FAMILY
    return family


class FamilyTable(Sequence[Family]):
    """Families by their modules, each of which has its ``FAMILY``, with the suffixes of their models. A module is
    imported when its family is first looked at: who looks for the family of a model imports no others.
    """

    def __init__(self, suffixes: Mapping[str, tuple[str, ...]]) -> None:
        self._suffixes = suffixes
        self._modules = tuple(suffixes)

    def __len__(self) -> int:
        return len(self._modules)

    @overload
    def __getitem__(self, index: int) -> Family: ...
    @overload
    def __getitem__(self, index: slice) -> FamilyTable: ...
    def __getitem__(self, index: int | slice) -> Family | FamilyTable:
        if isinstance(index, slice):
            return FamilyTable({module: self._suffixes[module] for module in self._modules[index]})
        return _family(self._modules[index])

    def of(self, names: Sequence[str]) -> FamilyTable:
        """The families that have a model among these names of files, by their suffixes."""
        named = {module: known for module, known in self._suffixes.items() if any(has_suffix(n, known) for n in names)}
        return FamilyTable(named)

    def import_all(self) -> None:
        """Import every module of the families, for processes that are forked later."""
        for module in self._modules:
            package = importlib.import_module(module.rpartition(".")[0])
            for submodule in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                with contextlib.suppress(ImportError):  # of an optional library
                    importlib.import_module(submodule.name)


#: A file with another suffix belongs to the first family.
FAMILIES = FamilyTable(
    {
        "symag.smv.family": (".smv", ".aag", ".aig", ".btor2", ".btor"),
        "symag.lts.family": (".lts", ".fsp", ".aut", ".aut.gz"),
        "symag.lpts.family": (".nm", ".pm", ".prism", ".tra"),
    }
)


def families_named(words: Sequence[str]) -> FamilyTable:
    """The families that have a model among the words of a command line; all if none has."""
    return FAMILIES.of([word for word in words if not word.startswith("-")]) or FAMILIES


def family_of(path: str | os.PathLike[str]) -> Family:
    """The family of a model, by the suffix of its file."""
    return (FAMILIES.of([os.fspath(path)]) or FAMILIES)[0]
