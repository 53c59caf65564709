"""A certificate from a file, re-checked and as text, as ``symag certify`` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lts import Model
from symag.lts.certificates import LabelledAssumption, LabelledAssumptions, LabelledCertificate, counted
from symag.lts.checking.evidence import recheck


def recheck_file(model: Model, certificate: str, show: bool, limits: Limits, progress: Progress) -> Report:
    """Re-check a certificate. Raises InputError and CertificationError."""
    checked = recheck(certificate, model, limits, progress)
    question = checked.question
    lines = list(certificate_lines(checked.evidence, checked.components)) if show else []
    verdict = "accepted: the property holds" if checked.reason is None else f"undecided ({checked.reason})"
    lines.append(f"certificate of ||{question.target}: {question.text}  {verdict}")
    fields = {"index": question.index, "name": question.name, "text": question.text, "target": question.target}
    return Report(fields, tuple(lines), reason=checked.reason)


def certificate_lines(certificate: LabelledCertificate, names: Sequence[str]) -> Iterator[str]:
    """Its summary, the parts, and every assumption as an automaton whose states all accept."""
    yield certificate.summary(names)
    if not isinstance(certificate, LabelledAssumptions):
        return
    for number, part in enumerate(certificate.parts):
        yield f"part {number}: {', '.join(names[k] for k in part)}"
    for number, assumption in enumerate(certificate.assumptions):
        labels = ", ".join(sorted(assumption.alphabet))
        yield f"assumption {number} over {{{labels}}}: {counted(assumption.states, 'state')}"
        if certificate.guarantees:
            granted = ", ".join(map(str, certificate.guarantees[number])) or "none"
            yield f"  guaranteed by part {number} given the assumptions: {granted}"
        yield from _automaton(assumption)


def _automaton(assumption: LabelledAssumption) -> Iterator[str]:
    for state in range(assumption.states):
        moves: dict[int, list[str]] = {}
        for source, action, target in assumption.transitions:
            if source == state:
                moves.setdefault(target, []).append(assumption.alphabet[action])
        yield f"  state {state}:" + ("" if moves else " nothing is allowed")
        for target, labels in sorted(moves.items()):
            yield f"    to state {target}: {', '.join(sorted(labels))}"
