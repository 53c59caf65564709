"""The questions about composite processes, decided and re-checked in child processes under limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from symag.core.errors import CertificationError, UsageError
from symag.core.limits import Limits, Progress, no_progress
from symag.core.refusals import REFUSED
from symag.core.results import PropertyResult, Verdict
from symag.lts import Model, System
from symag.lts.checking.methods import IGNORING, MODULES, MONOLITHIC, ChosenMethod
from symag.lts.checking.recheck import Rechecks
from symag.lts.questions import Question, questions
from symag.process.race import once, race


@dataclass(frozen=True, slots=True)
class Chosen:
    """What to decide: all questions about some composites, or those with the wanted kinds, names or numbers."""

    targets: tuple[str, ...]
    wanted: tuple[str, ...]


def select(model: Model, chosen: Chosen) -> tuple[Question, ...]:
    """The questions, numbered through all targets (none named: every composite).

    Progress of all actions is asked for only if ``progress`` is wanted and the specification has no progress
    property. Raises UsageError for targets and properties that are not there, InputError.
    """
    composites = model.targets
    missing = [name for name in chosen.targets if name not in composites]
    if missing:
        known = f"there are {', '.join(composites)}" if composites else "the specification has none"
        raise UsageError(f"no composite '{missing[0]}'; {known}")
    found: list[Question] = []
    for target in chosen.targets or composites:
        for each in questions(model, target, "progress" in chosen.wanted):
            found.append(replace(each, index=len(found)))
    if not chosen.wanted:
        return tuple(found)
    for key in chosen.wanted:
        if not any(_is_called(each, key) for each in found):
            names = dict.fromkeys(name for each in found for name in (each.kind, each.name) if name)
            raise UsageError(f"no property '{key}'; there are {', '.join(names)}")
    return tuple(each for each in found if any(_is_called(each, key) for key in chosen.wanted))


def _is_called(question: Question, key: str) -> bool:
    return key in (question.kind, question.name, str(question.index))


def decisions(
    model: Model,
    asked: Sequence[Question],
    limits: Limits,
    certify: bool = True,
    progress: Progress = no_progress,
    method: ChosenMethod | None = None,
) -> Iterator[tuple[Question, PropertyResult]]:
    """Each question with its answer; the limits are for the questions of one target together, and as much
    again for re-checking each of the answers. Without a ``method`` it is the monolithic one; the others decide
    only safety. Evidence that is refused makes an unknown answer (see ``refusals``). Raises InputError and
    UsageError.
    """
    chosen = method or ChosenMethod()
    if chosen.method not in chosen.methods.names():
        raise UsageError(f"method '{chosen.method}' is not for FSP; there are {', '.join(chosen.methods.names())}")
    if (option := chosen.unread()) is not None:
        others = ", ".join(name for name in MODULES if name not in IGNORING[option])
        raise UsageError(f"{option} means nothing to method {chosen.name}; it is for --method {others}")
    for target in dict.fromkeys(question.target for question in asked):
        mine = [question for question in asked if question.target == target]
        answers = _target(model, target, mine, chosen, limits, progress)
        found = list(zip(mine, answers.results, strict=True))
        if answers.system is None or not certify:
            yield from found
            continue
        rechecks = Rechecks(model, answers.system, found, limits)
        try:
            for place, (question, result) in enumerate(found):
                judged = result.trace is not None or result.certificate is not None
                yield question, rechecks.certified(place, progress) if judged else result
        finally:
            rechecks.close()


@dataclass(frozen=True, slots=True)
class _Answers:
    """About one composite; ``system`` is what it was compiled to, None if that came to no end."""

    system: System | None
    results: Sequence[PropertyResult]


def _target(
    model: Model, target: str, asked: Sequence[Question], chosen: ChosenMethod, limits: Limits, progress: Progress
) -> _Answers:
    """The answers of one child process for one composite."""

    def everything(report: Progress) -> _Answers:
        from symag.lts.methods.monolithic import decide

        system = model.composite(target)
        return _Answers(system, [_warned(each, model) for each in decide(system, asked, report)])

    def safety(report: Progress) -> _Answers:
        from symag.lts.checking.safety import decide_safety

        system = model.composite(target)
        return _Answers(system, [_warned(decide_safety(system, chosen, report), model)])

    name = chosen.name
    if name == MONOLITHIC:
        return _answered(name, everything, len(asked), limits, progress)
    safe = [question for question in asked if question.kind == "safety"]
    answered = _answered(name, safety, len(safe), limits, progress) if safe else _Answers(None, ())
    answers = iter(answered.results)
    unsupported = PropertyResult(Verdict.UNKNOWN, name, reason=f"unsupported: {name} decides safety only")
    return _Answers(answered.system, [next(answers) if each in safe else unsupported for each in asked])


def _warned(result: PropertyResult, model: Model) -> PropertyResult:
    """With what was odd when the composite was compiled, which happened in the child."""
    return replace(result, warnings=(*model.warnings, *result.warnings))


def _answered(
    name: str, work: Callable[[Progress], _Answers], count: int, limits: Limits, progress: Progress
) -> _Answers:
    started = time.monotonic()
    outcome = race([once(name, work, limits.memory)], lambda _: True, _deadline(limits), progress)[-1].outcome
    if isinstance(outcome.error, CertificationError):
        return _Answers(None, [PropertyResult(Verdict.UNKNOWN, name, reason=f"{REFUSED}: {outcome.error}")] * count)
    if outcome.error is not None:
        raise outcome.error
    cost = {"seconds": round(time.monotonic() - started, 4), "memory_mib": round(outcome.memory, 1)}
    processor = {"cpu_seconds": round(outcome.cpu_seconds, 3)}
    if outcome.value is None:
        reason = outcome.reason or "no answer"
        figures = {**outcome.figures, **processor, **cost}
        return _Answers(None, [PropertyResult(Verdict.UNKNOWN, name, reason=reason, statistics=figures)] * count)
    answers: _Answers = outcome.value
    results = [replace(result, statistics={**processor, **result.statistics, **cost}) for result in answers.results]
    return replace(answers, results=results)


def _deadline(limits: Limits) -> float | None:
    return None if limits.seconds is None else time.monotonic() + limits.seconds
