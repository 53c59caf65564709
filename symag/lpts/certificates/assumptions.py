"""Assumptions of proofs by parts about probabilistic systems."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symag.core.evidence.documents import Member
from symag.lpts.certificates.certificate import (
    ProbabilisticCertificate,
    classes_document,
    classes_of,
    fraction,
    integers,
)


@dataclass(frozen=True, slots=True, eq=False)
class AbstractSystem:
    """An assumption, and the partition by which it abstracts a system.

    That system is the composition of one part's components with the assumptions that stand beside it, if any do.
    ``transitions`` are (state, action, branches); a branch is (state, probability). ``classes`` has a row for each
    state of the system: the local states of the components, then of these assumptions; last its class, which is a
    state of this assumption. State 0 is the class of the initial state. Both have the same alphabet.
    """

    states: int
    transitions: tuple[tuple[int, str, tuple[tuple[int, Fraction], ...]], ...]
    classes: NDArray[np.int64]

    def document(self) -> dict[str, Any]:
        """Its members in a file."""
        return {
            "states": self.states,
            "transitions": [
                (source, action, [(target, str(probability)) for target, probability in branches])
                for source, action, branches in self.transitions
            ],
            "classes": classes_document(self.classes),
        }

    @classmethod
    def read(cls, item: Member) -> AbstractSystem:
        """The assumption in a document. Raises InputError."""
        transitions = []
        for transition in item.items("transitions"):
            parts = transition.items()
            if len(parts) != 3:
                raise transition.wrong("a state, an action and branches")
            branches = tuple(_branch(branch) for branch in parts[2].items())
            transitions.append((parts[0].has(int), parts[1].has(str), branches))
        return cls(item.get("states", int), tuple(transitions), classes_of(item.member("classes")))


class ProofByParts(ProbabilisticCertificate):
    """A proof that the components do as they have to, by parts and assumptions (see ``SimulationProof``)."""

    __slots__ = ()

    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[AbstractSystem, ...]
    beside: tuple[int, ...]

    @abstractmethod
    def heading(self) -> str:
        """The size of the last premise, in words."""

    def lines(self, names: Sequence[str]) -> Iterator[str]:
        yield self.heading()
        for number, part in enumerate(self.parts):
            yield f"part {number}: {', '.join(names[k] for k in part) or 'nothing'}"
        beside = self.beside or tuple(range(len(self.assumptions)))
        for number, assumption in enumerate(self.assumptions):
            standing = [str(k) for k, part in enumerate(beside) if part == number + 1]
            yield (
                f"assumption {number}: {assumption.states} states, {len(assumption.transitions)} transitions, "
                f"for {len(assumption.classes)} states of part {number + 1}"
                + (f" with assumption{'s' if len(standing) > 1 else ''} {', '.join(standing)}" if standing else "")
            )

    def document(self) -> dict[str, Any]:
        """The members that all proofs by parts have."""
        return {
            "parts": self.parts,
            "assumptions": [assumption.document() for assumption in self.assumptions],
            **({"beside": self.beside} if self.beside else {}),
        }


def read_parts(evidence: Member) -> tuple[tuple[int, ...], ...]:
    """The parts of a proof in a document. Raises InputError."""
    return tuple(integers(part) for part in evidence.items("parts"))


def read_assumptions(evidence: Member) -> tuple[AbstractSystem, ...]:
    """The assumptions of a proof in a document. Raises InputError."""
    return tuple(map(AbstractSystem.read, evidence.items("assumptions")))


def read_beside(evidence: Member) -> tuple[int, ...]:
    """The part that each assumption stands beside; empty if the document does not say it. Raises InputError."""
    return integers(evidence.member("beside")) if "beside" in evidence.has(dict) else ()


def _branch(item: Member) -> tuple[int, Fraction]:
    parts = item.items()
    if len(parts) != 2:
        raise item.wrong("a state and a probability")
    return parts[0].has(int), fraction(parts[1])
