"""Re-checks evidence about probabilistic systems, of an answer or from a file."""

from __future__ import annotations

from typing import Any

from symag.core.errors import CertificationError
from symag.core.evidence.quantitative_evidence import QuantitativeEvidence
from symag.core.evidence.simulation_evidence import Evidence, SafetyProof, SimulationProof, TreeCounterexample
from symag.core.limits import Limits, Progress
from symag.lpts.certify.quantities import check_quantities
from symag.lpts.certify.safety_formulas import check_bounds, check_violation
from symag.lpts.certify.simulations import check_proof, check_tree
from symag.lpts.checking.check import SimulationQuestion
from symag.lpts.lpts import Lpts
from symag.lpts.methods.problem import SimulationProblem
from symag.lpts.quantitative import QuantitativeProblem
from symag.lpts.safety_formulas import Liveness
from symag.process.decisions import Judgement, judged, why_undecided
from symag.process.limited import limited_recheck


def recheck(
    problem: SimulationProblem | QuantitativeProblem,
    evidence: Evidence | QuantitativeEvidence,
    limits: Limits,
    progress: Progress,
) -> str | None:
    """None if the evidence is accepted, else the reason why the re-check did not finish.

    Raises CertificationError for evidence that proves nothing.
    """

    def work(report: Progress) -> Judgement:
        return judgement(problem, evidence, limits.seconds, report)

    return why_undecided(limited_recheck("certify", work, limits, progress))


def judgement(
    problem: SimulationProblem | QuantitativeProblem,
    evidence: Evidence | QuantitativeEvidence,
    seconds: float | None,
    progress: Progress,
) -> Judgement:
    """The re-check itself, in a child process. Raises CertificationError for evidence that proves nothing."""
    progress("re-checking the answer")
    specification = problem.specification if isinstance(problem, SimulationProblem) else problem
    components = problem.components if isinstance(problem, SimulationProblem) else ()
    match specification, evidence:
        case QuantitativeProblem(), QuantitativeEvidence():
            return judged(lambda deadline: check_quantities(specification, evidence, deadline), seconds)
        case Lpts(), SimulationProof():
            return judged(lambda deadline: check_proof(components, specification, evidence, deadline), seconds)
        case Lpts(), TreeCounterexample():
            return judged(lambda deadline: check_tree(components, specification, evidence, deadline), seconds)
        case Liveness(), SafetyProof():
            return judged(lambda deadline: check_bounds(components, specification, evidence, deadline), seconds)
        case Liveness(), TreeCounterexample():
            return judged(lambda deadline: check_violation(components, specification, evidence, deadline), seconds)
        case _:
            raise CertificationError("the evidence is for another kind of property")


def property_fields(question: SimulationQuestion) -> dict[str, Any]:
    """The members about the property in a file with evidence."""
    return {"index": question.index, "kind": question.kind, "name": question.name, "text": question.text}
