"""Reading the files that PRISM writes beside a .tra file: labels (.lab) and values of variables (.sta)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from symag.core.source import SourceText, text_of_file
from symag.lpts.lpts import Numbers
from symag.lpts.state_values import StateValues

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
