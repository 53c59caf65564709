"""``symag certify`` for probabilistic systems: relations, assumptions and trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.cli.reporting import print_recheck
from symag.cli.status import ALL_HOLD, UNDECIDED
from symag.cli.streams import Output
from symag.core.limits import Limits
from symag.core.simulation_evidence import Evidence, SafetyProof, TreeCounterexample
from symag.lpts.certify.files import read_simulation_evidence
from symag.lpts.checking.check import SimulationFiles, read_problem, recheck
from symag.lpts.lpts import Lpts


def certify_simulation(files: SimulationFiles, certificate: str, show: bool, limits: Limits, output: Output) -> int:
    """Re-check and print; the exit status. Raises InputError and CertificationError."""
    line = output.progress()
    read = read_problem(files, limits, line)
    reason, evidence = read.reason, None
    if read.problem is not None:
        evidence = read_simulation_evidence(certificate, read.problem.components, read.problem.specification)
        reason = recheck(read.problem, evidence, limits, line)
    line.clear()
    question = files.question
    if output.as_json:
        print_recheck(files.path, certificate, question, reason)
        return UNDECIDED if reason else ALL_HOLD
    if show and evidence is not None and read.problem is not None:
        for text in evidence_lines(evidence, read.problem.components):
            print(text)
    claim = "is violated" if isinstance(evidence, TreeCounterexample) else "holds"
    verdict = f"undecided ({reason})" if reason else f"accepted: the property {claim}"
    print(f"certificate of {question.text}  {verdict}")
    return UNDECIDED if reason else ALL_HOLD


def evidence_lines(evidence: Evidence, components: Sequence[Lpts]) -> Iterator[str]:
    """How large it is, and which components each part has."""
    if isinstance(evidence, TreeCounterexample):
        yield f"stochastic tree of {len(evidence.nodes)} nodes"
        return
    if isinstance(evidence, SafetyProof):
        yield f"bounds of {len(evidence.values)} sub-formulas for {len(evidence.states)} states"
    else:
        yield f"strong simulation of {len(evidence.relation)} pairs, {len(evidence.weights)} weight functions"
    for number, part in enumerate(evidence.parts):
        yield f"part {number}: {', '.join(components[k].name for k in part) or 'nothing'}"
    for number, assumption in enumerate(evidence.assumptions):
        yield (
            f"assumption {number}: {assumption.states} states, {len(assumption.transitions)} transitions, "
            f"for {len(assumption.classes)} states of part {number + 1}"
            + (f" with assumption {number + 1}" if number + 1 < len(evidence.assumptions) else "")
        )
