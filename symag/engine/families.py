"""The table of families. Adding one is one package and one line here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from symag.engine.family import Family
from symag.lpts.family import LptsFamily
from symag.lts.family import LtsFamily
from symag.smv.family import SmvFamily

if TYPE_CHECKING:
    # Only types: these modules take time to import.
    from symag.lpts.model import LptsModel
    from symag.lts import Model
    from symag.smv.model.flat import FlatSystem

    #: The models that ``symag.read`` returns.
    AnyModel = FlatSystem | Model | LptsModel

#: A file with another suffix belongs to the first family.
FAMILIES: tuple[Family, ...] = (SmvFamily(), LtsFamily(), LptsFamily())


def family_of(path: str | os.PathLike[str]) -> Family:
    """The family of a model, by the suffix of its file."""
    name = os.fspath(path)
    return next((family for family in FAMILIES if name.endswith(family.suffixes)), FAMILIES[0])
