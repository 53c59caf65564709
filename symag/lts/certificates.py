"""Evidence about labelled transition systems, as plain values that can be written to a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.evidence.documented import Documented, DocumentedCertificate, Spelling
from symag.core.evidence.documents import Member
from symag.lts.lts import Lts


def counted(number: int, what: str) -> str:
    """A number of things in words: ``1 class``, ``2 classes``."""
    plural = f"{what}es" if what.endswith("s") else f"{what}s"
    return f"{number} {what if number == 1 else plural}"


class LabelledCertificate(DocumentedCertificate):
    """Evidence that ``symag.lts.certify`` re-checks. To add a kind: see ``symag.lts.certify.kinds``."""

    __slots__ = ()

    def summary(self, names: Sequence[str]) -> str:
        """The certificate in one line; ``names`` are those of the components."""
        return self.kind.replace("-", " ")


class LabelledAssumption(Documented, Struct, frozen=True):
    """An automaton over visible actions, all of whose states accept: its language is prefix-closed.

    State 0 is initial. ``transitions`` are triples (state, index into ``alphabet``, state), sorted, each once.
    Several states for one action, and none, are allowed.
    """

    alphabet: tuple[str, ...]
    states: int
    transitions: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, system: Lts) -> LabelledAssumption:
        """The assumption of a system without tau and ERROR: its words are the system's traces."""
        transitions = tuple((source, action - 1, target) for source, action, target in system.triples())
        return cls(system.alphabet[1:], system.states, transitions)


class LabelledAssumptions(LabelledCertificate, Struct, frozen=True):
    """A safety problem over labelled transition systems holds: assumptions, and the rule that they instantiate.

    ``parts`` are the numbers of the components that make up each part; every component is in exactly one.
    An assumption restricts the actions of its alphabet and no others. Part k, M_k, is the composition of its
    components, with tau, and P the property.

    rule-1: two parts, one assumption A. Premises: A || M_0 |= P; the words of M_1, in A's alphabet, are A's.
    rule-3: n parts, n - 1 assumptions A_0 .. A_n-2. Premises: A_0 || M_0 |= P; the words of A_k || M_k, in
    A_k-1's alphabet, are A_k-1's, for k = 1 .. n - 2; the words of M_n-1, in A_n-2's alphabet, are A_n-2's.
    circular: n parts, one assumption each, ``guarantees[i]`` the numbers of the assumptions that premise i uses
    (never i itself). Premise i: if a word s.a (a is its last action) is one of M_i, and s, in their alphabets, is
    one of A_i and of all assumptions of ``guarantees[i]``, then s.a is one of A_i. Last premise:
    A_0 || .. || A_n-1 |= P.
    """

    rule: Annotated[Literal["rule-1", "rule-3", "circular"], "a rule that this symag knows"]
    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[LabelledAssumption, ...]
    guarantees: tuple[tuple[int, ...], ...] = ()
    kind: str = "labelled-assumptions"

    def summary(self, names: Sequence[str]) -> str:
        return f"{self.rule}: {counted(len(self.parts), 'part')}, {counted(len(self.assumptions), 'assumption')}"


class ExplorationClaim(LabelledCertificate, Struct, frozen=True):
    """The claim without evidence: the re-check explores all reachable states again."""

    kind: str = "exploration"

    def summary(self, names: Sequence[str]) -> str:
        return "exploration: all reachable states, found again"


def _classes(item: Member) -> tuple[tuple[tuple[int, ...], int], ...]:
    width = len(item.nearest("replaced")) + 1
    rows = (row.numbers(width) for row in item.items())
    return tuple((row[:-1], row[-1]) for row in rows)


def _written_classes(classes: Iterable[tuple[tuple[int, ...], int]]) -> list[tuple[int, ...]]:
    return [(*local, number) for local, number in classes]


class StateQuotient(LabelledCertificate, Struct, frozen=True):
    """A safety problem over labelled transition systems holds, because it holds with a quotient instead of a part.

    ``replaced`` are the numbers of the components that make up N, the others are M. ``classes`` gives, for every
    state that N reaches by itself (the states of its components, in this order), the number of its class. N/~ has
    the classes as states, and between classes all transitions between their members, tau included, so every word of
    N is one of N/~. Premise: M || N/~ |= P.
    """

    replaced: tuple[int, ...]
    classes: Annotated[tuple[tuple[tuple[int, ...], int], ...], Spelling(_classes, _written_classes)]
    kind: str = "state-quotient"

    def summary(self, names: Sequence[str]) -> str:
        classes = counted(len({number for _, number in self.classes}), "class")
        states = counted(len(self.classes), "state")
        return f"quotient: {classes} of {states} of {', '.join(names[k] for k in self.replaced)}"


