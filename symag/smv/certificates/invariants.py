"""Evidence for an invariant: what is inductive and implies it, as sets of states, formulas, clauses or circuits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Struct

from symag.core.evidence.documented import INLINE, OPTIONAL, Spelling
from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate, check_steps
from symag.smv.certificates.formulas import Bit, Clauses, Node, Table


class FactLemmas(Struct, frozen=True):
    """Invariants that are inductive together, as lemmas of another certificate: see ``InductiveFacts``.

    To check: each fact as there. Every other premise of the certificate may then use all of them, for they are true in
    every reachable state.
    """

    texts: tuple[str, ...] = ()
    uses: tuple[tuple[int, ...], ...] = ()

    def document(self) -> dict[str, Any]:
        """The members of a JSON object; none without facts."""
        return {"facts": self.texts, "uses": self.uses} if self.texts else {}

    @classmethod
    def read(cls, evidence: Member) -> FactLemmas:
        """The facts of an object, none if it has none. Raises InputError."""
        if not isinstance(evidence.value, dict) or "facts" not in evidence.value:
            return cls()
        facts = InductiveFacts.read(evidence)
        return cls(facts.facts, facts.uses)

    @property
    def count(self) -> str:
        """How many, in words."""
        return "1 fact" if len(self.texts) == 1 else f"{len(self.texts)} facts"

    def lines(self) -> Iterator[str]:
        """The facts as text."""
        for number, (text, uses) in enumerate(zip(self.texts, self.uses, strict=True)):
            yield f"fact {number}: {text}  (uses {', '.join(map(str, uses)) or 'nothing'})"


NO_FACTS = FactLemmas()
Lemmas = Annotated[FactLemmas, Spelling(FactLemmas.read, FactLemmas.document), INLINE]


class InductiveFacts(Certificate, Struct, frozen=True):
    """Invariants over the model's names that are inductive together and imply the property.

    ``facts`` are texts of boolean expressions over states, as the flat printer writes them. ``uses[i]`` are the
    numbers of the facts that fact i after a step follows from. To check: Init & Invar -> fact i; the facts of
    ``uses[i]`` & Invar & Trans & Invar' -> (fact i)'; all facts & Invar -> property.
    """

    facts: tuple[str, ...]
    uses: tuple[tuple[int, ...], ...]
    kind: str = "inductive-facts"

    def summary(self) -> str:
        return f"{len(self.facts)} fact{'s' if len(self.facts) != 1 else ''}, inductive together"

    def check_members(self, item: Member) -> None:
        check_uses(item, self.uses, len(self.facts), "fact")


def check_uses(item: Member, uses: tuple[tuple[int, ...], ...], count: int, what: str) -> None:
    """Refuse ``uses`` that are not numbers of things for each of so many. Raises InputError."""
    if len(uses) != count or any(not 0 <= number < count for numbers in uses for number in numbers):
        raise item.member("uses").wrong(f"a list of numbers of {what}s for every {what}")


class InductiveSet(Certificate, Struct, frozen=True):
    """A set of states that holds initially, is closed under the transitions, and implies the property.

    The set is the conjunction of the formulas ``conjuncts``: one, or one for each part of a partition.
    To check: Init & Invar -> set; set & Invar & Trans & Invar' -> set'; set & Invar -> property. Here ``facts``, with
    their own proof, belong to Invar.
    """

    table: Table
    conjuncts: tuple[Node, ...]
    facts: Lemmas = NO_FACTS
    kind: str = "inductive-set"

    def summary(self) -> str:
        facts = f", and {self.facts.count}" if self.facts.texts else ""
        return f"an inductive set of states: {len(self.table.nodes)} diagram nodes{facts}"


class InductiveParts(Certificate, Struct, frozen=True):
    """Sets of states that are inductive together and imply the property.

    ``sets[i]`` are numbers of diagram nodes: set i is the union of what they stand for, each a condition on the bits of
    one part. ``uses[i]`` are the numbers of the sets that the step of set i follows from. To check, as for facts:
    Init & Invar -> set i; the sets of ``uses[i]`` & Invar & Trans & Invar' -> (set i)'; all sets & Invar -> property.
    """

    table: Table
    sets: tuple[tuple[Node, ...], ...]
    uses: tuple[tuple[int, ...], ...]
    kind: str = "inductive-parts"

    def summary(self) -> str:
        return f"{len(self.sets)} sets of parts, inductive together: {len(self.table.nodes)} diagram nodes"

    def check_members(self, item: Member) -> None:
        check_uses(item, self.uses, len(self.sets), "set")


class Induction(Certificate, Struct, frozen=True):
    """An invariant that is inductive over ``steps`` steps, as k-induction and PDR (one step) find it.

    Let C be the conjunction of ``clauses`` (disjunctions of literals over current states), of ``lemmas`` (texts of
    boolean expressions over states) and of the property if it is about states; let p be the property if it is about
    transitions. To check, for paths s_0, s_1, .. that satisfy the system's constraints: if s_0 is initial, C is true in
    s_0 .. s_steps-1, and p on the transitions between them. If, from any s_0, that is so, C is true in s_steps, and p
    on the transition into it. With ``distinct`` the second part is checked only of paths on which s_0 .. s_steps-1
    differ in the variables that the initial states or the transitions constrain.

    ``sufficient_steps`` are the steps, at most ``steps``, over which the property and then each lemma are inductive
    where C is true before; none: all over ``steps``. They make the check cheaper: see ``certify.induction``.
    """

    steps: int
    clauses: Clauses
    lemmas: tuple[str, ...] = ()
    distinct: bool = False
    sufficient_steps: Annotated[tuple[int, ...], OPTIONAL] = ()
    kind: str = "induction"

    def check_members(self, item: Member) -> None:
        check_steps(item, "steps")
        numbers = self.sufficient_steps
        if numbers and not (len(numbers) == 1 + len(self.lemmas) and min(numbers) >= 1 and max(numbers) <= self.steps):
            raise item.member("sufficient_steps").wrong("numbers from 1 to steps, for the property and for each lemma")

    def numbers_of_steps(self) -> tuple[int, ...]:
        """Over how many steps the property and then each lemma are inductive."""
        return self.sufficient_steps or (self.steps,) * (1 + len(self.lemmas))

    def summary(self) -> str:
        distinct = " of paths without a repeated state" if self.distinct else ""
        return f"inductive over {self.steps} step{'s' if self.steps > 1 else ''}{distinct}, with"


class SignalCorrespondence(Certificate, Struct, frozen=True):
    """An invariant holds: it follows from equalities of signals and from clauses that are inductive together.

    A literal is twice a signal's number, plus one for negation. Signal 0 is FALSE, then come the bits ``leaves`` of
    variables, inputs among them, then the ``gates``, each the conjunction of two literals of smaller signals. To check
    that all pairs of literals in ``equal`` are equal and all ``clauses`` (over state bits) are true: in every initial
    state with any inputs; and if they are so before a step, with the inputs of the step, in the state after it with any
    inputs. Where they are so, the invariant must be true; one of transitions, on every step from there.
    """

    leaves: tuple[Bit, ...]
    gates: tuple[tuple[int, int], ...]
    equal: tuple[tuple[int, int], ...]
    clauses: Clauses
    kind: str = "signal-correspondence"

    def summary(self) -> str:
        return f"{len(self.equal)} pairs of equal signals and {len(self.clauses)} clauses, inductive, with"

    def check_members(self, item: Member) -> None:
        first = 1 + len(self.leaves)
        end = first + len(self.gates)
        ends = {"gates": range(first, end), "equal": [end] * len(self.equal)}
        for name, pairs in (("gates", self.gates), ("equal", self.equal)):
            for number, (pair, signals) in enumerate(zip(pairs, ends[name], strict=True)):
                if not all(0 <= literal < 2 * signals for literal in pair):
                    raise item.items(name)[number].wrong("two literals of earlier signals")


#: ``(variable, bit, next)``: a bit of a variable's value, in the next state if ``next``.
SharedBit = Annotated[tuple[str, int, bool], "a variable, a bit, and whether it is the next state's"]


class WitnessCircuit(Certificate, Struct, frozen=True):
    """A circuit that runs beside the system and has an inductive property (Yu, Froleyks, Biere, Heljanko, "Stratified
    certification for k-induction", FMCAD 2022; the format of HWMCC'24).

    ``circuit`` is an AIGER text. ``inputs`` and ``latches`` give for each input and latch, in the circuit's order, the
    bit of the system that it is, or None for one of the circuit's own. To check, for the system with the circuit's own
    inputs (of any value) and latches added: the invariant that the first bad literal (else the first output) is false
    and all constraints are true is inductive over one step, and implies the property.
    """

    circuit: str
    inputs: tuple[SharedBit | None, ...]
    latches: tuple[SharedBit | None, ...]
    kind: str = "witness-circuit"

    def summary(self) -> str:
        own = sum(bit is None for bit in self.latches)
        return f"a witness circuit: {len(self.latches)} latches, {own} of its own"
