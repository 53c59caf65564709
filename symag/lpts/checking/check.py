"""Is a composition of LPTSs simulated by a specification, or safe? Read, decided and re-checked in child processes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from symag.core.errors import InputError
from symag.core.files import has_suffix
from symag.core.limits import Limits, Progress
from symag.core.source import SourceText, text_of_file
from symag.core.trace import Step, Trace
from symag.core.values import replace
from symag.lpts.certificates.assumptions import TreeCounterexample
from symag.lpts.certificates.equivalences import DistinguishingTree
from symag.lpts.language.prism.parser import parse
from symag.lpts.language.reading import ProbabilisticSystem, read_specification, read_system
from symag.lpts.lpts import Lpts, unshared_actions
from symag.lpts.problems import EquivalenceProblem, Problem, SafetyFormula, SimulationProblem
from symag.lpts.readers import PRISM_SUFFIXES
from symag.lpts.state_values import StateValues, check_names, started, starts, together
from symag.process.race import limited


class SimulationQuestion(Struct, frozen=True):
    """The question, with the members that all properties have; ``kind`` is ``simulation``, ``bisimulation``,
    ``mutual-simulation``, ``pctl`` or ``triple``.

    ``constants`` are this question's values of the constants that have several, ``place`` is the number of the
    property in its file.
    """

    text: str
    kind: str
    index: int = 0
    name: str | None = None
    line: int | None = None
    target: str | None = None
    constants: tuple[tuple[str, str], ...] = ()
    place: int = 0


class SimulationFiles(Struct, frozen=True):
    """Where a system and its question come from: files, values of constants, and actions added to alphabets.

    A question is a file as ``specification``, the text of a ``formula``, or a file of ``properties``, of which those
    ``selected`` by name or number are checked (none selected: all), a file of ``triples``, of which they are selected
    too; or nothing is asked yet.
    """

    path: str
    further: tuple[str, ...]
    specification: str | None
    formula: str | None
    constants: Mapping[str, str]
    alphabets: Mapping[str, Sequence[str]]
    properties: str | None = None
    selected: tuple[str, ...] = ()
    equivalence: Literal["bisimulation", "simulation"] | None = None
    triples: str | None = None

    def command(self, trace: str) -> str:
        """The command line that checks the same question and writes a trace."""
        words = ["symag", "check", self.path]
        options: list[tuple[str, str | None]] = [("--component", path) for path in self.further]
        options += [("--specification", self.specification), ("--formula", self.formula)]
        options += [("--equivalence", self.equivalence)]
        options += [("--const", f"{name}={value}") for name, value in self.constants.items()]
        options += [("--alphabet", f"{name}={','.join(actions)}") for name, actions in self.alphabets.items()]
        options.append(("--trace", trace))
        return shlex.join([*words, *(word for flag, value in options if value is not None for word in (flag, value))])

    @property
    def system(self) -> str:
        """What is read, in words."""
        return " || ".join((self.path, *self.further))

    @property
    def title(self) -> str:
        """What is read and asked, in words."""
        if self.properties is not None:
            return f"{self.system}, properties in {self.properties}"
        if self.triples is not None:
            return f"{self.system}, triples in {self.triples}"
        return self.system if self.formula is None and self.specification is None else self.question.text

    @property
    def question(self) -> SimulationQuestion:
        """The question with the text that answers show; there is a formula or a specification."""
        system = self.system
        if self.formula is not None:
            if "=?" in self.formula:
                return SimulationQuestion(f"{system}: {self.formula}", "pctl")
            return SimulationQuestion(f"{system} satisfies {self.formula}", "pctl")
        if self.equivalence == "bisimulation":
            return SimulationQuestion(f"{system} is bisimilar to {self.specification}", "bisimulation")
        if self.equivalence == "simulation":
            return SimulationQuestion(f"{system} and {self.specification} simulate each other", "mutual-simulation")
        return SimulationQuestion(f"{system} is simulated by {self.specification}", "simulation")


class ReadProblem(Struct, frozen=True):
    """A problem, the readers' warnings, and the values in the components' states.

    Or why there is none: ``reason`` says why reading did not finish, ``error`` what is wrong with the question.
    """

    problem: Problem | None
    warnings: tuple[str, ...] = ()
    values: tuple[StateValues, ...] = ()
    reason: str | None = None
    error: InputError | None = None

    def __post_init__(self) -> None:
        if (self.problem is None) != (self.reason is not None or self.error is not None):
            raise ValueError("there is a problem, or a reason or an error why there is none")


def read_simulation(
    files: SimulationFiles, formula: SafetyFormula | None, limits: Limits, progress: Progress
) -> ReadProblem:
    """The components, and the specification if there is no formula, read in a child process.

    Raises InputError and UsageError.
    """

    def work(report: Progress) -> tuple[SimulationProblem | EquivalenceProblem, ProbabilisticSystem] | None:
        labels = frozenset[str]() if formula is None else formula.labels()
        system = read_system(files.path, files.further, _system_constants(files), files.alphabets, report, labels)
        if formula is not None:
            variables = {name for value in system.values for name in value.names}
            check_names(formula, system.components, system.labels, variables)
            problem = SimulationProblem(system.components, formula.violation)
            return None if starts(system.components[0]) else (problem, system)
        assert files.specification is not None
        specification = read_specification(files.specification, files.constants, report)
        if files.equivalence is not None:
            unshared = unshared_actions(system.components, specification, files.specification)
            system = replace(system, warnings=(*system.warnings, *unshared))
            alike = starts(specification) == starts(system.components[0])
            return (EquivalenceProblem(system.components, specification, files.equivalence), system) if alike else None
        if starts(specification) and not starts(system.components[0]):
            components, values = started(system.components, system.values)
            system = replace(system, components=tuple(components), values=tuple(values))
        unshared = unshared_actions(system.components, specification, files.specification)
        system = replace(system, warnings=(*system.warnings, *unshared))
        return SimulationProblem(system.components, specification), system

    outcome = limited("reading", work, limits, progress)
    if outcome.value is None:
        no_answer = "unsupported: a formula is decided from one initial state, and there are several"
        if files.equivalence is not None:
            no_answer = "unsupported: one of the systems has several initial states, and the other has not"
        return ReadProblem(None, reason=outcome.reason or no_answer)
    problem, system = outcome.value
    return ReadProblem(problem, system.warnings, system.values)


def _system_constants(files: SimulationFiles) -> dict[str, str]:
    """The constants that not only the specification has; those that no file has stay, for the reader to refuse."""
    if not files.constants or files.specification is None:
        return dict(files.constants)
    only_there = _constants_of(files.specification) - constants_of_files((files.path, *files.further))
    return {name: value for name, value in files.constants.items() if name not in only_there}


def constants_of_files(paths: Sequence[str]) -> set[str]:
    """The names of all constants of some files. Raises InputError."""
    return set().union(*map(_constants_of, paths))


def _constants_of(path: str) -> set[str]:
    if not has_suffix(path, PRISM_SUFFIXES):
        return set()
    return {constant.name for constant in parse(SourceText.of(path, text_of_file(path))).constants}


def trace_of(tree: TreeCounterexample, components: Sequence[Lpts], values: Sequence[StateValues] = ()) -> Trace:
    """The tree as a trace: a step for each node, with its parent, move and probability as inputs.

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


def running(
    evidence: DistinguishingTree, problem: EquivalenceProblem, read: ReadProblem
) -> tuple[tuple[Lpts, ...], tuple[StateValues, ...]]:
    """The components that run a tree, and the values in their states as far as they are known."""
    return (problem.components, read.values) if evidence.side == "left" else ((problem.other,), ())
