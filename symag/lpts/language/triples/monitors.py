"""The monitors of a file of triples: labels and reward structures as automata over actions.

A label reads the variables of one module, which is its monitor: where the label is true for the first time, the
property is violated. A reward structure has rewards of actions, whose conditions read the variables of one module at
most. A monitor never blocks: by an action that no command of its module allows it stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symag.core.errors import InputError
from symag.lpts.language.prism.components import module_alone
from symag.lpts.language.prism.exploration import ExploredModel, explore
from symag.lpts.language.prism.flat import (
    EvaluationError,
    FlatModel,
    FlatReward,
    FlatRewards,
    Typed,
    evaluate,
    variables_of,
)
from symag.lpts.language.prism.values import Irrational
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Monitor

_ONE = Fraction(1)
_Moves = list[tuple[int, int, dict[int, Fraction]]]


def label_monitor(model: FlatModel, label: str, position: int) -> Monitor:
    """The monitor of a label: the cost 1 when it is true for the first time.

    Raises InputError at ``position`` in the text unless the label reads one module and is false at the beginning, and
    for a module that is not a deterministic automaton.
    """
    condition = dict(model.labels)[label]
    module = _only_module(model, [condition], f'the label "{label}"', position)
    if module is None:
        raise model.source.error(f'the label "{label}" reads no variable, expected those of a module', position)
    alone, (inside,) = module_alone(model, module, [condition])
    explored = explore(alone, model.modules[module].name)
    violated = explored.satisfying(inside)
    if violated[0]:
        raise model.source.error(f'the label "{label}" is true at the beginning', position)
    lpts = explored.reached.lpts
    following = _following(explored)
    moves: _Moves = []
    costs: list[Fraction] = []
    for state in range(lpts.states):
        for action in range(1, len(lpts.alphabet)):
            target = state if violated[state] else following.get((state, action), state)
            moves.append((state, action, {target: _ONE}))
            costs.append(Fraction(bool(violated[target] and not violated[state])))
    return Monitor(f'"{label}"', Lpts.of(lpts.name, lpts.alphabet, lpts.states, moves), tuple(costs), True)


def reward_monitor(model: FlatModel, rewards: FlatRewards, position: int) -> Monitor:
    """The monitor of a reward structure: its cost is what the actions earn.

    Raises InputError for a reward of states, one that is negative or irrational, and for a module that is not a
    deterministic automaton.
    """
    for item in rewards.items:
        if not item.action:
            message = "the cost of a run is that of its actions, expected a reward such as [send] true : 1;"
            raise model.source.error(message, item.position)
    expressions = [expression for item in rewards.items for expression in (item.guard, item.value)]
    actions = tuple(dict.fromkeys(str(item.action) for item in rewards.items))
    module = _only_module(model, expressions, f'the rewards "{rewards.name}"', position)
    name = f'R{{"{rewards.name}"}}'
    if module is None:
        values = {
            action: sum((_earned(item, (), model) for item in rewards.items if item.action == action), Fraction())
            for action in actions
        }
        loops: _Moves = [(0, number, {0: _ONE}) for number in range(1, len(actions) + 1)]
        return Monitor(name, Lpts.of(rewards.name, ("", *actions), 1, loops), tuple(values[a] for a in actions), False)
    alone, inside = module_alone(model, module, expressions)
    items = [
        FlatReward(item.action, guard, value, item.position)
        for item, guard, value in zip(rewards.items, inside[::2], inside[1::2], strict=True)
    ]
    explored = explore(alone, model.modules[module].name)
    lpts = explored.reached.lpts
    following = _following(explored)
    alphabet = tuple(dict.fromkeys((*lpts.alphabet, *actions)))
    columns = [explored.values(variable).tolist() for variable in range(len(alone.variables))]
    moves: _Moves = []
    costs: list[Fraction] = []
    for state in range(lpts.states):
        valuation = [column[state] for column in columns]
        for number, action in enumerate(alphabet[1:], 1):
            moves.append((state, number, {following.get((state, number), state): _ONE}))
            earned = (_earned(item, valuation, model) for item in items if item.action == action)
            costs.append(sum(earned, Fraction()))
    return Monitor(name, Lpts.of(lpts.name, alphabet, lpts.states, moves), tuple(costs), False)


def _only_module(model: FlatModel, expressions: Sequence[Typed], what: str, position: int) -> int | None:
    """The module whose variables the expressions read, None if they read none."""
    read = {variable for expression in expressions for variable in variables_of(expression)}
    modules = {model.variables[variable].module for variable in read}
    if len(modules) > 1 or None in modules:
        message = f"{what} reads variables of {len(modules)} modules" if len(modules) > 1 else f"{what} reads a global"
        raise model.source.error(f"{message}, expected those of one module, the monitor", position)
    return next(iter(modules), None)


def _following(explored: ExploredModel) -> dict[tuple[int, int], int]:
    """The target of each state and action. Raises InputError unless the module is a deterministic automaton."""
    lpts, source = explored.reached.lpts, explored.model.source
    name = explored.model.modules[0].name
    result: dict[tuple[int, int], int] = {}
    for state, action, distribution in lpts.triples():
        command = next(c for c in explored.model.modules[0].commands if c.action == lpts.alphabet[action])
        if action == 0:
            message = f"the monitor {name} has a command without an action, expected actions that it watches"
            raise source.error(message, command.position)
        if len(distribution) > 1 or (state, action) in result:
            message = f"the monitor {name} is not deterministic: by {lpts.alphabet[action]} it has several successors"
            raise source.error(message, command.position)
        result[state, action] = next(iter(distribution))
    if explored.reached.initial_states != 1:
        raise InputError(f"the monitor {name} has several initial states, expected one", source.path)
    return result


def _earned(item: FlatReward, valuation: Sequence[int], model: FlatModel) -> Fraction:
    try:
        value = evaluate(item.value, valuation) if evaluate(item.guard, valuation) else 0
    except EvaluationError as error:
        raise model.source.error(str(error), error.position) from None
    if isinstance(value, Irrational) or not isinstance(value, int | Fraction) or value < 0:
        raise model.source.error(f"a cost is {value}, expected a fraction of at least 0", item.position)
    return Fraction(value)
