"""Whether an automaton of the search matches what its sequence matches: it is compared with the derivatives."""

from __future__ import annotations

import itertools

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.smv.certify.sequences.derivatives import EMPTY, can_match, derivative, is_nullable, residue_of
from symag.smv.model.printer import expression_text
from symag.smv.model.sequences import SequenceAutomaton
from symag.smv.model.typed import Expression, Operation

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
