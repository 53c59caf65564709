"""Re-check of an inductive set of states.

The premises, for the set S and the invariant p: Init & Invar -> S; S & Invar & Trans & Invar' -> S'; S & Invar -> p.
S is a conjunction; the first two premises are asked for each conjunct by itself. They are asked with the constraints in
the cone of influence of S and p first, and if that fails with all constraints. Small sets are decided by SAT, large
ones by BDDs in a fresh context (CPU seconds by SAT and by BDDs: 2.8 and 0.14 for 4,200 diagram nodes; over 150 and 1.2
for 37,000). The BDDs of words and constraints may be huge where the set is not: then SAT decides it after all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from symag.core.limits import Deadline, OutOfTimeError
from symag.smv.certificates.invariants import InductiveSet
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import ConstraintReads, ConstraintSignals, with_read_variables
from symag.smv.certify.circuits.diagrams import Diagrams, bit_order
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.properties import all_invariants, claimed_invariant
from symag.smv.certify.strengthening import strengthened
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import Property
from symag.smv.model.typed import Expression

if TYPE_CHECKING:
    from symag.smv.certify.circuits.decision_diagrams import Bdd, DecisionDiagrams

#: Sets of at most this many diagram nodes are decided by SAT.
SAT_NODES = 300

#: Sets of at most MOST_NODES nodes are decided by BDDs in MEMORY bytes; if these do not suffice, by SAT in SECONDS, and
#: else by BDDs without a limit. On 14 public models with large sets they take up to 23 MB. bist_cell and token_ring.1
#: of nuXmv's examples (systemc; 1,450 and 3,668 nodes over 1,603 and 2,212 bits): 0.4 and 0.7 s, with BDDs alone none
#: in 100 s.
_MOST_NODES, _MEMORY, _SECONDS = 20_000, 48 << 20, 10.0

#: Conjuncts with more nodes are left out of the premise for another one at first: their product may be very large.
LARGE_CONJUNCT = 5_000

CERTIFICATE = InductiveSet


def check(property: Property, certificate: InductiveSet, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``."""
    claim, on_transitions = claimed_invariant(encoded.system, property, certificate)
    stronger = strengthened(encoded, certificate.facts, deadline)
    check_inductive_set(stronger, claim, certificate, deadline, on_transitions=on_transitions)


def check_together(properties: Sequence[Property], certificate: InductiveSet, encoded: EncodedSystem) -> None:
    """Accept a set of states as a proof of several invariants of states, as it proves each of them.

    ``encoded`` is the system without the certificate's facts.

    Raises CertificationError with the premise that fails, UnsupportedError for a property that is no such invariant.
    """
    with deep_recursion():
        claim = all_invariants(encoded.system, properties, certificate)
        stronger = strengthened(encoded, certificate.facts, Deadline(None))
        check_inductive_set(stronger, claim, certificate, Deadline(None))


def check_inductive_set(
    encoded: EncodedSystem,
    expression: Expression,
    certificate: InductiveSet,
    deadline: Deadline,
    sat_nodes: int = SAT_NODES,
    *,
    on_transitions: bool = False,
) -> None:
    """Accept an inductive set as a proof that a propositional expression is invariant: in every state, or
    (``on_transitions``, for expressions that read inputs or the next state) on every transition.

    The certificate's facts are INVAR of the system (``strengthened``). The first two premises are asked once for
    each set.

    Raises CertificationError with the premise that fails, OutOfTimeError at the deadline.
    """
    diagrams = Diagrams(encoded.encoder, certificate.table)
    start = diagrams.support([*certificate.conjuncts]).union(*encoded.reading.of(expression))
    nodes = len(certificate.table.nodes)
    if nodes <= sat_nodes:
        decide = _failure_by_sat
    else:
        decide = _failure_by_either if nodes <= _MOST_NODES else _failure_by_diagrams
    # More constraints leave fewer transitions, so it does not matter under which ones it was proved.
    closed = "closed", certificate.table, frozenset(certificate.conjuncts)
    is_closed = encoded.is_proved(closed)

    def failure(selected: list[ConstraintReads], names: set[str]) -> str | None:
        question = _Question.of(encoded, diagrams, certificate, expression, selected, names, on_transitions, is_closed)
        return decide(question, deadline)

    encoded.prove(start, failure)
    if not is_closed:
        encoded.record(closed)


