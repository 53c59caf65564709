"""One problem that is read already: its evidence, its re-check and its refusal."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import Struct

from symag.core.evidence.refusals import Refusal
from symag.core.files import write_file
from symag.core.limits import Limits, Progress
from symag.core.results import PropertyResult
from symag.core.values import replace
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.certify.kinds import certificate_text
from symag.lpts.checking.check import ReadProblem, SimulationFiles, SimulationQuestion
from symag.lpts.checking.recheck import judgement, property_fields
from symag.lpts.methods.options import MONOLITHIC
from symag.lpts.problems import Problem
from symag.process.decisions import Inquiry
from symag.process.race import Runner, once

_Problem = TypeVar("_Problem", bound=Problem)


def with_reading(question: SimulationQuestion, read: ReadProblem, result: PropertyResult) -> PropertyResult:
    """The answer with the warnings of the readers, and the values of the constants that it is for."""
    return replace(result, warnings=(*read.warnings, *result.warnings), constants=question.constants)


class PosedProblem(Struct, frozen=True):
    """A question, the files that it is about, what was read of them, and the limits of its answer."""

    question: SimulationQuestion
    files: SimulationFiles
    read: ReadProblem
    limits: Limits


class OneProblem(Inquiry[SimulationQuestion], Generic[_Problem]):
    """A problem that is read already: the limit of time is for the search, and the re-check has as much again."""

    def __init__(self, problem: _Problem, posed: PosedProblem, method: str = MONOLITHIC) -> None:
        self.method = method
        self.questions = (posed.question,)
        self._problem = problem
        self._files = posed.files
        self._read = posed.read
        self._memory = posed.limits.memory
        self._evidence: ProbabilisticCertificate | None = None

    def runners(self) -> Sequence[Runner]:
        return (once(self.method, self._search, self._memory),)

    @abstractmethod
    def _search(self, report: Progress) -> Any:
        """The outcome, computed in a child process."""

    def judge(self, index: int, seconds: float | None) -> Runner | None:
        if self._evidence is None:
            return None
        return once("certify", partial(judgement, self._problem, self._evidence, seconds), self._memory)

    def refusal(self, index: int, result: PropertyResult, why: str, details: str) -> Refusal:
        question = self.questions[index]
        return Refusal(self._files.path, question.index, question.text, why, self._write, details)

    def _write(self, path: Path) -> None:
        assert self._evidence is not None
        fields = property_fields(self.questions[0])
        write_file(path, certificate_text(self._files.path, fields, self._problem, self._evidence))

    def completed(self, question: SimulationQuestion, result: PropertyResult) -> PropertyResult:
        return with_reading(question, self._read, result)
