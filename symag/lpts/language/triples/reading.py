"""A file of triples as problems about the components of a system; its modules, labels and rewards are monitors.

A label reads the variables of one module, which is its monitor: where the label is true for the first time, the
property is violated. A reward structure has rewards of actions, whose conditions read the variables of one module at
most. A monitor never blocks: by an action that no command of its module allows it stays where it is.

If there is a lower bound in a file, all its triples are about fair schedulers (``symag.lpts.problems``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.source import SourceText, text_of_file
from symag.core.values import replace
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
from symag.lpts.language.prism.flatten import flattened
from symag.lpts.language.prism.parser import parse
from symag.lpts.language.prism.scope import Scope
from symag.lpts.language.prism.syntax import ConnectiveText, FormulaText, LabelText, MeasureText
from symag.lpts.language.prism.values import Irrational
from symag.lpts.language.triples.parser import TripleText, sections
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Limit, Monitor, Triple, TripleProblem
from symag.lpts.state_values import listed

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


_FORMS = 'P<=p [F "label"], P>=p [G !"label"] or R{"name"}<=r [C], each with <= or >='


def triple_texts(path: str) -> tuple[TripleText, ...]:
    """The triples of a file as they are written. Raises InputError."""
    return sections(SourceText.of(path, text_of_file(path)))[1]


def constants_of_triples(path: str) -> frozenset[str]:
    """The names of the constants of a file of triples. Raises InputError."""
    rest, _ = sections(SourceText.of(path, text_of_file(path)))
    return frozenset(constant.name for constant in parse(rest).constants)


def read_triples(path: str, constants: Mapping[str, str], components: Sequence[Lpts]) -> list[TripleProblem]:
    """A problem for each triple of a file, in order. Constants that the file does not have are ignored.

    Raises InputError with the position of what is wrong, and UsageError for the value of a constant.
    """
    rest, texts = sections(SourceText.of(path, text_of_file(path)))
    model, scope = flattened(rest, parse(rest), constants)
    return _Reading(model, scope, components).problems(texts)


class _Bound(Struct, frozen=True):
    """What is said of a monitor: its greatest expected cost, None where that is asked for; negated for lower bounds."""

    monitor: int
    most: Fraction | None
    complement: bool


class _Reading:
    def __init__(self, model: FlatModel, scope: Scope, components: Sequence[Lpts]) -> None:
        self._model = model
        self._scope = scope
        self._components = tuple(components)
        self._monitors: dict[tuple[str, bool], Monitor] = {}  # by name, and whether for lower bounds

    def problems(self, texts: Sequence[TripleText]) -> list[TripleProblem]:
        read = [self._triple(text) for text in texts]
        monitors = tuple(self._monitors.values())
        fair = any(monitor.negated for monitor in monitors)
        plan: list[Triple] = []
        problems: list[TripleProblem] = []
        for text, (assumed, members, guarantee) in zip(texts, read, strict=True):
            curve = any(bound.most is None for bound in assumed)
            if curve and fair:
                message = (
                    "a curve is about all schedulers, expected a file without lower bounds, which are about fair ones"
                )
                raise self._error(message, text.position)
            used = [*(bound.monitor for bound in assumed), guarantee.monitor]
            if text.components or assumed:
                numbers = tuple(dict.fromkeys(used))
                place = {number: index for index, number in enumerate(numbers)}
                limits = tuple(Limit(place[b.monitor], Fraction(1) if b.most is None else b.most) for b in assumed)
                chosen = tuple(monitors[number] for number in numbers)
                parts = tuple(self._components[number] for number in members)
                problem = TripleProblem(
                    parts,
                    chosen,
                    limits,
                    place[guarantee.monitor],
                    guarantee.most,
                    guarantee.complement,
                    curve,
                    (),
                    fair,
                )
                plan.append(Triple(members, tuple(bound.monitor for bound in assumed), guarantee.monitor))
            else:
                problem = TripleProblem(
                    self._components,
                    monitors,
                    (),
                    guarantee.monitor,
                    guarantee.most,
                    guarantee.complement,
                    plan=tuple(plan),
                    fair=fair,
                )
            problems.append(problem)
        return problems

    def _triple(self, text: TripleText) -> tuple[list[_Bound], tuple[int, ...], _Bound]:
        names = [component.name for component in self._components]
        members: list[int] = []
        for component in text.components:
            if component.name not in names:
                message = f"there is no component {component.name}, expected {listed(names)} or system"
                raise self._error(message, component.position)
            if names.index(component.name) in members:
                raise self._error(f"the component {component.name} is there twice", component.position)
            members.append(names.index(component.name))
        for bound in text.assumptions:
            if bound.optimum is not None:
                raise self._error(f"expected a bound, or {bound.letter}=? for a curve", bound.position)
        assumed = [self._bound(bound) for bound in text.assumptions]
        guarantee = self._bound(text.guarantee)
        open_bounds = [k for k, bound in enumerate(assumed) if bound.most is None]
        if open_bounds:
            message = "=? in an assumption asks for a curve: expected one assumption, and =? in the guarantee"
            if len(assumed) > 1 or guarantee.most is not None:
                raise self._error(message, text.assumptions[open_bounds[0]].position)
        return assumed, tuple(members) or tuple(range(len(names))), guarantee

    def _bound(self, text: MeasureText) -> _Bound:
        complement = text.letter == "P" and text.path.operator == "G"
        lower = (text.relation == ">=" or text.optimum == "min") != complement
        if text.bound is None and text.optimum is None:
            lower = False
        most = self._limit(text, complement)
        if lower and most is not None:
            most = -most
        if text.letter == "R":
            return _Bound(self._rewards(text, lower), most, False)
        if text.path.steps is not None:
            message = "steps of a component are not steps of the system, expected a monitor that counts an action"
            raise self._error(message, text.path.position)
        operand: FormulaText | None = text.path.operands[0] if text.path.operator in ("F", "G") else None
        if complement and isinstance(operand, ConnectiveText) and operand.operator == "!":
            operand = operand.operands[0]
        elif complement:
            operand = None
        if not isinstance(operand, LabelText):
            raise self._error(f"expected {_FORMS}", text.path.position)
        return _Bound(self._label(operand, lower), most, complement)

    def _limit(self, text: MeasureText, complement: bool) -> Fraction | None:
        if text.bound is None:
            return None
        if text.relation not in ("<=", ">="):
            raise self._error(f"expected <= or >=, as in {_FORMS}", text.position)
        value = self._scope.value(text.bound, "double", "the bound")
        if isinstance(value, Irrational):
            raise self._error("the bound is irrational, expected a fraction", text.position)
        bound = Fraction(value)
        if bound < 0 or (text.letter == "P" and bound > 1):
            kind = "a probability from 0 to 1" if text.letter == "P" else "0 or more"
            raise self._error(f"the bound is {bound}, expected {kind}", text.position)
        return 1 - bound if complement else bound

    def _label(self, label: LabelText, lower: bool) -> int:
        key = f'"{label.name}"'
        if (key, lower) not in self._monitors:
            known = [name for name, _ in self._model.labels]
            if label.name not in known:
                raise self._error(f"there is no label {key}, expected {listed(known)}", label.position)
            self._add(key, lower, label_monitor(self._model, label.name, label.position))
        return list(self._monitors).index((key, lower))

    def _add(self, key: str, lower: bool, monitor: Monitor) -> None:
        if lower:
            monitor = replace(monitor, costs=tuple(-cost for cost in monitor.costs), negated=True)
        self._monitors[key, lower] = monitor

    def _rewards(self, text: MeasureText, lower: bool) -> int:
        structures = {rewards.name: rewards for rewards in self._model.rewards}
        name = text.rewards if isinstance(text.rewards, str) else ""
        if text.rewards is None and len(structures) == 1:
            name = next(iter(structures))
        if isinstance(text.rewards, int) or name not in structures:
            known = listed(f'"{known_name}"' for known_name in structures)
            raise self._error(f'there is no reward structure "{name}", expected {known}', text.position)
        key = f'R{{"{name}"}}'
        if (key, lower) not in self._monitors:
            self._add(key, lower, reward_monitor(self._model, structures[name], text.position))
        return list(self._monitors).index((key, lower))

    def _error(self, message: str, position: int) -> InputError:
        return self._model.source.error(message, position)
