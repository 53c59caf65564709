"""One property from question to certified answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from symag.core.errors import CertificationError
from symag.core.limits import Limits, Progress
from symag.core.methods import Methods
from symag.core.reasons import Reason, kind_of
from symag.core.results import PropertyResult, RaceEntry, Verdict
from symag.process.child import ChildOutcome
from symag.process.race import RunnerResult, once, race
from symag.smv.certificates.certificate import Certificate
from symag.smv.certify.kinds import kind_named
from symag.smv.checking.methods import Decide
from symag.smv.checking.portfolio import Contest, is_decisive
from symag.smv.checking.reuse import reused
from symag.smv.model.flat import FlatSystem, Property

if TYPE_CHECKING:
    from symag.smv.certify.files import EarlierProof

#: Re-checks a result: ``accept(system, property, result, seconds)`` returns it certified, or raises CertificationError.
Accept = Callable[[FlatSystem, Property, PropertyResult, float | None], PropertyResult]


@dataclass(frozen=True, slots=True)
class DeciderAndJudge:
    """The methods that decide, and the function that re-checks (None: no re-check)."""

    methods: Methods[Decide]
    accept: Accept | None


def decide(
    system: FlatSystem,
    property_: Property,
    contest: Contest,
    position: int,
    limits: Limits,
    judges: DeciderAndJudge,
    progress: Progress,
    proofs: Sequence[EarlierProof] = (),
) -> PropertyResult:
    """Decide the contest's property at a position, under limits, and have the answer re-checked.

    ``proofs`` of earlier versions are tried first.

    ``limits.seconds`` covers the decision and its re-check; an answer whose re-check does not end in
    time is returned with ``certified`` false, one whose evidence is refused as unknown (see ``refusals``).
    Raises InputError for what is wrong with the model, UsageError for a request without sense.
    """
    start = time.monotonic()
    deadline = None if limits.seconds is None else start + limits.seconds
    for proof in proofs:
        earlier = reused(system, property_, proof, contest.options, limits.memory, deadline, progress)
        if earlier is not None:
            if earlier.certified or judges.accept is None:
                return earlier
            return _certified(system, property_, earlier, judges.accept, limits, deadline, progress)
    finishes = race(contest.runners(position), contest.settles, deadline, progress)
    result = _answer(finishes, contest.method, time.monotonic() - start)
    if result.verdict is Verdict.UNKNOWN and kind_of(result.reason) is not Reason.UNSUPPORTED:
        remembered = contest.session is not None and contest.session.reused
        contest.close()
        if remembered and kind_of(result.reason) is Reason.MEMORY:
            # What was remembered of other properties may be what filled the memory.
            finishes = race(contest.runners(position), contest.settles, deadline, progress)
            result = _answer(finishes, contest.method, time.monotonic() - start)
    contest.remember(result)
    if judges.accept is None or result.verdict not in (Verdict.HOLDS, Verdict.VIOLATED):
        return result
    return _certified(system, property_, result, judges.accept, limits, deadline, progress)


def _answer(finishes: Sequence[RunnerResult], method: str, seconds: float) -> PropertyResult:
    last = finishes[-1]
    if last.outcome.error is not None:
        raise last.outcome.error
    if is_decisive(last.outcome):
        result: PropertyResult = last.outcome.value
        statistics = {**result.statistics, **_costs(finishes, seconds)}
        return replace(result, statistics=statistics, race=tuple(map(_entry, finishes)))
    return PropertyResult(
        Verdict.UNKNOWN,
        method,
        reason=_reason(finishes),
        warnings=tuple(dict.fromkeys(warning for finish in finishes for warning in _warnings(finish.outcome))),
        statistics=_costs(finishes, seconds),
        race=tuple(map(_entry, finishes)),
    )


def _entry(finish: RunnerResult) -> RaceEntry:
    """The entry of one runner in the answer."""
    outcome = finish.outcome
    value: PropertyResult | None = outcome.value
    figures = dict(outcome.figures)
    if value is not None:
        numbers = value.statistics.items()
        figures = {name: number for name, number in numbers if isinstance(number, int | float)} or figures
    ended = outcome.reason or (None if value is None else value.reason) or "decided"
    return RaceEntry(finish.name, ended, outcome.seconds, outcome.cpu_seconds, figures, outcome.last_progress)


def _reason(finishes: Sequence[RunnerResult]) -> str:
    """One reason for several failures: a reason that a larger budget could mend comes first."""
    reasons = [finish.outcome.reason or finish.outcome.value.reason for finish in finishes]
    for reason in ("timeout", "memory"):
        if reason in reasons:
            return reason
    return str(reasons[0])


def _warnings(outcome: ChildOutcome) -> tuple[str, ...]:
    if outcome.value is not None:
        warnings: tuple[str, ...] = outcome.value.warnings
        return warnings
    if kind_of(outcome.reason) in (Reason.INTERNAL_ERROR, Reason.CRASHED):
        return tuple(line for line in outcome.messages.strip().splitlines()[-20:] if line.strip())
    return ()


def _costs(finishes: Sequence[RunnerResult], seconds: float) -> dict[str, float]:
    """The cost of the decision: ``seconds`` of wall time, CPU seconds of all methods that ran, peak memory in MiB."""
    return {
        "seconds": round(seconds, 4),
        "cpu_seconds": round(sum(finish.outcome.cpu_seconds for finish in finishes), 4),
        "memory_mib": round(max(finish.outcome.memory for finish in finishes), 1),
    }


def _certified(
    system: FlatSystem,
    property_: Property,
    result: PropertyResult,
    accept: Accept,
    limits: Limits,
    deadline: float | None,
    progress: Progress,
) -> PropertyResult:
    """The result as ``accept`` returns it, uncertified with a warning if the re-check did not finish, or refused."""
    if result.certificate is not None:
        kind_named(result.certificate.kind)  # imported here once, for the processes of all properties
    seconds = None if deadline is None else max(0.0, deadline - time.monotonic())
    work = partial(_accept, accept, system, property_, result, seconds)
    outcome = race([once("certify", work, limits.memory)], lambda _: True, deadline, progress)[-1].outcome
    statistics = {**result.statistics, "certify_seconds": round(outcome.seconds, 4)}
    # Evidence that makes the re-check stumble is evidence that was not accepted.
    stumbled = kind_of(outcome.reason) is Reason.INTERNAL_ERROR
    if isinstance(outcome.error, CertificationError) or stumbled:
        why = str(outcome.error or outcome.reason)
        return _refused(system, property_, replace(result, statistics=statistics), why, outcome.messages)
    if outcome.error is not None:
        raise outcome.error
    if outcome.value is None:
        warning = f"not certified: the re-check ended with: {outcome.reason}"
        return replace(result, certified=False, warnings=(*result.warnings, warning), statistics=statistics)
    certified: PropertyResult = outcome.value
    return replace(certified, statistics={**certified.statistics, **statistics})


def _refused(system: FlatSystem, property_: Property, result: PropertyResult, why: str, details: str) -> PropertyResult:
    # Only a refusal waits for these.
    from symag.core.evidence.refusals import Refusal, refused
    from symag.smv.certify import write_certificate, write_trace

    certificate, write = result.certificate, None
    if isinstance(certificate, Certificate):
        write = partial(write_certificate, system=system, property=property_, certificate=certificate)
    elif result.trace is not None:
        write = partial(write_trace, system=system, property=property_, trace=result.trace)
    return refused(result, Refusal(system.source.path, property_.index, property_.text, why, write, details))


def _accept(
    accept: Accept,
    system: FlatSystem,
    property_: Property,
    result: PropertyResult,
    seconds: float | None,
    progress: Progress,
) -> PropertyResult:
    progress("re-checking the evidence")
    return accept(system, property_, result, seconds)