def _rows(item: Member) -> NDArray[np.int64]:
    width = len(item.nearest("members")) + 1
    rows = [row.numbers(width) for row in item.items()]
    try:
        return np.array(rows, dtype=np.int64).reshape(-1, width)
    except OverflowError:
        raise item.wrong("numbers of less than 64 bits") from None


class ReductionStep(Documented, Struct, frozen=True, eq=False):
    """Items composed into one, which is made smaller.

    Items are numbered: the components that do not only observe, from 0 on, then the processes that only observe; -1 is
    the result of the first step, -2 that of the second, and so on. ``classes`` has a row for each state that
    ``members`` reach by themselves: their states, in this order, and the number of its class.
    """

    members: tuple[int, ...]
    classes: Annotated[NDArray[np.int64], Spelling(_rows, np.ndarray.tolist)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReductionStep):
            return NotImplemented
        return self.members == other.members and np.array_equal(self.classes, other.classes)

    def __hash__(self) -> int:
        return hash((self.members, self.classes.shape))


class ReductionChain(LabelledCertificate, Struct, frozen=True):
    """A safety problem over labelled transition systems holds, for it does after some steps of minimisation.

    The items ``left_out`` have no transition to ERROR. Each step takes its members away and adds one item: their
    composition, in which actions that no other item has are silent and the states of a class are one, with every
    transition between members of classes. Premise: ``last``, some of the items that are there in the end, reach no
    ERROR together, and the others have no transition to ERROR.
    """

    left_out: tuple[int, ...]
    steps: tuple[ReductionStep, ...]
    last: tuple[int, ...]
    kind: str = "reduction-chain"

    def summary(self, names: Sequence[str]) -> str:
        largest = max((len(step.classes) for step in self.steps), default=0)
        steps, without = counted(len(self.steps), "step"), ", ".join(names[k] for k in self.left_out if k < len(names))
        shown = f"reduction: {steps}, the largest from {counted(largest, 'state')}"
        return f"{shown}; without {without}" if without else shown


class RecurrenceMonitor(Documented, Struct, frozen=True):
    """A deterministic Buechi automaton that reads the actions of a run; a run is accepted if it accepts for ever.

    State 0 is initial. In state d it goes by ``labels[k]`` to ``moves[d][k]``, by any other action to the last entry of
    ``moves[d]``; ``accepting`` (1 or 0) has the same shape. ``ends[d]`` is 1 if a run may end after which it is in d.
    """

    labels: tuple[str, ...]
    moves: tuple[tuple[int, ...], ...]
    accepting: tuple[tuple[int, ...], ...]
    ends: tuple[int, ...]

    @property
    def ignores_others(self) -> bool:
        """Whether no action outside of ``labels`` changes its state."""
        return all(targets[-1] == state for state, targets in enumerate(self.moves))

    def check_members(self, item: Member) -> None:
        for name, rows in (("moves", self.moves), ("accepting", self.accepting)):
            for number, row in enumerate(rows):
                if len(row) != len(self.labels) + 1:
                    raise item.items(name)[number].wrong(f"a list of {len(self.labels) + 1} numbers")


class WatchedReduction(LabelledCertificate, Struct, frozen=True):
    """An assertion holds, because a progress property of the system with a monitor does after steps of minimisation.

    The items are the components, and after them the monitor; ``steps`` and ``last`` are as in ``ReductionChain``. The
    rule: ``symag.lts.certify.liveness.watched_reduction``.
    """

    monitor: RecurrenceMonitor
    steps: tuple[ReductionStep, ...]
    last: tuple[int, ...]
    kind: str = "watched-reduction"

    def summary(self, names: Sequence[str]) -> str:
        """How many steps, the size of the largest, and the monitor's."""
        chain = ReductionChain((), self.steps, self.last).summary(names)
        return f"{chain}; monitor of {counted(len(self.monitor.moves), 'state')}"


class ModalAbstractions(LabelledCertificate, Struct, frozen=True):
    """Progress or an assertion holds, because it holds of modal abstractions of the parts.

    ``parts`` have each component once. The classes of a part's states are the states of its assumption. ``monitor``
    recognises an assertion; a progress property needs none. The rule: ``symag.lts.certify.liveness.modal_abstraction``.
    """

    parts: tuple[ReductionStep, ...]
    monitor: RecurrenceMonitor | None = None
    kind: str = "modal-abstractions"

    def summary(self, names: Sequence[str]) -> str:
        """The parts with the sizes of their assumptions, and the monitor's."""
        classes = sum(len(set(part.classes[:, -1].tolist())) for part in self.parts)
        states = sum(len(part.classes) for part in self.parts)
        shown = (
            f"modal abstractions of {counted(len(self.parts), 'part')}: {counted(classes, 'class')} of {states} states"
        )
        return shown if self.monitor is None else f"{shown}; monitor of {counted(len(self.monitor.moves), 'state')}"
