"""What is written about trees and walks of probabilistic systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from symag.core.results import PropertyResult
from symag.lpts.checking.check import SimulationFiles, SimulationQuestion
from symag.lpts.checking.simulation import ProbabilisticWalk
from symag.lpts.model import LptsModel


class WrittenTree(Struct, frozen=True):
    """An answer with a tree; ``document`` is its certificate as JSON, ``file`` the file that is written."""

    model: LptsModel
    question: SimulationQuestion
    result: PropertyResult
    document: str
    file: str


class WrittenWalk(Struct, frozen=True):
    """A walk through the system of some files; ``document`` has the members of its JSON object."""

    files: SimulationFiles
    walk: ProbabilisticWalk
    document: Mapping[str, Any]
