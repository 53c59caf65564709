"""Reports of commands about a model, apart from their printing, and models in other formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Struct


class Report(Struct, frozen=True):
    """A report: ``document`` is the JSON object, ``lines`` the same as text.

    ``reason`` says why a computation did not finish (None: it did), ``violated`` whether a property is violated.
    ``str`` gives the lines, ``report["states"]`` a value of the document.
    """

    document: Mapping[str, Any]
    lines: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    reason: str | None = None
    violated: bool = False

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __getitem__(self, name: str) -> Any:
        return self.document[name]

    def _repr_html_(self) -> str:
        # For start-up: only notebooks show HTML.
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class Conversion(Struct, frozen=True):
    """A model in another format: the file's content, what it leaves out, and notes about how it was made."""

    content: bytes
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListedQuestion:
    """A question that a batch asks about a model; ``property`` is its value for ``--property`` (with ``--target``).

    Expected verdicts are matched by ``kind``, ``text`` and ``name``.
    """

    property: str | None
    kind: str
    text: str
    name: str | None = None
    target: str | None = None
