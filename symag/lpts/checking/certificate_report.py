"""Evidence from a file, re-checked and described, as ``symag certify`` prints it."""

from __future__ import annotations

from symag.core.errors import InputError
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lpts.certify.files import property_index, read_certificate
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.checking.questions import questions, read_questions
from symag.lpts.checking.recheck import recheck


def recheck_file(files: SimulationFiles, certificate: str, show: bool, limits: Limits, progress: Progress) -> Report:
    """Re-check the evidence in a file, and describe it if ``show``. Raises InputError and CertificationError."""
    listed = questions(files)
    index = property_index(certificate)
    if index >= len(listed):
        raise InputError(f"it is about property {index}, and there are {len(listed)}", certificate)
    question = listed[index]
    (read,) = read_questions(files, [question], limits, progress)
    reason, lines, claim = read.reason, list[str](), "holds"
    if read.problem is not None:
        evidence = read_certificate(certificate, read.problem)
        reason = recheck(read.problem, evidence, limits, progress)
        components = getattr(read.problem, "components", ())
        claim = evidence.claim
        lines += evidence.lines([component.name for component in components]) if show else ()
    verdict = f"undecided ({reason})" if reason else f"accepted: the property {claim}"
    lines.append(f"certificate of {question.text}  {verdict}")
    fields = {"index": question.index, "name": question.name, "text": question.text}
    return Report(fields, tuple(lines), reason=reason)
