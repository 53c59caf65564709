"""Parts of a composition: which components form a part, and the order of the parts."""

from __future__ import annotations

from collections.abc import Sequence


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
