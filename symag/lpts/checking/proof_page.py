"""What the page of a proof about a probabilistic system shows; its components in a notebook, small ones drawn."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from symag.core.errors import InputError, UsageError
from symag.core.limits import Limits, Progress, no_progress
from symag.lpts.certificates.assumptions import ProofByParts, TreeCounterexample
from symag.lpts.certificates.bounds import TripleEvidence
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.certificates.equivalences import DistinguishingFormula, DistinguishingTree, EquivalenceClasses
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.language.reading import read_system
from symag.lpts.lpts import Lpts
from symag.process.race import limited
from symag.traces.page.proof import Proof, ProofPart, shared_actions

_TRUSTED = (
    "the reader of the model (symag/lpts: language, lpts.py), which search and re-check share",
    "symag/lpts/certify, which shares nothing else with the search",
    "exact fractions of Python, numpy",
)


def proof_of(files: SimulationFiles, components: Sequence[Lpts], evidence: ProbabilisticCertificate) -> Proof:
    """Parts, shared actions and sizes of a certificate."""
    arguments = [files.path]
    for flag, value in (
        ("--specification", files.specification),
        ("--equivalence", files.equivalence),
        ("--formula", files.formula),
        ("--triples", files.triples),
    ):
        arguments += [] if value is None else [flag, value]
    lines = tuple(evidence.lines([component.name for component in components]))
    if isinstance(evidence, TreeCounterexample):
        return Proof(lines[0], tuple(arguments), lines=lines, sizes={"nodes": len(evidence.nodes)}, trusted=_TRUSTED)
    if isinstance(evidence, TripleEvidence):
        sizes = {f"states of triple {number}": len(proven.states) for number, proven in enumerate(evidence.proven)}
        return Proof(
            "a chain of assume-guarantee triples", tuple(arguments), lines=lines, sizes=sizes, trusted=_TRUSTED
        )
    if isinstance(evidence, EquivalenceClasses | DistinguishingFormula | DistinguishingTree):
        return Proof(lines[0], tuple(arguments), lines=lines, trusted=_TRUSTED)
    if not isinstance(evidence, ProofByParts):
        return Proof("bounds of probabilities or rewards", tuple(arguments), lines=lines, trusted=_TRUSTED)
    alphabets = [{label for number in part for label in components[number].alphabet[1:]} for part in evidence.parts]
    parts = []
    for number, members in enumerate(evidence.parts):
        # Assumption k abstracts part k + 1 with the assumption that follows.
        abstracted = 0 < number <= len(evidence.assumptions)
        about = f"abstracted to {evidence.assumptions[number - 1].states} states" if abstracted else ""
        parts.append(ProofPart(f"part {number}", tuple(components[member].name for member in members), about))
    sizes = {
        f"states of assumption {number}": assumption.states for number, assumption in enumerate(evidence.assumptions)
    }
    links = shared_actions(alphabets)
    return Proof(lines[0], tuple(arguments), tuple(parts), links, True, lines, None, sizes, _TRUSTED)


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
