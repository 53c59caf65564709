"""From files to probabilistic systems: PRISM's language, and formats that list states."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from msgspec import Struct, field

from symag.core.errors import InputError, UsageError
from symag.core.files import has_suffix
from symag.core.limits import Progress, no_progress
from symag.core.source import SourceText, text_of_file
from symag.core.values import replace
from symag.lpts.composition import composed
from symag.lpts.distributions import Probabilities
from symag.lpts.language.prism.components import name_of, split
from symag.lpts.language.prism.exploration import ExploredModel, explore
from symag.lpts.language.prism.flat import FlatModel
from symag.lpts.language.prism.flatten import flattened
from symag.lpts.language.prism.parser import parse
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.readers import PRISM_SUFFIXES, SUFFIXES_TEXT, lists_states, read_states
from symag.lpts.search import merged, used
from symag.lpts.state_values import (
    BUILT_IN,
    NamedStates,
    StateValues,
    built_in,
    started,
    starts,
    together,
    values_with_start,
    with_labels,
    with_start,
)


class ProbabilisticSystem(Struct, frozen=True, eq=False):
    """Components that run in parallel and share actions; their names are distinct.

    ``values`` are the values of variables in each component's states. ``labels`` are the names that formulas can read.
    """

    components: tuple[Lpts, ...]
    values: tuple[StateValues, ...]
    warnings: tuple[str, ...] = field(default=())
    labels: tuple[str, ...] = field(default=())

    def composed(self, progress: Progress) -> Lpts:
        """The composition of all components (the component itself if it is the only one)."""
        if len(self.components) == 1:
            return self.components[0]
        return composed(self.components, "system", progress).lpts


def read_model(path: str, constants: Mapping[str, str]) -> FlatModel:
    """The flat model of a PRISM file. Raises InputError, and UsageError for constants that do not fit."""
    return model_of_text(text_of_file(path), path, constants)


def model_of_text(text: str, path: str, constants: Mapping[str, str]) -> FlatModel:
    """The flat model of a PRISM text, which error messages call ``path``. Raises InputError and UsageError."""
    return _read(SourceText.of(path, text), constants)[0]


def _read(source: SourceText, constants: Mapping[str, str], known_only: bool = False) -> tuple[FlatModel, set[str]]:
    """The flat model and the names of its constants; with ``known_only``, others that are given are ignored."""
    try:
        text = parse(source)
        model, _ = flattened(source, text, constants, known_only)
        return model, {constant.name for constant in text.constants}
    except RecursionError:
        raise InputError("an expression is nested too deeply", source.path) from None


def read_system(
    path: str,
    further: Sequence[str] = (),
    constants: Mapping[str, str] | None = None,
    alphabets: Mapping[str, Sequence[str]] | None = None,
    progress: Progress = no_progress,
    labels: Collection[str] = (),
) -> ProbabilisticSystem:
    """The components of a system: the modules of one file or, if there are further files, each file as a whole.

    Modules that touch a common variable are one component. All modules are one component if one is wrong by itself
    (``_explored``), or if there are several initial states: then all components begin with the action that chooses
    among these (``symag.lpts.state_values``). ``constants`` are given to every file that has them. ``alphabets`` adds
    actions to components by name, which block these actions. ``labels`` become self-loops where a file has them
    (``symag.lpts.state_values``), and each file is one component. Raises InputError, UsageError and MemoryError.
    """
    constant_values = constants or {}
    paths = [path, *further]
    files = [_file(file, constant_values, len(paths) > 1, labels, progress) for file in paths]
    unknown = [name for name in constant_values if not any(name in file.constants for file in files)]
    if unknown:
        raise UsageError(f"--const {unknown[0]}: there is no such constant in {', '.join(paths)}")
    components = [lpts for file in files for lpts, _ in file.components]
    values = [named for file in files for _, named in file.components]
    if any(starts(lpts) for lpts in components):
        components, values = started(components, values)
    every = [name for file in files for name in file.labels]
    twice = [name for name in labels if every.count(name) > 1]
    if twice:
        raise UsageError(f'the label "{twice[0]}" is in several files; a formula reads labels that are in one only')
    warnings = tuple(warning for file in files for warning in file.warnings)
    named = tuple(_widened(_with_distinct_names(components), alphabets or {}))
    return ProbabilisticSystem(named, tuple(values), warnings, tuple(dict.fromkeys(every)))


def read_specification(path: str, constants: Mapping[str, str] | None = None, progress: Progress = no_progress) -> Lpts:
    """The LPTS of a whole file. Constants that the file does not have are ignored (the system may have them)."""
    return _file(path, constants or {}, True, (), progress).components[0][0]


class _File(Struct, frozen=True, eq=False):
    """The contents of a file: components with their states' values, warnings, and the names of constants and labels."""

    components: list[tuple[Lpts, StateValues]]
    labels: tuple[str, ...]
    warnings: list[str] = field(default_factory=list)
    constants: frozenset[str] = frozenset()


