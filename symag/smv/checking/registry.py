"""The methods by name. A method is a module with ``decide(system, property, options, progress)``."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from symag.core.errors import UsageError
from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.smv.methods.options import Options
from symag.smv.model.flat import FlatSystem, Property

#: Decides one property of one system; runs in a child process.
Decide = Callable[[FlatSystem, Property, Options, Progress], PropertyResult]

#: A method's memory of one system: decides one property after the other, and may reuse what it knows.
Decider = Callable[[Property, Progress], PropertyResult]

#: Gives a method that memory; ``session(system, options)`` of a method's module, if it has one.
OpenSession = Callable[[FlatSystem, Options], Decider]

#: The method that runs others (see ``portfolio``).
AUTO = "auto"

#: Adding a method is one line here. Modules are imported when a method is first asked for.
MODULES: Mapping[str, str] = {
    "monolithic": "symag.smv.methods.monolithic",
    "rule-s": "symag.smv.methods.by_parts.rule_s",
    "rule-g": "symag.smv.methods.by_parts.rule_g",
    "parts": "symag.smv.methods.parts",
    "bmc": "symag.smv.methods.bmc",
}


@dataclass(frozen=True, slots=True)
class Registry:
    """Finds the function that decides by a method's name."""

    modules: Mapping[str, str | Decide]

    def names(self) -> tuple[str, ...]:
        """Every name that ``decide`` and ``check`` accept, in the order of registration."""
        return (*self.modules, AUTO)

    def decide(self, method: str) -> Decide:
        """The method's function; raises UsageError for a name that is not registered."""
        entry = self._entry(method)
        if isinstance(entry, str):
            function: Decide = importlib.import_module(entry).decide
            return function
        return entry

    def session(self, method: str) -> OpenSession | None:
        """The method's ``session``, or None if it decides every property from the start."""
        entry = self._entry(method)
        return getattr(importlib.import_module(entry), "session", None) if isinstance(entry, str) else None

    def _entry(self, method: str) -> str | Decide:
        entry = self.modules.get(method)
        if entry is None:
            raise UsageError(f"no method '{method}'; there are {', '.join(self.names())}")
        return entry


def default_registry() -> Registry:
    """The methods that symag ships."""
    return Registry(dict(MODULES))
