"""Learned assumptions as a picture (``symag.traces.automata_picture``)."""

from __future__ import annotations

from collections.abc import Iterator

from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption
from symag.smv.checking.reports.assumption_text import Formulas, wire_lines
from symag.smv.model.flat import FlatSystem
from symag.traces.automata_picture import MOST_STATES, AutomatonLine, DrawnAutomaton, automata_svg


def picture(system: FlatSystem, certificate: AssumeGuarantee) -> str:
    """All assumptions of a certificate below each other, as one SVG element."""
    formulas = Formulas(system, certificate.table)
    automata = []
    for number, assumption in enumerate(certificate.assumptions):
        part = ", ".join(certificate.parts[number].variables)
        automata.append(_drawn(formulas, assumption, f"assumption {number}, for part {number}: {part}"))
    return automata_svg(automata, "learned assumptions")


def _drawn(formulas: Formulas, assumption: Assumption, title: str) -> DrawnAutomaton:
    """Each state with what it forbids, and its edges; states in breadth-first order."""
    order = [0]
    for state in order:
        order += [target for target, _ in assumption.edges[state] if target not in order]
    lines = []
    for state in order[:MOST_STATES]:
        forbidden = formulas.text(assumption.rejects[state])
        lines.append(AutomatonLine("forbids " + forbidden, state, emphasised=forbidden != "nothing"))
        for target, label in assumption.edges[state]:
            lines.append(AutomatonLine(formulas.text(label), None, target))
    return DrawnAutomaton(title, tuple(lines), len(order[MOST_STATES:]))


def fragments(certificate: AssumeGuarantee) -> Iterator[str]:
    """The texts beside the picture: the rule, and the wires at which the parts were cut."""
    yield certificate.summary()
    yield from wire_lines(certificate)
