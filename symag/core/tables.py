"""Tables of a family: its methods, and the formats that its models are written in.

Functions in a table are imported when they are first used.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar, cast

from msgspec import Struct

from symag.core.errors import UsageError

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: The name of the method that is used where the user names none. It is an entry of every family's table.
AUTO = "auto"


class SameAs(Struct, frozen=True):
    """A further name of a method. ``rival`` may run beside it, where the family says so."""

    method: str
    rival: str | None = None


class Race(Struct, frozen=True):
    """Methods of the table that run concurrently; ``entrants`` of ``module`` says which, and when each starts."""

    module: str


class Methods(Struct, Generic[_Function], frozen=True):
    """The table of methods. An entry is a function, or its name: ``package.module`` (for its ``decide``) or
    ``package.module:function``. A named module is imported when the function is first used.
    """

    entries: Mapping[str, str | SameAs | Race | _Function]

    def names(self) -> tuple[str, ...]:
        """Every method, in the order of the table."""
        return tuple(self.entries)

    def resolved(self, method: str) -> str:
        """The method that a name stands for. Raises UsageError for a name that is not in the table."""
        entry = self._entry(method)
        return entry.method if isinstance(entry, SameAs) else method

    def deciding(self, method: str) -> tuple[str, ...]:
        """The methods that may decide under this name, the named one first: options of any of them are accepted."""
        name = self.resolved(method)
        others = tuple(other for other in self.names() if other != name)
        return (name, *others) if self.races(name) else (name,)

    def rival(self, method: str) -> str | None:
        """The method that may run beside the one that decides under this name."""
        entry = self._entry(method)
        return entry.rival if isinstance(entry, SameAs) else None

    def races(self, method: str) -> bool:
        """Whether several methods race under this name."""
        return isinstance(self._entry(method), Race)

    def function(self, method: str) -> _Function:
        """The method's function. Raises UsageError for a name that is not in the table, and for a race."""
        entry = self._entry(self.resolved(method))
        if isinstance(entry, Race):
            raise UsageError(f"{method} is not a single method")
        if not isinstance(entry, str):
            return cast(_Function, entry)
        return cast(_Function, _imported(entry))

    def entrants(self, method: str) -> Callable[..., Any] | None:
        """The function ``entrants`` of a race's module, None for a single method."""
        entry = self._entry(method)
        if not isinstance(entry, Race):
            return None
        entrants: Callable[..., Any] = importlib.import_module(entry.module).entrants
        return entrants

    def of_module(self, method: str, name: str) -> Callable[..., Any] | None:
        """The function with this name in the method's module, None if there is none."""
        entry = self._entry(method)
        if not isinstance(entry, str):
            return None
        function: Callable[..., Any] | None = getattr(importlib.import_module(entry.partition(":")[0]), name, None)
        return function

    def _entry(self, method: str) -> str | SameAs | Race | _Function:
        entry = self.entries.get(method)
        if entry is None:
            raise UsageError(f"no method '{method}'; there are {', '.join(self.names())}")
        return entry


class WrittenFormat(Struct, frozen=True):
    """A format of models: ``writer`` is ``package.module:function``, imported on use; ``suffixes`` are its files'."""

    writer: str
    suffixes: tuple[str, ...]

    def function(self) -> Callable[..., Any]:
        """The writer. It has the same signature for all formats of one family."""
        return _imported(self.writer)


def by_suffix(formats: Mapping[str, WrittenFormat]) -> dict[str, str]:
    """The name of the format of each suffix."""
    return {suffix: name for name, form in formats.items() for suffix in form.suffixes}


def _imported(path: str) -> Callable[..., Any]:
    """The function ``package.module:function``, by default ``decide`` of the module."""
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name or "decide")
    return function
