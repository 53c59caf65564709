"""Reading PRISM's explicit files: transitions (.tra) and, beside them, labels (.lab) and values of variables (.sta)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from symag.core.errors import InputError
from symag.core.source import SourceText, text_of_file
from symag.lpts.distributions import Probabilities, entries_of
from symag.lpts.lpts import Lpts, Numbers, fraction_of
from symag.lpts.search import used
from symag.lpts.state_values import NamedStates, StateValues

# Decimals that other tools rounded are read as the nearest fractions with denominators up to this.
_LARGEST_DENOMINATOR = 10**6
_ROUNDING = Fraction(1, 10**9)
#: A file may have this many states that no transition has.
_ISOLATED = 10**6


def read(path: str) -> NamedStates:
    """The system of a .tra file with the values (.sta) and labels (.lab) of the files beside it. Raises InputError."""
    lpts, warnings = read_explicit(path)
    values, labels = state_values(path, lpts.name, lpts.states), state_labels(path, lpts.states)
    return NamedStates(lpts, values, labels, len(initial_states(path, lpts.states)), tuple(warnings))


def read_explicit(path: str) -> tuple[Lpts, list[str]]:
    """The LPTS of a .tra file (of an mdp, or of a dtmc, whose moves have no action), and warnings.

    A file ``.lab`` beside it says which states are initial (else state 0 is); they change places with the first ones.
    Where decimals do not sum to 1 because they were rounded, they are read as the nearest fractions with small
    denominators, with a warning. Raises InputError.
    """
    table = _Table(SourceText.of(path, text_of_file(path)))
    order = initial_states_first(initial_states(path, table.states), table.states)
    lpts = table.lpts(Path(path).stem, order)
    if not table.rounded:
        return lpts, []
    return lpts, [f"{path}: {table.rounded} distributions of rounded decimals are read as fractions that sum to 1"]


class _Table:
    """The lines of a .tra file as columns."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.rounded = 0
        self.probabilities = Probabilities()
        self.actions: dict[str, int] = {"": 0}
        self._of_word: dict[str, int] = {}
        lines = lines_of(source)
        line, header = next(lines, (0, []))
        if len(header) not in (2, 3):
            raise source.error("expected the numbers of states, perhaps choices, and transitions", line)
        self.has_choices = len(header) == 3
        self.states, expected = self._integer(header[0], line), self._integer(header[-1], line)
        self.choices = self._integer(header[1], line) if self.has_choices else 0
        if self.states < 1:
            raise source.error("there is no state, expected at least one", line)
        rows = [(line, *self._row(words, line)) for line, words in lines]
        if expected != len(rows):
            raise source.error(f"the first line promises {expected} transitions, found {len(rows)}", 0)
        self._check_number_of_states(expected, line)
        columns = np.array(rows, dtype=np.int64).reshape(-1, 6)
        self.line, self.row_source, self.choice, self.target, self.weight, self.action = (
            columns[:, k].copy() for k in range(6)
        )

    def _check_number_of_states(self, transitions: int, line: int) -> None:
        """Refuse a number of states that would fill memory with states that no transition has."""
        if self.states > max(_ISOLATED, 2 * transitions + 1):
            promised = f"the first line promises {self.states} states"
            raise self.source.error(f"{promised}, but its transitions have at most {2 * transitions}", line)

    def _row(self, words: list[str], line: int) -> tuple[int, int, int, int, int]:
        """Source, choice, target, and the numbers of the probability and the action."""
        fixed = 4 if self.has_choices else 3
        if len(words) not in (fixed, fixed + 1):
            what = "source, choice, target, probability" if self.has_choices else "source, target, probability"
            raise self.source.error(f"expected {what} and perhaps an action", line)
        choice = self._integer(words[1], line) if self.has_choices else 0
        weight = self._of_word.get(words[fixed - 1])
        if weight is None:
            weight = self._of_word[words[fixed - 1]] = self._probability(words[fixed - 1], line)
        action = self.actions.setdefault(words[fixed], len(self.actions)) if len(words) > fixed else 0
        return self._state(words[0], line), choice, self._state(words[fixed - 2], line), weight, action

    def _integer(self, word: str, line: int) -> int:
        if not (word.isascii() and word.isdigit()):
            raise self.source.error(f"expected a number, found '{word[:40]}'", line)
        if len(word) > 18:
            raise self.source.error(f"a number of {len(word):,} digits is too large", line)
        return int(word)

    def _state(self, word: str, line: int) -> int:
        state = self._integer(word, line)
        if state >= self.states:
            raise self.source.error(f"the state {state} is not below {self.states}", line)
        return state

    def _probability(self, word: str, line: int) -> int:
        try:
            value = fraction_of(word)
        except (ValueError, ZeroDivisionError):
            raise self.source.error(f"expected a probability, found '{word[:40]}'", line) from None
        if not 0 < value <= 1:
            raise self.source.error(f"the probability is {word[:40]}, expected more than 0 and at most 1", line)
        return self.probabilities.number(value)

    # ---------------------------------------------------------------------------------- transitions

    def lpts(self, name: str, states: Numbers) -> Lpts:
        """The system with its states in this order."""
        moved = np.argsort(states)
        source, target = moved[self.row_source], moved[self.target]
        order = np.lexsort((target, self.choice, source))
        source, target, choice = source[order], target[order], self.choice[order]
        action, weight, line = self.action[order], self.weight[order], self.line[order]
        same = (source[1:] == source[:-1]) & (choice[1:] == choice[:-1])
        self._check(same & (target[1:] == target[:-1]), line, "this target is there twice in one choice")
        self._check(same & (action[1:] != action[:-1]), line, "this choice has two different actions")
        first = np.flatnonzero(np.concatenate((np.ones(min(1, len(source)), dtype=bool), ~same)))
        if self.has_choices and len(first) != self.choices:
            raise self.source.error(f"the first line promises {self.choices} choices, found {len(first)}", 0)
        begin = np.concatenate((first, [len(source)]))
        weight = self._exact(weight, begin, line)
        order = np.lexsort((action[first], source[first]))
        entry, begin = entries_of(begin, order)
        weight, values = used(weight[entry], self.probabilities)
        alphabet = tuple(self.actions)
        first = first[order]
        return Lpts(name, alphabet, self.states, source[first], action[first], begin, target[entry], weight, values)

    def _check(self, wrong: Numbers, line: Numbers, message: str) -> None:
        if wrong.any():
            raise self.source.error(message, int(line[1:][wrong][0]))

    def _exact(self, weight: Numbers, begin: Numbers, line: Numbers) -> Numbers:
        """The weights, after those that do not sum to 1 have become the fractions that they stand for."""
        values = self.probabilities.values
        common = math.lcm(*(value.denominator for value in values))
        numerators = np.array([int(value * common) for value in values], dtype=np.int64 if common < 2**31 else object)
        if len(begin) == 1:
            return weight
        weight = weight.copy()
        for k in np.flatnonzero(np.add.reduceat(numerators[weight], begin[:-1]) != common).tolist():
            entries = slice(int(begin[k]), int(begin[k + 1]))
            read = [values[number] for number in weight[entries].tolist()]
            nearest = [value.limit_denominator(_LARGEST_DENOMINATOR) for value in read]
            if sum(nearest) != 1 or any(abs(a - b) > _ROUNDING for a, b in zip(read, nearest, strict=True)):
                raise self._wrong_sum(sum(read, Fraction(0)), int(line[begin[k]]))
            weight[entries] = [self.probabilities.number(value) for value in nearest]
            self.rounded += 1
        return weight

    def _wrong_sum(self, total: Fraction, line: int) -> InputError:
        return self.source.error(f"the probabilities of this choice sum to {total}, expected exactly 1", line)


