"""The questions about composite processes, decided and re-checked in child processes under limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from symag.core.errors import CertificationError, UsageError
from symag.core.limits import Limits, Progress, no_progress
from symag.core.methods import AUTO, Methods
from symag.core.reasons import Reason
from symag.core.results import PropertyResult, Verdict
from symag.lts import Model, System
from symag.lts.checking.methods import METHODS, MONOLITHIC, Decide, resolved
from symag.lts.checking.recheck import Rechecks
from symag.lts.methods.options import LtsOptions
from symag.lts.questions import CompositeQuestion, questions
from symag.process.limited import limited


def select(model: Model, targets: Sequence[str] = (), properties: Sequence[str] = ()) -> tuple[CompositeQuestion, ...]:
    """The questions about some composites (none named: every composite), numbered through all of them.

    With ``properties`` only those with these kinds, names or numbers. Progress of all actions is asked for only if
    ``progress`` is wanted and the specification has no progress property. Raises UsageError for targets and
    properties that are not there, InputError.
    """
    composites = model.targets
    missing = [name for name in targets if name not in composites]
    if missing:
        existing = f"there are {', '.join(composites)}" if composites else "the specification has none"
        raise UsageError(f"no composite '{missing[0]}'; {existing}")
    selected: list[CompositeQuestion] = []
    for target in targets or composites:
        for question in questions(model, target, "progress" in properties):
            selected.append(replace(question, index=len(selected)))
    if not properties:
        return tuple(selected)
    for key in properties:
        if not any(_is_called(question, key) for question in selected):
            names = dict.fromkeys(name for question in selected for name in (question.kind, question.name) if name)
            raise UsageError(f"no property '{key}'; there are {', '.join(names)}")
    return tuple(question for question in selected if any(_is_called(question, key) for key in properties))


def _is_called(question: CompositeQuestion, key: str) -> bool:
    return key in (question.kind, question.name, str(question.index))


def decisions(
    model: Model,
    selected: Sequence[CompositeQuestion],
    method: str = AUTO,
    options: LtsOptions | None = None,
    limits: Limits | None = None,
    certify: bool = True,
    progress: Progress = no_progress,
    methods: Methods[Decide] = METHODS,
) -> Iterator[tuple[CompositeQuestion, PropertyResult]]:
    """Each question with its answer; the limits are for the questions of one target together, and as much
    again for re-checking each of the answers. Methods other than the monolithic one decide only safety. Evidence that
    is refused makes an unknown answer (see ``symag.core.evidence.refusals``).

    Raises InputError and UsageError.
    """
    name, bounds = resolved(method), limits or Limits()
    if name not in methods.names():
        raise UsageError(f"method '{method}' is not for FSP; there are {', '.join(methods.names())}")
    tuning = replace(options or LtsOptions(), seconds=bounds.seconds)
    for target in dict.fromkeys(question.target for question in selected):
        mine = [question for question in selected if question.target == target]
        answers = _target(model, target, mine, _Search(name, tuning, methods), bounds, progress)
        answered = list(zip(mine, answers.results, strict=True))
        if answers.system is None or not certify:
            yield from answered
            continue
        rechecks = Rechecks(model, answers.system, answered, bounds)
        try:
            for index, (question, result) in enumerate(answered):
                judged = result.trace is not None or result.certificate is not None
                yield question, rechecks.certified(index, progress) if judged else result
        finally:
            rechecks.close()


@dataclass(frozen=True, slots=True)
class _Search:
    """A method with its options."""

    name: str
    options: LtsOptions
    methods: Methods[Decide]


@dataclass(frozen=True, slots=True)
class _Answers:
    """About one composite; ``system`` is what it was compiled to, None if that did not finish."""

    system: System | None
    results: Sequence[PropertyResult]


def _target(
    model: Model,
    target: str,
    selected: Sequence[CompositeQuestion],
    search: _Search,
    limits: Limits,
    progress: Progress,
) -> _Answers:
    """The answers of one child process for one composite."""

    def everything(report: Progress) -> _Answers:
        from symag.lts.methods.monolithic import decide

        system = model.composite(target)
        return _Answers(system, [_warned(result, model) for result in decide(system, selected, report)])

    def safety(report: Progress) -> _Answers:
        from symag.lts.checking.safety import decide_safety

        system = model.composite(target)
        return _Answers(
            system, [_warned(decide_safety(system, search.name, search.options, search.methods, report), model)]
        )

    name = search.name
    if name == MONOLITHIC:
        return _answered(name, everything, len(selected), limits, progress)
    safe = [question for question in selected if question.kind == "safety"]
    answered = _answered(name, safety, len(safe), limits, progress) if safe else _Answers(None, ())
    answers = iter(answered.results)
    unsupported = PropertyResult(Verdict.UNKNOWN, name, reason=Reason.UNSUPPORTED.text(f"{name} decides safety only"))
    return _Answers(answered.system, [next(answers) if question in safe else unsupported for question in selected])


def _warned(result: PropertyResult, model: Model) -> PropertyResult:
    """With what was odd when the composite was compiled, which happened in the child."""
    return replace(result, warnings=(*model.warnings, *result.warnings))


def _answered(
    name: str, work: Callable[[Progress], _Answers], count: int, limits: Limits, progress: Progress
) -> _Answers:
    started = time.monotonic()
    try:
        outcome = limited(name, work, limits, progress)
    except CertificationError as error:
        return _Answers(None, [PropertyResult(Verdict.UNKNOWN, name, reason=Reason.REFUSED.text(str(error)))] * count)
    cost = {"seconds": round(time.monotonic() - started, 4), "memory_mib": round(outcome.memory, 1)}
    processor = {"cpu_seconds": round(outcome.cpu_seconds, 3)}
    if outcome.value is None:
        reason = outcome.reason or "no answer"
        figures = {**outcome.figures, **processor, **cost}
        return _Answers(None, [PropertyResult(Verdict.UNKNOWN, name, reason=reason, statistics=figures)] * count)
    answers: _Answers = outcome.value
    results = [replace(result, statistics={**processor, **result.statistics, **cost}) for result in answers.results]
    return replace(answers, results=results)
