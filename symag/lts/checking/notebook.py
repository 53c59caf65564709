"""Labelled transition systems in a notebook: traces as lists, assumptions drawn."""

from __future__ import annotations

from html import escape

from symag.core.results import PropertyResult
from symag.lts.certificates import LabelledAssumptions
from symag.lts.questions import CompositeQuestion
from symag.traces.automata_picture import automata_svg, drawn_system


def answer_html(question: CompositeQuestion, result: PropertyResult, sentence: str) -> str:
    """The sentence, the actions of a trace as a numbered list, or the assumptions."""
    parts = [f"<p><code>||{escape(question.target)}: {escape(question.text)}</code> {escape(sentence)}</p>"]
    if result.trace is not None:
        steps = [step.action for step in result.trace.steps if step.action is not None]
        items = "".join(f"<li><code>{escape(action)}</code></li>" for action in steps)
        parts.append(f"<ol>{items}</ol>")
        parts += [f"<p>{escape(note)}</p>" for note in result.notes]
    drawn = assumptions_svg(result)
    if drawn is not None:
        parts.append(f'<div style="overflow-x:auto">{drawn}</div>')
    return "\n".join(parts)


def assumptions_svg(result: PropertyResult) -> str | None:
    """The assumptions of a proof by parts as SVG; None for other answers."""
    certificate = result.certificate
    if not isinstance(certificate, LabelledAssumptions):
        return None
    automata = []
    for number, assumption in enumerate(certificate.assumptions):
        labels = ", ".join(sorted(assumption.alphabet))
        names = assumption.alphabet
        transitions = [(source, names[action], target) for source, action, target in assumption.transitions]
        automata.append(drawn_system(f"assumption {number} over {labels}", assumption.states, transitions))
    return automata_svg(automata, "assumptions")