_STATE = re.compile(r"\s*(\d{1,18})\s*:\s*\((.*)\)\s*")
_LABEL = re.compile(r'(\d+)="([^"]*)"')
_STATE_NUMBER = re.compile(r"[0-9]{1,18}")
_NUMBER = re.compile(r"-?\d{1,18}")
_TRUTH = {"true": 1, "false": 0}


def lines_of(source: SourceText) -> Iterator[tuple[int, list[str]]]:
    """The position and words of each line that is neither blank nor a comment."""
    for position, line in zip(source.line_starts, source.text.split("\n"), strict=True):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield position, words


def initial_states(path: str, states: int) -> tuple[int, ...]:
    """The initial states in the .lab file beside a .tra file, ascending; without it, only 0. Raises InputError."""
    beside = _beside(path)
    if beside is None:
        return (0,)
    initial = _labelled(beside, states).get("init")
    if not initial:
        raise beside.error('expected a state with the label "init"', 0)
    return initial


def state_labels(path: str, states: int) -> tuple[tuple[str, Numbers], ...]:
    """The labels in the .lab file beside a .tra file, each with its states, ascending; no ``init`` and ``deadlock``.

    The states are those of ``read_explicit``, the initial ones first. Raises InputError.
    """
    beside = _beside(path)
    if beside is None:
        return ()
    new = np.argsort(initial_states_first(initial_states(path, states), states))
    labelled = _labelled(beside, states).items()
    return tuple(
        (name, np.sort(new[np.array(having, dtype=np.int64)]))
        for name, having in labelled
        if name not in ("init", "deadlock")
    )


