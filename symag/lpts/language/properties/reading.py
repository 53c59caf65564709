"""From a model's file and the texts of properties to questions about its states."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from symag.core.errors import InputError, UnsupportedError, UsageError
from symag.core.limits import Progress, no_progress
from symag.core.ranges import distinct, missing
from symag.core.source import SourceText, text_of_file
from symag.core.values import replace
from symag.lpts.language.prism.columns import Columns, Expressions
from symag.lpts.language.prism.exploration import ExploredModel, explore
from symag.lpts.language.prism.flat import EvaluationError, FlatReward, FlatRewards, FlatVariable, Typed, VariableValue
from symag.lpts.language.prism.flatten import flattened, given_value
from symag.lpts.language.prism.parser import parse
from symag.lpts.language.prism.scope import Scope
from symag.lpts.language.prism.syntax import PropertiesText, PropertyText
from symag.lpts.language.prism.values import Irrational
from symag.lpts.language.properties.meaning import Vocabulary, meaning
from symag.lpts.language.properties.names import Names
from symag.lpts.language.reading import resolved
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.problems import Mask, QuantitativeProblem, RewardStructure, Whole
from symag.lpts.readers import lists_states, read_states
from symag.lpts.state_values import BUILT_IN, StateValues, built_in, without_deadlocks


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
        """The problem that one property poses.

        Raises InputError with the position in ``source``, and UnsupportedError for what is not decided.
        """
        scope = self.scope if definitions is None else _extended(self.scope, definitions, source)
        scope = replace(scope, source=source)
        labels = dict(self.labels)
        for label in () if definitions is None else definitions.labels:
            condition = scope.of_kind(label.value, "bool", "the label")
            labels[label.name] = partial(self._where, condition, source)
        actions = {name: partial(self._possible, number) for number, name in enumerate(self.plain.alphabet) if number}
        others = () if definitions is None else definitions.properties
        beside = frozenset(other.name for other in others if other.name)
        names = Names(scope, labels, actions, self.names, beside)
        vocabulary = Vocabulary(names, self.deterministic, labels, actions, lambda typed: self._where(typed, source))
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
        model, scope = flattened(source, text, constants)
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


#: Sums of numerators of at least this size are kept as Python's integers.
_LARGE = 1 << 52


def rewards_of(explored: ExploredModel, rewards: FlatRewards) -> RewardStructure:
    """The rewards of the states and transitions of the explored system, each deadlock having a self-loop.

    In a dtmc, a state's only transition stands for all its moves, and earns the mean of their rewards. Raises
    UnsupportedError for rewards that are negative or not fractions.
    """
    lpts, source = explored.reached.lpts, explored.model.source
    expressions = Expressions(explored.model.variables)
    on_states: list[tuple[Numbers, Sequence[Fraction], Numbers]] = []
    on_moves: list[tuple[Numbers, Sequence[Fraction], Numbers]] = []
    for item in rewards.items:
        holds = explored.satisfying(item.guard)
        if item.action is None:
            places = states = np.flatnonzero(holds)
        else:
            if item.action not in lpts.alphabet:
                raise source.error(f"there is no action {item.action}", item.position)
            number = lpts.alphabet.index(item.action)
            places = np.flatnonzero((lpts.action == number) & holds[lpts.source])
            states = lpts.source[places]
        if len(places):
            values, which = _values(item, states, explored, expressions, source)
            (on_states if item.action is None else on_moves).append((places, values, which))
    denominator = math.lcm(*(v.denominator for _, values, _ in (*on_states, *on_moves) for v in values))
    state = _summed(lpts.states, denominator, on_states)
    moves = _summed(lpts.transitions, denominator, on_moves)
    if explored.model.type == "dtmc":
        return _of_chain(rewards.name, explored, state, moves, denominator)
    # A loop stands before the transitions of all later states.
    ends = missing(lpts.source, lpts.states)
    transition = np.zeros(lpts.transitions + len(ends), dtype=moves.dtype)
    transition[np.arange(lpts.transitions) + np.searchsorted(ends, lpts.source)] = moves
    return RewardStructure(rewards.name, state, transition, denominator)


def _of_chain(name: str, explored: ExploredModel, state: Whole, moves: Whole, denominator: int) -> RewardStructure:
    lpts = explored.reached.lpts
    count = np.bincount(lpts.source, minlength=lpts.states)
    common = math.lcm(*distinct(np.maximum(count, 1)).tolist())
    transition = np.zeros(lpts.states, dtype=object)
    np.add.at(transition, lpts.source, moves.astype(object))
    shares = np.array([common // max(1, number) for number in count.tolist()], dtype=object)
    return RewardStructure(
        name, _small(state.astype(object) * common), _small(transition * shares), denominator * common
    )


def _values(
    item: FlatReward, states: Numbers, explored: ExploredModel, expressions: Expressions, source: SourceText
) -> tuple[list[Fraction], Numbers]:
    """The distinct values of an item in some states, and which of them each state has."""
    columns = _columns(explored, states)
    try:
        values, which = expressions.table(item.value).values(columns)
    except EvaluationError as error:
        raise source.error(str(error), error.position) from None
    return [_reward(value, item, source) for value in values], np.broadcast_to(which, len(states))


def _columns(explored: ExploredModel, states: Numbers) -> Columns:
    return lambda variable: explored.values(variable)[states]


def _reward(value: object, item: FlatReward, source: SourceText) -> Fraction:
    if isinstance(value, Irrational) or not isinstance(value, int | Fraction):
        raise _wrong("irrational", item, source)
    if value < 0:
        raise _wrong(str(value), item, source)
    return Fraction(value)


def _wrong(what: str, item: FlatReward, source: SourceText) -> UnsupportedError:
    line, column = source.location(item.position)
    return UnsupportedError(f"a reward is {what} in a reachable state ({source.path}:{line}:{column})")


def _summed(length: int, denominator: int, parts: Sequence[tuple[Numbers, Sequence[Fraction], Numbers]]) -> Whole:
    """The sum of all parts at each place, as numerators."""
    largest = sum(max(int(v * denominator) for v in values) for _, values, _ in parts)
    total: Whole = np.zeros(length, dtype=object if largest >= _LARGE else np.int64)
    for places, values, which in parts:
        numerators = np.array([int(value * denominator) for value in values], dtype=total.dtype)
        total[places] += numerators[which]
    return total


def _small(numbers: Whole) -> Whole:
    fits = not len(numbers) or max(numbers.tolist()) < _LARGE
    return numbers.astype(np.int64) if fits else numbers
