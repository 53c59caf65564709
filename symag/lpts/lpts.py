"""Labelled probabilistic transition systems with exact probabilities (agar-lpts-2012, Definition 1).

Laws of this file:

- States are 0 .. ``states`` - 1 and 0 is initial. ``alphabet[0]`` is "", the label of moves that never
  synchronise; the other actions have distinct names, whether or not a transition has them.
- Transition k goes from ``source[k]`` by ``action[k]`` to the distribution that gives ``target[e]`` the
  probability ``probabilities[weight[e]]`` for every entry e from ``begin[k]`` to ``begin[k + 1]`` - 1.
- Transitions are sorted by source and then by action. The targets of one distribution are distinct and
  ascending; its probabilities are greater than 0 and their sum is exactly 1.
- ``probabilities`` are distinct fractions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

#: A system with more branches is not drawn.
_MOST_DRAWN = 120
Numbers = NDArray[np.int64]

#: One transition: source, action, and the probability of each target.
Transition = tuple[int, int, Mapping[int, Fraction]]

_NONE = np.zeros(0, dtype=np.int64)
_ONLY_ZERO = np.zeros(1, dtype=np.int64)

#: Powers of ten beyond this are no probability or reward of a model, and would fill the memory.
MOST_DIGITS = 10_000
#: Python converts no integers with many more digits, because that would take quadratic time.
_LONGEST = 4000
_EXPONENT = re.compile(r"[eE][+-]?0*(\d+)")


def fraction_of(text: str) -> Fraction:
    """The exact value of an integer, a decimal or a fraction such as ``1/3``.

    Raises ValueError (also for longer texts and exponents than a model needs) and ZeroDivisionError.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"a number of {len(text):,} characters is too long")
    exponent = _EXPONENT.search(text)
    if exponent is not None and (len(exponent[1]) > 9 or int(exponent[1]) > MOST_DIGITS):
        raise ValueError(f"the exponent is too large, expected at most {MOST_DIGITS}")
    return Fraction(text)


class Lpts(Struct, frozen=True, eq=False):
    """A system; ``source`` and ``action`` have an entry for each transition, ``begin`` one more.

    In a notebook a small system is drawn, a large one described by its size.
    """

    name: str
    alphabet: tuple[str, ...] = ("",)
    states: int = 1
    source: Numbers = field(default_factory=lambda: _NONE)
    action: Numbers = field(default_factory=lambda: _NONE)
    begin: Numbers = field(default_factory=lambda: _ONLY_ZERO)
    target: Numbers = field(default_factory=lambda: _NONE)
    weight: Numbers = field(default_factory=lambda: _NONE)
    probabilities: tuple[Fraction, ...] = ()

    def __repr__(self) -> str:
        return f"{self.name}: {self.states} states, {self.transitions} transitions, {len(self.alphabet) - 1} actions"

    def _repr_html_(self) -> str:
        # For start-up: only notebooks show HTML.
        from html import escape

        from symag.traces.automata_picture import MOST_STATES, automata_svg, drawn_system

        if self.states > MOST_STATES or self.entries > _MOST_DRAWN:
            return f"<p>{escape(repr(self))}</p>"
        moves = [
            (source, f"{self.alphabet[action] or '(no label)'} {probability}".removesuffix(" 1"), target)
            for source, action, distribution in self.triples()
            for target, probability in distribution.items()
        ]
        return automata_svg([drawn_system(repr(self), self.states, moves)], self.name)

    @classmethod
    def of(cls, name: str, alphabet: Sequence[str], states: int, transitions: Iterable[Transition]) -> Lpts:
        """From transitions in any order, repeated ones counted once; zero probabilities are dropped.

        Raises ValueError if the result would break a law of this file.
        """
        distinct = sorted(
            {(s, a, tuple(sorted((t, Fraction(p)) for t, p in mu.items() if p))) for s, a, mu in transitions}
        )
        number: dict[Fraction, int] = {}
        entries = [entry for _, _, distribution in distinct for entry in distribution]
        weight = [number.setdefault(probability, len(number)) for _, probability in entries]
        begin = np.cumsum([0, *(len(distribution) for _, _, distribution in distinct)])
        lpts = cls(
            name,
            tuple(alphabet),
            states,
            _numbers(s for s, _, _ in distinct),
            _numbers(a for _, a, _ in distinct),
            begin.astype(np.int64),
            _numbers(target for target, _ in entries),
            _numbers(weight),
            tuple(number),
        )
        broken = lpts.broken_law()
        if broken is not None:
            raise ValueError(broken)
        return lpts

    @property
    def transitions(self) -> int:
        """The number of transitions: the choices of all states together."""
        return len(self.source)

    @property
    def entries(self) -> int:
        """The number of branches of all distributions together (what PRISM counts as transitions)."""
        return len(self.target)

    def offsets(self) -> Numbers:
        """Where each state's transitions begin; one entry more than states."""
        return np.searchsorted(self.source, np.arange(self.states + 1)).astype(np.int64)

    def distribution(self, transition: int) -> dict[int, Fraction]:
        """The probability of each target of one transition."""
        entries = range(int(self.begin[transition]), int(self.begin[transition + 1]))
        return {int(self.target[e]): self.probabilities[self.weight[e]] for e in entries}

    def triples(self) -> list[tuple[int, int, dict[int, Fraction]]]:
        """The transitions as a list, from which ``of`` makes the same system again."""
        return [(int(self.source[k]), int(self.action[k]), self.distribution(k)) for k in range(self.transitions)]

    def denominator(self) -> int:
        """The least common denominator of all probabilities; 1 if there is none."""
        return math.lcm(*(probability.denominator for probability in self.probabilities))

    def is_reactive(self) -> bool:
        """Whether every state has at most one transition for each action (Definition 1)."""
        same = (self.source[1:] == self.source[:-1]) & (self.action[1:] == self.action[:-1])
        return not same.any()

    def is_fully_probabilistic(self) -> bool:
        """Whether every state has at most one transition."""
        return not (self.source[1:] == self.source[:-1]).any()

    def broken_law(self) -> str | None:
        """How the arrays break a law of this file, None if they keep all. Linear, with arrays."""
        if self.states < 1 or not self.alphabet or self.alphabet[0] != "":
            return "there is no state, or the first action is not ''"
        if len(set(self.alphabet)) < len(self.alphabet) or len(set(self.probabilities)) < len(self.probabilities):
            return "an action or a probability is there twice"
        lengths = (len(self.source), len(self.action), len(self.target))
        if lengths != (len(self.begin) - 1, len(self.begin) - 1, len(self.weight)):
            return "the arrays have different lengths"
        if not _within(self.source, self.states) or not _within(self.target, self.states):
            return "a source or target is not a state"
        if not _within(self.action, len(self.alphabet)) or not _within(self.weight, len(self.probabilities)):
            return "an action or a weight has no meaning"
        key = self.source * len(self.alphabet) + self.action
        if (key[1:] < key[:-1]).any():
            return "the transitions are not sorted"
        return self._broken_distribution()

    def _broken_distribution(self) -> str | None:
        if self.begin[0] != 0 or self.begin[-1] != self.entries or (self.begin[1:] <= self.begin[:-1]).any():
            return "a distribution is empty, or begins where another has not ended"
        first = np.zeros(self.entries, dtype=bool)
        first[self.begin[:-1]] = True
        if ((self.target[1:] <= self.target[:-1]) & ~first[1:]).any():
            return "the targets of a distribution are not ascending"
        if any(probability <= 0 for probability in self.probabilities):
            return "a probability is not greater than 0"
        common = self.denominator()
        exact = np.int64 if common < 2**31 else np.object_
        numerators = np.array([int(p * common) for p in self.probabilities], dtype=exact)
        if self.transitions and (np.add.reduceat(numerators[self.weight], self.begin[:-1]) != common).any():
            return "the probabilities of a distribution do not sum to 1"
        return None


