"""Labelled transition systems: FSP, the systems it describes, and their composition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symag.lts.language.composites import Model
    from symag.lts.language.systems import System
    from symag.lts.lts import ERROR, Lts
    from symag.lts.models import read, read_text

__all__ = ["ERROR", "Lts", "Model", "System", "read", "read_text"]


def __getattr__(name: str) -> Any:
    """Exports are imported at first use: the options of the methods need none of them."""
    if name not in __all__:
        raise AttributeError(f"module 'symag.lts' has no attribute '{name}'")
    # For start-up: see above.
    from symag.lts import models

    return getattr(models, name)
