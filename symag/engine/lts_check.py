"""The questions about composite processes, decided and re-checked in child processes under limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from symag.certificates import LabelledCertificate
from symag.engine.lts_methods import MONOLITHIC, ChosenMethod
from symag.engine.race import once, race
from symag.errors import CertificationError, UsageError
from symag.limits import Limits, Progress, no_progress
from symag.lts import Model
from symag.lts.questions import Question, questions
from symag.results import PropertyResult, Verdict


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
    only safety. Raises InputError, UsageError and CertificationError.
    """
    chosen = method or ChosenMethod()
    if chosen.method not in chosen.methods.names():
        raise UsageError(f"method '{chosen.method}' is not for FSP; there are {', '.join(chosen.methods.names())}")
    for target in dict.fromkeys(question.target for question in asked):
        mine = [question for question in asked if question.target == target]
        for question, result in zip(mine, _target(model, target, mine, chosen, limits, progress), strict=True):
            judged = certify and _can_be_judged(question, result)
            yield question, _certified(model, question, result, limits, progress) if judged else result


def _can_be_judged(question: Question, result: PropertyResult) -> bool:
    """Everything with a certificate, and every trace but those of assertions that only infinite runs violate."""
    if question.kind == "assert":
        return result.trace is not None and result.trace.loop is None
    return result.trace is not None or result.certificate is not None


def _target(
    model: Model, target: str, asked: Sequence[Question], chosen: ChosenMethod, limits: Limits, progress: Progress
) -> list[PropertyResult]:
    """The answers of one child process for one composite."""

    def everything(report: Progress) -> list[PropertyResult]:
        from symag.methods.lts.monolithic import decide

        return list(decide(model.composite(target), asked, report))

    def safety(report: Progress) -> list[PropertyResult]:
        from symag.engine.lts_safety import decide_safety

        return [decide_safety(model.composite(target), chosen, report)]

    name = chosen.name
    if name == MONOLITHIC:
        return _answered(name, everything, len(asked), limits, progress)
    safe = [question for question in asked if question.kind == "safety"]
    answers = iter(_answered(name, safety, len(safe), limits, progress) if safe else ())
    reason = f"unsupported: {name} decides safety only"
    return [next(answers) if each in safe else PropertyResult(Verdict.UNKNOWN, name, reason=reason) for each in asked]


def _answered(
    name: str, work: Callable[[Progress], list[PropertyResult]], count: int, limits: Limits, progress: Progress
) -> list[PropertyResult]:
    started = time.monotonic()
    outcome = race([once(name, work, limits.memory)], lambda _: True, _deadline(limits), progress)[-1].outcome
    if outcome.error is not None:
        raise outcome.error
    seconds = {"seconds": round(time.monotonic() - started, 4), "memory_mib": round(outcome.memory, 1)}
    if outcome.value is None:
        reason = outcome.reason or "no answer"
        return [PropertyResult(Verdict.UNKNOWN, name, reason=reason, statistics=seconds)] * count
    return [replace(result, statistics={**result.statistics, **seconds}) for result in outcome.value]


def _certified(
    model: Model, question: Question, result: PropertyResult, limits: Limits, progress: Progress
) -> PropertyResult:
    from symag.certify.deadlines import Deadline, OutOfTimeError
    from symag.certify.labelled import check_violation
    from symag.certify.labelled_certificates import check_certificate

    def work(report: Progress) -> bool:
        report("re-checking the answer")
        system = model.composite(question.target)
        try:
            if result.verdict is Verdict.VIOLATED:
                assert result.trace is not None
                check_violation(system, question, result.trace, Deadline(limits.seconds))
            else:
                assert isinstance(result.certificate, LabelledCertificate)
                check_certificate(system, question, result.certificate, Deadline(limits.seconds))
        except OutOfTimeError:
            return False
        return True

    started = time.monotonic()
    outcome = race([once("certify", work, limits.memory)], lambda _: True, _deadline(limits), progress)[-1].outcome
    if isinstance(outcome.error, CertificationError):
        raise CertificationError(f"{question.target}, {question.text}: {outcome.error}")
    if outcome.error is not None:
        raise outcome.error
    if outcome.reason is not None and outcome.reason.startswith("internal error"):
        raise CertificationError(f"{question.target}, {question.text}: {outcome.reason}\n{outcome.messages}".rstrip())
    statistics = {**result.statistics, "certify_seconds": round(time.monotonic() - started, 4)}
    warnings = result.warnings
    if not outcome.value:
        warnings = (*warnings, f"not certified: the re-check ended with: {outcome.reason or 'timeout'}")
    return replace(result, certified=bool(outcome.value), statistics=statistics, warnings=warnings)


def _deadline(limits: Limits) -> float | None:
    return None if limits.seconds is None else time.monotonic() + limits.seconds
