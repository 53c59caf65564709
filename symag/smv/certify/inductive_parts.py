"""Re-check of sets of states by parts, each kept by the sets of its neighbours.

The premises are those of ``inductive_facts``; the sets are diagrams instead of texts. They are decided by SAT, with the
constraints in the cone of influence of all sets first, and if that fails with all constraints. A step that takes SAT
too long is asked in cases, one for each value of the enumeration that most constraints on steps read (as what names
the interaction of a step); without such a variable with BDDs in a fresh context (parities), and with only the
constraints that say something about it; if these do not suffice, SAT goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from msgspec import Struct

from symag.core.limits import Deadline
from symag.smv.certificates.invariants import InductiveParts
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import ConstraintReads, ConstraintSignals, with_read_variables
from symag.smv.certify.circuits.diagrams import Diagrams, bit_order
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.inductive_facts import KeptConditions
from symag.smv.certify.properties import provable_invariant, refused
from symag.smv.model.flat import Property
from symag.smv.model.typed import Expression
from symag.smv.model.types import EnumerationType

CERTIFICATE = InductiveParts

#: SAT gets this many conflicts for a step before cases or BDDs are asked.
CONFLICTS = 4_000

#: The largest number of bits of a variable whose values are cases.
_CASE_BITS = 9

_WORDS = (
    "a state of the sets violates the property",
    "an initial state is not in set {}",
    "a transition leads out of set {}",
)


def check(
    property: Property,
    certificate: InductiveParts,
    deadline: Deadline,
    encoded: EncodedSystem,
    conflicts: int = CONFLICTS,
) -> None:
    """See ``kinds``. Costs two questions to a SAT solver for each set.

    With 0 ``conflicts`` every step is asked with BDDs first.
    """
    claim = provable_invariant(encoded.system, property, certificate)
    diagrams = Diagrams(encoded.encoder, certificate.table)
    names = diagrams.support([root for roots in certificate.sets for root in roots])
    if names & encoded.system.inputs:
        raise refused("a set is not one of states")
    names = names.union(*encoded.reading.of(claim))
    question = _Question(encoded, diagrams, claim, certificate, deadline, conflicts)
    encoded.prove(names, question.failure)


class _Question(Struct, frozen=True):
    encoded: EncodedSystem
    diagrams: Diagrams
    claim: Expression
    certificate: InductiveParts
    deadline: Deadline
    conflicts: int

    def failure(self, selected: list[ConstraintReads], start: set[str]) -> str | None:
        """The premise that fails under the selected constraints, in words; those that are proved are recorded."""
        sets = self.certificate.sets
        bits = self._case_bits(selected)

        def fails(solver: Satisfiability, question: Sequence[int], number: int) -> bool:
            answer = solver.is_satisfiable_within(question, self.conflicts)
            if answer is None and bits:
                signs = product((1, -1), repeat=len(bits))
                cases = ([sign * bit for sign, bit in zip(case, bits, strict=True)] for case in signs)
                return any(solver.is_satisfiable([*question, *case]) for case in cases)
            if answer is None and self._is_kept(number, selected):
                answer = False
            return solver.is_satisfiable(question) if answer is None else answer

        now, then = ([self._set(roots, primed) for roots in sets] for primed in (False, True))
        kept = KeptConditions(self.encoded, now, then, self.certificate.uses, range(len(sets)), _WORDS)
        return kept.failure(self.claim, selected, start, self.deadline, fails)

    def _set(self, roots: Sequence[int], primed: bool = False) -> int:
        return self.encoded.encoder.circuit.any(self.diagrams.signal(root, primed) for root in roots)

    def _case_bits(self, selected: Sequence[ConstraintReads]) -> Sequence[int]:
        """The bits of the variable whose values are the cases of a step, none without one. Any bits would do."""
        moves = [item.current for item in selected if item.moment == "transition"]
        readers = Counter(name for current in moves for name in current)
        for name, count in readers.most_common(1):
            bits = self.encoded.encoder.bits(name, False)
            named = isinstance(self.encoded.encoder.type_of(name), EnumerationType)
            if named and 2 * count > len(moves) and 1 < len(bits) <= _CASE_BITS:
                return bits
        return ()

    def _is_kept(self, number: int, selected: Sequence[ConstraintReads]) -> bool:
        """Whether BDDs prove the step of a set, from the constraints that say something about it."""
        # Imported here, for most steps need no BDDs.
        from symag.smv.certify.circuits.decision_diagrams import DecisionDiagrams

        certificate, encoder = self.certificate, self.encoded.encoder
        roots = certificate.sets[number]
        used = [certificate.sets[use] for use in certificate.uses[number]]
        known = self.diagrams.support([root for set_ in used for root in set_])
        local = list(_local(selected, self.diagrams.support(list(roots)), known))
        names = with_read_variables(known, local)
        constraints = ConstraintSignals.of(encoder, local, names)
        context = DecisionDiagrams(encoder.circuit)
        order = bit_order(encoder, certificate.table, local, set(names))
        context.declare(encoder.bits(name, primed)[bit] for name, bit in order for primed in (False, True))
        signals = (*constraints.state, *constraints.on_steps, *(self._set(set_) for set_ in used))
        outside = ~context.of(self._set(roots, primed=True))
        conjuncts = [context.of(signal) for signal in signals]
        return not context.is_satisfiable(outside, conjuncts, context.true, self.deadline)


def _local(selected: Sequence[ConstraintReads], after: set[str], known: set[str]) -> Iterator[ConstraintReads]:
    """The constraints on the next values of the variables ``after``, and those on states that these read."""
    moves = [item for item in selected if item.moment == "transition" and item.following & after]
    yield from moves
    names = known.union(after, *(item.current for item in moves))
    waiting = [item for item in selected if item.moment == "state"]
    while True:
        new = [item for item in waiting if item.target in names or (item.target is None and item.current <= names)]
        if not new:
            return
        yield from new
        names = names.union(*(item.current for item in new))
        waiting = [item for item in waiting if item not in new]
