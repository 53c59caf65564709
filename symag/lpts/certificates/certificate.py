"""The base of every kind of certificate for probabilistic systems.

Rules of this folder:

- Components have numbers in the order in which the problem lists them; a state of several components is the
  tuple of their local states.
- Probabilities are exact fractions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from symag.core.evidence.documented import DocumentedCertificate, Spelling, reader
from symag.core.evidence.documents import Member
from symag.lpts.lpts import fraction_of

_LARGEST = 2**62

#: A state, as the states of its components, and a number.
NumberedState = Annotated[tuple[tuple[int, ...], int], "a state and a number"]


class ProbabilisticCertificate(DocumentedCertificate):
    """Evidence that ``symag.lpts.certify`` re-checks. To add a kind: see ``symag.lpts.certify.kinds``."""

    __slots__ = ()

    @property
    def claim(self) -> str:
        """What the property does if the certificate is accepted: ``holds``, ``is violated``, ``is 1/3``."""
        return "holds"

    @abstractmethod
    def lines(self, names: Sequence[str]) -> Iterator[str]:
        """The sizes of the evidence, in words; ``names`` are those of the components."""


class Refutation(ProbabilisticCertificate):
    """Evidence that the property is violated."""

    __slots__ = ()

    @property
    def claim(self) -> str:
        return "is violated"


def read_fraction(item: Member) -> Fraction:
    """A text such as ``1/3``. Raises InputError."""
    try:
        return fraction_of(item.has(str))
    except (ValueError, ZeroDivisionError):
        raise item.wrong("a probability such as 1/3") from None


def _rows(item: Member) -> NDArray[np.int64]:
    rows = [(*state, class_) for state, class_ in reader(tuple[NumberedState, ...])(item)]
    if len({len(row) for row in rows}) > 1 or any(not 0 <= number < _LARGEST for row in rows for number in row):
        raise item.wrong("a list of states, all of the same components, with their classes")
    return np.array(rows, dtype=np.int64).reshape(len(rows), -1) if rows else np.zeros((0, 1), dtype=np.int64)


def _written_rows(classes: NDArray[np.int64]) -> list[tuple[list[int], int]]:
    return [(row, class_) for *row, class_ in classes.tolist()]


#: A fraction, as a text such as ``1/3``.
Exact = Annotated[Fraction, Spelling(read_fraction, str)]

#: Rows of local states, each with the class of the state behind them.
Classes = Annotated[NDArray[np.int64], Spelling(_rows, _written_rows)]