class _Question(Struct, frozen=True):
    """The premises, as signals but for the set; each list of signals is a conjunction.

    ``conjuncts`` are the set, by their nodes in ``diagrams``; ``bits`` are all bits, each now and next. ``is_closed``:
    it is proved already that the set has the initial states, and that no transition leaves it.
    """

    encoded: EncodedSystem
    diagrams: Diagrams
    conjuncts: tuple[int, ...]
    bits: list[tuple[int, int]]
    safe: int
    initial: list[int]
    now: list[int]
    following: list[int]
    on_transitions: bool
    is_closed: bool

    @classmethod
    def of(
        cls,
        encoded: EncodedSystem,
        diagrams: Diagrams,
        certificate: InductiveSet,
        expression: Expression,
        selected: list[ConstraintReads],
        start: set[str],
        on_transitions: bool,
        is_closed: bool,
    ) -> _Question:
        encoder = encoded.encoder
        names = with_read_variables(start, selected)
        of_states = [item for item in selected if item.moment == "state"]
        needed = of_states if is_closed and not on_transitions else selected
        constraints = ConstraintSignals.of(encoder, needed, names)
        order = bit_order(encoder, certificate.table, selected, names)
        return cls(
            encoded,
            diagrams,
            certificate.conjuncts,
            [(encoder.bits(name, False)[bit], encoder.bits(name, True)[bit]) for name, bit in order],
            encoder.truth(expression),
            constraints.initial,
            constraints.state,
            constraints.on_steps,
            on_transitions,
            is_closed,
        )

    def inside(self, primed: bool = False) -> list[int]:
        """The conjuncts of the set as signals of this state or of the next one."""
        return [self.diagrams.signal(root, primed) for root in self.conjuncts]

    def context(self) -> DecisionDiagrams:
        """BDDs in whose order the bits alternate with their next values."""
        return self.encoded.diagrams([signal for pair in self.bits for signal in pair])


_VIOLATES = "a state of the set violates the property"
_VIOLATES_STEP = "a transition from a state of the set violates the property"
_NOT_INITIAL = "an initial state is not in the set"
_LEAVES = "a transition leaves the set"


def _failure_by_sat(question: _Question, deadline: Deadline) -> str | None:
    with Satisfiability(question.encoded.encoder.circuit, deadline) as solver:
        solver.require(question.now)
        inside = question.inside()
        if not question.on_transitions and solver.is_satisfiable([*inside, -question.safe]):
            return _VIOLATES
        if question.is_closed and not question.on_transitions:
            return None
        outside = [] if question.is_closed else [-condition for condition in inside]
        if any(solver.is_satisfiable([*question.initial, signal]) for signal in outside):
            return _NOT_INITIAL
        solver.require(question.following)
        if question.on_transitions and solver.is_satisfiable([*inside, -question.safe]):
            return _VIOLATES_STEP
        left = [] if question.is_closed else [-condition for condition in question.inside(primed=True)]
        if any(solver.is_satisfiable([*inside, signal]) for signal in left):
            return _LEAVES
    return None


def _failure_by_either(question: _Question, deadline: Deadline) -> str | None:
    """By diagrams if they stay small, else by SAT if that is quick."""
    from symag.smv.certify.circuits.decision_diagrams import TooMuchMemoryError  # small sets need no BDDs

    try:
        with question.context().within(_MEMORY):
            return _failure_by_diagrams(question, deadline)
    except TooMuchMemoryError:
        question.encoded.drop_diagrams()
    try:
        return _failure_by_sat(question, deadline.within(_SECONDS))
    except OutOfTimeError:
        deadline.check()
        return _failure_by_diagrams(question, deadline)


def _failure_by_diagrams(question: _Question, deadline: Deadline) -> str | None:
    context = question.context()
    inside = question.diagrams.formulas(question.conjuncts, context)
    now = [context.of(signal) for signal in question.now]
    unsafe = ~context.of(question.safe)
    if not question.on_transitions and context.is_satisfiable(context.true, [*inside, *now], unsafe, deadline):
        return _VIOLATES
    if question.is_closed and not question.on_transitions:
        return None
    initial = [context.of(signal) for signal in question.initial]
    if not question.is_closed and any(
        context.is_satisfiable(context.true, [*initial, *now], ~condition, deadline) for condition in inside
    ):
        return _NOT_INITIAL
    following = [context.of(signal) for signal in question.following]
    if question.on_transitions and context.is_satisfiable(context.true, [*inside, *now, *following], unsafe, deadline):
        return _VIOLATES_STEP
    return None if question.is_closed else _leaves(question, inside, now, following, deadline)


def _leaves(
    question: _Question, inside: list[Bdd], now: list[Bdd], following: list[Bdd], deadline: Deadline
) -> str | None:
    context = question.context()
    following_bits = {context.name(bit): context.of(next_bit) for bit, next_bit in question.bits}
    large = {number for number, condition in enumerate(inside) if context.size(condition) > LARGE_CONJUNCT}
    for number, condition in enumerate(inside):
        step, left = [*now, *following], ~context.replaced(condition, following_bits)
        others = [other for other in range(len(inside)) if other != number]
        small = [inside[other] for other in others if other not in large]
        if not context.is_satisfiable(condition, [*small, *step], left, deadline):
            continue
        rest = [inside[other] for other in others]
        if len(rest) == len(small) or context.is_satisfiable(condition, [*rest, *step], left, deadline):
            return _LEAVES
    return None
