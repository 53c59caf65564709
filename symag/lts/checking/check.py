"""The questions about composite processes, and what answers them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from symag.core.errors import UnsupportedError, UsageError
from symag.core.evidence.refusals import Refusal
from symag.core.limits import Deadline, Limits, Progress
from symag.core.results import PropertyResult, RaceEntry, Reason, Verdict
from symag.core.tables import Methods
from symag.core.values import replace
from symag.lts import Model, System
from symag.lts.certificates import ExplorationClaim, LabelledCertificate
from symag.lts.certify.kinds import check_certificate, write_labelled_certificate
from symag.lts.certify.properties import KnownStates, all_states, check_absence, check_violation
from symag.lts.certify.traces import write_labelled_trace
from symag.lts.methods import monolithic
from symag.lts.methods.options import AGAR, METHODS, MONOLITHIC, Decide, LtsOptions, kinds_decided
from symag.lts.questions import CompositeQuestion, questions
from symag.process.decisions import AnsweredInquiry, Inquiry, Judgement, judged
from symag.process.race import Runner, once
from symag.process.session import Session


class _Answers(Struct, frozen=True):
    """About one composite; ``system`` is what it was compiled to. ``race``: what each method did, if two ran."""

    system: System
    results: Sequence[PropertyResult]
    race: tuple[RaceEntry, ...] = ()


class DecidingMethods(Struct, frozen=True):
    """Which method of a table decides, with which options; ``rival``, if any, runs beside it."""

    method: str
    rival: str | None
    options: LtsOptions
    methods: Methods[Decide]


class CompositeInquiry(Inquiry[CompositeQuestion]):
    """Questions about one composite: all of them for the monolithic method, which explores it once; else one.

    One child process re-checks the answers, and explores the composite once too. ``close`` ends it. The limit of time
    is for all questions together, therefore each re-check has as much again.
    """

    def __init__(
        self,
        model: Model,
        questions: Sequence[CompositeQuestion],
        contest: DecidingMethods,
        limits: Limits,
    ) -> None:
        self.method = contest.method
        self.questions = questions
        self._contest = contest
        self._model = model
        self._target = questions[0].target
        self._limits = limits
        self._answers: _Answers | None = None
        self._session = Session(self._check, limits.memory)
        self._explored: KnownStates | None = None  # the child's

    def runners(self) -> Sequence[Runner]:
        return (once(self.method, self._search, self._limits.memory),)

    def _search(self, report: Progress) -> _Answers:
        """In the child."""
        contest, system = self._contest, self._model.composite(self._target)
        race: tuple[RaceEntry, ...] = ()
        results: Iterable[PropertyResult]
        if contest.rival is not None:
            results, race = self._contested(system, contest.rival, report)
        elif self.method == MONOLITHIC:
            results = monolithic.decide(system, self.questions, report)
        else:
            # For start-up: the default needs no method by parts.
            from symag.lts.checking.by_parts import decide_by_parts

            (question,) = self.questions
            results = [decide_by_parts(system, question, self.method, contest.options, contest.methods, report)]
        # With what was odd when the composite was compiled, which is known here only.
        warnings = self._model.warnings
        return _Answers(system, [replace(result, warnings=(*warnings, *result.warnings)) for result in results], race)

    def _contested(
        self, system: System, rival: str, report: Progress
    ) -> tuple[Sequence[PropertyResult], tuple[RaceEntry, ...]]:
        """The answers by the monolithic method or a method by parts, whichever is faster, and what each did."""
        # For start-up, as in ``_search``.
        from symag.lts.methods import liveness_contest, safety_contest
        from symag.lts.methods.contest import CompositeContest

        kinds = {question.kind for question in self.questions}
        rivals = tuple(
            (name, partial(self._by_parts, system, name)) for name in (rival, AGAR) if kinds & {*kinds_decided(name)}
        )
        contest = CompositeContest(system, self.questions, rivals, self._limits.seconds)
        if kinds <= {"deadlock", "safety"}:
            return safety_contest.decided(contest, report)
        return liveness_contest.decided(contest, report)

    def _by_parts(self, system: System, method: str, report: Progress) -> list[PropertyResult]:
        """The answers of a method in the contest, one after the other; unknown where it does not decide."""
        # For start-up, as in ``_search``.
        from symag.lts.checking.by_parts import decide_by_parts

        # Over the whole interface agar does not begin again for each letter.
        options = replace(self._contest.options, alphabet_refinement=method != AGAR)
        answers = []
        for question in self.questions:
            try:
                answers.append(decide_by_parts(system, question, method, options, self._contest.methods, report))
            except UnsupportedError as error:
                reason = Reason.UNSUPPORTED.text(str(error))
                answers.append(PropertyResult(Verdict.UNKNOWN, method, reason=reason))
        return answers

    def results(self, value: _Answers) -> Sequence[PropertyResult]:
        self._answers = value
        return value.results

    def judge(self, index: int, seconds: float | None) -> Runner | None:
        assert self._answers is not None
        result = self._answers.results[index]
        if result.trace is None and result.certificate is None:
            return None
        return Runner("certify", partial(self._session.start, index), kept=True)

    def rejudges(self) -> bool:
        # The process may have run out of memory by the states that it keeps for other questions.
        return self._session.reused

    def _check(self, index: Any, report: Progress) -> Judgement:
        """In the child that re-checks. Raises CertificationError."""
        report("re-checking the answer")
        assert self._answers is not None
        system, question, result = self._answers.system, self.questions[index], self._answers.results[index]

        def check(deadline: Deadline) -> None:
            if result.trace is not None:
                check_violation(system, question, result.trace, deadline)
            elif isinstance(result.certificate, ExplorationClaim):
                if self._explored is None:
                    self._explored = all_states(system, self._claimed(), deadline)
                check_absence(system, question, deadline, self._explored)
            else:
                assert isinstance(result.certificate, LabelledCertificate)
                check_certificate(system, question, result.certificate, deadline)

        return judged(check, self._limits.seconds)

    def _claimed(self) -> set[str]:
        """The kinds of questions that were answered by exploring everything."""
        assert self._answers is not None
        answered = zip(self.questions, self._answers.results, strict=True)
        return {question.kind for question, result in answered if isinstance(result.certificate, ExplorationClaim)}

    def completed(self, question: CompositeQuestion, result: PropertyResult) -> PropertyResult:
        return replace(result, race=self._answers.race) if self._answers is not None and self._answers.race else result

    def refusal(self, index: int, result: PropertyResult, why: str, details: str) -> Refusal:
        model, question = self._model, self.questions[index]
        write: Callable[[Path], None] | None = None
        if isinstance(result.certificate, LabelledCertificate):
            write = partial(write_labelled_certificate, model=model, question=question, certificate=result.certificate)
        elif result.trace is not None:
            write = partial(
                write_labelled_trace, model=model, target=question.target, question=question, trace=result.trace
            )
        return Refusal(model.source.path, question.index, f"{question.target}, {question.text}", why, write, details)

    def close(self) -> None:
        """End the child process that re-checks, if there is one."""
        self._session.close()


def select(model: Model, targets: Sequence[str] = (), properties: Sequence[str] = ()) -> tuple[CompositeQuestion, ...]:
    """The questions about some composites (none named: every composite), numbered through all of them.

    With ``properties`` only those with these kinds, names or numbers. Progress of all actions is asked for only if
    ``progress`` is wanted and the specification has no progress property. Raises UsageError for targets and
    properties that are not there, InputError.
    """
    selected: list[CompositeQuestion] = []
    for target in model.chosen_targets(targets):
        for question in questions(model, target, "progress" in properties):
            selected.append(replace(question, index=len(selected)))
    if not properties:
        return tuple(selected)
    if not selected:
        raise UsageError(f"no property '{properties[0]}'; the specification has no process")
    for key in properties:
        if not any(_is_called(question, key) for question in selected):
            names = dict.fromkeys(name for question in selected for name in (question.kind, question.name) if name)
            names["progress"] = None
            raise UsageError(f"no property '{key}'; there are {', '.join(names)}")
    return tuple(question for question in selected if any(_is_called(question, key) for key in properties))


def _is_called(question: CompositeQuestion, key: str) -> bool:
    return key in (question.kind, question.name, str(question.index))


def inquiries(
    model: Model,
    selected: Sequence[CompositeQuestion],
    method: str,
    options: LtsOptions,
    limits: Limits,
    methods: Methods[Decide] = METHODS,
) -> Generator[Inquiry[CompositeQuestion], None, None]:
    """What answers questions, in order: for the monolithic method one inquiry for each target.

    Under a name that has a rival, that runs beside the monolithic method.
    The limits are for each inquiry. What a method does not decide is unknown. Raises UsageError.
    """
    if method not in methods.names():
        raise UsageError(f"method '{method}' is not for FSP; there are {', '.join(methods.names())}")
    name, tuning = methods.resolved(method), replace(options, seconds=limits.seconds)
    kinds = kinds_decided(name)
    unsupported = Reason.UNSUPPORTED.text(f"{name} decides {', '.join(kinds)} only")
    for target in dict.fromkeys(question.target for question in selected):
        together = [question for question in selected if question.target == target]
        for questions_ in [together] if name == MONOLITHIC else [[question] for question in together]:
            if questions_[0].kind not in kinds:
                yield AnsweredInquiry(name, questions_, unsupported)
                continue
            contest = DecidingMethods(name, methods.rival(method), tuning, methods)
            inquiry = CompositeInquiry(model, questions_, contest, limits)
            try:
                yield inquiry
            finally:
                inquiry.close()
