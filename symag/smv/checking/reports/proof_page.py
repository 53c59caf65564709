"""The content of the page of a proof about an SMV model, and of an answer in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any

from symag.core.results import PropertyResult
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.invariants import Induction
from symag.smv.checking.reports.certificate_text import certificate_lines, fragments, picture
from symag.smv.checking.reports.trace_formulas import formulas
from symag.smv.checking.reports.trace_lanes import readers
from symag.smv.checking.reports.trace_report import shown_report
from symag.smv.model.dependencies import relations
from symag.smv.model.flat import FlatSystem, Property
from symag.traces import table
from symag.traces.page.proof import Proof, ProofPart

_TRUSTED = (
    "the reader of the model (symag/smv: language, elaboration, model), which search and re-check share",
    "symag/smv/certify, which shares nothing else with what searches",
    "a SAT solver of python-sat, and for large sets a BDD package",
)


def proof_of(system: FlatSystem, checked: Property, certificate: Certificate) -> Proof:
    """Parts, wires, assumptions and sizes of a certificate."""
    lines = tuple(certificate_lines(system, certificate))
    name = str(checked.index) if checked.name is None else checked.name
    arguments = (system.source.path, "--property", name)
    table = getattr(certificate, "table", None)
    sizes = {} if table is None else {"diagram nodes": len(table.nodes), "bits": len(table.bits)}
    if isinstance(certificate, Induction):
        sizes |= {"clauses": len(certificate.clauses), "lemmas": len(certificate.lemmas), "steps": certificate.steps}
    if not isinstance(certificate, AssumeGuarantee):
        return Proof(lines[0], arguments, lines=lines, sizes=sizes, trusted=_TRUSTED)
    owner = {name: number for number, part in enumerate(certificate.parts) for name in part.variables}
    links: dict[tuple[int, int], tuple[str, ...]] = {}
    for name, others in readers(relations(system), owner).items():
        for other in others:
            links[owner[name], other] = (*links.get((owner[name], other), ()), name)
    parts = []
    for number, part in enumerate(certificate.parts):
        about = ""
        if number < len(certificate.assumptions):
            states = len(certificate.assumptions[number].edges)
            about = f"assumption of {states} state{'s' if states != 1 else ''}"
            sizes[f"states of assumption {number}"] = states
        parts.append(ProofPart(f"part {number}", part.variables, about))
    return Proof(lines[0], arguments, tuple(parts), links, False, lines, picture(system, certificate), sizes, _TRUSTED)


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
