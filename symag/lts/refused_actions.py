"""The components of a composition that an error trace violates: those that its last action takes to ERROR."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.trace import Trace
from symag.lts.lts import ERROR, Lts
from symag.lts.words import local_names


def violated_components(components: Sequence[Lts], trace: Trace) -> tuple[str, ...]:
    """The names of the components that the last action of a trace to ERROR violates; properties before processes.

    Empty if the trace lacks the local states.
    """
    if len(trace.steps) < 2:
        return ()
    before = trace.steps[-2]
    violated: list[tuple[bool, str]] = []
    for name, component in zip(local_names(components), components, strict=True):
        state = before.state.get(name)
        if before.action not in component.alphabet or not isinstance(state, int):
            continue
        action = component.alphabet.index(before.action)
        taken = (component.source == state) & (component.action == action)
        if (component.target[taken] == ERROR).any():
            violated.append((not component.is_property, name))
    return tuple(name for _, name in sorted(violated))
