"""Failed jobs: jobs without an answer that did not reach a limit."""

from __future__ import annotations

from typing import Literal, get_args

from symag.core.reasons import word_of

#: Crashes of symag, refused evidence, questions that make no sense, models that cannot be read.
Failure = Literal["crashed", "internal error", "re-check refused", "wrong usage", "bad input"]


def failure_of(reason: str | None) -> Failure | None:
    """The failure in the reason of an ``unknown`` job; None for other reasons, such as a limit."""
    word = word_of(reason or "")
    if word.startswith("exit status"):  # one that symag does not have
        return "crashed"
    return next((arg for arg in get_args(Failure) if arg == word), None)


def may_be_mended(reason: str | None) -> bool:
    """Whether the failure may be gone at the next run: a missing file, folder or worker."""
    text = reason or ""
    if text.startswith("bad input: "):
        return any(sign in text for sign in ("no such file", "cannot be read", "has no folder"))
    return text.startswith(("crashed: the job's supervisor", "crashed: its worker died"))
