"""A labelled transition system in Aldebaran's format, as a picture, or as FSP text: ``symag convert``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from msgspec import Struct

from symag.core.errors import UsageError
from symag.core.limits import Progress
from symag.core.reports import Conversion
from symag.lts import Model
from symag.lts.checking.by_parts import resolved_options
from symag.lts.convert.formats import FORMATS
from symag.lts.convert.fsp_text import fsp_text
from symag.lts.determinisation import determinised, minimised, strongly_minimised
from symag.lts.language.aldebaran import lost, text_of
from symag.lts.language.composites import System
from symag.lts.lts import ERROR, TAU, Lts
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.quotient.method import replacement
from symag.lts.safety_problem import SafetyProblem, safety_problem
from symag.traces.graphviz import quoted, transition_system

#: A smallest system that is strongly bisimilar, weakly bisimilar, or deterministic with the same traces.
MINIMAL: Mapping[str, Callable[[Lts], Lts]] = {
    "strong": strongly_minimised,
    "weak": minimised,
    "traces": lambda lts: strongly_minimised(determinised(lts)),
}


@dataclass(frozen=True, slots=True)
class QuotientRequest:
    """The parts that are replaced (see ``LtsOptions``), and the limit of the refinement in seconds."""

    options: LtsOptions
    seconds: float | None


def converted(
    model: Model,
    targets: Sequence[str],
    form: str,
    unquoted: bool,
    silent: str,
    equivalence: str | None,
    quotient: QuotientRequest | None,
    progress: Progress,
) -> Conversion:
    """A process in another format; ``equivalence`` names an entry of MINIMAL. Raises InputError and UsageError."""
    system = chosen_system(model, targets)
    notes: tuple[str, ...] = ()
    if quotient is not None:
        reduced = with_quotient(system, quotient.options, quotient.seconds, progress)
        end = "the end of the refinement" if reduced.is_exact else "stopped before the refinement ended"
        notes = (f"quotient: {reduced.classes} of {reduced.states} states after {reduced.steps} steps, {end}",)
        system = reduced.system
    process = WrittenProcess(system, quotient is None and system.name not in model.targets, not unquoted, silent)
    if equivalence is not None:
        process = replace(process, system=_alone(system.name, MINIMAL[equivalence](process.lts())), is_process=True)
    text, warnings = FORMATS[form].function()(process)
    return Conversion(text.encode(), (*model.warnings, *warnings), notes)


@dataclass(frozen=True, slots=True)
class WrittenProcess:
    """The process to write: a composite, or (``is_process``) the only component of the system.

    ``quoted`` and ``silent`` say how labels and the silent action are spelt, if the format allows several spellings.
    """

    system: System
    is_process: bool
    quoted: bool
    silent: str

    def lts(self) -> Lts:
        """The process as one system. Costs its composition."""
        return self.system.components[0] if self.is_process else self.system.finished(self.system.product().lts)


def aldebaran_text(process: WrittenProcess) -> tuple[str, Sequence[str]]:
    """Aldebaran's format."""
    lts = process.lts()
    return text_of(lts, process.quoted, process.silent), lost(lts)


def dot_text(process: WrittenProcess) -> tuple[str, Sequence[str]]:
    """A graph for Graphviz."""
    return transition_graph(process.lts()), ()


def process_text(process: WrittenProcess) -> tuple[str, Sequence[str]]:
    """FSP, with a process for each component."""
    return fsp_text(process.system), ()


def _alone(name: str, lts: Lts) -> System:
    return System(name, (lts,), None, None, False, frozenset())


def chosen_system(model: Model, targets: Sequence[str]) -> System:
    """The process with this name, or the only composite; a primitive process becomes a system of one component.

    Raises InputError, and UsageError if there is no such process or if several could be meant.
    """
    names = (*model.targets, *model.processes)
    existing = f"there are {', '.join(names)}" if names else "the specification has none"
    if len(targets) > 1 or (not targets and len(model.targets) != 1):
        raise UsageError(f"choose one process with --target; {existing}")
    name = targets[0] if targets else model.targets[0]
    if name not in names:
        raise UsageError(f"no process '{name}'; {existing}")
    if name not in model.targets:
        return _alone(name, model.process(name))
    return model.composite(name)


class WithQuotient(Struct, frozen=True, eq=False):
    """``system`` has the quotient as its last component. The replaced part has this many ``states``, the quotient this
    many ``classes``, after this many ``steps``; ``is_exact``: the refinement has reached its end.
    """

    system: System
    states: int
    classes: int
    steps: int
    is_exact: bool


def with_quotient(system: System, options: LtsOptions, seconds: float | None, progress: Progress) -> WithQuotient:
    """The system with a quotient: ERROR can be reached in it exactly if it can be in the given system.

    Nothing else is preserved, so nothing is hidden or minimised in it. Refinement runs to its end, or until
    ``options.steps`` or this many seconds are over. Raises UsageError, UnsupportedError and MemoryError.
    """
    problem = safety_problem(system)
    smaller = replacement(problem, resolved_options(problem, options, progress), progress, seconds)
    replaced = {problem.indices[number] for number in smaller.replaced}
    others = [lts for index, lts in enumerate(system.components) if index not in replaced]
    result = System(
        f"{system.name}_with_quotient",
        (*others, _failing(problem, smaller.quotient)),
        priority=None,
        hidden=None,
        expose=False,
        kinds=frozenset(),
    )
    return WithQuotient(result, smaller.n.states, smaller.quotient.states, smaller.steps, smaller.is_exact)


def _failing(problem: SafetyProblem, quotient: Lts) -> Lts:
    """The quotient with silent moves to ERROR instead of the fresh actions that replaced ERROR in components."""
    alphabet = [label for label in quotient.alphabet if label not in problem.failures]
    fails = np.array([label in problem.failures for label in quotient.alphabet])[quotient.action]
    number = {label: action for action, label in enumerate(alphabet)}
    action = np.array([number.get(label, TAU) for label in quotient.alphabet], dtype=np.int64)[quotient.action]
    target = np.where(fails, ERROR, quotient.target)
    return Lts.of_arrays("QUOTIENT", alphabet, quotient.states, quotient.source, action, target)


#: The largest number of labels of one arrow that are listed; then comes the number of the others.
MOST_LABELS = 12


def transition_graph(lts: Lts) -> str:
    """A node for each state: an arrow points at the initial one, END has two rings, ERROR is a filled box.

    One arrow from a state to another has the labels of all transitions between them.
    """
    states = []
    for state in range(lts.states):
        rings = ", peripheries=2" if state == lts.end else ""
        states.append(f'  {state} [label="{state}"{rings}];')
    if lts.has_error:
        states.append('  ERROR [shape=box, style=filled, fillcolor="#f4b6b6"];')
    arrows = []
    labels: dict[tuple[int, int], list[str]] = {}
    silent: set[tuple[int, int]] = set()
    for source, action, target in lts.triples():
        labels.setdefault((source, target), []).append(lts.alphabet[action])
        if action == TAU:
            silent.add((source, target))
    for (source, target), names in labels.items():
        text = ", ".join(names[:MOST_LABELS])
        if len(names) > MOST_LABELS:
            text += f", and {len(names) - MOST_LABELS} more"
        dashed = ", style=dashed" if (source, target) in silent and len(names) == 1 else ""
        arrows.append(f"  {source} -> {'ERROR' if target == ERROR else target} [label={quoted(text)}{dashed}];")
    return transition_system(lts.name, states, arrows)
