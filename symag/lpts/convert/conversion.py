"""A probabilistic system in PRISM's explicit files, as DRN, or as a picture: ``symag convert``."""

from __future__ import annotations

from symag.core.reports import Conversion
from symag.lpts.convert.drn import drn_text
from symag.lpts.convert.explicit import labels_text, states_text, transitions_text
from symag.lpts.convert.picture import distribution_graph
from symag.lpts.valuations import NamedStates


def converted(named: NamedStates, form: str, decimals: bool) -> Conversion:
    """A system in another format; ``form`` is a suffix without its dot."""
    return Conversion(_text(named, form, decimals).encode(), tuple(named.warnings))


def _text(named: NamedStates, kind: str, decimals: bool) -> str:
    if kind == "tra":
        return transitions_text(named.lpts, decimals)
    if kind == "lab":
        return labels_text(named.lpts, named.labels, named.initial_states)
    if kind == "sta":
        columns = [named.values.spelled(k) for k in range(len(named.values.names))]
        return states_text(named.values.names, columns, named.lpts.states)
    if kind == "drn":
        return drn_text(named.lpts, named.labels, named.initial_states)
    states = [named.values.state(number) for number in range(named.lpts.states)]
    names = [", ".join(f"{name}={value}" for name, value in state.items()) for state in states]
    return distribution_graph(named.lpts, names)
