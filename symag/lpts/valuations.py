"""A probabilistic system as one LPTS, with its variables' values and its labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from symag.core.limits import Progress, no_progress
from symag.core.ranges import distinct
from symag.lpts.bisimulation import bisimulation_classes, quotient
from symag.lpts.composition import composed
from symag.lpts.language.prism.exploration import explore
from symag.lpts.language.reading import component, read_model, read_system
from symag.lpts.readers import PRISM_SUFFIXES, lists_states, read_states
from symag.lpts.state_values import NamedStates, StateValues, together


def named_states(
    path: str,
    further: Sequence[str] = (),
    constants: Mapping[str, str] | None = None,
    alphabets: Mapping[str, Sequence[str]] | None = None,
    progress: Progress = no_progress,
) -> NamedStates:
    """One PRISM model as a whole, or the composition of components. Raises InputError, UsageError and MemoryError."""
    if path.endswith(PRISM_SUFFIXES) and not further and not alphabets:
        model = read_model(path, constants or {})
        explored = explore(model, "system", progress)
        labels = tuple((name, np.flatnonzero(explored.satisfying(condition))) for name, condition in model.labels)
        return NamedStates(component(explored), explored.state_values(), labels, explored.reached.initial_states, ())
    if lists_states(path) and not further and not alphabets and not constants:
        return read_states(path)
    system = read_system(path, further, constants, alphabets, progress)
    composition = composed(system.components, "system", progress)
    values = together([part.name for part in system.components], system.values, composition.local)
    return NamedStates(composition.lpts, values, (), 1, system.warnings)


def minimised(named: NamedStates, progress: Progress = no_progress) -> NamedStates:
    """The smallest system that is strongly bisimilar, where bisimilar states have the same labels.

    A state has the values of the first of those that it stands for. Costs what ``bisimulation_classes`` does.
    """
    apart = np.zeros(named.lpts.states, dtype=np.int64)
    for _, states in named.labels:
        having = np.zeros(named.lpts.states, dtype=np.int64)
        having[states] = 1
        apart = np.unique(apart * 2 + having, return_inverse=True)[1].reshape(-1)
    classes = bisimulation_classes(named.lpts, progress, apart=apart)
    first = np.unique(classes, return_index=True)[1]
    values = StateValues(
        named.values.names, named.values.is_bool, tuple(column[first] for column in named.values.columns)
    )
    labels = tuple((name, distinct(classes[states])) for name, states in named.labels)
    initial_states = int(classes[: named.initial_states].max()) + 1
    return NamedStates(quotient(named.lpts, classes), values, labels, initial_states, named.warnings)
