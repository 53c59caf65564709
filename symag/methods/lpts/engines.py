"""The simulation engines by name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from symag.methods.lpts.problem import Engine

#: Adding an engine is one file and one line here. Modules are imported when an engine is first asked for.
MODULES: Mapping[str, str] = {
    "worklist": "symag.methods.lpts.worklist",
    "textbook": "symag.methods.lpts.textbook",
    "smt": "symag.methods.lpts.smt",
}


def engine(name: str) -> Engine:
    """The function that decides; KeyError for a name that is not registered."""
    found: Engine = importlib.import_module(MODULES[name]).decide
    return found
