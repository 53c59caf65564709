"""A labelled transition system in Aldebaran's format, as a picture, or as FSP text: ``symag convert``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from symag.core.errors import UsageError
from symag.core.limits import Progress
from symag.core.reports import Conversion
from symag.lts import Lts, Model, System
from symag.lts.checking.quotient import with_quotient
from symag.lts.convert.formats import FORMATS
from symag.lts.convert.fsp_text import fsp_text
from symag.lts.convert.picture import transition_graph
from symag.lts.determinisation import determinised
from symag.lts.language.aldebaran import lost, text_of
from symag.lts.methods.options import LtsOptions
from symag.lts.minimisation import minimised, strongly_minimised

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
