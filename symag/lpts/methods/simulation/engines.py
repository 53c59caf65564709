"""The simulation engines by name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from symag.lpts.methods.outcome import Engine

#: Adding an engine is one file and one line here. Modules are imported when an engine is first asked for.
MODULES: Mapping[str, str] = {
    "worklist": "symag.lpts.methods.simulation.worklist",
    "textbook": "symag.lpts.methods.simulation.textbook",
    "smt": "symag.lpts.methods.simulation.smt",
}


def engine(name: str) -> Engine:
    """The function that decides; KeyError for a name that is not registered."""
    decide: Engine = importlib.import_module(MODULES[name]).decide
    return decide
