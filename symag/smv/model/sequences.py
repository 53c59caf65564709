"""Sequences of PSL as automata that read one letter on every transition.

In typed expressions (``Property.sequences``) a sequence is an ``Operation`` with one of the operators ``sere ;``
(concatenation), ``sere :`` (fusion), ``sere |``, ``sere &&`` (equal lengths), ``sere *`` (body, Constant least,
Constant most, -1 for no bound), or ``sere`` around a boolean expression, one letter. Operators on sequences are
``seq |->`` (sequence, formula), ``seq {}`` and ``seq {}!`` (sequence).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from symag.core.errors import UnsupportedError
from symag.smv.model.typed import Constant, Expression, Operation, conjunction

#: Automata with more states are refused.
MOST_STATES = 400
SEQUENCE_OPERATORS = frozenset(("seq |->", "seq {}", "seq {}!"))


class Transition(Struct, frozen=True):
    """From a state to another, reading a letter that satisfies a boolean expression."""

    source: int
    letter: Expression
    target: int


class SequenceAutomaton(Struct, frozen=True):
    """States from 0; a match reads at least one letter. ``is_nullable``: the sequence matches the empty word too."""

    states: int
    initial: frozenset[int]
    final: frozenset[int]
    transitions: tuple[Transition, ...]
    is_nullable: bool


def automaton(sequence: Expression) -> SequenceAutomaton:
    """The automaton of a sequence, without states that no match passes.

    Its size is linear in the sequence, but a repetition multiplies the body's by the count, and ``&&`` multiplies those
    of its operands. Raises UnsupportedError for more than ``MOST_STATES`` states.
    """
    return _trimmed(_built(sequence))


def _built(sequence: Expression) -> SequenceAutomaton:
    assert isinstance(sequence, Operation)
    operands = sequence.operands
    match sequence.operator:
        case "sere":
            return SequenceAutomaton(2, frozenset((0,)), frozenset((1,)), (Transition(0, operands[0], 1),), False)
        case "sere ;":
            return _trimmed(_concatenated(_built(operands[0]), _built(operands[1])))
        case "sere :":
            return _trimmed(_fused(_built(operands[0]), _built(operands[1])))
        case "sere |":
            return _united(_built(operands[0]), _built(operands[1]))
        case "sere &&":
            return _trimmed(_product(_built(operands[0]), _built(operands[1])))
        case "sere *":
            least, most = (_number(bound) for bound in operands[1:])
            return _repeated(_built(operands[0]), least, most)
    raise AssertionError(sequence.operator)


def _number(bound: Expression) -> int:
    assert isinstance(bound, Constant)
    return int(bound.value)


_NOTHING = SequenceAutomaton(0, frozenset(), frozenset(), (), True)


def _shifted(one: SequenceAutomaton, by: int) -> SequenceAutomaton:
    return SequenceAutomaton(
        one.states,
        frozenset(state + by for state in one.initial),
        frozenset(state + by for state in one.final),
        tuple(
            Transition(transition.source + by, transition.letter, transition.target + by)
            for transition in one.transitions
        ),
        one.is_nullable,
    )


def _united(first: SequenceAutomaton, other: SequenceAutomaton) -> SequenceAutomaton:
    second = _shifted(other, first.states)
    return _limited(
        first.states + second.states,
        first.initial | second.initial,
        first.final | second.final,
        (*first.transitions, *second.transitions),
        first.is_nullable or second.is_nullable,
    )


def _concatenated(first: SequenceAutomaton, other: SequenceAutomaton) -> SequenceAutomaton:
    second = _shifted(other, first.states)
    joining = tuple(
        Transition(transition.source, transition.letter, start)
        for transition in first.transitions
        if transition.target in first.final
        for start in sorted(second.initial)
    )
    return _limited(
        first.states + second.states,
        first.initial | (second.initial if first.is_nullable else frozenset()),
        second.final | (first.final if second.is_nullable else frozenset()),
        (*first.transitions, *joining, *second.transitions),
        first.is_nullable and second.is_nullable,
    )


def _fused(first: SequenceAutomaton, other: SequenceAutomaton) -> SequenceAutomaton:
    """The last letter of the first is the first letter of the second."""
    second = _shifted(other, first.states)
    joining = tuple(
        Transition(last.source, conjunction(last.letter, start.letter), start.target)
        for last in first.transitions
        if last.target in first.final
        for start in second.transitions
        if start.source in second.initial
    )
    states = first.states + second.states
    transitions = (*first.transitions, *joining, *second.transitions)
    return _limited(states, first.initial, second.final, transitions, False)


def _product(first: SequenceAutomaton, second: SequenceAutomaton) -> SequenceAutomaton:
    def pair(one: int, other: int) -> int:
        return one * second.states + other

    transitions = tuple(
        Transition(
            pair(one.source, other.source), conjunction(one.letter, other.letter), pair(one.target, other.target)
        )
        for one in first.transitions
        for other in second.transitions
    )
    return SequenceAutomaton(
        first.states * second.states,
        frozenset(pair(one, other) for one in first.initial for other in second.initial),
        frozenset(pair(one, other) for one in first.final for other in second.final),
        transitions,
        first.is_nullable and second.is_nullable,
    )


def _repeated(body: SequenceAutomaton, least: int, most: int) -> SequenceAutomaton:
    """``body`` this many times: copies one after the other, and a loop if there is no upper bound."""
    if max(least, most) * max(1, body.states) > MOST_STATES:
        raise UnsupportedError(f"a sequence of more than {MOST_STATES} states")
    if body.is_nullable:
        least = 0
    optional = SequenceAutomaton(body.states, body.initial, body.final, body.transitions, True)
    tail = _looped(body) if most < 0 else _NOTHING
    for _ in range(0 if most < 0 else most - least):
        tail = _concatenated(optional, tail)
    for _ in range(least):
        tail = _concatenated(body, tail)
    return _trimmed(tail)


def _looped(body: SequenceAutomaton) -> SequenceAutomaton:
    back = tuple(
        Transition(transition.source, transition.letter, start)
        for transition in body.transitions
        if transition.target in body.final
        for start in sorted(body.initial)
    )
    return _limited(body.states, body.initial, body.final, (*body.transitions, *back), True)


def _limited(
    states: int, initial: frozenset[int], final: frozenset[int], transitions: tuple[Transition, ...], is_nullable: bool
) -> SequenceAutomaton:
    if states > 4 * MOST_STATES:
        raise UnsupportedError(f"a sequence of more than {MOST_STATES} states")
    return SequenceAutomaton(states, initial, final, transitions, is_nullable)


def _trimmed(one: SequenceAutomaton) -> SequenceAutomaton:
    """Without states that no match passes, numbered anew in their order."""
    useful = _closed(one.initial, one.transitions, forward=True) & _closed(one.final, one.transitions, forward=False)
    if len(useful) > MOST_STATES:
        raise UnsupportedError(f"a sequence of more than {MOST_STATES} states")
    number = {state: index for index, state in enumerate(sorted(useful))}
    # A state that is only the end of a match has no transitions; one that is initial and final reads nothing.
    return SequenceAutomaton(
        len(number),
        frozenset(number[state] for state in one.initial if state in number),
        frozenset(number[state] for state in one.final if state in number),
        tuple(
            Transition(number[transition.source], transition.letter, number[transition.target])
            for transition in one.transitions
            if transition.source in number and transition.target in number
        ),
        one.is_nullable,
    )


def _closed(start: Iterable[int], transitions: tuple[Transition, ...], forward: bool) -> set[int]:
    edges: dict[int, list[int]] = {}
    for transition in transitions:
        source, target = (transition.source, transition.target) if forward else (transition.target, transition.source)
        edges.setdefault(source, []).append(target)
    closure = set(start)
    pending = list(closure)
    while pending:
        for target in edges.get(pending.pop(), ()):
            if target not in closure:
                closure.add(target)
                pending.append(target)
    return closure
