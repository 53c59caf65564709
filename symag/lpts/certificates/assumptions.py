"""Assumptions of proofs by parts about probabilistic systems."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from symag.core.evidence.documented import OPTIONAL, Documented
from symag.lpts.certificates.certificate import Classes, Exact, ProbabilisticCertificate

_Branch = Annotated[tuple[int, Exact], "a state and a probability"]
_Transition = Annotated[tuple[int, str, tuple[_Branch, ...]], "a state, an action and branches"]


@dataclass(frozen=True, slots=True, eq=False)
class AbstractSystem(Documented):
    """An assumption, and the partition by which it abstracts a system.

    That system is the composition of one part's components with the assumptions that stand beside it, if any do.
    ``transitions`` are (state, action, branches); a branch is (state, probability). ``classes`` has a row for each
    state of the system: the local states of the components, then of these assumptions; last its class, which is a
    state of this assumption. State 0 is the class of the initial state. Both have the same alphabet.
    """

    states: int
    transitions: tuple[_Transition, ...]
    classes: Classes


class ProofByParts(ProbabilisticCertificate):
    """A proof that the components do as they have to, by parts and assumptions (see ``SimulationProof``)."""

    __slots__ = ()

    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[AbstractSystem, ...]
    beside: Annotated[tuple[int, ...], OPTIONAL]

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
