"""Re-check of sets of states by parts, each kept by the sets of its neighbours.

The premises are those of ``inductive_facts``; the sets are diagrams instead of texts. They are decided by SAT, with the
constraints in the cone of influence of all sets first, and if that fails with all constraints. A step that takes SAT
too long (parities do) is asked with BDDs in a fresh context, and with only the constraints that say something about it;
if these do not suffice, SAT goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from symag.core.deadlines import Deadline
from symag.smv.certificates.inductive_parts import InductiveParts
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import (
    ConstraintReads,
    ConstraintSignals,
    failure_by_cone,
    with_read_variables,
)
from symag.smv.certify.circuits.diagrams import Diagrams
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.circuits.variable_order import bit_order
from symag.smv.certify.properties import invariant, provable, refused
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.typed import Expression

CERTIFICATE = InductiveParts

#: SAT gets this many conflicts for a step before BDDs are asked.
CONFLICTS = 4_000


def check(
    system: FlatSystem,
    property: Property,
    certificate: InductiveParts,
    deadline: Deadline,
    package: Package = "auto",
    encoded: EncodedSystem | None = None,
) -> None:
    """See ``kinds``. Costs two questions to a SAT solver for each set."""
    check_inductive_parts(property, certificate, deadline, encoded or EncodedSystem(system, package))


def check_inductive_parts(
    property: Property,
    certificate: InductiveParts,
    deadline: Deadline,
    encoded: EncodedSystem,
    conflicts: int = CONFLICTS,
) -> None:
    """As ``check``, with a number of conflicts; with 0 every step is asked with BDDs first. What was proved of the same
    sets before is not asked again.
    """
    system = encoded.system
    claim = provable(invariant(system, property), property, certificate)
    diagrams = Diagrams(encoded.encoder, certificate.table)
    reading = encoded.reading
    names = diagrams.support([root for roots in certificate.sets for root in roots])
    if any(system.by_name[name].kind is VariableKind.INPUT for name in names):
        raise refused("a set is not one of states")
    names = names.union(*reading.of(claim))
    question = _Question(encoded, diagrams, claim, certificate, deadline, conflicts)
    reason = failure_by_cone(system, encoded.constraints, names, question.failure)
    if reason is not None:
        raise refused(reason)


class _Question(Struct, frozen=True):
    encoded: EncodedSystem
    diagrams: Diagrams
    claim: Expression
    certificate: InductiveParts
    deadline: Deadline
    conflicts: int

    def failure(self, selected: list[ConstraintReads], start: set[str]) -> str | None:
        """The premise that fails under the selected constraints, in words; those that are proved are recorded."""
        sets, encoded, encoder = self.certificate.sets, self.encoded, self.encoded.encoder
        now = [self._set(roots) for roots in sets]
        then = [self._set(roots, primed=True) for roots in sets]
        constraints = ConstraintSignals.of(encoder, selected, with_read_variables(start, selected))
        with Satisfiability(encoder.circuit, self.deadline) as solver:
            for signal in constraints.state:
                solver.require(signal)
            if solver.is_satisfiable([*now, -encoder.truth(self.claim)]):
                return "a state of the sets violates the property"
            for number, inside in enumerate(now):
                if encoded.is_proved(("initial", inside)):
                    continue
                if solver.is_satisfiable([*constraints.initial, -inside]):
                    return f"an initial state is not in set {number}"
                encoded.record(("initial", inside))
            for signal in (*constraints.next_state, *constraints.step):
                solver.require(signal)
            for number, (inside, uses) in enumerate(zip(then, self.certificate.uses, strict=True)):
                step = "step", frozenset(now[use] for use in uses), inside
                if encoded.is_proved(step):
                    continue
                question = [*step[1], -inside]
                answer = solver.is_satisfiable_within(question, self.conflicts)
                if answer is None and self._is_kept(number, selected):
                    answer = False
                if solver.is_satisfiable(question) if answer is None else answer:
                    return f"a transition leads out of set {number}"
                encoded.record(step)
        return None

    def _set(self, roots: Sequence[int], primed: bool = False) -> int:
        return self.encoded.encoder.circuit.any(self.diagrams.signal(root, primed) for root in roots)

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
        signals = (*constraints.state, *constraints.next_state, *constraints.step, *(self._set(set_) for set_ in used))
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
