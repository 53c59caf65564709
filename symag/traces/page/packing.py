"""Columns of texts packed for a page: the distinct texts, then either the changes or all steps.

``{"t": texts, "c": [gap, number, gap, number, ..]}``: after each gap (in steps, the first from step 0) the value is the
text with this number; -1 is no value. ``{"t": texts, "s": digits, "w": width}``: for each step the number plus one, in
base 64 with ``width`` digits. The shorter of the two is used; both take time linear in the steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from symag.traces.page.content import Column

#: The digits of base 64; none of them has a meaning in HTML or in JSON.
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def packed(column: Sequence[str | None]) -> dict[str, Any]:
    """The column as an object of JSON."""
    texts = [text for text in dict.fromkeys(column) if text is not None]
    numbers: dict[str | None, int] = {None: -1, **{text: number for number, text in enumerate(texts)}}
    ids = [numbers[text] for text in column]
    width = 1
    while len(DIGITS) ** width <= len(texts):
        width += 1
    steps = [0, *(step for step, (one, other) in enumerate(itertools.pairwise(ids), start=1) if one != other)]
    if 4 * len(steps) <= width * len(ids) + 12:
        gaps = (after - before for before, after in itertools.pairwise([0, *steps]))
        changes = [number for gap, step in zip(gaps, steps, strict=True) for number in (gap, ids[step])]
        if sum(len(str(number)) + 1 for number in changes) <= width * len(ids) + 12:
            return {"t": texts, "c": changes}
    codes = [
        "".join(reversed(code)) for code in itertools.islice(itertools.product(DIGITS, repeat=width), len(numbers))
    ]
    return {"t": texts, "s": "".join([codes[number + 1] for number in ids]), "w": width}


def unpacked(content: Any, steps: int) -> Column:
    """The column of an object that ``packed`` made. Raises ValueError for any other value."""
    if not isinstance(content, dict):
        raise ValueError("a signal is not an object")
    texts = content.get("t")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError("a signal has no list of texts")
    ids = _from_digits(content, steps) if "s" in content else _from_changes(content.get("c"), steps)
    if not all(-1 <= number < len(texts) for number in ids):
        raise ValueError("a signal has a value that is not in its list")
    return tuple(None if number < 0 else texts[number] for number in ids)


def _from_digits(content: dict[str, Any], steps: int) -> list[int]:
    digits, width = content["s"], content.get("w")
    if type(width) is not int or not 1 <= width <= 8 or not isinstance(digits, str) or len(digits) != width * steps:
        raise ValueError("a signal does not have one value for each step")
    value = {digit: number for number, digit in enumerate(DIGITS)}
    ids = []
    for start in range(0, len(digits), width):
        number = 0
        for digit in reversed(digits[start : start + width]):
            if digit not in value:
                raise ValueError(f"{digit!r} is not a digit of a signal")
            number = number * len(DIGITS) + value[digit]
        ids.append(number - 1)
    return ids


def _from_changes(changes: Any, steps: int) -> list[int]:
    if not isinstance(changes, list) or len(changes) % 2 or not all(type(number) is int for number in changes):
        raise ValueError("a signal has no list of changes")
    ids: list[int] = []
    current = -1
    at = 0
    for gap, number in zip(changes[::2], changes[1::2], strict=True):
        at += gap
        if not len(ids) <= at < steps:
            raise ValueError("a signal changes at a step that does not exist")
        ids += [current] * (at - len(ids))
        current = number
    return ids + [current] * (steps - len(ids))
