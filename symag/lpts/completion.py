"""A specification that leaves actions out allows them always (agar-lpts-2012, after Definition 5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

import numpy as np

from symag.lpts.lpts import Lpts


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
