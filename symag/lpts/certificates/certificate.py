"""The base of every kind of certificate for probabilistic systems.

Rules of this folder:

- Components have numbers in the order in which the problem lists them; a state of several components is the
  tuple of their local states.
- Probabilities are exact fractions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from symag.core.evidence.documents import Member
from symag.lpts.lpts import fraction_of

_LARGEST = 2**62


class ProbabilisticCertificate(ABC):
    """Evidence that ``symag.lpts.certify`` re-checks. To add a kind: see ``symag.lpts.certify.kinds``."""

    __slots__ = ()

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind in a file, such as ``strong-simulation``."""

    @property
    def claim(self) -> str:
        """What the property does if the certificate is accepted: ``holds``, ``is violated``, ``is 1/3``."""
        return "holds"

    @abstractmethod
    def lines(self, names: Sequence[str]) -> Iterator[str]:
        """The sizes of the evidence, in words; ``names`` are those of the components."""

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The members of the JSON document besides ``kind``."""

    @classmethod
    @abstractmethod
    def read(cls, evidence: Member) -> Self:
        """The certificate in a document. Raises InputError with the position of a malformed member."""


def state_and_number(item: Member) -> tuple[tuple[int, ...], int]:
    """A pair of a state, as local states, and a number. Raises InputError."""
    parts = item.items()
    if len(parts) != 2:
        raise item.wrong("a state and a number")
    return integers(parts[0]), parts[1].has(int)


def integers(item: Member) -> tuple[int, ...]:
    """A list of integers. Raises InputError."""
    return tuple(number.has(int) for number in item.items())


def fraction(item: Member) -> Fraction:
    """A text such as ``1/3``. Raises InputError."""
    try:
        return fraction_of(item.has(str))
    except (ValueError, ZeroDivisionError):
        raise item.wrong("a probability such as 1/3") from None


def classes_document(classes: NDArray[np.int64]) -> list[tuple[list[int], int]]:
    """Rows of local states and last their class, as members of a document."""
    return [(row, class_) for *row, class_ in classes.tolist()]


def classes_of(item: Member) -> NDArray[np.int64]:
    """The rows in a document. Raises InputError."""
    rows = [(*state, class_) for state, class_ in map(state_and_number, item.items())]
    if len({len(row) for row in rows}) > 1 or any(not 0 <= number < _LARGEST for row in rows for number in row):
        raise item.wrong("a list of states, all of the same components, with their classes")
    return np.array(rows, dtype=np.int64).reshape(len(rows), -1) if rows else np.zeros((0, 1), dtype=np.int64)