def _within(numbers: Numbers, bound: int) -> bool:
    return len(numbers) == 0 or bool((numbers.min() >= 0) and (numbers.max() < bound))


def _numbers(values: Iterable[int]) -> Numbers:
    return np.fromiter(values, dtype=np.int64)


def mentioned(system: Lpts) -> frozenset[str]:
    """The actions that the system mentions: its alphabet, and "" only if a transition has it."""
    silent = {""} if (system.action == 0).any() else set()
    return frozenset(silent.union(system.alphabet[1:]))


def performed(system: Lpts) -> frozenset[str]:
    """The actions that some transition has."""
    return frozenset(system.alphabet[action] for action in np.flatnonzero(np.bincount(system.action)))


def completed(specification: Lpts, actions: Collection[str]) -> Lpts:
    """The specification with a Dirac self-loop in every state for each of ``actions`` that it does not mention."""
    missing = sorted(set(actions) - mentioned(specification))
    if not missing:
        return specification
    alphabet = (*specification.alphabet, *(action for action in missing if action != ""))
    number = {action: index for index, action in enumerate(alphabet)}
    loops = _loops(specification.states, [number[action] for action in missing])
    return Lpts.of(specification.name, alphabet, specification.states, [*specification.triples(), *loops])


def _loops(states: int, actions: Iterable[int]) -> list[tuple[int, int, dict[int, Fraction]]]:
    return [(state, action, {state: Fraction(1)}) for action in actions for state in range(states)]


def unshared_actions(components: Sequence[Lpts], specification: Lpts, name: str) -> tuple[str, ...]:
    """A line for a specification without actions of the system, and for each component that shares none with anything.

    ``name`` is the specification in messages. Systems and specifications without named actions are not mentioned.
    """
    alphabets = [frozenset(component.alphabet[1:]) for component in components]
    specified = frozenset(specification.alphabet[1:])
    system = frozenset[str]().union(*alphabets)
    if system and specified and not system & specified:
        return (f"{name} shares no action with the system; is a name wrong?",)
    warnings = []
    for index, alphabet in enumerate(alphabets):
        others = specified.union(*alphabets[:index], *alphabets[index + 1 :])
        if len(alphabets) > 1 and alphabet and not alphabet & others:
            component = components[index].name
            warnings.append(
                f"{component} shares no action with another component or {name}: it moves independently of them"
            )
    return tuple(warnings)
