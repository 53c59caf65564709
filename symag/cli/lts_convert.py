"""``symag convert`` for labelled transition systems: one process in Aldebaran's format, or as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from symag.convert.lts_picture import transition_graph
from symag.errors import UsageError
from symag.lts import Lts, Model, read
from symag.lts.aldebaran import lost, text_of


def converted(
    path: str,
    components: Sequence[str],
    constants: Mapping[str, int],
    targets: Sequence[str],
    kind: str,
    unquoted: bool,
    silent: str,
) -> tuple[bytes, list[str]]:
    """The text, and warnings about what it leaves out. Raises InputError and UsageError."""
    if kind not in ("aut", "dot"):
        raise click.UsageError(f"{path}: a labelled transition system is not written as {kind}; use --to aut or dot")
    model = read(path, components, constants)
    lts = chosen_process(model, targets)
    if kind == "dot":
        return transition_graph(lts).encode(), list(model.warnings)
    return text_of(lts, not unquoted, silent).encode(), [*model.warnings, *lost(lts)]


def chosen_process(model: Model, targets: Sequence[str]) -> Lts:
    """The one process with this name, or the only composite; composites are composed, with what follows from that.

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
        return model.process(name)
    system = model.composite(name)
    return system.finished(system.product().lts)
