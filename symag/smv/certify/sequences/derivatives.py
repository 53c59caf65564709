"""Derivatives of PSL's sequences: the rest that has to match after a letter. The search's automata are compared with
them, and share no code with them.

Source: Brzozowski, "Derivatives of regular expressions" (1964). A residue is a nested tuple: ``("none",)`` matches
nothing, ``("empty",)`` the empty word; ``("letter", n)`` the n-th letter; ``(";" | "|" | "&&" | ":", left, right)``;
``("*", body, least, most)`` with most = -1 for no bound.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.smv.model.printer import expression_text
from symag.smv.model.sequences import SequenceAutomaton
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


#: The valuations of at most this many different letters are enumerated.
MOST_LETTERS = 12


def check_automaton(sequence: Expression, read: SequenceAutomaton, deadline: Deadline) -> None:
    """Accept an automaton that has exactly the non-empty matches of a sequence, whatever its letters mean, and from
    each state of which a match can be reached (weak sequences need that).

    Raises CertificationError for any other automaton and for more than ``MOST_LETTERS`` letters, OutOfTimeError. Costs
    the reachable pairs of residues and state sets, times two to the number of letters.
    """
    letters: list[Expression] = []
    start = residue_of(sequence, letters)
    texts = [expression_text(letter) for letter in letters]
    different = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    if len(different) > MOST_LETTERS:
        raise CertificationError(f"a sequence with more than {MOST_LETTERS} letters is not re-checked")
    valuations = [
        [values[different[text]] for text in texts]
        for values in itertools.product((False, True), repeat=len(different))
    ]
    _check_ends(read)
    if can_match(start, len(letters)) and not (start == EMPTY or read.initial):
        raise CertificationError("an automaton reads nothing, but its sequence does")
    pairs = {(start, read.initial)}
    pending = [(start, read.initial)]
    while pending:
        deadline.check()
        residue, states = pending.pop()
        for truths in valuations:
            by_letter = dict(zip((id(letter) for letter in letters), truths, strict=True))
            after = derivative(residue, truths)
            targets = frozenset(
                transition.target
                for transition in read.transitions
                if transition.source in states
                and all(by_letter[id(part)] for part in _conjuncts(transition.letter, by_letter))
            )
            if is_nullable(after) != bool(targets & read.final):
                raise CertificationError("an automaton does not match what its sequence matches")
            if can_match(after, len(letters)) != bool(targets):
                raise CertificationError("an automaton goes on where its sequence does not, or ends too early")
            pair = after, targets
            if targets and pair not in pairs:
                pairs.add(pair)
                pending.append(pair)


def _check_ends(read: SequenceAutomaton) -> None:
    """Every state is final or leads to one."""
    good = set(read.final)
    grown = True
    while grown:
        more = {transition.source for transition in read.transitions if transition.target in good} - good
        good |= more
        grown = bool(more)
    if len(good) < read.states:
        raise CertificationError("an automaton has a state from which nothing matches")


def _conjuncts(letter: Expression, by_letter: dict[int, bool]) -> list[Expression]:
    """The letters of the sequence whose conjunction is the letter of a transition."""
    if id(letter) in by_letter:
        return [letter]
    if isinstance(letter, Operation) and letter.operator == "and":
        return [part for operand in letter.operands for part in _conjuncts(operand, by_letter)]
    raise CertificationError("an automaton reads a letter that its sequence does not have")
