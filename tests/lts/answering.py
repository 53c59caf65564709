"""Questions about composites, decided and re-checked as the engine does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from symag.core.limits import Deadline, Limits, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.tables import AUTO, Methods
from symag.lts import Model, System
from symag.lts.certificates import LabelledCertificate
from symag.lts.certify.kinds import check_certificate, read_labelled_certificate, write_labelled_certificate
from symag.lts.certify.properties import check_absence, check_violation
from symag.lts.certify.states import ExploredStates, explored
from symag.lts.checking.check import inquiries
from symag.lts.language.fluents import Temporal
from symag.lts.methods.options import METHODS, Decide, LtsOptions
from symag.lts.questions import CompositeQuestion, questions
from symag.process.decisions import decisions
from tests.judging import is_accepted


def decided(
    model: Model,
    questions: Sequence[CompositeQuestion],
    method: str = AUTO,
    options: LtsOptions | None = None,
    limits: Limits | None = None,
    methods: Methods[Decide] = METHODS,
) -> list[PropertyResult]:
    bounds = limits or Limits()
    asked = inquiries(model, questions, method, options or LtsOptions(), bounds, methods)
    return [result for _, result in decisions(asked, bounds, True, no_progress)]


def assertion(formula: Temporal) -> CompositeQuestion:
    """The question whether a formula is true of every run."""
    return CompositeQuestion(2, "assert", "A", "assert A", None, "S", formula=formula)


def accepts(system: System, question: CompositeQuestion, certificate: LabelledCertificate) -> bool:
    """Whether the re-check accepts a certificate."""
    return is_accepted(check_certificate, system, question, certificate, Deadline(60))


def refuses_absence(system: System, question: CompositeQuestion) -> bool:
    """Whether the exploration of everything finds a violation."""
    return not is_accepted(check_absence, system, question, Deadline(None))


def evidence_accepted(system: System, question: CompositeQuestion, result: PropertyResult) -> PropertyResult:
    """The answer; its evidence, which it must have unless it is unknown, is accepted."""
    if result.verdict is Verdict.HOLDS:
        assert isinstance(result.certificate, LabelledCertificate)
        check_certificate(system, question, result.certificate, Deadline(60))
    elif result.verdict is Verdict.VIOLATED:
        assert result.trace is not None
        check_violation(system, question, result.trace, Deadline(60))
    return result


def written(folder: Path, model: Model, certificate: LabelledCertificate) -> tuple[Path, dict[str, Any]]:
    """A file with a certificate about the safety of SYS, which is read back as it was, and the document in it."""
    path = folder / "certificate.json"
    write_labelled_certificate(path, model, questions(model, "SYS", False)[1], certificate)
    assert read_labelled_certificate(path, model)[2] == certificate
    return path, json.loads(path.read_text())


def explored_states(system: System) -> ExploredStates:
    """All reachable states, explored in memory by the re-check."""
    return explored(system, [0] * len(system.components), Deadline(None))
