"""Parts of a composition: which components stand together, and in which order."""

from __future__ import annotations

from collections.abc import Sequence


def parts(components: int, groups: Sequence[Sequence[int]], order: Sequence[int] = ()) -> tuple[tuple[int, ...], ...]:
    """The components' numbers in groups: those given, and every other component on its own.

    Parts stand in the order of their first component, but those with a component in ``order`` come first, in
    the order in which they are named there. The groups are disjoint.
    """
    grouped = {number for group in groups for number in group}
    result = [tuple(sorted(group)) for group in groups if group]
    result += [(number,) for number in range(components) if number not in grouped]
    rank_of = {number: rank for rank, number in reversed(list(enumerate(order)))}
    last = len(order)
    return tuple(sorted(result, key=lambda part: (min(rank_of.get(number, last) for number in part), part)))
