"""Compositions of probabilistic systems, one state at a time, by the definitions.

This code shares the class of components with the search, but no code that composes, abstracts or searches.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symag.core.errors import CertificationError
from symag.lpts.certificates.assumptions import AbstractSystem
from symag.lpts.lpts import Lpts

State = tuple[int, ...]
LocalMove = tuple[str, Mapping[int, Fraction]]
Move = tuple[str, dict[State, Fraction]]


def refused(reason: str) -> CertificationError:
    """The error for evidence about simulations that is not accepted."""
    return CertificationError(f"the answer is not accepted: {reason}")


def of_another_kind() -> CertificationError:
    """The error for evidence that cannot be about the problem."""
    return CertificationError("the evidence is for another kind of property")


class ProbabilisticAutomaton:
    """One component: its alphabet ("" left out), and the moves of each state."""

    def __init__(self, alphabet: Sequence[str], moves: list[list[LocalMove]]) -> None:
        self.alphabet = frozenset(alphabet) - {""}
        self.moves = moves

    @classmethod
    def of(cls, system: Lpts) -> ProbabilisticAutomaton:
        """The automaton of a whole system."""
        moves: list[list[LocalMove]] = [[] for _ in range(system.states)]
        for source, action, distribution in system.triples():
            moves[source].append((system.alphabet[action], distribution))
        return cls(system.alphabet, moves)

    @classmethod
    def of_assumption(cls, assumption: AbstractSystem, alphabet: Sequence[str]) -> ProbabilisticAutomaton:
        """The automaton of an assumption.

        Raises CertificationError for an action outside the alphabet, or a state that does not exist.
        """
        actions = {"", *alphabet}
        moves: list[list[LocalMove]] = [[] for _ in range(assumption.states)]
        for source, action, branches in assumption.transitions:
            if not all(0 <= state < assumption.states for state in (source, *(target for target, _ in branches))):
                raise refused("a transition of an assumption has no such state")
            if action not in actions:
                raise refused("an assumption has an action of its own")
            moves[source].append((action, dict(branches)))
        return cls(alphabet, moves)

    def answers(self, state: int, action: str) -> Iterator[Mapping[int, Fraction]]:
        """The distributions by which a specification answers; by an action that it does not mention it stays."""
        mentioned = action in self.alphabet if action else any(a == "" for moves in self.moves for a, _ in moves)
        if not mentioned:
            yield {state: Fraction(1)}
        for label, distribution in self.moves[state]:
            if label == action:
                yield distribution


class ProbabilisticProduct:
    """The composition of components (Definition 3; moves labelled "" are made by one component alone)."""

    def __init__(self, components: Sequence[ProbabilisticAutomaton]) -> None:
        self._components = components
        labels = sorted({label for component in components for label in component.alphabet})
        self._owners = {
            label: [k for k, component in enumerate(components) if label in component.alphabet] for label in labels
        }

    @property
    def components(self) -> int:
        """The number of components."""
        return len(self._components)

    def knows(self, state: State) -> bool:
        """Whether all components have their part of the state."""
        return len(state) == len(self._components) and all(
            0 <= local < len(component.moves) for local, component in zip(state, self._components, strict=True)
        )

    def moves(self, state: State) -> Iterator[Move]:
        """The transitions from a state."""
        possible: dict[str, dict[int, list[Mapping[int, Fraction]]]] = {}
        for k, (component, local) in enumerate(zip(self._components, state, strict=True)):
            for label, distribution in component.moves[local]:
                if label == "":
                    yield "", _spread(state, [(k, distribution)])
                else:
                    possible.setdefault(label, {}).setdefault(k, []).append(distribution)
        for label, moves in possible.items():
            owners = self._owners[label]
            if len(moves) == len(owners):
                for chosen in itertools.product(*(moves[k] for k in owners)):
                    yield label, _spread(state, list(zip(owners, chosen, strict=True)))


def product_of(components: Sequence[Lpts]) -> ProbabilisticProduct:
    """The composition of components."""
    return ProbabilisticProduct([ProbabilisticAutomaton.of(component) for component in components])


def start_of(product: ProbabilisticProduct) -> State:
    """The initial state of a composition."""
    return (0,) * product.components


def _spread(state: State, moving: Sequence[tuple[int, Mapping[int, Fraction]]]) -> dict[State, Fraction]:
    spread: dict[State, Fraction] = {state: Fraction(1)}
    for k, distribution in moving:
        spread = {
            (*before[:k], target, *before[k + 1 :]): mass * probability if len(distribution) > 1 else mass
            for before, mass in spread.items()
            for target, probability in distribution.items()
        }
    return spread
