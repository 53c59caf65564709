"""Questions about probabilistic systems, for the loop of all families in ``symag.process.decisions``."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from symag.core.errors import UsageError
from symag.core.evidence.refusals import Refusal
from symag.core.files import write_file
from symag.core.limits import Limits, Progress
from symag.core.reasons import Reason
from symag.core.results import PropertyResult, RaceEntry, Verdict
from symag.core.value_bounds import ValueBounds
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.certificates.distinguishing import DistinguishingFormula, DistinguishingTree
from symag.lpts.certify.files import certificate_text
from symag.lpts.checking.check import ReadProblem, SimulationFiles, SimulationQuestion, running, trace_of
from symag.lpts.checking.methods import METHODS, MONOLITHIC
from symag.lpts.checking.questions import grouped, read_questions
from symag.lpts.checking.recheck import judgement, property_fields
from symag.lpts.lpts import Lpts
from symag.lpts.methods.agar import refinement
from symag.lpts.methods.contest import ContestOutcome, decided
from symag.lpts.methods.equivalence.deciding import EquivalenceOutcome, decide_equivalence
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.quantitative.deciding import QuantitativeOutcome, decide_quantities
from symag.lpts.model import LptsModel
from symag.lpts.problems import EquivalenceProblem, Problem, SimulationProblem
from symag.lpts.quantitative import QuantitativeProblem
from symag.process.decisions import Answered, Inquiry
from symag.process.race import Runner, once

_Problem = TypeVar("_Problem", bound=Problem)


def inquiries(
    model: LptsModel,
    questions: Sequence[SimulationQuestion],
    method: str,
    options: LptsOptions,
    limits: Limits,
    progress: Progress,
) -> Generator[Inquiry[SimulationQuestion], None, None]:
    """The inquiries that answer questions, in order. Each problem is read in its turn and kept in ``model.problem``.

    The limits hold for each reading and each inquiry. Raises InputError and UsageError.
    """
    if method not in METHODS.names():
        existing = ", ".join(METHODS.names())
        raise UsageError(f"method '{method}' is not for probabilistic systems; there are {existing}")
    name = METHODS.resolved(method)
    for group in grouped(questions):
        for question, read in zip(group, read_questions(model.files, group, limits, progress), strict=True):
            model.problem = read
            if isinstance(read.problem, QuantitativeProblem) and name == MONOLITHIC:
                yield QuantitativeInquiry(read.problem, question, model.files, read, limits)
            elif isinstance(read.problem, EquivalenceProblem) and name == MONOLITHIC:
                yield EquivalenceInquiry(read.problem, question, model.files, read, limits)
            elif isinstance(read.problem, SimulationProblem):
                contest = DecidingMethods(name, METHODS.rival(method), _resolved_options(read.problem, options))
                yield SimulationInquiry(read.problem, question, model.files, read, limits, contest)
            else:
                unsupported = f"--method {MONOLITHIC} decides formulas that are no weak-safety formulas"
                if isinstance(read.problem, EquivalenceProblem):
                    unsupported = f"--method {MONOLITHIC} decides equivalences"
                reason = read.reason if read.problem is None else Reason.UNSUPPORTED.text(unsupported)
                yield _Undecided(name, question, reason or "no answer", read)


def _with_reading(question: SimulationQuestion, read: ReadProblem, result: PropertyResult) -> PropertyResult:
    """The answer with the warnings of the readers, and the values of the constants that it is for."""
    return replace(result, warnings=(*read.warnings, *result.warnings), constants=question.constants)


class _Undecided(Answered[SimulationQuestion]):
    """A question that was not read in time, or that the method does not decide."""

    def __init__(self, method: str, question: SimulationQuestion, reason: str, read: ReadProblem) -> None:
        super().__init__(method, (question,), reason)
        self._read = read

    def completed(self, question: SimulationQuestion, result: PropertyResult) -> PropertyResult:
        return _with_reading(question, self._read, result)


class _OneProblem(Inquiry[SimulationQuestion], Generic[_Problem]):
    """A problem that is read already: the limit of time is for the search, and the re-check has as much again."""

    def __init__(
        self,
        problem: _Problem,
        question: SimulationQuestion,
        files: SimulationFiles,
        read: ReadProblem,
        limits: Limits,
        method: str = MONOLITHIC,
    ) -> None:
        self.method = method
        self.questions = (question,)
        self._problem = problem
        self._files = files
        self._read = read
        self._limits = limits
        self._evidence: ProbabilisticCertificate | None = None

    def judge(self, index: int, seconds: float | None) -> Runner | None:
        if self._evidence is None:
            return None
        return once("certify", partial(judgement, self._problem, self._evidence, seconds), self._limits.memory)

    def refusal(self, index: int, result: PropertyResult, why: str, details: str) -> Refusal:
        question = self.questions[index]
        return Refusal(self._files.path, question.index, question.text, why, self._write, details)

    def _write(self, path: Path) -> None:
        assert self._evidence is not None
        fields = property_fields(self.questions[0])
        write_file(path, certificate_text(self._files.path, fields, self._problem, self._evidence))

    def completed(self, question: SimulationQuestion, result: PropertyResult) -> PropertyResult:
        return _with_reading(question, self._read, result)


@dataclass(frozen=True, slots=True)
class DecidingMethods:
    """Which method decides, with which options; ``rival``, if any, runs beside it."""

    method: str
    rival: str | None
    options: LptsOptions


class SimulationInquiry(_OneProblem[SimulationProblem]):
    """Is a composition simulated by a specification, or safe? By any method."""

    def __init__(
        self,
        problem: SimulationProblem,
        question: SimulationQuestion,
        files: SimulationFiles,
        read: ReadProblem,
        limits: Limits,
        contest: DecidingMethods,
    ) -> None:
        super().__init__(problem, question, files, read, limits, contest.method)
        self._contest = contest
        self._race: tuple[RaceEntry, ...] = ()

    def runners(self) -> Sequence[Runner]:
        return (once(self.method, self._search, self._limits.memory),)

    def _search(self, report: Progress) -> ContestOutcome:
        """In the child."""
        problem, contest = self._problem, self._contest
        if contest.rival is None:
            return ContestOutcome(METHODS.function(self.method)(problem, contest.options, report), self.method)
        return decided(
            problem, contest.rival, partial(refinement, problem, contest.options, report), contest.options, report
        )

    def results(self, value: ContestOutcome) -> Sequence[PropertyResult]:
        outcome, self._race = value.outcome, value.race
        self._evidence = outcome.proof or outcome.tree
        trace = None if outcome.tree is None else trace_of(outcome.tree, self._problem.components, self._read.values)
        result = PropertyResult(
            outcome.verdict,
            value.method,
            trace=trace,
            certificate=self._evidence,
            statistics=outcome.statistics,
            assumption_runs=outcome.assumption_runs,
        )
        return (result,)

    def completed(self, question: SimulationQuestion, result: PropertyResult) -> PropertyResult:
        result = super().completed(question, result)
        return replace(result, race=self._race) if self._race else result


class QuantitativeInquiry(_OneProblem[QuantitativeProblem]):
    """A formula with probabilities or rewards."""

    def runners(self) -> Sequence[Runner]:
        return (once(self.method, partial(decide_quantities, self._problem), self._limits.memory),)

    def results(self, value: QuantitativeOutcome) -> Sequence[PropertyResult]:
        self._evidence = evidence = value.evidence
        statistics: dict[str, Any] = dict(value.statistics)
        if evidence is None:
            return (PropertyResult(Verdict.UNKNOWN, self.method, reason=value.reason, statistics=statistics),)
        bounds = None if evidence.value is None else ValueBounds(*evidence.value)
        if bounds is not None and bounds.low is not None and bounds.high is not None:
            statistics["gap"] = float(bounds.high - bounds.low)
        verdict = Verdict(evidence.verdict)
        return (PropertyResult(verdict, self.method, certificate=evidence, statistics=statistics, bounds=bounds),)


class EquivalenceInquiry(_OneProblem[EquivalenceProblem]):
    """Are two systems bisimilar, or do they simulate each other?"""

    def runners(self) -> Sequence[Runner]:
        return (once(self.method, partial(decide_equivalence, self._problem), self._limits.memory),)

    def results(self, value: EquivalenceOutcome) -> Sequence[PropertyResult]:
        self._evidence = evidence = value.evidence
        statistics, notes, trace = value.statistics, tuple[str, ...](), None
        left, right = self._files.system, str(self._files.specification)
        if isinstance(evidence, DistinguishingFormula):
            notes = (f"a formula that is true of {left} alone: {evidence.text()}",)
        elif isinstance(evidence, DistinguishingTree):
            runs, fails = (left, right) if evidence.side == "left" else (right, left)
            notes = (f"{runs} runs a tree that {fails} cannot simulate",)
            trace = trace_of(evidence.tree, *running(evidence, self._problem, self._read))
        result = PropertyResult(
            value.verdict, self.method, trace=trace, certificate=evidence, statistics=statistics, notes=notes
        )
        return (result,)


def _resolved_options(problem: SimulationProblem, options: LptsOptions) -> LptsOptions:
    """The options with the groups and the order of this problem's components. Raises UsageError."""
    groups = tuple(_numbers(problem.components, group) for group in options.group_names)
    named = [number for group in groups for number in group]
    if len(set(named)) < len(named):
        raise UsageError("a component is in two groups")
    smallest_first = options.order_names == "smallest"
    order = () if smallest_first or not options.order_names else _numbers(problem.components, options.order_names)
    return replace(options, groups=groups, order=order, smallest_first=smallest_first)


def _numbers(components: Sequence[Lpts], text: str) -> tuple[int, ...]:
    """The components in a list such as ``server,2`` (names, or numbers from 0), in its order. Raises UsageError."""
    names = [component.name for component in components]
    listed: dict[int, None] = {}
    for name in filter(None, (number.strip() for number in text.split(","))):
        if name in names:
            listed[names.index(name)] = None
        elif name.isdecimal() and int(name) < len(names):
            listed[int(name)] = None
        else:
            existing = ", ".join(f"{k} {component_name}" for k, component_name in enumerate(names))
            raise UsageError(f"no component '{name}'; there are {existing}")
    return tuple(listed)
