"""A labelled transition system in Aldebaran's format, as a picture, or as FSP text: ``symag convert``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from symag.core.errors import UsageError
from symag.core.limits import Progress
from symag.core.reports import Conversion
from symag.lts import Lts, Model, System
from symag.lts.checking.quotient import with_quotient
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
    """Which parts are replaced (see ``LtsOptions``), and for how many seconds a smaller quotient is looked for."""

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
    is_process = quotient is None and system.name not in model.targets
    if form == "fsp" and equivalence is None:
        return Conversion(fsp_text(system).encode(), tuple(model.warnings), notes)
    lts = system.components[0] if is_process else system.finished(system.product().lts)
    if equivalence is not None:
        lts = MINIMAL[equivalence](lts)
    warnings = tuple(model.warnings)
    match form:
        case "fsp":
            text = fsp_text(System(system.name, (lts,), None, None, False, frozenset()))
        case "dot":
            text = transition_graph(lts)
        case _:
            text = text_of(lts, not unquoted, silent)
            warnings = (*warnings, *lost(lts))
    return Conversion(text.encode(), warnings, notes)


def chosen_system(model: Model, targets: Sequence[str]) -> System:
    """The one process with this name, or the only composite; a process that is none is a system by itself.

    Raises UsageError if there is no such process or if it is not clear which is meant, and InputError.
    """
    names = (*model.targets, *model.processes)
    existing = f"there are {', '.join(names)}" if names else "the specification has none"
    if len(targets) > 1 or (not targets and len(model.targets) != 1):
        raise UsageError(f"choose one process with --target; {existing}")
    name = targets[0] if targets else model.targets[0]
    if name not in names:
        raise UsageError(f"no process '{name}'; {existing}")
    if name not in model.targets:
        return System(name, (model.process(name),), None, None, False, frozenset())
    return model.composite(name)
