"""A tree from a file, run again, as ``symag replay`` prints it."""

from __future__ import annotations

from symag.core.errors import InputError
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lpts.certificates.distinguishing import DistinguishingFormula, DistinguishingTree
from symag.lpts.certificates.stochastic_tree import TreeCounterexample
from symag.lpts.certify.files import read_certificate
from symag.lpts.checking.check import SimulationFiles, running, trace_of
from symag.lpts.checking.questions import questions, read_questions
from symag.lpts.checking.recheck import recheck
from symag.lpts.checking.tree_text import tree_lines
from symag.lpts.problems import EquivalenceProblem
from symag.lpts.quantitative import QuantitativeProblem


def replay_file(files: SimulationFiles, tree: str, limits: Limits, progress: Progress) -> Report:
    """Re-check a tree. Raises InputError, and CertificationError for a wrong tree."""
    question = questions(files)[0]
    (read,) = read_questions(files, [question], limits, progress)
    reason, lines = read.reason, list[str]()
    if isinstance(read.problem, QuantitativeProblem):
        raise InputError("formulas of this kind have certificates, which symag certify re-checks, and no trees", tree)
    if read.problem is not None:
        evidence = read_certificate(tree, read.problem)
        if not isinstance(evidence, TreeCounterexample | DistinguishingTree | DistinguishingFormula):
            raise InputError("there is no tree in it; symag certify re-checks what proves that a property holds", tree)
        reason = recheck(read.problem, evidence, limits, progress)
        if isinstance(evidence, TreeCounterexample):
            lines += tree_lines(trace_of(evidence, read.problem.components, read.values))
        elif isinstance(evidence, DistinguishingTree) and isinstance(read.problem, EquivalenceProblem):
            lines += tree_lines(trace_of(evidence.tree, *running(evidence, read.problem, read)))
        else:
            lines += evidence.lines(())
    verdict = f"undecided ({reason})" if reason else "accepted: the property is violated"
    lines.append(f"tree against {question.text}  {verdict}")
    fields = {
        "index": question.index,
        "name": question.name,
        "text": question.text,
        "refuted": [] if reason else [question.index],
    }
    return Report(fields, tuple(lines), reason=reason, violated=not reason)
