"""A trace as the plain text that LTSA prints."""

from __future__ import annotations

from symag.lts.checking.trace_formats import WrittenRun
from symag.traces.actions import parsed, text_of

__all__ = ["parsed", "text"]


def text(run: WrittenRun) -> str:
    """See ``trace_formats.TraceFormat``."""
    question = run.question
    return text_of(
        run.target, None if question is None else question.text, None if question is None else question.kind, run.trace
    )
