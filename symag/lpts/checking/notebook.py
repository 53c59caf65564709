"""Probabilistic systems in a notebook: their components, small ones drawn."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from symag.core.errors import InputError, UsageError
from symag.core.limits import Limits, Progress, no_progress
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.language.reading import read_system
from symag.lpts.lpts import Lpts
from symag.process.race import limited

#: The limit of time for reading the components, in seconds.
_SECONDS = 5.0
#: At most this many components are drawn; the others are counted.
_MOST = 12


def model_html(files: SimulationFiles) -> str:
    """The question, and each component, drawn if it is small; nothing is drawn if reading takes too long."""
    constants = {name: value for name, value in files.constants.items() if ":" not in value}

    def work(report: Progress) -> Sequence[Lpts]:
        return read_system(files.path, files.further, constants, files.alphabets, report).components

    head = f"<p><code>{escape(files.title)}</code></p>"
    try:
        outcome = limited("reading", work, Limits(_SECONDS), no_progress)
    except (InputError, UsageError) as error:
        return f"{head}<p>{escape(str(error))}</p>"
    if outcome.value is None:
        return f"{head}<p>not drawn: {escape(outcome.reason or 'no answer')}</p>"
    shown = "".join(
        f'<div style="overflow-x:auto">{component._repr_html_()}</div>' for component in outcome.value[:_MOST]
    )
    further = len(outcome.value) - _MOST
    return head + shown + (f"<p>and {further} more components</p>" if further > 0 else "")
