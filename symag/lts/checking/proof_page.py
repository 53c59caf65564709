"""The content of the page of a proof about a composite process, and answers in a notebook."""

from __future__ import annotations

from html import escape

from symag.core.results import PropertyResult
from symag.lts.certificates import LabelledAssumptions, LabelledCertificate
from symag.lts.certify.machines import safety_question
from symag.lts.checking.evidence import certificate_lines
from symag.lts.language.composites import Model
from symag.lts.questions import CompositeQuestion
from symag.lts.words import local_names
from symag.traces.automata_picture import automata_svg, drawn_system
from symag.traces.page.proof import Proof, ProofPart, shared_actions

_TRUSTED = (
    "the reader of the model (symag/lts: language, lts.py, questions.py), which search and re-check share",
    "symag/lts/certify, which shares nothing else with the search",
    "numpy",
)


def proof_of(
    model: Model, question: CompositeQuestion, certificate: LabelledCertificate, result: PropertyResult
) -> Proof:
    """Parts, shared actions, assumptions and sizes of a certificate."""
    system = model.composite(question.target)
    arguments = (model.source.path, "--target", question.target, "--property", question.name or str(question.index))
    if not isinstance(certificate, LabelledAssumptions):
        lines = tuple(certificate_lines(certificate, local_names(system.components)))
        return Proof(lines[0], arguments, lines=lines, trusted=_TRUSTED)
    # Parts are numbered without the processes that only observe.
    safety = safety_question(system)
    names = safety.names
    lines = tuple(certificate_lines(certificate, names))
    alphabets = [
        {label for number in part for label in safety.components[number].alphabet} for part in certificate.parts
    ]
    # The assumptions of rules 1 and 3 are about what follows a part, those of the circular rule about the part itself.
    parts = []
    for number, members in enumerate(certificate.parts):
        about = ""
        if number < len(certificate.assumptions):
            states = certificate.assumptions[number].states
            about = f"assumption of {states} state{'s' if states != 1 else ''}"
        parts.append(ProofPart(f"part {number}", tuple(names[member] for member in members), about))
    sizes = {
        f"states of assumption {number}": assumption.states for number, assumption in enumerate(certificate.assumptions)
    }
    links, picture = shared_actions(alphabets), assumptions_svg(result)
    return Proof(lines[0], arguments, tuple(parts), links, True, lines, picture, sizes, _TRUSTED)


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