def _beside(path: str) -> SourceText | None:
    beside = str(Path(path).with_suffix(".lab"))
    return SourceText.of(beside, text_of_file(beside)) if Path(beside).exists() else None


def _labelled(source: SourceText, states: int) -> dict[str, tuple[int, ...]]:
    """The states of each label, ascending."""
    lines = list(lines_of(source))
    names: dict[str, str] = {}
    for line, words in lines[:1]:
        for word in words:
            declared = _LABEL.fullmatch(word)
            if declared is None:
                raise source.error(f"expected numbers and labels such as 0=\"init\", found '{word}'", line)
            names[declared[1]] = declared[2]
    if "init" not in names.values():
        raise source.error('expected the label "init" in the first line', 0)
    states_of: dict[str, set[int]] = {name: set() for name in names.values()}
    for line, words in lines[1:]:
        state = words[0].removesuffix(":")
        if not _STATE_NUMBER.fullmatch(state) or int(state) >= states:
            raise source.error(f"expected a state below {states}, found '{state}'", line)
        for word in words[1:]:
            if word not in names:
                raise source.error(f"expected the number of a label, found '{word}'", line)
            states_of[names[word]].add(int(state))
    return {name: tuple(sorted(having)) for name, having in states_of.items()}


def initial_states_first(initial: Sequence[int], states: int) -> Numbers:
    """The old numbers of the states in their new order: the initial states have changed places with the first ones."""
    order = np.arange(states)
    for index, state in enumerate(initial):
        order[[index, state]] = order[[state, index]]
    return order


def state_values(path: str, name: str, states: int) -> StateValues:
    """The values in the .sta file beside a .tra file; without such a file, the states' numbers as a variable ``name``.

    The states are those of ``read_explicit``, the initial ones first. Raises InputError.
    """
    beside = str(Path(path).with_suffix(".sta"))
    if not Path(beside).exists():
        return StateValues.numbered(name, states)
    source = SourceText.of(beside, text_of_file(beside))
    lines = [(position, " ".join(words)) for position, words in lines_of(source)]
    line, header = lines[0] if lines else (0, "")
    if not (header.startswith("(") and header.endswith(")")):
        raise source.error("expected the names of the variables in parentheses", line)
    names = tuple(word.strip() for word in header[1:-1].split(",") if word.strip())
    rows: list[list[str] | None] = [None] * states
    for line, text in lines[1:]:
        match = _STATE.fullmatch(text)
        if match is None:
            raise source.error("expected a state and its values, such as 0:(1,true)", line)
        state = int(match[1])
        values = [word.strip() for word in match[2].split(",")] if names else []
        if state >= states or rows[state] is not None:
            what = "is there twice" if state < states else f"is not below {states}"
            raise source.error(f"the state {state} {what}", line)
        wrong = next((word for word in values if word not in _TRUTH and not _NUMBER.fullmatch(word)), None)
        if len(values) != len(names) or wrong is not None:
            problem = f"found '{wrong}'" if wrong is not None else f"found {len(values)} values"
            raise source.error(f"expected a number, true or false for each of {len(names)} variables, {problem}", line)
        rows[state] = values
    missing = next((state for state, row in enumerate(rows) if row is None), None)
    if missing is not None:
        raise source.error(f"expected a line for each of {states} states, there is none for state {missing}", 0)
    order = initial_states_first(initial_states(path, states), states)
    present = [row for row in rows if row is not None]
    columns = [[row[k] for row in present] for k in range(len(names))]
    truths = tuple(all(word in _TRUTH for word in column) for column in columns)
    return StateValues(names, truths, tuple(_numbers(column)[order] for column in columns))


def _numbers(column: list[str]) -> Numbers:
    return np.array([_TRUTH[word] if word in _TRUTH else int(word) for word in column], dtype=np.int64)
