"""The truth of an assertion on one word of actions, finite or with a loop, by the definition of its operators.

Position i is the moment after action number i. A finite word has one more position, its own successor, for all
moments after its end. If the word may continue, every formula counts as true there. If it has ended, every formula
but p U q does. On a word with a loop, U is the least and R the greatest solution of its equation (p U q = q or p and
X (p U q); p R q = q and (p or X (p R q))).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from symag.lts.language.fluents import ActionOccurs, FluentInstance, Temporal, negation

#: Whether a formula is true at each position; after the last one come those from ``back`` on.
_Truths = list[bool]


def cannot_hold(formula: Temporal, actions: Sequence[str | None]) -> bool:
    """Whether a formula in negation normal form is false on every run that begins with these actions."""
    return bool(actions) and not _Word(actions, len(actions), "open").truths(formula)[0]


def is_false_at_end(formula: Temporal, actions: Sequence[str | None]) -> bool:
    """Whether a formula in negation normal form is false on the run that ends after these actions."""
    return not _Word(actions, len(actions), "ended").truths(formula)[0]


def is_true_around(formula: Temporal, actions: Sequence[str | None], loop: int) -> bool:
    """Whether a formula in negation normal form is true on the run whose actions repeat from number ``loop`` on.

    Raises ValueError if none repeats.
    """
    if not 0 <= loop < len(actions):
        raise ValueError("nothing repeats")
    # Fluents depend on the past; after one round they repeat with the actions.
    return _Word([*actions, *actions[loop:]], len(actions), None).truths(formula)[0]


def known_truths(
    formula: Temporal, actions: Sequence[str | None], loop: int | None, ended: bool
) -> tuple[bool | None, ...]:
    """The truth of a formula in negation normal form after each action; None where the actions do not decide it.

    From ``loop`` on the actions repeat. Without it the run continues in any way, or ends if ``ended``.
    """
    count = len(actions)
    if not actions:
        return ()
    if loop is not None:
        return tuple(_Word([*actions, *actions[loop:]], count, None).truths(formula)[:count])
    if ended:
        return tuple(_Word(actions, count, "ended").truths(formula)[:count])
    may_be = _Word(actions, count, "open").truths(formula)[:count]
    may_not_be = _Word(actions, count, "open").truths(negation(formula))[:count]
    return tuple(None if one and other else one for one, other in zip(may_be, may_not_be, strict=True))


class _Word:
    def __init__(self, actions: Sequence[str | None], back: int, beyond: Literal["open", "ended"] | None) -> None:
        self._actions = actions
        self._count = len(actions) + (beyond is not None)
        self._back = back
        self._beyond = beyond
        self._known: dict[Temporal, _Truths] = {}

    def truths(self, formula: Temporal) -> _Truths:
        if formula not in self._known:
            values = self._evaluated(formula)
            if self._beyond == "open":
                values[-1] = True
            self._known[formula] = values
        return self._known[formula]

    def _evaluated(self, formula: Temporal) -> _Truths:
        operands = [self.truths(operand) for operand in formula.operands]
        match formula.operator:
            case "true" | "false":
                return [formula.operator == "true"] * self._count
            case "atom" | "not atom":
                assert formula.atom is not None
                polarity = formula.operator == "atom"
                beyond = [True] * (self._beyond is not None)
                return [*(label == polarity for label in self._atom(formula.atom)), *beyond]
            case "and":
                return [all(truths) for truths in zip(*operands, strict=True)]
            case "or":
                return [any(truths) for truths in zip(*operands, strict=True)]
            case "X":
                return [operands[0][self._after(index)] for index in range(self._count)]
            case "U" | "R":
                return self._solution(operands[0], operands[1], greatest=formula.operator == "R")
            case _:
                raise ValueError(f"not in negation normal form: {formula.operator}")

    def _atom(self, atom: FluentInstance | ActionOccurs) -> _Truths:
        if isinstance(atom, ActionOccurs):
            return [action in atom.actions for action in self._actions]
        values, now = [], atom.initially
        for action in self._actions:
            now = action in atom.initiating or (now and action not in atom.terminating)
            values.append(now)
        return values

    def _after(self, index: int) -> int:
        return index + 1 if index + 1 < self._count else self._back

    def _solution(self, first: _Truths, last: _Truths, greatest: bool) -> _Truths:
        # After the end p R q is true and p U q false: the solution begins with these values.
        values = [greatest or self._beyond == "open"] * self._count
        # Backwards, twice: the second pass reads the values that the first has computed at the beginning of the loop.
        for index in (*range(self._count - 1, -1, -1), *range(self._count - 1, -1, -1)):
            later = values[self._after(index)]
            if self._beyond is not None and index == self._count - 1:
                continue
            if greatest:
                values[index] = last[index] and (first[index] or later)
            else:
                values[index] = last[index] or (first[index] and later)
        return values
