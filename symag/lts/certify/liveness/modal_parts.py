"""One part of a modal abstraction for the re-check: its classes, and which of their moves are possible and certain."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from symag.core.deadlines import Deadline
from symag.core.ranges import distinct
from symag.lts.certificates import ReductionStep
from symag.lts.certify.reduction_steps import with_classes
from symag.lts.certify.sorted_states import Integers
from symag.lts.certify.states import Truths, ranges
from symag.lts.lts import Lts


class CheckedPart:
    """``classes_lts`` has the possible moves; ``has_silent[c]``: a silent move inside of class c was left out.

    A move that only the part takes and that is not ``seen`` has the label ``tau`` with the part's number, which no
    other part has. Raises CertificationError, OutOfTimeError.
    """

    def __init__(
        self,
        index: int,
        members: Sequence[Lts],
        seen: Collection[str],
        step: ReductionStep,
        leaves_out: bool,
        deadline: Deadline,
    ) -> None:
        whole, number = with_classes(members, seen, step, f"part {index + 1}", deadline)
        before = number[whole.source]
        after = np.append(number, -1)[whole.target]  # -1, which is the last entry, is ERROR
        count = int(number.max()) + 1
        inner = (whole.action == 0) & (before == after) & leaves_out
        self._labels = ("tau", f"tau\n{index}", *whole.alphabet[1:])
        shown = Lts.of_arrays(
            f"part {index + 1}", self._labels, count, before[~inner], whole.action[~inner] + 1, after[~inner]
        )
        self.classes_lts = shown
        self.has_silent = np.zeros(count, dtype=bool)
        self.has_silent[before[inner]] = True
        self._classes = count
        moves = (whole.action[~inner] + 1) * (count + 1) + after[~inner] + 1
        width = len(self._labels) * (count + 1)
        codes = _carried(whole, inner, whole.source[~inner], moves, width, deadline)
        sizes = np.bincount(number, minlength=count)
        self._certain = _common(codes, width, number, sizes)
        actions = distinct((codes // width) * len(self._labels) + codes % width // (count + 1))
        self._able = _common(actions, len(self._labels), number, sizes)

    def judged(
        self, labels: Sequence[str], label: Integers, before: Integers, after: Integers
    ) -> tuple[Truths, Truths]:
        """For moves of a composition whether they are certain here, and whether their actions are.

        ``label`` are indices into ``labels``, ``before`` and ``after`` the classes of this part.
        """
        own = {name: k for k, name in enumerate(self._labels)}
        action = np.array([own.get(name, -1) if k else -1 for k, name in enumerate(labels)], dtype=np.int64)[label]
        is_other = action < 0
        offered = before * len(self._labels) + action
        moves = offered * (self._classes + 1) + after + 1
        return is_other | np.isin(moves, self._certain), is_other | np.isin(offered, self._able)


def _carried(whole: Lts, inner: Truths, source: Integers, moves: Integers, width: int, deadline: Deadline) -> Integers:
    """Each state with each move that it has after moves of ``inner``, as state * width + move; sorted."""
    codes = distinct(source * width + moves)
    order = np.argsort(whole.target[inner], kind="stable")
    back, goal = whole.source[inner][order], whole.target[inner][order]
    first = np.searchsorted(goal, np.arange(whole.states + 1))
    fresh = codes
    while len(fresh):
        deadline.check()
        state, carried = np.divmod(fresh, width)
        times = first[state + 1] - first[state]
        more = distinct(back[ranges(first[state], first[state + 1])] * width + np.repeat(carried, times))
        fresh = np.setdiff1d(more, codes, assume_unique=True)
        codes = distinct(np.concatenate([codes, fresh]))
    return codes


def _common(codes: Integers, width: int, number: Integers, sizes: Integers) -> Integers:
    """What all states of a class have, as class * width + what; ``codes`` are state * width + what, each once."""
    having, times = np.unique(number[codes // width] * width + codes % width, return_counts=True)
    result: Integers = having[times == sizes[having // width]]
    return result
