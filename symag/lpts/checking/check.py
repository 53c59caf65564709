"""Is a composition of LPTSs simulated by a specification, or safe? Read, decided and re-checked in child processes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from symag.core.deadlines import Deadline, OutOfTimeError
from symag.core.errors import CertificationError, UsageError
from symag.core.evidence.quantitative_evidence import QuantitativeEvidence
from symag.core.evidence.refusals import Refusal, refused
from symag.core.evidence.simulation_evidence import Evidence, SafetyProof, SimulationProof, TreeCounterexample
from symag.core.limits import Limits, Progress, no_progress
from symag.core.methods import AUTO
from symag.core.results import PropertyResult, Verdict
from symag.core.source import SourceText, text_of_file
from symag.core.trace import Step, Trace
from symag.lpts.certify.files import write_simulation_evidence
from symag.lpts.certify.safety_formulas import check_bounds, check_violation
from symag.lpts.certify.simulations import check_proof, check_tree
from symag.lpts.checking.methods import METHODS, resolved
from symag.lpts.labels import check_names
from symag.lpts.language.pctl import Liveness, SafetyFormula
from symag.lpts.language.prism.parser import parse
from symag.lpts.language.reading import PRISM_SUFFIXES, ProbabilisticSystem, read_specification, read_system
from symag.lpts.lpts import Lpts
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.problem import SimulationOutcome, SimulationProblem
from symag.lpts.quantitative import QuantitativeProblem
from symag.lpts.starts import started, starts
from symag.lpts.state_values import StateValues, together
from symag.process.limited import limited, limited_recheck


@dataclass(frozen=True, slots=True)
class SimulationQuestion:
    """The question, with the members that all properties have; ``kind`` is ``simulation`` or ``pctl``.

    ``constants`` are the values of those of which several are asked for, ``place`` is the number of the property in its
    file.
    """

    text: str
    kind: str
    index: int = 0
    name: str | None = None
    line: int | None = None
    target: str | None = None
    constants: tuple[tuple[str, str], ...] = ()
    place: int = 0


@dataclass(frozen=True, slots=True)
class SimulationFiles:
    """Where a system and its specification come from: the files, constants, and alphabets widened by component.

    Either a file is the ``specification``, or there is the text of a ``formula``, or a file of ``properties``, of which
    ``selected`` are asked for (none: all), by name or number.
    """

    path: str
    further: tuple[str, ...]
    specification: str | None
    formula: str | None
    constants: Mapping[str, str]
    alphabets: Mapping[str, Sequence[str]]
    properties: str | None = None
    selected: tuple[str, ...] = ()

    @property
    def question(self) -> SimulationQuestion:
        """The question as an answer names it."""
        system = " || ".join((self.path, *self.further))
        if self.formula is not None:
            if "=?" in self.formula:
                return SimulationQuestion(f"{system}: {self.formula}", "pctl")
            return SimulationQuestion(f"{system} satisfies {self.formula}", "pctl")
        return SimulationQuestion(f"{system} is simulated by {self.specification}", "simulation")


@dataclass(frozen=True, slots=True)
class ReadProblem:
    """A problem, the readers' warnings, and what the states of the components are; or why reading did not finish."""

    problem: SimulationProblem | QuantitativeProblem | None
    warnings: tuple[str, ...] = ()
    values: tuple[StateValues, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerWithEvidence:
    """An answer with its evidence (None if there is none, because the verdict is unknown)."""

    result: PropertyResult
    evidence: Evidence | QuantitativeEvidence | None = None


def read_simulation(
    files: SimulationFiles, formula: SafetyFormula | None, limits: Limits, progress: Progress = no_progress
) -> ReadProblem:
    """The components, and the specification if there is no formula, read in a child process.

    Raises InputError and UsageError.
    """

    def work(report: Progress) -> tuple[SimulationProblem, ProbabilisticSystem] | None:
        labels = frozenset[str]() if formula is None else formula.labels()
        system = read_system(files.path, files.further, _of_system(files), files.alphabets, report, labels)
        if formula is not None:
            variables = {name for value in system.values for name in value.names}
            check_names(formula, system.components, system.labels, variables)
            problem = SimulationProblem(system.components, formula.violation)
            return None if starts(system.components[0]) else (problem, system)
        assert files.specification is not None
        specification = read_specification(files.specification, files.constants, report)
        if starts(specification) and not starts(system.components[0]):
            components, values = started(system.components, system.values)
            system = replace(system, components=tuple(components), values=tuple(values))
        return SimulationProblem(system.components, specification), system

    outcome = limited("reading", work, limits, progress)
    if outcome.value is None:
        no_answer = "unsupported: a formula is decided from one initial state, and there are several"
        return ReadProblem(None, reason=outcome.reason or no_answer)
    problem, system = outcome.value
    return ReadProblem(problem, system.warnings, system.values)


def _of_system(files: SimulationFiles) -> dict[str, str]:
    """The constants without those that only the specification has; one that no file has stays, to be refused."""
    if not files.constants or files.specification is None:
        return dict(files.constants)
    names = [_constants_of(path) for path in (files.path, *files.further)]
    only_there = _constants_of(files.specification).difference(*names)
    return {name: value for name, value in files.constants.items() if name not in only_there}


def _constants_of(path: str) -> set[str]:
    if not path.endswith(PRISM_SUFFIXES):
        return set()
    return {constant.name for constant in parse(SourceText.of(path, text_of_file(path))).constants}


def decide_simulation(
    problem: SimulationProblem,
    method: str = AUTO,
    options: LptsOptions | None = None,
    limits: Limits | None = None,
    certify: bool = True,
    progress: Progress = no_progress,
    values: Sequence[StateValues] = (),
    files: SimulationFiles | None = None,
) -> AnswerWithEvidence:
    """The answer; the limits are for the decision, and as much again for its re-check.

    With ``values`` of the components' states the trace shows these, else the numbers of the components' states.
    Evidence that is refused makes an unknown answer (see ``refusals``), which names the model of ``files``.
    Raises UsageError.
    """
    name, bounds = resolved(method), limits or Limits()
    if name not in METHODS.names():
        raise UsageError(f"method '{method}' is not for probabilistic systems; there are {', '.join(METHODS.names())}")
    tuning = _resolved_options(problem, options or LptsOptions())

    def work(report: Progress) -> SimulationOutcome:
        return METHODS.function(name)(problem, tuning, report)

    started = time.monotonic()
    outcome = limited(name, work, bounds, progress)
    costs = {"seconds": round(time.monotonic() - started, 4), "memory_mib": round(outcome.memory, 1)}
    if outcome.value is None:
        reason = outcome.reason or "no answer"
        return AnswerWithEvidence(PropertyResult(Verdict.UNKNOWN, name, reason=reason, statistics=costs))
    decided: SimulationOutcome = outcome.value
    statistics = {**decided.statistics, **costs}
    trace = None if decided.tree is None else trace_of(decided.tree, problem.components, values)
    result = PropertyResult(decided.verdict, name, trace=trace, certificate=decided.proof, statistics=statistics)
    evidence = decided.proof or decided.tree
    assert evidence is not None
    if not certify:
        return AnswerWithEvidence(result, evidence)
    try:
        return AnswerWithEvidence(_certified(problem, result, evidence, bounds, progress), evidence)
    except CertificationError as error:
        return AnswerWithEvidence(_refused(problem, result, evidence, error, files))


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
    """The components that a list such as ``server,2`` names, by name or number (from 0), in its order."""
    names = [component.name for component in components]
    chosen: dict[int, None] = {}
    for name in filter(None, (number.strip() for number in text.split(","))):
        if name in names:
            chosen[names.index(name)] = None
        elif name.isdecimal() and int(name) < len(names):
            chosen[int(name)] = None
        else:
            existing = ", ".join(f"{k} {component_name}" for k, component_name in enumerate(names))
            raise UsageError(f"no component '{name}'; there are {existing}")
    return tuple(chosen)


def recheck(problem: SimulationProblem, evidence: Evidence, limits: Limits, progress: Progress) -> str | None:
    """None if the evidence is accepted, else the reason why the re-check did not finish.

    Raises CertificationError for evidence that proves nothing.
    """

    def work(report: Progress) -> bool:
        report("re-checking the answer")
        deadline = Deadline(limits.seconds)
        try:
            _check(problem, evidence, deadline)
        except OutOfTimeError:
            return False
        return True

    outcome = limited_recheck("certify", work, limits, progress)
    return None if outcome.value else outcome.reason or "timeout"


def _check(problem: SimulationProblem, evidence: Evidence, deadline: Deadline) -> None:
    components, specification = problem.components, problem.specification
    match specification, evidence:
        case Lpts(), SimulationProof():
            check_proof(components, specification, evidence, deadline)
        case Lpts(), TreeCounterexample():
            check_tree(components, specification, evidence, deadline)
        case Liveness(), SafetyProof():
            check_bounds(components, specification, evidence, deadline)
        case Liveness(), TreeCounterexample():
            check_violation(components, specification, evidence, deadline)
        case _:
            raise CertificationError("the evidence is for another kind of property")


def _certified(
    problem: SimulationProblem,
    result: PropertyResult,
    evidence: Evidence,
    limits: Limits,
    progress: Progress,
) -> PropertyResult:
    started = time.monotonic()
    reason = recheck(problem, evidence, limits, progress)
    statistics = {**result.statistics, "certify_seconds": round(time.monotonic() - started, 4)}
    warnings = result.warnings
    if reason is not None:
        warnings = (*warnings, f"not certified: the re-check ended with: {reason}")
    return replace(result, certified=reason is None, statistics=statistics, warnings=warnings)


def _refused(
    problem: SimulationProblem,
    result: PropertyResult,
    evidence: Evidence,
    error: CertificationError,
    files: SimulationFiles | None,
) -> PropertyResult:
    path, text = ("system", "") if files is None else (files.path, files.question.text)
    why, _, details = str(error).partition("\n")

    def write(target: Path) -> None:
        write_simulation_evidence(target, path, text, problem.components, problem.specification, evidence)

    return refused(result, Refusal(path, 0, text, why, write, details))


def trace_of(tree: TreeCounterexample, components: Sequence[Lpts], values: Sequence[StateValues] = ()) -> Trace:
    """The tree in the words of traces: a step for each node, whose inputs say where it hangs.

    Its states are the ``values`` of the components' variables, or the numbers of the components' states.
    """
    names = [component.name for component in components]
    local_values = values or [StateValues.numbered(component.name, component.states) for component in components]
    local = np.array([node.local for node in tree.nodes], dtype=np.int64)
    states = together(names, local_values, local)
    steps = tuple(
        Step(
            states.state(number),
            {"parent": node.parent, "move": node.move, "probability": str(node.probability)},
            node.action,
        )
        for number, node in enumerate(tree.nodes)
    )
    return Trace("tree", steps)
