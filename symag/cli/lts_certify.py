"""``symag certify`` for labelled transition systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.cli.reporting import print_recheck
from symag.cli.status import ALL_HOLD, UNDECIDED
from symag.cli.streams import Output
from symag.core.certificates import Exploration, LabelledAssumption, LabelledCertificate, StateQuotient
from symag.core.limits import Limits
from symag.lts import read
from symag.lts.checking.evidence import recheck


def certify_specification(
    path: str,
    components: Sequence[str],
    constants: Mapping[str, int],
    certificate: str,
    show: bool,
    limits: Limits,
    output: Output,
) -> int:
    """Re-check and print; the exit status. Raises InputError and CertificationError."""
    line = output.progress()
    checked = recheck(certificate, read(path, components, constants), limits, line)
    line.clear()
    accepted, question = checked.reason is None, checked.question
    if output.as_json:
        print_recheck(path, certificate, question, checked.reason, target=question.target)
        return ALL_HOLD if accepted else UNDECIDED
    if show:
        for text in certificate_lines(checked.evidence, checked.components):
            print(text)
    verdict = "accepted: the property holds" if accepted else f"undecided ({checked.reason})"
    print(f"certificate of ||{question.target}: {question.text}  {verdict}")
    return ALL_HOLD if accepted else UNDECIDED


def certificate_lines(certificate: LabelledCertificate, names: Sequence[str]) -> Iterator[str]:
    """The parts, and every assumption as an automaton whose states all accept."""
    if isinstance(certificate, Exploration):
        yield "exploration: all reachable states, found again"
        return
    if isinstance(certificate, StateQuotient):
        replaced = ", ".join(names[k] for k in certificate.replaced)
        classes = len({number for _, number in certificate.classes})
        states = _counted(len(certificate.classes), "state")
        yield f"quotient: {_counted(classes, 'class')} of {states} of {replaced}"
        return
    yield f"{certificate.rule}: {_counted(len(certificate.parts), 'part')}, " + _counted(
        len(certificate.assumptions), "assumption"
    )
    for number, part in enumerate(certificate.parts):
        yield f"part {number}: {', '.join(names[k] for k in part)}"
    for number, assumption in enumerate(certificate.assumptions):
        labels = ", ".join(sorted(assumption.alphabet))
        yield f"assumption {number} over {{{labels}}}: {_counted(assumption.states, 'state')}"
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


def _counted(number: int, what: str) -> str:
    plural = f"{what}es" if what.endswith("s") else f"{what}s"
    return f"{number} {what if number == 1 else plural}"