def _file(path: str, constants: Mapping[str, str], is_part: bool, labels: Collection[str], progress: Progress) -> _File:
    """The components of a file: only one if it ``is_part`` of a system, or if a formula reads ``labels``."""
    name = Path(path).stem
    if lists_states(path):
        return _file_of_states(path, name, labels)
    if not has_suffix(path, PRISM_SUFFIXES):
        raise InputError(f"expected a file that ends in {SUFFIXES_TEXT}", path)
    model, names = _read(SourceText.of(path, text_of_file(path)), constants, known_only=True)
    label_names = (*BUILT_IN, *(label for label, _ in model.labels))
    whole_model = ([explore(model, name_of(model), progress)], list[str]()) if labels else None
    explored, warnings = whole_model or _explored(path, model, progress)
    components = []
    for system in explored:
        lpts, count = component(system), system.reached.initial_states
        if labels:
            conditions = {label: condition for label, condition in model.labels if label in labels}
            states = {label: np.flatnonzero(system.satisfying(condition)) for label, condition in conditions.items()}
            lpts = with_labels(lpts, {**states, **_built_in(lpts, labels, count)})
        components.append(_with_all_initial_states(lpts, system.state_values(), count))
    if is_part and len(components) > 1:
        composition = composed([lpts for lpts, _ in components], name, progress)
        values = together([lpts.name for lpts, _ in components], [named for _, named in components], composition.local)
        components = [(composition.lpts, values)]
    if len(components) == 1:
        components = [(replace(components[0][0], name=name), components[0][1])]
    return _File(components, label_names, warnings, frozenset(names))


def _file_of_states(path: str, name: str, labels: Collection[str]) -> _File:
    """The component of a file that lists states."""
    named = read_states(path)
    lpts, count, beside = replace(named.lpts, name=name), named.initial_states, dict(named.labels)
    if labels:
        read = {label: states for label, states in beside.items() if label in labels}
        lpts = with_labels(lpts, {**read, **_built_in(lpts, labels, count)})
    components = [_with_all_initial_states(lpts, named.values, count)]
    return _File(components, (*BUILT_IN, *beside), list(named.warnings))


def _built_in(lpts: Lpts, labels: Collection[str], count: int) -> dict[str, Numbers]:
    return {name: built_in(lpts, name, count) for name in BUILT_IN if name in labels}


def _explored(path: str, model: FlatModel, progress: Progress) -> tuple[list[ExploredModel], list[str]]:
    """The components of a model, and warnings where modules have been joined.

    On its own, a component can reach states in which it is wrong, for example leaves a range, though the others prevent
    it. Then the whole model is one component. Raises InputError if that is wrong, too.
    """
    parts = split(model)
    try:
        explored = [explore(part, name_of(part), progress) for part in parts]
    except InputError as error:
        if len(parts) == 1:
            raise
        joint = explore(model, name_of(model), progress)
        return [joint], [f"{path}: all modules are one component, as not every one is right by itself: {error.message}"]
    return explored, [
        f"{path}: the modules {', '.join(module.name for module in part.modules)} share variables: one component"
        for part in parts
        if len(part.modules) > 1 and len(parts) > 1
    ]


