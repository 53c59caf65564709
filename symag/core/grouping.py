"""Groups of values: parts of a composition, what is together by chains of groups, balanced joins; lists as text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

_Value = TypeVar("_Value")
_Key = TypeVar("_Key", bound=Hashable)


def parts(components: int, groups: Sequence[Sequence[int]], order: Sequence[int] = ()) -> tuple[tuple[int, ...], ...]:
    """The numbers of the components (from 0) in parts: the given groups, and every other component alone.

    Parts with a component in ``order`` come first, in that order; the others follow by their first component. The
    groups are disjoint.
    """
    grouped = {number for group in groups for number in group}
    result = [tuple(sorted(group)) for group in groups if group]
    result += [(number,) for number in range(components) if number not in grouped]
    rank_of = {number: rank for rank, number in reversed(list(enumerate(order)))}
    last = len(order)
    return tuple(sorted(result, key=lambda part: (min(rank_of.get(number, last) for number in part), part)))


def group_of(groups: Iterable[Iterable[_Key]]) -> dict[_Key, int]:
    """The number of the group of each value (from 0)."""
    return {value: number for number, group in enumerate(groups) for value in group}


def pairwise(join: Callable[[_Value, _Value], _Value], values: list[_Value]) -> _Value:
    """One or more values joined as a balanced tree; diagrams that are joined in a row cost quadratic time."""
    while len(values) > 1:
        joined = [join(left, right) for left, right in zip(values[::2], values[1::2], strict=False)]
        values = joined if len(values) % 2 == 0 else [*joined, values[-1]]
    return values[0]


def united(values: Iterable[_Key], groups: Iterable[Iterable[_Key]]) -> list[list[_Key]]:
    """The values in classes such that each group is in one class, as many as possible, in the order of the values."""
    leader = {value: value for value in values}

    def find(value: _Key) -> _Key:
        while leader[value] != value:
            leader[value] = leader[leader[value]]
            value = leader[value]
        return value

    for group in groups:
        together = [find(value) for value in group]
        for other in together[1:]:
            leader[find(other)] = find(together[0])
    classes: dict[_Key, list[_Key]] = {}
    for value in leader:
        classes.setdefault(find(value), []).append(value)
    return list(classes.values())


def some(names: Sequence[str], most: int) -> str:
    """The first names as text, and how many more there are than ``most``."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
