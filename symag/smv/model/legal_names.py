"""Names of other formats as legal and different names of SMV."""

from __future__ import annotations

import re

from symag.smv.language.lexer import RESERVED

_ILLEGAL = re.compile(r"[^A-Za-z0-9_$#.\[\]-]")
_COMPONENT = re.compile(r"[A-Za-z_][A-Za-z0-9_$#-]*(?:\[[0-9]+\])*\Z")
_INDICES = re.compile(r"((?:\[[0-9]+\])*)\Z")


class LegalNames:
    """The names given so far."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbered: tuple[str, ...] = ()

    def numbered(self, prefix: str) -> str:
        """A prefix, lengthened by ``_`` until no name so far is it with a number; no later name will be."""
        while any(name.startswith(prefix) and name[len(prefix) :][:1].isdecimal() for name in self._taken):
            prefix += "_"
        self._numbered = (*self._numbered, prefix)
        return prefix

    def fresh(self, symbol: str | None, otherwise: str, elements: int = 0) -> str:
        """The symbol as a legal name, or ``otherwise`` without a symbol; with a number behind it if it is taken.

        With ``elements`` the names ``name[0]`` to ``name[elements - 1]`` are taken too.
        """
        preferred = legal_name(symbol) if symbol else otherwise
        indices = _INDICES.search(preferred)
        base = preferred[: indices.start()] if indices else preferred
        suffix = preferred[len(base) :]
        name, number = preferred, 1
        while not self._free(name, elements):
            number += 1
            name = f"{base}_{number}{suffix}"
        self._taken.add(name)
        self._taken.update(f"{name}[{index}]" for index in range(elements))
        return name

    def _free(self, name: str, elements: int) -> bool:
        if name in self._taken or any(f"{name}[{index}]" in self._taken for index in range(elements)):
            return False
        return not any(name.startswith(prefix) and name[len(prefix) :].isdecimal() for prefix in self._numbered)


def legal_name(symbol: str) -> str:
    """A symbol with ``_`` for every character that SMV does not allow."""
    components = []
    for component in _ILLEGAL.sub("_", symbol).split("."):
        fitting = component if _COMPONENT.match(component) else "_" + component.replace("[", "_").replace("]", "_")
        word, bracket, rest = fitting.partition("[")
        components.append(f"{word}_{bracket}{rest}" if word in RESERVED else fitting)
    return ".".join(components)
