"""``symag convert`` for labelled transition systems: in Aldebaran's format, as a picture, or as FSP text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import click

from symag.core.errors import UsageError
from symag.core.limits import Progress
from symag.lts import Lts, Model, System, read
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
class QuotientWish:
    """Which parts are replaced (see ``LtsOptions``), and when to stop looking for a smaller quotient."""

    groups: tuple[str, ...]
    order: str | None
    steps: int | None
    abstraction: bool | None
    seconds: float | None
    progress: Progress
    report: Callable[[str], None]


def converted(
    path: str,
    components: Sequence[str],
    constants: Mapping[str, int],
    targets: Sequence[str],
    kind: str,
    unquoted: bool,
    silent: str,
    quotient: QuotientWish | None = None,
    equivalence: str | None = None,
) -> tuple[bytes, list[str]]:
    """The text, and warnings about what it leaves out; ``equivalence`` names an entry of MINIMAL.

    Raises InputError and UsageError.
    """
    if kind not in ("aut", "dot", "fsp"):
        message = f"{path}: a labelled transition system is not written as {kind}; use --to aut, dot or fsp"
        raise click.UsageError(message)
    model = read(path, components, constants)
    system = chosen_system(model, targets)
    warnings = model.warnings
    if quotient is not None:
        options = LtsOptions(
            steps=quotient.steps,
            abstraction=quotient.abstraction,
            group_names=quotient.groups,
            order_names=quotient.order,
        )
        found = with_quotient(system, options, quotient.seconds, quotient.progress)
        end = "the end of the refinement" if found.is_exact else "stopped before the refinement ended"
        quotient.report(f"quotient: {found.classes} of {found.states} states after {found.steps} steps, {end}")
        system = found.system
    is_process = quotient is None and system.name not in model.targets
    if kind == "fsp" and equivalence is None:
        return fsp_text(system).encode(), list(warnings)
    lts = system.components[0] if is_process else system.finished(system.product().lts)
    if equivalence is not None:
        lts = MINIMAL[equivalence](lts)
    if kind == "fsp":
        return fsp_text(System(system.name, (lts,), None, None, False, frozenset())).encode(), list(warnings)
    if kind == "dot":
        return transition_graph(lts).encode(), list(warnings)
    return text_of(lts, not unquoted, silent).encode(), [*warnings, *lost(lts)]


def chosen_system(model: Model, targets: Sequence[str]) -> System:
    """The one process with this name, or the only composite; a process that is none is a system by itself.

    Raises UsageError if there is no such process or if it is not clear which is meant, and InputError.
    """
    names = (*model.targets, *model.processes)
    known = f"there are {', '.join(names)}" if names else "the specification has none"
    if len(targets) > 1 or (not targets and len(model.targets) != 1):
        raise UsageError(f"choose one process with --target; {known}")
    name = targets[0] if targets else model.targets[0]
    if name not in names:
        raise UsageError(f"no process '{name}'; {known}")
    if name not in model.targets:
        return System(name, (model.process(name),), None, None, False, frozenset())
    return model.composite(name)
