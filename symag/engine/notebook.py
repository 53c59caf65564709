"""What a notebook shows of an answer: its sentence, and the trace or the learned assumptions as a picture."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from symag.core.certificates import AssumeGuarantee
from symag.engine.assumption_picture import fragments, picture
from symag.engine.trace_formulas import formulas
from symag.engine.trace_report import trace_report
from symag.smv.model.flat import Property
from symag.traces import html

if TYPE_CHECKING:
    from symag.engine.answers import Answer


def answer_html(answer: Answer) -> str:
    """An HTML fragment that loads nothing and keeps its style to itself."""
    system, trace, certificate = answer.system, answer.result.trace, answer.result.certificate
    said = f"{answer.verdict_text()}: {answer.evidence_text()}"
    item = answer.property
    if system is not None and trace is not None and isinstance(item, Property):
        return html.fragment(trace_report(system, trace, item, formulas=formulas(system, item, trace)), said)
    parts = [f"<p><code>{escape(item.text)}</code> {escape(said)}</p>"]
    if system is not None and isinstance(certificate, AssumeGuarantee):
        parts += [f"<p>{escape(line)}</p>" for line in fragments(certificate)]
        parts.append(f'<div style="overflow-x:auto">{picture(system, certificate)}</div>')
    return "\n".join(parts)


def answer_svg(answer: Answer) -> str | None:
    """The learned assumptions as an SVG picture; None for an answer without any."""
    certificate = answer.result.certificate
    if answer.system is None or not isinstance(certificate, AssumeGuarantee):
        return None
    return picture(answer.system, certificate)
