"""What expressions are evaluated over: the literals of a graph, or decision diagrams."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

#: A literal of a ``Graph``, or a diagram. Equal signals are the same function; of diagrams that holds both ways.
Signal: TypeAlias = Any


class SignalAlgebra(Protocol):
    """The operations on the signals of one graph or one context of diagrams."""

    @property
    def true(self) -> Signal:
        """The constant TRUE."""

    @property
    def false(self) -> Signal:
        """The constant FALSE."""

    def negation(self, a: Signal) -> Signal:
        """Not a."""

    def conjunction(self, a: Signal, b: Signal) -> Signal:
        """a and b."""

    def disjunction(self, a: Signal, b: Signal) -> Signal:
        """a or b."""

    def exclusive(self, a: Signal, b: Signal) -> Signal:
        """Exactly one of a and b."""

    def equal(self, a: Signal, b: Signal) -> Signal:
        """a and b, or neither."""

    def choice(self, condition: Signal, a: Signal, b: Signal) -> Signal:
        """a where the condition is true, b elsewhere."""

    def all(self, signals: Iterable[Signal]) -> Signal:
        """The conjunction of any number of signals; TRUE for none."""

    def any(self, signals: Iterable[Signal]) -> Signal:
        """The disjunction of any number of signals; FALSE for none."""
