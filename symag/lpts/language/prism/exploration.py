"""The states of a flat PRISM model, breadth first: guards and updates of whole batches of states at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.errors import InputError
from symag.core.limits import Progress, no_progress
from symag.core.state_table import Packing, Words
from symag.lpts.distributions import MoveBatch, Probabilities, concatenated, joined, ordered
from symag.lpts.language.prism.columns import Columns, Compiled, Expressions
from symag.lpts.language.prism.components import initial_states
from symag.lpts.language.prism.flat import EvaluationError, FlatCommand, FlatModel, Literal, Typed, conjuncts, wrong_sum
from symag.lpts.lpts import Numbers
from symag.lpts.search import ExploredSystem, reached
from symag.lpts.state_values import StateValues


class ExploredModel(Struct, frozen=True, eq=False):
    """The reachable states of a model as ``reached.lpts``; ``values`` gives the variables' values in its states."""

    model: FlatModel
    packing: Packing
    reached: ExploredSystem

    def values(self, variable: int) -> Numbers:
        """The value of a variable in every state (0 and 1 for bool)."""
        return self.packing.column(self.reached.words, variable) + self.model.variables[variable].low

    def state_values(self) -> StateValues:
        """The values of all variables in all states."""
        variables = self.model.variables
        return StateValues(
            tuple(variable.name for variable in variables),
            tuple(variable.is_bool for variable in variables),
            tuple(self.values(k) for k in range(len(variables))),
        )

    def satisfying(self, condition: Typed) -> NDArray[np.bool_]:
        """The states where a condition holds, such as that of a label. Raises InputError where it has no value."""
        expressions = Expressions(self.model.variables)
        try:
            truth = expressions.compiled(condition)(self.values)
        except EvaluationError as error:
            raise self.model.source.error(str(error), error.position) from None
        return np.broadcast_to(truth, self.reached.lpts.states)


def explore(model: FlatModel, name: str, progress: Progress = no_progress) -> ExploredModel:
    """All reachable states of a model of type mdp, or of a dtmc before its choices are resolved.

    Raises InputError where a variable leaves its range, probabilities do not sum to 1 or an expression has no
    value, and MemoryError.
    """
    packing = Packing([variable.high - variable.low + 1 for variable in model.variables])
    lows = np.array([variable.low for variable in model.variables], dtype=np.int64)
    initial = packing.packed(initial_states(model) - lows)
    probabilities = Probabilities()
    exploring = _Exploring(model, packing, probabilities)
    try:
        refusals = EvaluationError, InputError
        explored = reached(
            name, model.alphabet, packing, initial, exploring.successors, probabilities, progress, refusals
        )
    except EvaluationError as error:
        raise model.source.error(str(error), error.position) from None
    return ExploredModel(model, packing, explored)


class _Part(Struct, frozen=True):
    """A conjunct of a guard. With a ``number``, which equal conjuncts share, it is computed for all states of a batch;
    without one only where the conjuncts before it hold, as it may have no value elsewhere.
    """

    number: int | None
    compute: Compiled


class _Command:
    """A command with its expressions compiled."""

    def __init__(self, command: FlatCommand, expressions: Expressions, probabilities: Probabilities) -> None:
        self.command = command
        self.guard = [
            _Part(
                expressions.number(conjunct) if expressions.on_arrays(conjunct) else None,
                expressions.compiled(conjunct),
            )
            for conjunct in conjuncts(command.guard)
        ]
        self.updates = [
            [(variable, expressions.compiled(value), position) for variable, value, position in update.assignments]
            for update in command.updates
        ]
        constants = command.constant_probabilities()
        self.weights = None
        if constants is not None:
            self.weights = np.array([probabilities.number(constant) for constant in constants], dtype=np.int64)
        self.chances = [expressions.table(update.probability) for update in command.updates]


