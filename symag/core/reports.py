"""What a command says of a model, before anyone decides how it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Report:
    """``document`` is the JSON object, ``lines`` the same for people.

    ``reason`` says why a computation came to no end (None: it did), ``violated`` that a property is.
    """

    document: Mapping[str, Any]
    lines: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    reason: str | None = None
    violated: bool = False
