"""Derivatives of PSL's sequences: the rest that has to match after a letter. Shares no code with the search's automata.

Source: Brzozowski, "Derivatives of regular expressions" (1964). A residue is a nested tuple: ``("none",)`` matches
nothing, ``("empty",)`` the empty word; ``("letter", n)`` the n-th letter; ``(";" | "|" | "&&" | ":", left, right)``;
``("*", body, least, most)`` with most = -1 for no bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symag.smv.model.typed import Constant, Expression, Operation

Residue = tuple[Any, ...]
NONE: Residue = ("none",)
EMPTY: Residue = ("empty",)


def residue_of(sequence: Expression, letters: list[Expression]) -> Residue:
    """A typed sequence as a residue; its letters are appended to ``letters``."""
    assert isinstance(sequence, Operation)
    operator = sequence.operator.removeprefix("sere").strip()
    if not operator:
        letters.append(sequence.operands[0])
        return ("letter", len(letters) - 1)
    if operator == "*":
        body, least, most = sequence.operands
        assert isinstance(least, Constant)
        assert isinstance(most, Constant)
        return _repeated(residue_of(body, letters), int(least.value), int(most.value))
    left, right = sequence.operands
    return _joined(operator, residue_of(left, letters), residue_of(right, letters))


def is_nullable(residue: Residue) -> bool:
    """Whether the empty word matches."""
    match residue[0]:
        case "empty":
            return True
        case ";" | "&&":
            return is_nullable(residue[1]) and is_nullable(residue[2])
        case "|":
            return is_nullable(residue[1]) or is_nullable(residue[2])
        case "*":
            return residue[2] == 0 or is_nullable(residue[1])
    return False


def derivative(residue: Residue, truths: Sequence[bool]) -> Residue:
    """The rest of a sequence after a letter, which gives each of the sequence's conditions a truth."""
    match residue[0]:
        case "letter":
            return EMPTY if truths[residue[1]] else NONE
        case ";":
            after = _joined(";", derivative(residue[1], truths), residue[2])
            return _joined("|", after, derivative(residue[2], truths)) if is_nullable(residue[1]) else after
        case ":":
            first = derivative(residue[1], truths)
            going = _joined(":", first, residue[2])
            return _joined("|", going, derivative(residue[2], truths)) if is_nullable(first) else going
        case "|" | "&&":
            return _joined(residue[0], derivative(residue[1], truths), derivative(residue[2], truths))
        case "*":
            _, body, least, most = residue
            if is_nullable(body):
                least = 0
            rest = _repeated(body, max(0, least - 1), most if most < 0 else most - 1)
            return _joined(";", derivative(body, truths), rest)
    return NONE


def can_match(residue: Residue, letters: int) -> bool:
    """Whether some word matches. Sequences have no negation of letters, so it is enough to try letters that make all
    conditions true.
    """
    seen: set[Residue] = set()
    while residue not in seen:
        if is_nullable(residue):
            return True
        seen.add(residue)
        residue = derivative(residue, [True] * letters)
    return False


def _repeated(body: Residue, least: int, most: int) -> Residue:
    if most == 0 or body == EMPTY:
        return EMPTY
    if body == NONE:
        return EMPTY if least == 0 else NONE
    return ("*", body, least, most)


def _joined(operator: str, left: Residue, right: Residue) -> Residue:
    """An operation; alternatives are sorted and without repetition, so that there are finitely many residues."""
    if operator == "|":
        parts = sorted({*_parts(left), *_parts(right)} - {NONE}, key=repr)
        if not parts:
            return NONE
        joined = parts[-1]
        for part in reversed(parts[:-1]):
            joined = ("|", part, joined)
        return joined
    if NONE in (left, right):
        return NONE
    if operator == ";":
        if left == EMPTY or right == EMPTY:
            return right if left == EMPTY else left
        if left[0] == ";":
            return (";", left[1], _joined(";", left[2], right))
        return (";", left, right)
    if operator == ":" and EMPTY in (left, right):
        return NONE
    return (operator, left, right) if operator == ":" or left != right else left


def _parts(residue: Residue) -> list[Residue]:
    if residue[0] != "|":
        return [residue]
    return [*_parts(residue[1]), *_parts(residue[2])]
