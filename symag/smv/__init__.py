"""SMV: text to a flat system with typed expressions, independent of BDDs."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symag.smv.expression_reader import expression
    from symag.smv.reader import read, read_text

__all__ = ["expression", "read", "read_text"]

# The modules of the names, imported when a name is first used: the grammar takes time to import.
_MODULES = {"expression": "expression_reader", "read": "reader", "read_text": "reader"}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
