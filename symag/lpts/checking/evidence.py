"""Re-checks evidence about probabilistic systems from files."""

from __future__ import annotations

from functools import partial

from symag.core.errors import InputError
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lpts.certificates.assumptions import TreeCounterexample
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.certificates.equivalences import DistinguishingFormula, DistinguishingTree
from symag.lpts.certify.kinds import property_index, read_certificate
from symag.lpts.checking.check import ReadProblem, SimulationFiles, SimulationQuestion, running, trace_of
from symag.lpts.checking.questions import questions, read_questions
from symag.lpts.checking.recheck import judgement
from symag.lpts.checking.written_traces import tree_lines
from symag.lpts.problems import EquivalenceProblem, Problem, QuantitativeProblem, TripleProblem
from symag.process.decisions import why_undecided
from symag.process.race import limited_recheck


def recheck(problem: Problem, certificate: ProbabilisticCertificate, limits: Limits, progress: Progress) -> str | None:
    """None if the evidence is accepted, else the reason why the re-check did not finish.

    Raises CertificationError for evidence that proves nothing.
    """
    work = partial(judgement, problem, certificate, limits.seconds)
    return why_undecided(limited_recheck("certify", work, limits, progress))


def _read(files: SimulationFiles, question: SimulationQuestion, limits: Limits, progress: Progress) -> ReadProblem:
    """The problem of the question, or the reason why it is not read. Raises InputError for a wrong one."""
    (read,) = read_questions(files, [question], limits, progress)
    if read.error is not None:
        raise read.error
    return read


def recheck_file(files: SimulationFiles, certificate: str, show: bool, limits: Limits, progress: Progress) -> Report:
    """Re-check the evidence in a file, and describe it if ``show``. Raises InputError and CertificationError."""
    listed = questions(files)
    index = property_index(certificate)
    if index >= len(listed):
        raise InputError(f"it is about property {index}, and there are {len(listed)}", certificate)
    question = listed[index]
    read = _read(files, question, limits, progress)
    reason, lines, claim = read.reason, list[str](), "holds"
    if read.problem is not None:
        evidence = read_certificate(certificate, read.problem)
        reason = recheck(read.problem, evidence, limits, progress)
        components = getattr(read.problem, "components", ())
        claim = evidence.claim
        if isinstance(read.problem, TripleProblem):
            claim = _triple_claim(read.problem, evidence)
        lines += evidence.lines([component.name for component in components]) if show else ()
    verdict = f"undecided ({reason})" if reason else f"accepted: the property {claim}"
    lines.append(f"certificate of {question.text}  {verdict}")
    fields = {"index": question.index, "name": question.name, "text": question.text}
    return Report(fields, tuple(lines), reason=reason)


def _triple_claim(problem: TripleProblem, evidence: ProbabilisticCertificate) -> str:
    """The claim, in which a value is that of the question and not of the cost."""
    from symag.lpts.certificates.bounds import TripleEvidence  # for start-up

    if isinstance(evidence, TripleEvidence) and evidence.value is not None:
        return f"has the value {problem.asked_bounds(*evidence.value)}"
    return evidence.claim


def replay_file(files: SimulationFiles, tree: str, limits: Limits, progress: Progress) -> Report:
    """Re-check a tree. Raises InputError, and CertificationError for a wrong tree."""
    question = questions(files)[0]
    read = _read(files, question, limits, progress)
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
