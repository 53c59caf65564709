"""The re-checks of the answers about one composite process, in one child process that explores it once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symag.core.errors import CertificationError
from symag.core.evidence.refusals import Refusal, refused
from symag.core.limits import Limits, Progress
from symag.core.reasons import Reason, kind_of
from symag.core.results import PropertyResult
from symag.lts import Model, System
from symag.lts.certificates import ExplorationClaim, LabelledCertificate
from symag.lts.certify.files import write_labelled_certificate
from symag.lts.certify.traces import write_labelled_trace
from symag.lts.questions import CompositeQuestion
from symag.process.child import ChildOutcome
from symag.process.race import Runner, Session, race

if TYPE_CHECKING:
    # Only for its name: the child imports the code that re-checks.
    from symag.lts.certify.states import ExploredStates


class Rechecks:
    """To be closed. The limits are for each re-check."""

    def __init__(
        self,
        model: Model,
        system: System,
        answers: Sequence[tuple[CompositeQuestion, PropertyResult]],
        limits: Limits,
    ) -> None:
        self._model = model
        self._system = system
        self._answers = answers
        self._limits = limits
        self._session = Session(self._check, limits.memory)
        self._explored: ExploredStates | None = None  # the child's

    def certified(self, index: int, progress: Progress) -> PropertyResult:
        """The answer at that place: certified, refused, or with a warning that its re-check did not finish."""
        question, result = self._answers[index]
        started = time.monotonic()
        deadline = None if self._limits.seconds is None else started + self._limits.seconds
        runner = Runner("certify", partial(self._session.start, index), kept=True)
        outcome = race([runner], lambda _: True, deadline, progress)[-1].outcome
        statistics = {**result.statistics, "certify_seconds": round(time.monotonic() - started, 4)}
        why = _refusal(outcome)
        if why is not None:
            return self._refused(question, replace(result, statistics=statistics), why, outcome.messages)
        warnings = result.warnings
        if not outcome.value:
            warnings = (*warnings, f"not certified: the re-check ended with: {outcome.reason or 'timeout'}")
        return replace(result, certified=bool(outcome.value), statistics=statistics, warnings=warnings)

    def close(self) -> None:
        """End the child process, if there is one."""
        self._session.close()

    def _refused(self, question: CompositeQuestion, result: PropertyResult, why: str, details: str) -> PropertyResult:
        write: Callable[[Path], None] | None = None
        if isinstance(result.certificate, LabelledCertificate):
            write = partial(
                write_labelled_certificate, model=self._model, question=question, certificate=result.certificate
            )
        elif result.trace is not None:
            write = partial(
                write_labelled_trace, model=self._model, target=question.target, question=question, trace=result.trace
            )
        about = f"{question.target}, {question.text}"
        return refused(result, Refusal(self._model.source.path, question.index, about, why, write, details))

    def _check(self, index: Any, report: Progress) -> bool:
        """In the child: whether the evidence was accepted; False if time ran out. Raises CertificationError."""
        from symag.core.deadlines import Deadline, OutOfTimeError
        from symag.lts.certify.certificates import check_certificate
        from symag.lts.certify.properties import check_absence, check_violation, everything

        report("re-checking the answer")
        question, result = self._answers[index]
        deadline = Deadline(self._limits.seconds)
        try:
            if result.trace is not None:
                check_violation(self._system, question, result.trace, deadline)
            elif isinstance(result.certificate, ExplorationClaim):
                self._explored = self._explored or everything(self._system, deadline)
                check_absence(self._system, question, deadline, self._explored)
            else:
                assert isinstance(result.certificate, LabelledCertificate)
                check_certificate(self._system, question, result.certificate, deadline)
        except OutOfTimeError:
            return False
        return True


def _refusal(outcome: ChildOutcome) -> str | None:
    """Why the evidence was refused, None if it was not; evidence that makes the re-check stumble is refused."""
    if isinstance(outcome.error, CertificationError):
        return str(outcome.error)
    if outcome.error is not None:
        raise outcome.error
    stumbled = kind_of(outcome.reason) is Reason.INTERNAL_ERROR
    return outcome.reason if stumbled else None
