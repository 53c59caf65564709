"""Aldebaran's format for labelled transition systems (``.aut``), read and written.

The format is CADP's (https://cadp.inria.fr/man/aut.html), with the variants of other tools: labels with or
without quotation marks, ``i`` and ``tau`` for the silent action, blanks anywhere, and LTSA's target -1 for
ERROR. Files that are written here can be read by every tool: ERROR becomes an ordinary state without transitions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from symag.core.errors import InputError
from symag.core.grouping import some
from symag.core.ranges import distinct
from symag.core.source import SourceText
from symag.lts.lts import ERROR, TAU, Lts, Numbers

#: The spellings of the silent action.
SILENT = ("tau", "i")
_NUMBER_LIMIT = 1 << 31
_PIECE = 1 << 22
#: The most states that no transition names: a search takes memory for each state, and a wrong header has none.
_MOST_ISOLATED = 1 << 20
#: The largest number of lost labels that a warning names.
_NAMED = 8

_HEADER = re.compile(r"[ \t]*des[ \t]*\([ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*\)[ \t]*")
_TRANSITION = re.compile(
    r"^[ \t]*\([ \t]*([0-9]{1,10})[ \t]*,[ \t]*([^\s].*?)[ \t]*,[ \t]*(-1|[0-9]{1,10})[ \t]*\)[ \t]*$", re.MULTILINE
)
_LINE = re.compile(r"^.*\S.*$", re.MULTILINE)
_QUOTED = re.compile(r'"(.+)"')


def parsed(source: SourceText, name: str) -> Lts:
    """The system in a text, called ``name``; its initial state becomes state 0. Raises InputError."""
    start, transitions, states, end = _header(source)
    spellings: dict[str, int] = {}
    columns: list[tuple[Numbers, Numbers, Numbers]] = []
    count = 0
    for begin, finish in _pieces(source.text, end):
        matches = _TRANSITION.findall(source.text, begin, finish)
        if len(matches) != sum(1 for _ in _LINE.finditer(source.text, begin, finish)):
            raise _broken_line(source, begin)
        if not matches:
            continue
        sources, labels, targets = zip(*matches, strict=True)
        action = np.array([spellings.setdefault(label, len(spellings)) for label in labels], dtype=np.int64)
        columns.append((_numbers(sources), action, _numbers(targets)))
        wrong = np.flatnonzero((columns[-1][0] >= states[0]) | (columns[-1][2] >= states[0]))
        if len(wrong):
            raise _no_such_state(source, begin, int(wrong[0]), states[0])
        count += len(matches)
    if count != transitions[0]:
        raise source.error(f"the header says {transitions[0]} transitions, but {count} follow", transitions[1])
    if states[0] > max(_MOST_ISOLATED, 2 * count + 1):
        named = f"the transitions name at most {2 * count:,}"
        raise source.error(f"the header says {states[0]:,} states, but {named}", states[1])
    number = {"tau": TAU}
    actions = [number.setdefault(_label(source, end, spelling), len(number)) for spelling in spellings]
    none = np.zeros(0, dtype=np.int64)
    first, action, last = (
        (np.concatenate([none, *arrays]) for arrays in zip(*columns, strict=True)) if count else [none] * 3
    )
    renamed = np.array(actions, dtype=np.int64)[action]
    first, last = (_exchanged(column, start) for column in (first, last))
    return Lts.of_arrays(name, tuple(number), states[0], first, renamed, last)


def _exchanged(column: Numbers, start: int) -> Numbers:
    """The column with 0 and a state exchanged."""
    return np.where(column == 0, start, np.where(column == start, 0, column))


def _pieces(text: str, begin: int) -> Iterator[tuple[int, int]]:
    """The rest of a text in pieces of whole lines, so that a large file needs little memory at a time."""
    while begin < len(text):
        end = text.find("\n", begin + _PIECE)
        end = len(text) if end < 0 else end
        yield begin, end
        begin = end


def _numbers(texts: Sequence[str]) -> Numbers:
    return np.fromstring(",".join(texts), dtype=np.int64, sep=",")


def _header(source: SourceText) -> tuple[int, tuple[int, int], tuple[int, int], int]:
    """The initial state, the numbers of transitions and of states with their positions, and the header's end."""
    first = _LINE.search(source.text)
    if first is None:
        raise source.error("the file is empty, expected 'des (0, TRANSITIONS, STATES)'", 0)
    match = _HEADER.fullmatch(first[0])
    if match is None:
        raise source.error("expected 'des (INITIAL STATE, TRANSITIONS, STATES)'", first.start())
    for group in (1, 2, 3):
        if len(match[group]) > 10 or int(match[group]) >= _NUMBER_LIMIT:
            digits = f"a number of {len(match[group]):,} digits" if len(match[group]) > 18 else match[group]
            raise source.error(f"{digits} is too large", first.start() + match.start(group))
    start, transitions, states = (int(match[group]) for group in (1, 2, 3))
    if not states:
        raise source.error("a system without states has no initial one", first.start() + match.start(3))
    if start >= states:
        message = f"the initial state {start} is not below the number of states, {states}"
        raise source.error(message, first.start() + match.start(1))
    positions = tuple(first.start() + match.start(group) for group in (2, 3))
    return start, (transitions, positions[0]), (states, positions[1]), first.end()