class _Exploring:
    def __init__(self, model: FlatModel, packing: Packing, probabilities: Probabilities) -> None:
        self.model = model
        self.packing = packing
        self.probabilities = probabilities
        self.expressions = Expressions(model.variables)
        number = {action: k for k, action in enumerate(model.alphabet)}
        never = Literal(False, "bool")
        self.commands = [
            [
                _Command(command, self.expressions, probabilities)
                for command in module.commands
                if command.guard != never
            ]
            for module in model.modules
        ]
        self.moves = [
            (
                number[move.action],
                [[command for command in self.commands[k] if command.command.action == own] for k, own in move.parts],
            )
            for move in model.moves
        ]

    def successors(self, words: Words) -> Sequence[tuple[Numbers, MoveBatch]]:
        """All moves of a batch of states."""
        columns = self._columns(words)
        enabled = _EnabledCommands(columns, len(words))
        result: list[tuple[Numbers, MoveBatch]] = []
        for action, parts in self.moves:
            if len(parts) == 1:
                for command in parts[0]:
                    rows = np.flatnonzero(enabled.mask(command))
                    if len(rows):
                        result.append((np.full(len(rows), action), self._of_command(command, rows, columns)))
            else:
                together = self._together(parts, enabled, columns, len(words))
                if together is not None:
                    result.append((np.full(len(together.row), action), together))
        return result

    def _together(
        self, parts: Sequence[Sequence[_Command]], enabled: _EnabledCommands, columns: Columns, states: int
    ) -> MoveBatch | None:
        """The moves in which one command of each part takes place."""
        possible = np.ones(states, dtype=bool)
        for part in parts:
            able = np.zeros(states, dtype=bool)
            for command in part:
                able |= enabled.mask(command)
            possible &= able
            if not possible.any():
                return None
        product: MoveBatch | None = None
        for part in parts:
            rows = [(command, np.flatnonzero(enabled.mask(command) & possible)) for command in part]
            moves = ordered(
                concatenated([self._of_command(command, some, columns) for command, some in rows if len(some)])
            )
            product = moves if product is None else joined(product, moves, states, self.probabilities)
        return product

    def _columns(self, words: Words) -> Columns:
        computed: dict[int, Numbers] = {}

        def column(variable: int) -> Numbers:
            if variable not in computed:
                computed[variable] = self.packing.column(words, variable) + self.model.variables[variable].low
            return computed[variable]

        return column

    # ------------------------------------------------------------------------------------ updates

    def _of_command(self, command: _Command, rows: Numbers, columns: Columns) -> MoveBatch:
        """The moves of one command in states in which it is enabled."""

        def here(variable: int) -> Numbers:
            column: Numbers = columns(variable)[rows]
            return column

        updates = command.updates
        origin = np.zeros((len(rows), 0), dtype=np.int64)
        shift = np.zeros((len(rows), len(updates), self.packing.width), dtype=np.uint64)
        weight, possible = self._weights(command, rows, here)
        everywhere = np.arange(len(rows))
        for index, update in enumerate(updates):
            # An update of probability 0 is skipped: it may have no value, or leave the range.
            some = everywhere if possible is None else np.flatnonzero(possible[:, index])
            if not len(some):
                continue
            there = here if possible is None else _at(here, some)
            for variable, value, position in update:
                new = value(there)
                self._check_range(variable, new, position)
                change = self.packing.difference(variable, there(variable), new.astype(np.int64))
                shift[some, index, self.packing.word[variable]] += change
        if possible is None:
            begin = np.arange(len(rows) + 1) * len(updates)
            return MoveBatch(rows, begin, shift.reshape(-1, self.packing.width), weight.reshape(-1), origin)
        begin = np.concatenate(([0], np.cumsum(possible.sum(axis=1))))
        return MoveBatch(rows, begin, shift[possible], weight[possible], origin)

    def _check_range(self, variable: int, new: NDArray[np.int64], position: int) -> None:
        bounds = self.model.variables[variable]
        wrong = (new < bounds.low) | (new > bounds.high)
        if wrong.any():
            message = f"{bounds.name} gets the value {int(new[wrong][0])} in a reachable state"
            raise self.model.source.error(f"{message}, expected {bounds.low}..{bounds.high}", position)

    def _weights(self, command: _Command, rows: Numbers, here: Columns) -> tuple[Numbers, NDArray[np.bool_] | None]:
        """The probability of each update in each state, and which of them are not 0 (None: all)."""
        updates = command.updates
        if command.weights is not None:
            return np.broadcast_to(command.weights, (len(rows), len(updates))), None
        numbers = np.empty((len(rows), len(updates)), dtype=np.int64)
        for index, chance in enumerate(command.chances):
            values, inverse = chance.values(here)
            numbers[:, index] = np.array([self._probability(value, command) for value in values])[inverse]
        for row in np.unique(numbers, axis=0):
            total = sum((self.probabilities.values[k] for k in row.tolist()), Fraction(0))
            if total != 1:
                message = wrong_sum(total, " in a reachable state")
                raise self.model.source.error(message, command.command.position)
        return numbers, numbers != self.probabilities.number(Fraction(0))

    def _probability(self, value: object, command: _Command) -> int:
        if isinstance(value, int | Fraction) and 0 <= value <= 1:
            return self.probabilities.number(Fraction(value))
        raise self._wrong_probability(value, command)

    def _wrong_probability(self, value: object, command: _Command) -> InputError:
        what = value if isinstance(value, int | Fraction) else "irrational"
        message = f"a probability is {what} in a reachable state, expected a fraction from 0 to 1"
        return self.model.source.error(message, command.command.position)


class _EnabledCommands:
    """Where the commands are enabled in a batch of states; parts of guards that occur again are computed once."""

    def __init__(self, columns: Columns, states: int) -> None:
        self.columns = columns
        self.states = states
        self._masks: dict[int, NDArray[np.bool_]] = {}
        self._parts: dict[int, NDArray[np.bool_]] = {}

    def mask(self, command: _Command) -> NDArray[np.bool_]:
        key = id(command)
        if key not in self._masks:
            self._masks[key] = self._new_mask(command.guard)
        return self._masks[key]

    def _new_mask(self, parts: Sequence[_Part]) -> NDArray[np.bool_]:
        mask = np.ones(self.states, dtype=bool)
        for part in parts:
            if part.number is not None:
                if part.number not in self._parts:
                    self._parts[part.number] = part.compute(self.columns)
                mask &= self._parts[part.number]
                continue
            rows = np.flatnonzero(mask)
            if len(rows):
                mask[rows] = part.compute(_at(self.columns, rows))
        return mask


def _at(columns: Columns, rows: Numbers) -> Callable[[int], Numbers]:
    return lambda variable: columns(variable)[rows]
