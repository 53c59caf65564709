"""Decides one question by a method by parts; what the method finds becomes an answer with a run of the whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from symag.core.errors import CertificationError, UnsupportedError, UsageError
from symag.core.grouping import parts
from symag.core.limits import Progress
from symag.core.ranges import distinct
from symag.core.results import Evidence, PropertyResult, Reason, Verdict
from symag.core.tables import Methods
from symag.core.trace import Trace
from symag.core.values import replace
from symag.lts.certificates import WatchedReduction
from symag.lts.certify.liveness.watched_reduction import watched
from symag.lts.certify.properties import check_run
from symag.lts.language.fluents import Temporal, mentioned
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, TAU, Lts
from symag.lts.methods.groupings import balanced
from symag.lts.methods.liveness.method import decide_liveness
from symag.lts.methods.liveness.recurrence import ignoring_others, recurrence_monitor
from symag.lts.methods.options import AGAR, Decide, LtsOptions, kinds_decided
from symag.lts.methods.progress_on_disk import going_round
from symag.lts.methods.reduce.states import decide_states
from symag.lts.questions import CompositeQuestion
from symag.lts.safety_problem import SafetyProblem, joint_property, safety_problem
from symag.lts.words import realised, run_to


def numbers(problem: SafetyProblem, text: str) -> tuple[int, ...]:
    """The components that a list such as ``CLIENT,2,SYS`` names, in its order, none twice.

    A component is named by its number (from 0) or its name (for ``SYS.a:P`` the end ``a:P`` is enough); the name of a
    composite means all its components. Raises UsageError.
    """
    chosen: dict[int, None] = {}
    for name in filter(None, _names(text)):
        mine = [k for k, lts in enumerate(problem.components) if _is_called(lts.name, name)]
        if not mine and name.isdecimal() and int(name) < len(problem.components):
            mine = [int(name)]
        if not mine:
            existing = ", ".join(f"{k} {lts.name}" for k, lts in enumerate(problem.components))
            raise UsageError(f"no component '{name}'; there are {existing}")
        chosen.update(dict.fromkeys(mine))
    return tuple(chosen)


def _is_called(full: str, name: str) -> bool:
    return full == name or full.startswith(f"{name}.") or full.endswith(f".{name}")


def _names(text: str) -> list[str]:
    """The names between commas; commas inside brackets do not count: ``P(1,2),{a,b}::Q`` has two."""
    names, depth = [""], 0
    for character in text:
        depth += (character in "({[") - (character in ")}]")
        if character == "," and not depth:
            names.append("")
        else:
            names[-1] += character
    return [name.strip() for name in names]


def resolved_options(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> LtsOptions:
    """The options with the groups and the order of this problem's components. Raises UsageError."""
    if options.balance:
        groups = balanced(problem, progress)
        return replace(options, groups=groups, order=groups[0])
    groups = tuple(numbers(problem, text) for text in options.group_names)
    members = [number for group in groups for number in group]
    twice = [number for number in members if members.count(number) > 1]
    if twice:
        raise UsageError(f"component {twice[0]} {problem.components[twice[0]].name} is in two groups")
    order = () if options.order_names is None else numbers(problem, options.order_names)
    return replace(options, groups=groups, order=order)


def is_run(system: System, trace: Trace) -> bool:
    """Whether a trace, of the system without priorities, is a run with them too."""
    try:
        check_run(system, trace)
    except CertificationError:
        return False
    return True


def decide_by_parts(
    system: System,
    question: CompositeQuestion,
    method: str,
    options: LtsOptions,
    methods: Methods[Decide],
    progress: Progress,
) -> PropertyResult:
    """The answer of any method but the monolithic one; unknown for a kind that it does not decide. Raises as below."""
    kinds = kinds_decided(method)
    if question.kind not in kinds:
        reason = Reason.UNSUPPORTED.text(f"{method} decides {', '.join(kinds)} only")
        return PropertyResult(Verdict.UNKNOWN, method, reason=reason)
    if question.kind == "safety":
        return decide_safety(system, method, options, methods, progress)
    if method == AGAR:
        return decide_liveness_by_parts(system, question, options, progress)
    return decide_by_reduction(system, question, progress)


def decide_safety(
    system: System, method: str, options: LtsOptions, methods: Methods[Decide], progress: Progress
) -> PropertyResult:
    """Whether ERROR can be reached, by an assume-guarantee method.

    Methods by parts ignore priorities, which only remove runs: a property that holds without them holds, and a
    violation without them counts if it is a run of the system. Raises UsageError, UnsupportedError for a system that
    is not a safety problem, and CertificationError for a method whose word is not a violation.
    """
    problem = safety_problem(replace(system, priority=None))
    outcome = methods.function(method)(problem, resolved_options(problem, options, progress), progress)
    trace = None
    if outcome.word is not None:
        trace = realised(system, problem.observed(outcome.word))
        if trace is None:
            raise CertificationError(f"{method}: the word {' '.join(outcome.word)} leads nowhere near ERROR")
    statistics = {"components": len(problem.components), **outcome.statistics}
    if trace is not None and system.priority is not None and not is_run(system, trace):
        reason = "unsupported: without its priorities the system comes to ERROR; with them only monolithic decides"
        return PropertyResult(Verdict.UNKNOWN, method, reason=reason, statistics=statistics)
    labels = () if trace is None else tuple(step.action for step in trace.steps[:-1])
    return PropertyResult(
        outcome.verdict,
        method,
        assumption_runs=tuple(run_along(assumption, labels) for assumption in outcome.assumptions if trace is not None),
        reason=outcome.reason,
        trace=trace,
        certificate=outcome.certificate,
        statistics=statistics,
    )


_REDUCE = "reduce"


