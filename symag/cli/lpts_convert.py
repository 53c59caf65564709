"""``symag convert`` for probabilistic systems: PRISM's explicit files, DRN, or a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symag.core.errors import UsageError
from symag.lpts.convert.drn import drn_text
from symag.lpts.convert.explicit import labels_text, states_text, transitions_text
from symag.lpts.convert.picture import distribution_graph
from symag.lpts.valuations import NamedStates, named_states

#: The formats, also the suffixes of their files.
FORMATS = ("tra", "lab", "sta", "drn", "dot")


def converted_system(
    path: str,
    further: Sequence[str],
    constants: Mapping[str, str],
    alphabets: Mapping[str, Sequence[str]],
    kind: str,
    decimals: bool,
) -> tuple[bytes, list[str]]:
    """The text of the composition, and warnings. Raises InputError and UsageError."""
    if kind not in FORMATS:
        raise UsageError(f"{path}: a PRISM model is not written as {kind}; use --to {', '.join(FORMATS)}")
    found = named_states(path, further, constants, alphabets)
    return _text(found, kind, decimals).encode(), list(found.warnings)


def _text(found: NamedStates, kind: str, decimals: bool) -> str:
    if kind == "tra":
        return transitions_text(found.lpts, decimals)
    if kind == "lab":
        return labels_text(found.lpts, found.labels, found.initial_states)
    if kind == "sta":
        columns = [found.values.spelled(k) for k in range(len(found.values.names))]
        return states_text(found.values.names, columns, found.lpts.states)
    if kind == "drn":
        return drn_text(found.lpts, found.labels, found.initial_states)
    states = [found.values.state(number) for number in range(found.lpts.states)]
    names = [", ".join(f"{name}={value}" for name, value in state.items()) for state in states]
    return distribution_graph(found.lpts, names)
