"""The re-checks of the answers about one composite process, in one child process that explores it once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from symag.core.certificates import Exploration, LabelledCertificate
from symag.core.errors import CertificationError
from symag.core.limits import Limits, Progress
from symag.core.results import PropertyResult
from symag.lts import System
from symag.lts.questions import Question
from symag.process.child import Outcome
from symag.process.race import Runner, Session, race

if TYPE_CHECKING:
    # Only for its name: what re-checks is imported by the child.
    from symag.lts.certify.states import Explored


class Rechecks:
    """To be closed. The limits are for each re-check."""

    def __init__(self, system: System, answers: Sequence[tuple[Question, PropertyResult]], limits: Limits) -> None:
        self._system = system
        self._answers = answers
        self._limits = limits
        self._session = Session(self._check, limits.memory)
        self._explored: Explored | None = None  # the child's

    def certified(self, place: int, progress: Progress) -> PropertyResult:
        """The answer at that place, certified, or with a warning that its re-check came to no end.

        Raises CertificationError if the evidence is refused.
        """
        question, result = self._answers[place]
        started = time.monotonic()
        deadline = None if self._limits.seconds is None else started + self._limits.seconds
        runner = Runner("certify", partial(self._session.start, place), kept=True)
        outcome = race([runner], lambda _: True, deadline, progress)[-1].outcome
        _raise_refusal(f"{question.target}, {question.text}", outcome)
        statistics = {**result.statistics, "certify_seconds": round(time.monotonic() - started, 4)}
        warnings = result.warnings
        if not outcome.value:
            warnings = (*warnings, f"not certified: the re-check ended with: {outcome.reason or 'timeout'}")
        return replace(result, certified=bool(outcome.value), statistics=statistics, warnings=warnings)

    def close(self) -> None:
        """End the child process, if there is one."""
        self._session.close()

    def _check(self, place: Any, report: Progress) -> bool:
        """In the child: whether the evidence was accepted; False if time ran out. Raises CertificationError."""
        from symag.core.deadlines import Deadline, OutOfTimeError
        from symag.lts.certify.certificates import check_certificate
        from symag.lts.certify.properties import check_absence, check_violation, everything

        report("re-checking the answer")
        question, result = self._answers[place]
        deadline = Deadline(self._limits.seconds)
        try:
            if result.trace is not None:
                check_violation(self._system, question, result.trace, deadline)
            elif isinstance(result.certificate, Exploration):
                self._explored = self._explored or everything(self._system, deadline)
                check_absence(self._system, question, deadline, self._explored)
            else:
                assert isinstance(result.certificate, LabelledCertificate)
                check_certificate(self._system, question, result.certificate, deadline)
        except OutOfTimeError:
            return False
        return True


def _raise_refusal(what: str, outcome: Outcome) -> None:
    if isinstance(outcome.error, CertificationError):
        raise CertificationError(f"{what}: {outcome.error}")
    if outcome.error is not None:
        raise outcome.error
    if outcome.reason is not None and outcome.reason.startswith("internal error"):
        raise CertificationError(f"{what}: {outcome.reason}\n{outcome.messages}".rstrip())
