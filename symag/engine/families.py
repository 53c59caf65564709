"""The table of families. Adding one is one package and one line here."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

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
    """Families by their modules, each of which has its ``FAMILY``. A module is imported when its family is first looked
    at: who looks for the family of a model imports no further ones.
    """

    def __init__(self, *modules: str) -> None:
        self._modules = modules

    def __len__(self) -> int:
        return len(self._modules)

    @overload
    def __getitem__(self, index: int) -> Family: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Family]: ...
    def __getitem__(self, index: int | slice) -> Family | Sequence[Family]:
        return FamilyTable(*self._modules[index]) if isinstance(index, slice) else _family(self._modules[index])


#: A file with another suffix belongs to the first family.
FAMILIES = FamilyTable("symag.smv.family", "symag.lts.family", "symag.lpts.family")


def families_until(words: Sequence[str]) -> Sequence[Family]:
    """The first families of the table, up to one that has a model among the words of a command line; else all."""
    names = [word for word in words if not word.startswith("-")]
    for count, family in enumerate(FAMILIES, start=1):
        if any(name.endswith(family.suffixes) for name in names):
            return FAMILIES[:count]
    return FAMILIES


def family_of(path: str | os.PathLike[str]) -> Family:
    """The family of a model, by the suffix of its file."""
    name = os.fspath(path)
    return next((family for family in FAMILIES if name.endswith(family.suffixes)), FAMILIES[0])