def decide_by_reduction(system: System, question: CompositeQuestion, progress: Progress) -> PropertyResult:
    """The answer, with the chain of steps or with a run, which need not be a shortest one.

    Priorities take moves away but never the last one of a state: without them the same states are deadlocks, and more
    can be reached. So freedom from deadlock is asked without them, and a deadlock counts if its run is one of the
    system. For progress they matter. Raises MemoryError.
    """
    if question.kind in ("progress", "assert") and system.priority is not None:
        reason = Reason.UNSUPPORTED.text(f"{_REDUCE} decides {question.kind} only without priorities")
        return PropertyResult(Verdict.UNKNOWN, _REDUCE, reason=reason)
    if question.formula is not None:
        return _proof_of_assertion(system, question, question.formula, progress)
    outcome = decide_states(replace(system, priority=None), question, progress)
    statistics = {"components": len(system.components), **outcome.statistics}
    if outcome.word is None:
        return _result(_REDUCE, outcome.reason, outcome.certificate, None, statistics)
    trace = run_to(replace(system, priority=None), outcome.word, outcome.states)
    if trace is None:
        raise CertificationError(f"{_REDUCE}: the word {' '.join(outcome.word)} does not lead to its state")
    if question.kind == "progress":
        trace = going_round(system, trace)
    elif system.priority is not None and not is_run(system, trace):
        reason = Reason.UNSUPPORTED.text("there is a deadlock without priorities; with them only monolithic decides")
        return PropertyResult(Verdict.UNKNOWN, _REDUCE, reason=reason, statistics=statistics)
    return _result(_REDUCE, None, None, trace, statistics)


def _proof_of_assertion(
    system: System, question: CompositeQuestion, formula: Temporal, progress: Progress
) -> PropertyResult:
    """The proof by the system with a monitor, made smaller; unknown if there is none. Raises MemoryError."""
    labels = {label for lts in system.components for label in lts.alphabet[1:]}
    reason: str | None = "an assertion about actions that no process has, or about all actions"
    try:
        monitor = ignoring_others(recurrence_monitor(formula)) if mentioned(formula) <= labels else None
    except UnsupportedError as error:
        monitor, reason = None, str(error)
    if monitor is None:
        return PropertyResult(Verdict.UNKNOWN, _REDUCE, reason=Reason.UNSUPPORTED.text(str(reason)))
    outcome = decide_states(*watched(system, question, monitor), progress)
    reason, certificate = outcome.reason, None
    if outcome.certificate is not None:
        certificate = WatchedReduction(monitor, outcome.certificate.steps, outcome.certificate.last)
    elif reason is None:
        reason = Reason.UNSUPPORTED.text(f"{_REDUCE} only proves assertions, and this one seems to be violated")
    statistics = {"components": len(system.components), **outcome.statistics}
    return _result(_REDUCE, reason, certificate, None, statistics)


def decide_liveness_by_parts(
    system: System, question: CompositeQuestion, options: LtsOptions, progress: Progress
) -> PropertyResult:
    """The answer, with the abstractions or with a run, which need not be a shortest one.

    All components of the system count, so they have the numbers that they have there. Raises UsageError,
    MemoryError.
    """
    if system.priority is not None:
        reason = Reason.UNSUPPORTED.text(f"{AGAR} decides {question.kind} only without priorities")
        return PropertyResult(Verdict.UNKNOWN, AGAR, reason=reason)
    problem = SafetyProblem(system.components, joint_property(()))
    arranged = resolved_options(problem, options, progress)
    members = parts(len(system.components), arranged.groups, arranged.order)
    try:
        outcome = decide_liveness(system, question, members, progress)
    except UnsupportedError as error:
        return PropertyResult(Verdict.UNKNOWN, AGAR, reason=Reason.UNSUPPORTED.text(str(error)))
    statistics = {"components": len(system.components), **outcome.statistics}
    return _result(AGAR, outcome.reason, outcome.certificate, outcome.trace, statistics)


def _result(
    method: str, reason: str | None, certificate: Evidence | None, trace: Trace | None, statistics: Mapping[str, Any]
) -> PropertyResult:
    """Unknown if there is a reason, else violated by a trace, or what the certificate proves."""
    verdict = Verdict.UNKNOWN if reason is not None else Verdict.HOLDS if trace is None else Verdict.VIOLATED
    return PropertyResult(verdict, method, reason, trace=trace, certificate=certificate, statistics=statistics)


def run_along(assumption: Lts, labels: Sequence[str | None]) -> tuple[str, ...]:
    """The states before each label of a word and after the last, as text; tau of the assumption happens unseen.

    Several states are shown as a set, and ``outside`` if the assumption does not allow the word so far. Labels that
    are not actions of the assumption change nothing. Costs a look at every transition for each label.
    """
    number = {label: action for action, label in enumerate(assumption.alphabet) if action}
    states = _with_tau(assumption, {0})
    texts = [_text(states)]
    for label in labels:
        action = None if label is None else number.get(label)
        if action is not None:
            states = _with_tau(assumption, _after(assumption, states, action))
        texts.append(_text(states))
    return tuple(texts)


def _after(assumption: Lts, states: Iterable[int], action: int) -> set[int]:
    chosen = (assumption.action == action) & np.isin(assumption.source, list(states))
    return {int(state) for state in distinct(assumption.target[chosen]) if state != ERROR}


def _with_tau(assumption: Lts, states: set[int]) -> set[int]:
    reached, frontier = set(states), set(states)
    while frontier:
        frontier = _after(assumption, frontier, TAU) - reached
        reached |= frontier
    return reached


def _text(states: Collection[int]) -> str:
    shown = ", ".join(map(str, sorted(states)))
    return "outside" if not states else shown if len(states) == 1 else f"{{{shown}}}"
