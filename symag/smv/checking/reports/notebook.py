"""An answer in a notebook: its sentence, and the trace or the learned assumptions as a picture."""

from __future__ import annotations

from html import escape
from typing import Any

from symag.core.results import PropertyResult
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.checking.reports.certificate_text import fragments, picture
from symag.smv.checking.reports.trace_formulas import formulas
from symag.smv.checking.reports.trace_report import shown_report
from symag.smv.model.flat import FlatSystem, Property
from symag.traces import table


def answer_html(system: FlatSystem | None, item: Any, result: PropertyResult, sentence: str) -> str:
    """An HTML fragment that loads no files and does not change the style of the page. ``item`` has the property's
    ``text``.
    """
    trace, certificate = result.trace, result.certificate
    if system is not None and trace is not None and isinstance(item, Property):
        return table.fragment(shown_report(system, trace, item, formulas=formulas(system, item, trace)), sentence)
    parts = [f"<p><code>{escape(item.text)}</code> {escape(sentence)}</p>"]
    if system is not None and isinstance(certificate, AssumeGuarantee):
        parts += [f"<p>{escape(line)}</p>" for line in fragments(certificate)]
        parts.append(f'<div style="overflow-x:auto">{picture(system, certificate)}</div>')
    return "\n".join(parts)


def answer_svg(system: FlatSystem | None, result: PropertyResult) -> str | None:
    """The learned assumptions as an SVG picture; None for an answer without any."""
    certificate = result.certificate
    if system is None or not isinstance(certificate, AssumeGuarantee):
        return None
    return picture(system, certificate)
