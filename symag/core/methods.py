"""The methods of a family by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from symag.core.errors import UsageError

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: The name under which a family chooses its methods itself.
AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Methods(Generic[_Function]):
    """``entries`` has for each name the function, or where it is: ``package.module`` (its ``decide``) or
    ``package.module:function``. What is named is imported when it is first asked for.
    """

    entries: Mapping[str, str | _Function]

    def names(self) -> tuple[str, ...]:
        """Every method in the order of its registration, and ``auto``."""
        return (*self.entries, AUTO)

    def function(self, method: str) -> _Function:
        """The method's function. Raises UsageError for a name that is not registered."""
        entry = self._entry(method)
        if not isinstance(entry, str):
            return entry
        module, _, name = entry.partition(":")
        return cast(_Function, getattr(importlib.import_module(module), name or "decide"))

    def session(self, method: str) -> Callable[..., Any] | None:
        """``session`` of the method's module, None if it has none; see ``symag.smv.checking.portfolio``."""
        entry = self._entry(method)
        if not isinstance(entry, str):
            return None
        session: Callable[..., Any] | None = getattr(importlib.import_module(entry.partition(":")[0]), "session", None)
        return session

    def _entry(self, method: str) -> str | _Function:
        entry = self.entries.get(method)
        if entry is None:
            raise UsageError(f"no method '{method}'; there are {', '.join(self.names())}")
        return entry
