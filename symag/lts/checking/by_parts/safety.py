"""Decides one safety question by an assume-guarantee method; a word in the answer becomes a trace."""

from __future__ import annotations

from dataclasses import replace

from symag.core.errors import CertificationError, UsageError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.tables import Methods
from symag.core.trace import Trace
from symag.lts.certify.properties import check_run
from symag.lts.checking.methods import Decide
from symag.lts.language.composites import System
from symag.lts.methods.assumption_runs import run_along
from symag.lts.methods.balance import balanced
from symag.lts.methods.options import LtsOptions
from symag.lts.safety_problem import SafetyProblem, safety_problem
from symag.lts.words import realised


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
