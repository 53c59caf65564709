"""Questions about probabilistic systems, for the loop of all families in ``symag.process.decisions``."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from symag.core.errors import InputError, UsageError
from symag.core.limits import Limits, Progress
from symag.core.results import PropertyResult, RaceEntry, Reason, Verdict
from symag.core.tables import AUTO
from symag.core.value_bounds import ValueBounds
from symag.core.values import replace
from symag.lpts.certificates.equivalences import DistinguishingFormula, DistinguishingTree
from symag.lpts.checking.check import ReadProblem, SimulationQuestion, running, trace_of
from symag.lpts.checking.inquiries.one_problem import OneProblem, PosedProblem, with_reading
from symag.lpts.checking.questions import grouped, read_questions
from symag.lpts.lpts import Lpts
from symag.lpts.methods.agar import refinement
from symag.lpts.methods.contest import ContestOutcome, decided
from symag.lpts.methods.options import METHODS, MONOLITHIC, TRIPLES, LptsOptions
from symag.lpts.model import LptsModel
from symag.lpts.problems import EquivalenceProblem, QuantitativeProblem, SimulationProblem, TripleProblem
from symag.process.decisions import AnsweredInquiry, Inquiry

if TYPE_CHECKING:
    # Only for their names.
    from symag.lpts.methods.equivalence.deciding import EquivalenceOutcome
    from symag.lpts.methods.quantitative.deciding import QuantitativeOutcome


def inquiries(
    model: LptsModel,
    questions: Sequence[SimulationQuestion],
    method: str,
    options: LptsOptions,
    limits: Limits,
    progress: Progress,
) -> Generator[Inquiry[SimulationQuestion], None, None]:
    """The inquiries that answer questions, in order. Each problem is read in its turn and kept in ``model.problem``.

    The limits hold for each reading and each inquiry. Raises UsageError, and InputError if every question is wrong;
    one that is wrong beside others is unknown.
    """
    if method not in METHODS.names():
        existing = ", ".join(METHODS.names())
        raise UsageError(f"method '{method}' is not for probabilistic systems; there are {existing}")
    name = METHODS.resolved(method)
    wrong: list[tuple[SimulationQuestion, ReadProblem]] = []
    for group in grouped(questions):
        for question, read in zip(group, _read(model, group, limits, progress), strict=True):
            if read.error is not None:
                wrong.append((question, read))
                continue
            yield from _wrong(name, wrong)
            wrong.clear()
            model.problem = read
            yield _inquiry(PosedProblem(question, model.files, read, limits), method, options)
    error = wrong[0][1].error if wrong and len(wrong) == len(questions) else None
    if error is not None:
        raise error
    yield from _wrong(name, wrong)


def _wrong(
    name: str, questions: Sequence[tuple[SimulationQuestion, ReadProblem]]
) -> Generator[Inquiry[SimulationQuestion], None, None]:
    """Questions that are errors themselves, beside others that are not."""
    for question, read in questions:
        yield _UndecidedInquiry(name, question, Reason.BAD_INPUT.text(str(read.error)), read)


def _inquiry(posed: PosedProblem, method: str, options: LptsOptions) -> Inquiry[SimulationQuestion]:
    """The inquiry that a method makes of a question, or the one that says why it makes none."""
    name, read = METHODS.resolved(method), posed.read
    if isinstance(read.problem, QuantitativeProblem) and name == MONOLITHIC:
        return QuantitativeInquiry(read.problem, posed)
    if isinstance(read.problem, EquivalenceProblem) and name == MONOLITHIC:
        return EquivalenceInquiry(read.problem, posed)
    if isinstance(read.problem, TripleProblem) and method in (MONOLITHIC, TRIPLES, AUTO):
        # Here, so that other questions do not wait for it.
        from symag.lpts.checking.inquiries.triples import TripleInquiry

        return TripleInquiry(read.problem, posed, method)
    if isinstance(read.problem, SimulationProblem) and name != TRIPLES:
        contest = DecidingMethods(name, METHODS.rival(method), _resolved_options(read.problem, options))
        return SimulationInquiry(read.problem, posed, contest)
    unsupported = f"--method {MONOLITHIC} decides formulas that are no weak-safety formulas"
    if isinstance(read.problem, EquivalenceProblem):
        unsupported = f"--method {MONOLITHIC} decides equivalences"
    elif isinstance(read.problem, TripleProblem):
        unsupported = f"--method {MONOLITHIC} or {TRIPLES} decides triples"
    elif name == TRIPLES:
        unsupported = f"--method {TRIPLES} is for --triples FILE"
    reason = read.reason if read.problem is None else Reason.UNSUPPORTED.text(unsupported)
    return _UndecidedInquiry(name, posed.question, reason or "no answer", read)


def _read(
    model: LptsModel, group: Sequence[SimulationQuestion], limits: Limits, progress: Progress
) -> Sequence[ReadProblem]:
    """The problems of questions about the same values of constants; an error may be one for these values only."""
    try:
        return read_questions(model.files, group, limits, progress)
    except InputError as error:
        return [ReadProblem(None, error=error)] * len(group)


class _UndecidedInquiry(AnsweredInquiry[SimulationQuestion]):
    """A question that was not read in time, or that the method does not decide."""

    def __init__(self, method: str, question: SimulationQuestion, reason: str, read: ReadProblem) -> None:
        super().__init__(method, (question,), reason)
        self._read = read

    def completed(self, question: SimulationQuestion, result: PropertyResult) -> PropertyResult:
        return with_reading(question, self._read, result)


class DecidingMethods(Struct, frozen=True):
    """Which method decides, with which options; ``rival``, if any, runs beside it."""

    method: str
    rival: str | None
    options: LptsOptions


class SimulationInquiry(OneProblem[SimulationProblem]):
    """Is a composition simulated by a specification, or safe? By any method."""

    def __init__(self, problem: SimulationProblem, posed: PosedProblem, contest: DecidingMethods) -> None:
        super().__init__(problem, posed, contest.method)
        self._contest = contest
        self._race: tuple[RaceEntry, ...] = ()

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


class QuantitativeInquiry(OneProblem[QuantitativeProblem]):
    """A formula with probabilities or rewards."""

    def _search(self, report: Progress) -> QuantitativeOutcome:
        # In the child only: the command does not wait for it.
        from symag.lpts.methods.quantitative.deciding import decide_quantities

        return decide_quantities(self._problem, report)

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


class EquivalenceInquiry(OneProblem[EquivalenceProblem]):
    """Are two systems bisimilar, or do they simulate each other?"""

    def _search(self, report: Progress) -> EquivalenceOutcome:
        # In the child only: the command does not wait for it.
        from symag.lpts.methods.equivalence.deciding import decide_equivalence

        return decide_equivalence(self._problem, report)

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
