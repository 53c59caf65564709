"""The properties of a model, one after the other, each an inquiry of ``symag.process.decisions``."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial

from msgspec import Struct

from symag.core.errors import InputError, UsageError
from symag.core.evidence.refusals import Refusal
from symag.core.limits import Limits, Progress, no_progress
from symag.core.results import PropertyResult, Reason, Verdict, kind_of
from symag.core.tables import AUTO, Methods
from symag.core.values import replace
from symag.process.decisions import Inquiry, decisions
from symag.process.race import Runner, RunnerResult
from symag.smv.certificates.certificate import Certificate
from symag.smv.certify.circuits.packages import check_package
from symag.smv.checking.methods import METHODS, Decide
from symag.smv.checking.portfolio.contest import Contest
from symag.smv.checking.rechecks import Accept, SharedRecheck, rechecked_alone
from symag.smv.checking.reuse import Reuse, earlier_proofs
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.reuse import NAME
from symag.smv.model.flat import FlatSystem, Property


class DeciderAndJudge(Struct, frozen=True):
    """The methods that decide, and the function that re-checks (None: symag's own)."""

    methods: Methods[Decide] = METHODS
    accept: Accept | None = None


class PropertyInquiry(Inquiry[Property]):
    """The property at a position of a contest. ``reuse`` tries proofs of earlier versions first; ``judge`` re-checks
    (None: each answer in a process of its own). ``warnings`` are those about the options.

    The limit of time is for the decision and its re-check together: what users of other checkers expect of one.
    """

    limit_covers_recheck = True

    def __init__(
        self,
        system: FlatSystem,
        contest: Contest,
        position: int,
        limits: Limits,
        judges: DeciderAndJudge,
        reuse: Reuse | None = None,
        judge: SharedRecheck | None = None,
        warnings: tuple[str, ...] = (),
    ) -> None:
        self.method = contest.method
        self.questions = (contest.properties[position],)
        self._system = system
        self._property = contest.properties[position]
        self._contest = contest
        self._position = position
        self._limits = limits
        self._judges = judges
        self._reuse = reuse
        self._judge = judge
        self._warnings = warnings
        self._result: PropertyResult | None = None

    def known(self, deadline: float | None, progress: Progress) -> Sequence[PropertyResult] | None:
        result = None if self._reuse is None else self._reuse.known(self._position, deadline, progress)
        if result is None:
            result = self._result = self._contest.known(self._position)
        return None if result is None else (result,)

    def note(self, finishes: Sequence[RunnerResult]) -> None:
        self._contest.note(finishes)

    def runners(self) -> Sequence[Runner]:
        searches = self._contest.runners(self._position)
        return searches if self._reuse is None else self._reuse.enter(self._position, searches)

    def explains(self, finish: RunnerResult) -> bool:
        return finish.name != NAME

    def settles(self, finish: RunnerResult) -> bool:
        return self._contest.settles(self.answering(finish))

    def answering(self, finish: RunnerResult) -> RunnerResult:
        return self._contest.answering(self._position, finish)

    def results(self, value: PropertyResult) -> Sequence[PropertyResult]:
        self._result = value
        return (value,)

    def failed(self, error: InputError, deadline: float | None, progress: Progress) -> str | None:
        # Where one property is all that was posed the error is the answer: it loses no other.
        if len(self._contest.properties) == 1 or error.file != self._system.source.path:
            return None
        # For start-up: few properties are wrong.
        from symag.smv.checking.evaluation import fails_without_properties

        of_model = fails_without_properties(self._system, self._limits.memory, deadline, progress)
        return None if of_model else Reason.BAD_INPUT.text(str(error))

    def repeats(self, result: PropertyResult) -> bool:
        if result.verdict is not Verdict.UNKNOWN or kind_of(result.reason) in (Reason.UNSUPPORTED, Reason.BAD_INPUT):
            return False
        remembered = self._contest.session is not None and self._contest.session.reused
        self._contest.close(result.reason)
        # The process may have run out of memory by what it remembers of other properties.
        return remembered and kind_of(result.reason) is Reason.MEMORY

    def remember(self, result: PropertyResult) -> None:
        self._contest.remember(self._position, result)
        if self._reuse is not None:
            self._reuse.remember(result)

    def judge(self, index: int, seconds: float | None) -> Runner | None:
        result = self._result
        if result is None or result.verdict not in (Verdict.HOLDS, Verdict.VIOLATED):
            return None
        if self._judge is not None:
            return self._judge.rechecked(self._position, result, seconds)
        package, memory = self._contest.options.certify_bdd, self._limits.memory
        return rechecked_alone(self._system, self._property, result, seconds, self._judges.accept, package, memory)

    def completed(self, question: Property, result: PropertyResult) -> PropertyResult:
        return replace(result, warnings=(*self._warnings, *result.warnings)) if self._warnings else result

    def rejudges(self) -> bool:
        # The process may have run out of memory by what it remembers of other properties.
        return self._judge is not None and self._judge.reused

    def refusal(self, index: int, result: PropertyResult, why: str, details: str) -> Refusal:
        # Imported here, because only refusals need them.
        from symag.smv.certify import write_certificate, write_trace

        system, item, certificate, write = self._system, self._property, result.certificate, None
        if isinstance(certificate, Certificate):
            write = partial(write_certificate, system=system, property=item, certificate=certificate)
        elif result.trace is not None:
            write = partial(write_trace, system=system, property=item, trace=result.trace)
        return Refusal(system.source.path, item.index, item.text, why, write, details)


def select(system: FlatSystem, keys: Sequence[str | int]) -> tuple[Property, ...]:
    """The properties with these names or NuSMV indices, in the model's order; all of them without ``keys``.

    Raises UsageError for a name or number that no property has.
    """
    if not keys:
        return system.properties
    selected: set[int] = set()
    for key in keys:
        indices = [item.index for item in system.properties if item.name == key or str(item.index) == str(key)]
        if not indices:
            names = ", ".join(item.name or str(item.index) for item in system.properties)
            raise UsageError(f"no property '{key}'" + (f"; there are {names}" if names else "; the model has none"))
        selected.update(indices)
    return tuple(item for item in system.properties if item.index in selected)


def inquiries(
    system: FlatSystem,
    properties: Sequence[Property],
    method: str = AUTO,
    options: SmvOptions | None = None,
    limits: Limits | None = None,
    judges: DeciderAndJudge | None = None,
) -> Generator[PropertyInquiry, None, None]:
    """One inquiry for each property, in order. ``judges`` replaces symag's own methods and re-check.

    Raises UsageError, and InputError for a file of --reuse or --order.
    """
    chosen = judges or DeciderAndJudge()
    if method not in chosen.methods.names():
        raise UsageError(f"no method '{method}'; there are {', '.join(chosen.methods.names())}")
    tuning = options or SmvOptions()
    if tuning.parts is not None and tuning.parts > len(system.variables):
        raise UsageError(f"{tuning.parts} parts are more than the {len(system.variables)} variables of the model")
    check_package(tuning.certify_bdd)
    warnings: tuple[str, ...] = ()
    if tuning.order_file is not None:
        # For start-up: few give an order.
        from symag.smv.symbolic.orderfile import order_warnings

        warnings = order_warnings(system, tuning.order_file)
    bounds = limits or Limits()
    stoppable = method == AUTO or bounds != Limits()
    tuning = replace(tuning, memory=bounds.memory or tuning.memory, stoppable=stoppable)
    tuning = replace(tuning, to_decide=len(properties), seconds=bounds.seconds)
    proofs = earlier_proofs(tuning.reuse)
    contest = Contest(system, properties, method, tuning, chosen.methods, bounds.memory)
    reuse = Reuse(system, properties, proofs, tuning, bounds.memory) if proofs else None
    judge = None
    if chosen.accept is None and len(properties) > 1:
        judge = SharedRecheck(system, properties, tuning.certify_bdd, bounds.memory)
    try:
        for position in range(len(properties)):
            yield PropertyInquiry(system, contest, position, bounds, chosen, reuse, judge, warnings)
    finally:
        contest.close()
        if judge is not None:
            judge.close()
        if reuse is not None:
            reuse.close()


def check(
    system: FlatSystem,
    properties: Sequence[Property],
    method: str = AUTO,
    options: SmvOptions | None = None,
    limits: Limits | None = None,
    certify: bool = True,
    progress: Progress = no_progress,
    judges: DeciderAndJudge | None = None,
) -> list[tuple[Property, PropertyResult]]:
    """The properties with their answers. ``limits`` are for each property. Raises InputError and UsageError."""
    posed = inquiries(system, properties, method, options, limits, judges)
    return list(decisions(posed, limits or Limits(), certify, progress))