def _label(source: SourceText, begin: int, spelling: str) -> str:
    """The label without quotation marks."""
    label = spelling
    if spelling.startswith('"'):
        quoted = _QUOTED.fullmatch(spelling)
        if quoted is None:
            where = next(line.start(2) for line in _TRANSITION.finditer(source.text, begin) if line[2] == spelling)
            raise source.error(f"expected a label between quotation marks, found {spelling}", where)
        label = quoted[1].strip()
    return "tau" if label in SILENT else label


def _no_such_state(source: SourceText, begin: int, number: int, states: int) -> InputError:
    match = [line for _, line in zip(range(number + 1), _TRANSITION.finditer(source.text, begin), strict=False)][-1]
    group = 1 if int(match[1]) >= states else 3
    return source.error(f"state {match[group]} is not below the number of states, {states}", match.start(group))


def _broken_line(source: SourceText, begin: int) -> InputError:
    """The error of the first line that is not a transition."""
    line = next(written for written in _LINE.finditer(source.text, begin) if _TRANSITION.fullmatch(written[0]) is None)
    offset = line.start()
    last = line[0].rfind(",")
    pieces = (
        ("'('", r"[ \t]*\("),
        ("the number of a state", r"[ \t]*[0-9]{1,10}(?![0-9])"),
        ("','", r"[ \t]*,"),
        ("a label", r"[ \t]*[^\s,)][^\n]*?(?=[ \t]*,[^,\n]*$)" if last >= 0 else r"(?!)"),
        ("','", r"[ \t]*,"),
        ("the number of a state, or -1 for ERROR", r"[ \t]*(-1|[0-9]{1,10})(?![0-9])"),
        ("')'", r"[ \t]*\)"),
        ("the end of the line", r"[ \t]*$"),
    )
    expected = "a transition"
    for expected, pattern in pieces:  # noqa: B007 -- the piece at which the loop ends is what was expected
        match = re.compile(pattern, re.MULTILINE).match(source.text, offset)
        if match is None:
            break
        offset = match.end()
    rest = source.text[offset : line.end()]
    offset += len(rest) - len(rest.lstrip())
    shown = f"'{rest.strip()[:40]}'" if rest.strip() else "the end of the line"
    return source.error(f"expected {expected}, found {shown}", offset)


def text_of(lts: Lts, quoted: bool, silent: str) -> str:
    """The system as a text; ERROR becomes the last state. ``silent`` is how tau is spelt, always without quotes."""
    spell: Callable[[str], str] = '"{}"'.format if quoted else str
    labels = [silent, *(spell(label) for label in lts.alphabet[1:])]
    target = np.where(lts.target == ERROR, lts.states, lts.target)
    lines = [f"des (0, {lts.transitions}, {lts.states + lts.has_error})"]
    lines.extend(
        f"({source}, {labels[action]}, {after})"
        for source, action, after in zip(lts.source.tolist(), lts.action.tolist(), target.tolist(), strict=True)
    )
    return "\n".join(lines) + "\n"


def lost(lts: Lts) -> list[str]:
    """Warnings about what the format cannot express of this system."""
    losses = []
    if lts.has_error:
        losses.append(f"ERROR is written as state {lts.states}, which has no transitions")
    if lts.end is not None:
        losses.append(f"END is written as state {lts.end}, which has no transitions")
    used = distinct(lts.action)
    idle = [lts.alphabet[action] for action in range(1, len(lts.alphabet)) if action not in used]
    if idle:
        losses.append(f"labels without a transition are left out: {some(idle, _NAMED)}")
    if "i" in lts.alphabet:
        losses.append("the label i is read as the silent action by many tools")
    return losses
