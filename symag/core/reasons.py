"""Why an answer is unknown: a kind, which scripts read, and a detail for people.

In results and in JSON a reason is the text ``KIND`` or ``KIND: DETAIL``; only this file makes and splits such texts.
"""

from __future__ import annotations

import enum


class Reason(enum.Enum):
    """The kinds of reasons. ``OTHER`` stands for a text that a method words itself."""

    TIMEOUT = "timeout"
    MEMORY = "memory"
    DISK = "disk"
    BOUND = "bound"
    INTERRUPTED = "interrupted"
    OVERTAKEN = "overtaken"
    UNSUPPORTED = "unsupported"
    REFUSED = "re-check refused"
    CRASHED = "crashed"
    INTERNAL_ERROR = "internal error"
    OTHER = ""

    def text(self, detail: str = "") -> str:
        """The reason as a text of results and JSON."""
        return f"{self.value}: {detail}" if detail else self.value


def kind_of(reason: str | None) -> Reason | None:
    """The kind of a reason; None for None."""
    if reason is None:
        return None
    word = word_of(reason)
    return next((kind for kind in Reason if kind.value == word), Reason.OTHER)


def word_of(reason: str) -> str:
    """The text before the detail: the ``reason`` of the JSON contract."""
    return reason.partition(":")[0]
