"""The components of a flat model: modules that read or write a variable together stay together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.core.values import replace
from symag.lpts.language.prism.columns import Expressions
from symag.lpts.language.prism.flat import (
    Application,
    EvaluationError,
    FlatCommand,
    FlatModel,
    FlatModule,
    FlatUpdate,
    JointMove,
    Typed,
    VariableValue,
    conjuncts,
    variables_of,
)
from symag.lpts.language.prism.syntax import (
    ActionName,
    HiddenActions,
    ModuleName,
    Parallel,
    RenamedActions,
    SystemExpression,
)
from symag.lpts.lpts import Numbers

#: For each action (not "") the sets of modules, each with its own action, that can make it happen.
_Ways = dict[str, list[tuple[tuple[int, str], ...]]]


def _new_names(system: SystemExpression) -> frozenset[str]:
    """The actions that are new names of others."""
    match system:
        case ModuleName():
            return frozenset()
        case Parallel(left, right, _):
            return _new_names(left) | _new_names(right)
        case HiddenActions(inner, _):
            return _new_names(inner)
        case RenamedActions(inner, names):
            return _new_names(inner) | {new for _, new in names}


def moves_of(
    source: SourceText, modules: Sequence[FlatModule], system: SystemExpression | None
) -> tuple[tuple[str, ...], tuple[JointMove, ...]]:
    """The alphabet (with "" first) and all moves.

    Raises InputError for modules that are missing or occur twice, and for actions that nothing has.
    An action that no longer has a way to happen stays in the alphabet: it is blocked.
    """
    silent: list[tuple[tuple[int, str], ...]] = [((index, ""),) for index in range(len(modules))]
    if system is None:
        ways: _Ways = {}
        for index, module in enumerate(modules):
            ways = _parallel(ways, _of_module(index, module), None)
    else:
        used: list[int] = []
        ways = _Finding(source, modules, silent, used, _new_names(system)).ways(system)
        missing = [module.name for index, module in enumerate(modules) if index not in used]
        if missing:
            raise source.error(f"the module {missing[0]} is not in the system", source.text.find("endsystem"))
    moves = [JointMove("", way) for way in silent]
    moves += [JointMove(action, way) for action, choices in ways.items() for way in choices]
    return ("", *ways), tuple(moves)


def _of_module(index: int, module: FlatModule) -> _Ways:
    return {action: [((index, action),)] for action in module.alphabet}


def _parallel(left: _Ways, right: _Ways, actions: Sequence[str] | None) -> _Ways:
    shared = [action for action in left if action in right] if actions is None else actions
    alone = {
        action: [*left.get(action, ()), *right.get(action, ())]
        for action in dict.fromkeys((*left, *right))
        if action not in shared
    }
    together = {action: [a + b for a in left.get(action, ()) for b in right.get(action, ())] for action in shared}
    return {
        action: together[action] if action in together else alone[action] for action in dict.fromkeys((*left, *right))
    }


class _Finding:
    def __init__(
        self,
        source: SourceText,
        modules: Sequence[FlatModule],
        silent: list[tuple[tuple[int, str], ...]],
        used: list[int],
        new_names: frozenset[str],
    ) -> None:
        self.source = source
        self.modules = modules
        self.silent = silent
        self.used = used
        self.actions = new_names.union(*(module.alphabet for module in modules))

    def ways(self, system: SystemExpression) -> _Ways:
        match system:
            case ModuleName(name, position):
                return self._module(name, position)
            case Parallel(left, right, actions):
                shared = None if actions is None else self._existing(actions)
                return _parallel(self.ways(left), self.ways(right), shared)
            case HiddenActions(inner, actions):
                ways = self.ways(inner)
                for action in self._existing(actions):
                    self.silent += ways.pop(action, [])
                return ways
            case RenamedActions(inner, names):
                self._existing([old for old, _ in names])
                new = {old.name: name for old, name in names}
                ways = {}
                for action, choices in self.ways(inner).items():
                    ways.setdefault(new.get(action, action), []).extend(choices)
                return ways

    def _existing(self, actions: Sequence[ActionName]) -> list[str]:
        """The names of the actions, each once. Raises InputError for one that nothing has."""
        missing = next((action for action in actions if action.name not in self.actions), None)
        if missing is not None:
            raise self.source.error(f"there is no action {missing.name}", missing.position)
        return list(dict.fromkeys(action.name for action in actions))

    def _module(self, name: str, position: int) -> _Ways:
        index = next((k for k, module in enumerate(self.modules) if module.name == name), None)
        if index is None:
            raise self.source.error(f"there is no module '{name}'", position)
        if index in self.used:
            raise self.source.error(f"the module {name} is in the system twice", position)
        self.used.append(index)
        return _of_module(index, self.modules[index])


def split(model: FlatModel) -> tuple[FlatModel, ...]:
    """Models of one or more modules each, whose parallel composition on shared actions is the model.

    Some models are one component: those whose ``system`` does more than share all actions, a dtmc (it chooses for the
    whole system at once), and those with several initial states. Raises InputError if there is no initial state.
    """
    states = initial_states(model)
    if len(states) > 1:
        return (model,)
    located = _with_initial_state(model, states[0].tolist())
    plain = moves_of(model.source, model.modules, None)
    if model.type == "dtmc" or _shapes(plain[1]) != _shapes(model.moves):
        return (located,)
    return tuple(_part(located, modules) for modules in _groups(located))


def name_of(model: FlatModel) -> str:
    """The names of the modules, joined by a plus sign."""
    return "+".join(module.name for module in model.modules)


def _with_initial_state(model: FlatModel, state: Sequence[int]) -> FlatModel:
    variables = tuple(replace(variable, initial=value) for variable, value in zip(model.variables, state, strict=True))
    return replace(model, variables=variables, initial=None)


def _shapes(moves: Sequence[JointMove]) -> set[tuple[str, frozenset[tuple[int, str]]]]:
    return {(move.action, frozenset(move.parts)) for move in moves}


def _groups(model: FlatModel) -> list[list[int]]:
    """The modules, in their order, joined where they touch a common variable."""
    group = list(range(len(model.modules)))
    owner = {k: variable.module for k, variable in enumerate(model.variables) if variable.module is not None}
    for index, module in enumerate(model.modules):
        for variable in sorted(_touched(module)):
            other = owner.setdefault(variable, index)
            low, high = sorted((group[index], group[other]))
            group = [low if number == high else number for number in group]
    return [[k for k, number in enumerate(group) if number == first] for first in sorted(set(group))]


def _touched(module: FlatModule) -> set[int]:
    touched: set[int] = set()
    for command in module.commands:
        touched |= variables_of(command.guard)
        for update in command.updates:
            touched |= variables_of(update.probability)
            for variable, value, _ in update.assignments:
                touched |= {variable, *variables_of(value)}
    return touched


def _part(model: FlatModel, modules: Sequence[int]) -> FlatModel:
    touched = set().union(*(_touched(model.modules[k]) for k in modules))
    kept = [k for k, variable in enumerate(model.variables) if k in touched or variable.module in modules]
    number = {variable: index for index, variable in enumerate(kept)}
    variables = tuple(
        replace(variable, module=None if variable.module is None else modules.index(variable.module))
        for variable in (model.variables[k] for k in kept)
    )
    part = tuple(_renumbered(model.modules[k], number) for k in modules)
    alphabet, moves = moves_of(model.source, part, None)
    return replace(model, variables=variables, modules=part, alphabet=alphabet, moves=moves, labels=(), rewards=())


def module_alone(model: FlatModel, module: int, conditions: Sequence[Typed]) -> tuple[FlatModel, tuple[Typed, ...]]:
    """The model of one module, and these conditions over its variables as conditions of that model.

    Raises InputError if the module touches a variable of another one, or a condition does.
    """
    touched = _touched(model.modules[module])
    foreign = next((k for k in sorted(touched) if model.variables[k].module not in (None, module)), None)
    if foreign is not None:
        name, other = model.modules[module].name, model.variables[foreign].name
        raise InputError(f"the module {name} touches the variable {other} of another module", model.source.path)
    kept = [k for k, variable in enumerate(model.variables) if k in touched or variable.module == module]
    number = {variable: index for index, variable in enumerate(kept)}
    read = {variable for condition in conditions for variable in variables_of(condition)}
    outside = next((k for k in sorted(read) if k not in number), None)
    if outside is not None:
        name = model.variables[outside].name
        raise InputError(
            f"the variable {name} is not one of the module {model.modules[module].name}", model.source.path
        )
    return _part(model, [module]), tuple(_expression(condition, number) for condition in conditions)


def _renumbered(module: FlatModule, number: Mapping[int, int]) -> FlatModule:
    return replace(module, commands=tuple(_command(command, number) for command in module.commands))


def _command(command: FlatCommand, number: Mapping[int, int]) -> FlatCommand:
    updates = tuple(
        FlatUpdate(
            _expression(update.probability, number),
            tuple((number[k], _expression(value, number), position) for k, value, position in update.assignments),
        )
        for update in command.updates
    )
    return replace(command, guard=_expression(command.guard, number), updates=updates)


def _expression(expression: Typed, number: Mapping[int, int]) -> Typed:
    match expression:
        case VariableValue(variable, _):
            return replace(expression, variable=number[variable])
        case Application(_, operands, _, _):
            return replace(expression, operands=tuple(_expression(operand, number) for operand in operands))
        case _:
            return expression


_MOST_CANDIDATES = 1 << 23


def initial_states(model: FlatModel) -> Numbers:
    """Rows with a value for each variable, in lexicographic order.

    The variables get their values one after the other; each conjunct of the condition is checked as soon as its
    variables have values. Raises InputError if there is no row, or for more than 2**23 candidates at a time.
    """
    if model.initial is None:
        return np.array([[variable.initial for variable in model.variables]], dtype=np.int64)
    expressions = Expressions(model.variables)
    waiting = [(max(variables_of(part), default=-1), part) for part in conjuncts(model.initial)]
    rows = np.zeros((1, 0), dtype=np.int64)
    position = model.source.text.find("endinit")
    for number, variable in [(-1, None), *enumerate(model.variables)]:
        if variable is not None:
            size = variable.high - variable.low + 1
            if len(rows) * size > _MOST_CANDIDATES:
                raise model.source.error("there are too many candidates for an initial state", position)
            values = np.tile(np.arange(variable.low, variable.high + 1), len(rows))
            rows = np.column_stack((np.repeat(rows, size, axis=0), values))
        for last, part in waiting:
            if last == number:
                try:
                    holds = expressions.compiled(part)(_columns(rows))
                except EvaluationError as error:
                    raise model.source.error(str(error), error.position) from None
                rows = rows[np.broadcast_to(holds, len(rows))]
    if not len(rows):
        raise model.source.error("no state satisfies the condition of the initial states", position)
    return rows


def _columns(rows: Numbers) -> Callable[[int], Numbers]:
    return lambda variable: rows[:, variable]
