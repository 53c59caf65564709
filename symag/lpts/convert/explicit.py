"""Writing PRISM's explicit files: transitions (.tra), labels of states (.lab), values of variables (.sta)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from symag.lpts.lpts import Lpts, Numbers


def transitions_text(lpts: Lpts, decimals: bool = False) -> str:
    """A .tra file: states, choices and entries, then a line for each entry.

    Probabilities are decimals where these are exact, else fractions; with ``decimals``, the nearest doubles, for
    tools that read no fractions.
    """
    texts = [_spelled(probability, decimals) for probability in lpts.probabilities]
    offsets = lpts.offsets()
    lines = [f"{lpts.states} {lpts.transitions} {lpts.entries}"]
    sizes = np.diff(lpts.begin)
    transition = np.repeat(np.arange(lpts.transitions), sizes)
    source = lpts.source[transition]
    choice = transition - offsets[source]
    columns = (source, choice, lpts.target, lpts.weight, lpts.action[transition])
    for s, c, t, w, a in zip(*(column.tolist() for column in columns), strict=True):
        action = f" {lpts.alphabet[a]}" if a else ""
        lines.append(f"{s} {c} {t} {texts[w]}{action}")
    return "\n".join(lines) + "\n"


def labels_text(lpts: Lpts, labels: Sequence[tuple[str, Numbers]], initial_states: int = 1) -> str:
    """A .lab file: ``init``, ``deadlock`` and ``labels``, then each state that has labels, with their numbers."""
    stuck = np.ones(lpts.states, dtype=bool)
    stuck[lpts.source] = False
    every = [("init", np.arange(initial_states)), ("deadlock", np.flatnonzero(stuck)), *labels]
    having: dict[int, list[int]] = {}
    for number, (_, states) in enumerate(every):
        for state in states.tolist():
            having.setdefault(state, []).append(number)
    lines = [" ".join(f'{number}="{name}"' for number, (name, _) in enumerate(every))]
    lines += [f"{state}: {' '.join(map(str, numbers))}" for state, numbers in sorted(having.items())]
    return "\n".join(lines) + "\n"


def states_text(names: Sequence[str], columns: Sequence[Sequence[str]], states: int) -> str:
    """A .sta file: the names of the variables, then the spelled values of each state."""
    lines = [f"({','.join(names)})"]
    rows = zip(*columns, strict=True) if columns else ((),) * states
    lines += [f"{state}:({','.join(row)})" for state, row in enumerate(rows)]
    return "\n".join(lines) + "\n"


def _spelled(value: Fraction, decimals: bool) -> str:
    if decimals:
        return repr(float(value))
    if value.denominator == 1:
        return str(value)
    twos = (value.denominator & -value.denominator).bit_length() - 1
    fives, rest = 0, value.denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    digits = max(twos, fives)
    if rest != 1 or digits > 15:
        return str(value)
    return f"0.{value.numerator * 10**digits // value.denominator:0{digits}d}"