def _with_all_initial_states(lpts: Lpts, values: StateValues, count: int) -> tuple[Lpts, StateValues]:
    return (with_start(lpts, count), values_with_start(values)) if count > 1 else (lpts, values)


def component(explored: ExploredModel) -> Lpts:
    """The LPTS of an explored model. A dtmc whose states choose between different actions is an InputError."""
    lpts = explored.reached.lpts
    if explored.model.type != "dtmc":
        return lpts
    chain = resolved(lpts)
    if len(chain.mixed):
        message = "in a dtmc, a state chooses among different actions; expected an mdp, or one action in each state"
        raise InputError(message, explored.model.source.path)
    return chain.lpts


def _with_distinct_names(components: Sequence[Lpts]) -> list[Lpts]:
    names = [lpts.name for lpts in components]
    counts: dict[str, int] = {}
    result: list[Lpts] = []
    for lpts in components:
        counts[lpts.name] = counts.get(lpts.name, 0) + 1
        repeated = names.count(lpts.name) > 1
        result.append(replace(lpts, name=f"{lpts.name}#{counts[lpts.name]}") if repeated else lpts)
    return result


def _widened(components: Sequence[Lpts], alphabets: Mapping[str, Sequence[str]]) -> list[Lpts]:
    names = [lpts.name for lpts in components]
    unknown = [name for name in alphabets if name not in names]
    if unknown:
        raise UsageError(f"there is no component '{unknown[0]}'; there are {', '.join(names)}")
    return [widened(lpts, alphabets.get(lpts.name, ())) for lpts in components]


def widened(lpts: Lpts, actions: Sequence[str]) -> Lpts:
    """The same transitions over a larger alphabet: the actions gained never happen."""
    return replace(lpts, alphabet=tuple(dict.fromkeys((*lpts.alphabet, *actions))))


class ResolvedChain(Struct, frozen=True, eq=False):
    """``lpts`` has at most one transition in each state; in ``mixed``, states of several actions, its action is ""."""

    lpts: Lpts
    mixed: Numbers


def resolved(lpts: Lpts) -> ResolvedChain:
    """A Markov chain: each state's moves become one, the mean of their distributions, as in PRISM."""
    offsets = lpts.offsets()
    count = np.diff(offsets)
    first = offsets[:-1][count > 0]
    source = lpts.source[first]
    lowest = lpts.action[first]
    highest = lpts.action[offsets[1:][count > 0] - 1]
    action = np.where(lowest == highest, lowest, 0)
    probabilities = Probabilities()
    numbers = np.array([probabilities.number(probability) for probability in lpts.probabilities], dtype=np.int64)
    shares = np.array([probabilities.number(Fraction(1, max(1, k))) for k in range(int(count.max(initial=0)) + 1)])
    owner = np.repeat(lpts.source, np.diff(lpts.begin))
    weight = probabilities.products(numbers[lpts.weight], shares[count[owner]])
    order = np.lexsort((lpts.target, owner))
    owner, target, weight = merged(owner[order], lpts.target[order], weight[order], probabilities)
    begin = np.concatenate((np.searchsorted(owner, source), [len(owner)]))
    weight, values = used(weight, probabilities)
    chain = Lpts(lpts.name, lpts.alphabet, lpts.states, source, action, begin, target, weight, values)
    return ResolvedChain(chain, source[lowest != highest])


def named_states(
    path: str,
    further: Sequence[str] = (),
    constants: Mapping[str, str] | None = None,
    alphabets: Mapping[str, Sequence[str]] | None = None,
    progress: Progress = no_progress,
) -> NamedStates:
    """One PRISM model as a whole, or the composition of components. Raises InputError, UsageError and MemoryError."""
    if has_suffix(path, PRISM_SUFFIXES) and not further and not alphabets:
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
