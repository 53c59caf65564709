"""From the syntax tree to the flat model: constants get values, modules are renamed, everything is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from symag.core.errors import UsageError
from symag.core.source import SourceText
from symag.core.values import replace
from symag.lpts.language.prism.components import moves_of
from symag.lpts.language.prism.flat import (
    FALSE,
    FlatCommand,
    FlatModel,
    FlatModule,
    FlatReward,
    FlatRewards,
    FlatUpdate,
    FlatVariable,
    Literal,
    Typed,
    VariableValue,
    wrong_sum,
)
from symag.lpts.language.prism.scope import Scope
from symag.lpts.language.prism.syntax import (
    Command,
    Constant,
    Formula,
    Label,
    ModelText,
    Module,
    RenamedModule,
    Rewards,
    Update,
    Variable,
)
from symag.lpts.language.prism.values import Irrational, Value
from symag.lpts.lpts import fraction_of
from symag.lpts.state_values import BUILT_IN

# As in PRISM, whose ints have 32 bits.
_LARGEST = 1 << 31


def flattened(
    source: SourceText, text: ModelText, given: Mapping[str, str], known_only: bool = True
) -> tuple[FlatModel, Scope]:
    """The flat model with these values of constants, and the scope in which formulas about it are read.

    Values of other constants are ignored if ``known_only``. Raises InputError, and UsageError for a wrong constant.
    """
    if known_only:
        names = {constant.name for constant in text.constants}
        given = {name: value for name, value in given.items() if name in names}
    flattening = _Flattening(source, text, given)
    return flattening.model(), flattening.scope


def given_value(name: str, text: str, kind: str) -> Value:
    """The value in ``--const name=text``; raises UsageError if it is not of this kind."""
    if kind == "bool" and text in ("true", "false"):
        return text == "true"
    try:
        if kind == "int":
            return int(text)
        if kind == "double":
            return fraction_of(text)
    except (ValueError, ZeroDivisionError):
        pass
    raise UsageError(
        f"--const {name}={text}: expected {'true or false' if kind == 'bool' else f'a value of type {kind}'}"
    )


class _Flattening:
    def __init__(self, source: SourceText, text: ModelText, constant_values: Mapping[str, str]) -> None:
        self.source = source
        self.text = text
        constants = {constant.name: constant for constant in text.constants}
        unknown = [name for name in constant_values if name not in constants]
        if unknown:
            existing = f"there are {', '.join(constants)}" if constants else "the model has none"
            raise UsageError(f"--const {unknown[0]}: there is no such constant; {existing}")
        values = {name: given_value(name, value, constants[name].type) for name, value in constant_values.items()}
        self.scope = Scope(source, constants, values, {formula.name: formula for formula in text.formulas})
        self._distinct_names()

    def model(self) -> FlatModel:
        for name in self.scope.constants:
            self.scope.constant(name)
        written = [self._module(parsed) for parsed in self.text.modules]
        self._declare(written)
        variables = [self._variable(variable, None, self.scope) for variable in self.text.variables]
        for index, (module, renaming) in enumerate(written):
            scope = replace(self.scope, renaming=renaming)
            variables += [self._variable(variable, index, scope) for variable in module.variables]
        modules = tuple(self._flat_module(index, *parts) for index, parts in enumerate(written))
        alphabet, moves = moves_of(self.source, modules, self.text.system)
        initial = self.text.initial
        return FlatModel(
            self.source,
            self.text.type,
            tuple(variables),
            modules,
            alphabet,
            moves,
            tuple((label.name, self.scope.of_kind(label.value, "bool", "the label")) for label in self.text.labels),
            None if initial is None else self.scope.of_kind(initial, "bool", "the condition of the initial states"),
            tuple(self._rewards(reward) for reward in self.text.rewards),
        )

    # -------------------------------------------------------------------------------------- names

    def _distinct_names(self) -> None:
        named: list[Constant | Formula | Variable] = [*self.text.constants, *self.text.formulas, *self.text.variables]
        named += [
            variable for module in self.text.modules if isinstance(module, Module) for variable in module.variables
        ]
        self._check_distinct(named, "the name {} is defined twice")
        self._check_distinct(self.text.modules, "there are two modules {}")
        self._check_distinct(
            [rewards for rewards in self.text.rewards if rewards.name], 'there are two reward structures "{}"'
        )
        for label in self.text.labels:
            if label.name in BUILT_IN:
                message = f'the label "{label.name}" is built in, expected another name'
                raise self.source.error(message, label.position)
        self._check_distinct(self.text.labels, 'there are two labels "{}"')

    def _check_distinct(
        self, items: Sequence[Constant | Formula | Variable | Module | RenamedModule | Rewards | Label], message: str
    ) -> None:
        """Raises InputError, with this message about its name, for the first item with the name of an earlier one."""
        seen: set[str] = set()
        for item in items:
            if item.name in seen:
                raise self.source.error(message.format(item.name), item.position)
            seen.add(item.name)

    def _module(
        self, module: Module | RenamedModule, open_names: tuple[str, ...] = ()
    ) -> tuple[Module, dict[str, str]]:
        """The module with its new variables and the commands that it is made from, and the renaming for these."""
        if isinstance(module, Module):
            return module, {}
        base = next((other for other in self.text.modules if other.name == module.base), None)
        if base is None or base.name in (*open_names, module.name):
            what = "is made of itself" if base is not None else "does not exist"
            message = f"the module {module.base} {what}, expected a module with commands"
            raise self.source.error(message, module.position)
        written, before = self._module(base, (*open_names, module.name))
        renaming: dict[str, str] = {}
        for old, new, position in module.names:
            if old in renaming:
                raise self.source.error(f"the name {old} is replaced twice", position)
            renaming[old] = new
        not_renamed = next((variable.name for variable in written.variables if variable.name not in renaming), None)
        if not_renamed is not None:
            message = f"the variable {not_renamed} of {base.name} needs a new name in {module.name}"
            raise self.source.error(message, module.position)
        variables = tuple(replace(variable, name=renaming[variable.name]) for variable in written.variables)
        both = {old: renaming.get(new, new) for old, new in before.items()}
        both |= {old: new for old, new in renaming.items() if old not in before}
        return Module(module.name, variables, written.commands, module.position), both

    def _declare(self, written: list[tuple[Module, dict[str, str]]]) -> None:
        """Number all variables, before any expression is typed."""
        self.modules_of: list[int | None] = [None] * len(self.text.variables)
        declared = list(self.text.variables)
        for index, (module, renaming) in enumerate(written):
            declared += module.variables
            self.modules_of += [index] * len(module.variables)
            for variable in module.variables if renaming else ():
                if variable.name in self.scope.constants or variable.name in self.scope.formulas:
                    raise self.source.error(f"the name {variable.name} is defined twice", module.position)
        reads: dict[str, VariableValue] = {}
        for number, variable in enumerate(declared):
            if variable.name in reads:
                raise self.source.error(f"the name {variable.name} is defined twice", variable.position)
            reads[variable.name] = VariableValue(number, "bool" if variable.low is None else "int")
        self.scope = replace(self.scope, variables=reads)

    # ------------------------------------------------------------------------------ variables, modules

    def _rewards(self, rewards: Rewards) -> FlatRewards:
        items = []
        for item in rewards.items:
            guard = self.scope.of_kind(item.guard, "bool", "the guard")
            value = self.scope.of_kind(item.value, "double", "the reward")
            items.append(FlatReward(item.action, guard, value, item.position))
        return FlatRewards(rewards.name, tuple(items))

    def _variable(self, variable: Variable, module: int | None, scope: Scope) -> FlatVariable:
        name = variable.name
        low, high, kind = 0, 1, "bool"
        if variable.low is not None and variable.high is not None:
            low = int(scope.value(variable.low, "int", f"the lower bound of {name}"))  # type: ignore[arg-type]  # typed: an int
            high = int(scope.value(variable.high, "int", f"the upper bound of {name}"))  # type: ignore[arg-type]  # typed: an int
            kind = "int"
        if not -_LARGEST <= low <= high < _LARGEST and low <= high:
            message = f"the range of {name} is [{low}..{high}], expected numbers of at most 31 bits"
            raise self.source.error(message, variable.position)
        if low > high:
            raise self.source.error(
                f"the range of {name} is [{low}..{high}], expected at least one value", variable.position
            )
        if variable.initial is None:
            return FlatVariable(name, kind == "bool", low, high, low, module)
        if self.text.initial is not None:
            message = f"{name} has an initial value and the model has init ... endinit, expected one of them"
            raise self.source.error(message, variable.position)
        initial = int(scope.value(variable.initial, kind, f"the initial value of {name}"))  # type: ignore[arg-type]  # typed: an int or a bool
        if not low <= initial <= high:
            message = f"the initial value of {name} is {initial}, expected {low}..{high}"
            raise scope.error_here(message, variable.initial)
        return FlatVariable(name, kind == "bool", low, high, initial, module)

    def _flat_module(self, index: int, module: Module, renaming: Mapping[str, str]) -> FlatModule:
        scope = replace(self.scope, renaming=renaming)
        commands = tuple(self._command(command, index, scope) for command in module.commands)
        alphabet = tuple(dict.fromkeys(command.action for command in commands if command.action))
        return FlatModule(module.name, commands, alphabet)

    def _command(self, command: Command, module: int, scope: Scope) -> FlatCommand:
        action = scope.renaming.get(command.action, command.action)
        guard = scope.of_kind(command.guard, "bool", "the guard")
        updates = tuple(self._update(update, command, module, scope) for update in command.updates)
        possible = tuple(update for update in updates if not _is_zero(update.probability))
        flat = FlatCommand(action, guard, possible, command.position)
        probabilities = None if guard == FALSE else flat.constant_probabilities()
        if probabilities is not None and sum(probabilities) != 1:
            message = wrong_sum(sum(probabilities, Fraction(0)))
            raise self.source.error(message, command.position)
        return flat

    def _update(self, update: Update, command: Command, module: int, scope: Scope) -> FlatUpdate:
        probability: Typed = Literal(1, "int")
        if update.probability is not None:
            probability = scope.of_kind(update.probability, "double", "the probability")
            if scope.of_kind(command.guard, "bool", "the guard") != FALSE:
                self._check_probability(probability, update)
        assignments: list[tuple[int, Typed, int]] = []
        for assignment in update.assignments:
            name = scope.renaming.get(assignment.name, assignment.name)
            read = scope.variables.get(name)
            if read is None:
                raise self.source.error(f"'{name}' is not a variable", assignment.position)
            owner = self.modules_of[read.variable]
            if owner is not None and owner != module:
                raise self.source.error(f"the variable {name} belongs to another module", assignment.position)
            if owner is None and command.action:
                message = f"a command with an action must not change the global variable {name}"
                raise self.source.error(message, assignment.position)
            if any(read.variable == other for other, _, _ in assignments):
                raise self.source.error(f"the variable {name} is assigned twice", assignment.position)
            value = scope.of_kind(assignment.value, read.kind, f"the new value of {name}")
            assignments.append((read.variable, value, assignment.position))
        return FlatUpdate(probability, tuple(assignments))

    def _check_probability(self, probability: Typed, update: Update) -> None:
        if not isinstance(probability, Literal):
            return
        if isinstance(probability.value, Irrational):
            raise self.source.error("the probability is irrational, expected an exact fraction", update.position)
        if not 0 <= probability.value <= 1:
            message = f"the probability is {probability.value}, expected a number from 0 to 1"
            raise self.source.error(message, update.position)


def _is_zero(probability: Typed) -> bool:
    return isinstance(probability, Literal) and probability.value == 0
