"""A PRISM model without names: numbered variables, typed commands, and which modules move together."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from msgspec import Struct

from symag.core.source import SourceText
from symag.lpts.language.prism.typed import Typed


@dataclass(frozen=True, slots=True)
class FlatVariable:
    """Values from ``low`` to ``high`` (0 and 1 for bool); ``module`` is None for a global variable."""

    name: str
    is_bool: bool
    low: int
    high: int
    initial: int
    module: int | None


class FlatUpdate(Struct, frozen=True):
    """With this probability, each variable gets its value, all at once."""

    probability: Typed
    assignments: tuple[tuple[int, Typed, int], ...]  # variable, value, position in the text


@dataclass(frozen=True, slots=True)
class FlatCommand:
    """Where the guard holds, one of the updates happens. Constant probabilities are > 0 and sum to 1."""

    action: str
    guard: Typed
    updates: tuple[FlatUpdate, ...]
    position: int

    def constant_probabilities(self) -> tuple[Fraction, ...] | None:
        """The probability of each update, None if one of them depends on the state."""
        values = [getattr(update.probability, "value", None) for update in self.updates]
        if any(value is None for value in values):
            return None
        return tuple(Fraction(value) for value in values)  # type: ignore[arg-type]  # none is None here


@dataclass(frozen=True, slots=True)
class FlatModule:
    """``alphabet`` holds every action that a command names, whether or not it can ever happen."""

    name: str
    commands: tuple[FlatCommand, ...]
    alphabet: tuple[str, ...]


class JointMove(Struct, frozen=True):
    """A move under ``action``: each of these modules makes a move of its own under the action beside it."""

    action: str
    parts: tuple[tuple[int, str], ...]


class FlatReward(Struct, frozen=True):
    """Where the guard holds, a state (``action`` is None) or a transition with this action earns the value."""

    action: str | None
    guard: Typed
    value: Typed
    position: int


class FlatRewards(Struct, frozen=True):
    """A reward structure; ``name`` is "" if it has none."""

    name: str
    items: tuple[FlatReward, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FlatModel:
    """``type`` is mdp or dtmc; ``alphabet[0]`` is "". ``initial`` is the condition of init ... endinit."""

    source: SourceText
    type: str
    variables: tuple[FlatVariable, ...]
    modules: tuple[FlatModule, ...]
    alphabet: tuple[str, ...]
    moves: tuple[JointMove, ...]
    labels: tuple[tuple[str, Typed], ...]
    initial: Typed | None
    rewards: tuple[FlatRewards, ...] = ()
