"""Equivalence of N's states by the bounds of the labels in which they occur.

Reference: the paper's section 5. Two states may be merged if, for every label, both are in its lower bound or both are
outside its upper bound. A state in an upper bound but not in the lower bound of the same label is not merged.
"""

from __future__ import annotations

import numpy as np

from symag.lts.lts import Numbers
from symag.lts.methods.quotient.flows import ERROR_ROW, Labels


def equivalence_classes(lower: Labels, upper: Labels, states: int) -> Numbers:
    """The class of each state, numbered from 0 in the order of their first members.

    Every row of ``lower`` is also in ``upper``, where its label contains the lower one.
    """
    undecided = np.zeros(states, dtype=bool)
    rows = []
    for row in sorted(upper):
        if row == ERROR_ROW:
            continue
        label = lower.get(row)
        if label is None:
            undecided |= upper[row]
        else:
            undecided |= upper[row] & ~label
            rows.append(label)
    packed = np.packbits(np.array(rows, dtype=bool).reshape(len(rows), states), axis=0).T
    number: dict[bytes | int, int] = {}
    return np.array(
        [
            number.setdefault(state if undecided[state] else packed[state].tobytes(), len(number))
            for state in range(states)
        ],
        dtype=np.int64,
    )


def joined(labels: Labels, block: Numbers) -> Labels:
    """The labels over classes instead of states: a class is in a label if one of its members is."""
    merged: Labels = {}
    for row, label in labels.items():
        merged[row] = np.zeros(int(block.max()) + 1, dtype=bool)
        merged[row][block[label]] = True
    return merged
