"""Groups: which components form a part of a composition; values in pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

_Value = TypeVar("_Value")


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


def pairwise(join: Callable[[_Value, _Value], _Value], values: list[_Value]) -> _Value:
    """One or more values joined as a balanced tree; diagrams that are joined in a row cost quadratic time."""
    while len(values) > 1:
        joined = [join(left, right) for left, right in zip(values[::2], values[1::2], strict=False)]
        values = joined if len(values) % 2 == 0 else [*joined, values[-1]]
    return values[0]
