"""A probabilistic system in PRISM's explicit files, as DRN, or as a picture: ``symag convert``."""

from __future__ import annotations

from symag.core.reports import Conversion
from symag.lpts.convert.drn import drn_text
from symag.lpts.convert.explicit import labels_text, states_text, transitions_text
from symag.lpts.convert.formats import FORMATS
from symag.lpts.convert.picture import distribution_graph
from symag.lpts.named_states import NamedStates


def converted(named: NamedStates, form: str, decimals: bool) -> Conversion:
    """A system in one of the formats of ``FORMATS``, with the readers' warnings."""
    return Conversion(FORMATS[form].function()(named, decimals).encode(), tuple(named.warnings))


def transitions(named: NamedStates, decimals: bool) -> str:
    """PRISM's .tra."""
    return transitions_text(named.lpts, decimals)


def labels(named: NamedStates, decimals: bool) -> str:
    """PRISM's .lab."""
    return labels_text(named.lpts, named.labels, named.initial_states)


def valuations(named: NamedStates, decimals: bool) -> str:
    """PRISM's .sta."""
    columns = [named.values.spelled(k) for k in range(len(named.values.names))]
    return states_text(named.values.names, columns, named.lpts.states)


def drn(named: NamedStates, decimals: bool) -> str:
    """Storm's explicit format."""
    return drn_text(named.lpts, named.labels, named.initial_states)


def picture(named: NamedStates, decimals: bool) -> str:
    """A graph for Graphviz."""
    states = [named.values.state(number) for number in range(named.lpts.states)]
    names = [", ".join(f"{name}={value}" for name, value in state.items()) for state in states]
    return distribution_graph(named.lpts, names)
