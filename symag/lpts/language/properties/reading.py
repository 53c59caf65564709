"""From a model's file and the texts of properties to questions about its states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from symag.core.errors import InputError, UsageError
from symag.core.limits import Progress, no_progress
from symag.core.source import SourceText, text_of_file
from symag.lpts.labels import BUILT_IN, built_in, without_deadlocks
from symag.lpts.language.prism.chain import resolved
from symag.lpts.language.prism.columns import Expressions
from symag.lpts.language.prism.exploration import explore
from symag.lpts.language.prism.flat import FlatVariable
from symag.lpts.language.prism.flatten import flattened, given_value
from symag.lpts.language.prism.parser import parse
from symag.lpts.language.prism.scope import Scope
from symag.lpts.language.prism.typed import EvaluationError, Typed, VariableValue
from symag.lpts.language.properties.meaning import Vocabulary, meaning
from symag.lpts.language.properties.rewards import rewards_of
from symag.lpts.language.properties.syntax import PropertiesText, PropertyText
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.quantitative import Mask, QuantitativeProblem, RewardStructure
from symag.lpts.readers import lists_states, read_states
from symag.lpts.state_values import StateValues


@dataclass(frozen=True, slots=True, eq=False)
class QuantitativeModel:
    """The states of one file: ``plain`` is as written, ``system`` without deadlocks; ``scope`` has its names.

    ``rewards`` computes the reward structure with a number; ``names`` are the names of these structures.
    """

    plain: Lpts
    system: Lpts
    deterministic: bool
    initial_states: int
    values: StateValues
    bounds: tuple[FlatVariable, ...]
    labels: Mapping[str, Callable[[], Mask]]
    scope: Scope
    names: tuple[str, ...]
    rewards: Callable[[int], RewardStructure]
    warnings: tuple[str, ...] = ()

    def problem(
        self, text: PropertyText, source: SourceText, definitions: PropertiesText | None
    ) -> QuantitativeProblem:
        """The problem that one property poses. Raises InputError with the position in ``source``."""
        scope = self.scope if definitions is None else _extended(self.scope, definitions, source)
        scope = replace(scope, source=source)
        labels = dict(self.labels)
        for label in () if definitions is None else definitions.labels:
            condition = scope.of_kind(label.value, "bool", "the label")
            labels[label.name] = partial(self._where, condition, source)
        actions = {name: partial(self._possible, number) for number, name in enumerate(self.plain.alphabet) if number}
        vocabulary = Vocabulary(
            scope, self.deterministic, labels, actions, self.names, lambda typed: self._where(typed, source)
        )
        try:
            formula, conditions, structures = meaning(text.formula, vocabulary)
        except RecursionError:
            raise InputError("the formula is nested too deeply", source.path) from None
        rewards = tuple(self.rewards(number) for number in structures)
        return QuantitativeProblem(self.system, self.initial_states, conditions, rewards, formula)

    def _possible(self, action: int) -> Mask:
        states = np.zeros(self.plain.states, dtype=bool)
        states[self.plain.source[self.plain.action == action]] = True
        return states

    def _where(self, condition: Typed, source: SourceText) -> Mask:
        try:
            truths = Expressions(self.bounds).compiled(condition)(lambda variable: self.values.columns[variable])
        except EvaluationError as error:
            raise source.error(str(error), error.position) from None
        return np.broadcast_to(truths, self.plain.states)


def read_quantitative(path: str, constants: Mapping[str, str], progress: Progress = no_progress) -> QuantitativeModel:
    """The states of a file, all modules together.

    Constants that the model does not have are ignored. Raises InputError, UsageError and MemoryError.
    """
    if lists_states(path):
        return _of_states(path)
    source = SourceText.of(path, text_of_file(path))
    try:
        text = parse(source)
        names = {constant.name for constant in text.constants}
        given = {name: value for name, value in constants.items() if name in names}
        model, scope = flattened(source, text, given)
    except RecursionError:
        raise InputError("an expression is nested too deeply", path) from None
    explored = explore(model, Path(path).stem, progress)
    plain, chain = explored.reached.lpts, model.type == "dtmc"
    labels: dict[str, Callable[[], Mask]]
    labels = {name: partial(explored.satisfying, condition) for name, condition in model.labels}
    count = explored.reached.initial_states
    return QuantitativeModel(
        plain,
        without_deadlocks(resolved(plain).lpts if chain else plain),
        chain,
        count,
        explored.state_values(),
        model.variables,
        {**labels, **_built_in(plain, count)},
        scope,
        tuple(reward.name for reward in model.rewards),
        lambda number: rewards_of(explored, model.rewards[number]),
    )


def _of_states(path: str) -> QuantitativeModel:
    named = read_states(path)
    lpts, values, count = named.lpts, named.values, named.initial_states
    labels = {name: partial(_mask, lpts, states) for name, states in named.labels}
    variables = tuple(
        FlatVariable(name, truth, int(column.min()), int(column.max()), int(column[0]), None)
        for name, truth, column in zip(values.names, values.is_bool, values.columns, strict=True)
    )
    reads = {
        variable.name: VariableValue(k, "bool" if variable.is_bool else "int") for k, variable in enumerate(variables)
    }
    scope = Scope(SourceText.of(path, ""), {}, {}, {}, reads)
    return QuantitativeModel(
        lpts,
        without_deadlocks(lpts),
        lpts.is_fully_probabilistic(),
        count,
        values,
        variables,
        {**labels, **_built_in(lpts, count)},
        scope,
        (),
        _no_rewards,
        named.warnings,
    )


def _no_rewards(number: int) -> RewardStructure:
    raise AssertionError(f"no structure has the number {number}")


def _built_in(lpts: Lpts, count: int) -> dict[str, Callable[[], Mask]]:
    return {name: partial(_mask, lpts, built_in(lpts, name, count)) for name in BUILT_IN}


def _mask(lpts: Lpts, states: Numbers) -> Mask:
    mask = np.zeros(lpts.states, dtype=bool)
    mask[states] = True
    return mask


def _extended(scope: Scope, definitions: PropertiesText, source: SourceText) -> Scope:
    """The scope with the constants and formulas of a file of properties."""
    constants, formulas = dict(scope.constants), dict(scope.formulas)
    for constant in definitions.constants:
        _check_new(constant.name, constant.position, {*constants, *formulas, *scope.variables}, source)
        constants[constant.name] = constant
    for formula in definitions.formulas:
        _check_new(formula.name, formula.position, {*constants, *formulas, *scope.variables}, source)
        formulas[formula.name] = formula
    return replace(scope, constants=constants, formulas=formulas)


def _check_new(name: str, position: int, known: Collection[str], source: SourceText) -> None:
    if name in known:
        raise source.error(f"the name {name} is defined twice", position)


def with_given(
    model: QuantitativeModel, definitions: Sequence[PropertiesText], constants: Mapping[str, str]
) -> QuantitativeModel:
    """The model with values for constants that files of properties leave open."""
    kinds = {constant.name: constant.type for text in definitions for constant in text.constants}
    given = dict(model.scope.given)
    for name, value in constants.items():
        if name in kinds:
            given[name] = given_value(name, value, kinds[name])
        elif name not in model.scope.constants:
            raise UsageError(f"--const {name}: there is no such constant in the model or its properties")
    return replace(model, scope=replace(model.scope, given=given))
