"""Re-check of an inductive set of states.

For S the set, p the invariant: Init & Invar -> S; S & Invar & Trans & Invar' -> S'; S & Invar -> p. S is a
conjunction, and what must imply it is asked for each conjunct by itself.
First with the constraints in the cone of influence of S and p only (fewer constraints allow more runs,
so success is success), then, if that fails, with all of them. Sets with few diagram nodes are decided by
SAT; with many, SAT is lost, and the questions are put to BDDs in a fresh context (measured, CPU seconds:
4,200 nodes 2.8 by SAT and 0.14 by BDDs; 37,000 nodes not in 150 and 1.2).
"""

from __future__ import annotations

from dataclasses import dataclass

from symag.core.deadlines import Deadline
from symag.core.errors import CertificationError
from symag.smv.certificates.inductive_set import InductiveSet
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import (
    ConstraintReads,
    VariableReads,
    read_variables,
    relevant,
    requirements,
)
from symag.smv.certify.circuits.diagrams import Diagrams
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.circuits.variable_order import bit_order
from symag.smv.certify.properties import invariant, provable, transition_invariant
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression

#: Up to this many nodes SAT decides.
SAT_NODES = 300


CERTIFICATE = InductiveSet


def check(
    system: FlatSystem, property: Property, certificate: InductiveSet, deadline: Deadline, package: Package = "auto"
) -> None:
    """See ``kinds.Kind``."""
    formula = transition_invariant(system, property)
    claim = formula or provable(invariant(system, property), property, certificate)
    check_inductive_set(system, claim, certificate, deadline, on_transitions=formula is not None, package=package)


def check_inductive_set(
    system: FlatSystem,
    expression: Expression,
    certificate: InductiveSet,
    deadline: Deadline,
    sat_nodes: int = SAT_NODES,
    *,
    on_transitions: bool = False,
    package: Package = "auto",
) -> None:
    """Accept an inductive set as a proof that a propositional expression is invariant: in every state, or
    (``on_transitions``, for expressions that read inputs or the next state) on every transition.

    Raises CertificationError with the premise that fails, OutOfTimeError at the deadline.
    """
    reading = VariableReads(system)
    every = requirements(system, reading)
    encoder = Encoder(system, Circuit(package))
    diagrams = Diagrams(encoder, certificate.table)
    start = diagrams.support([*certificate.conjuncts]).union(*reading.of(expression))
    decide = _failure_by_sat if len(certificate.table.nodes) <= sat_nodes else _failure_by_diagrams
    near = relevant(every, start)
    if decide(_Question.of(encoder, diagrams, certificate, expression, near, start, on_transitions), deadline) is None:
        return
    names = set(system.by_name)
    failure = decide(_Question.of(encoder, diagrams, certificate, expression, every, names, on_transitions), deadline)
    if failure is not None:
        raise CertificationError(f"the certificate is not accepted: {failure}")


@dataclass(frozen=True, slots=True)
class _Question:
    """The premises as signals: lists are conjunctions."""

    encoder: Encoder
    bits: list[int]
    safe: int
    inside: list[int]
    inside_next: list[int]
    initial: list[int]
    now: list[int]
    following: list[int]
    on_transitions: bool

    @classmethod
    def of(
        cls,
        encoder: Encoder,
        diagrams: Diagrams,
        certificate: InductiveSet,
        expression: Expression,
        selected: list[ConstraintReads],
        start: set[str],
        on_transitions: bool,
    ) -> _Question:
        names = sorted(start.union(read_variables(selected)))
        states = [item for item in selected if item.moment == "state"]
        now = [encoder.in_range(name, False) for name in names] + [item.signal(encoder) for item in states]
        following = [encoder.in_range(name, True) for name in names]
        following += [item.signal(encoder, primed=True) for item in states]
        following += [item.signal(encoder) for item in selected if item.moment == "transition"]
        order = bit_order(encoder, certificate.table, selected, names)
        return cls(
            encoder,
            [encoder.bits(name, primed)[bit] for name, bit in order for primed in (False, True)],
            encoder.truth(expression),
            [diagrams.signal(root) for root in certificate.conjuncts],
            [diagrams.signal(root, primed=True) for root in certificate.conjuncts],
            [item.signal(encoder) for item in selected if item.moment == "initial"],
            now,
            following,
            on_transitions,
        )


_VIOLATES = "a state of the set violates the property"
_VIOLATES_STEP = "a transition from a state of the set violates the property"
_NOT_INITIAL = "an initial state is not in the set"
_LEAVES = "a transition leaves the set"


def _failure_by_sat(question: _Question, deadline: Deadline) -> str | None:
    with Satisfiability(question.encoder.circuit, deadline) as solver:
        for signal in question.now:
            solver.require(signal)
        if not question.on_transitions and solver.is_satisfiable([*question.inside, -question.safe]):
            return _VIOLATES
        if any(solver.is_satisfiable([*question.initial, -inside]) for inside in question.inside):
            return _NOT_INITIAL
        for signal in question.following:
            solver.require(signal)
        if question.on_transitions and solver.is_satisfiable([*question.inside, -question.safe]):
            return _VIOLATES_STEP
        if any(solver.is_satisfiable([*question.inside, -inside]) for inside in question.inside_next):
            return _LEAVES
    return None


def _failure_by_diagrams(question: _Question, deadline: Deadline) -> str | None:
    # Small sets, which SAT decides, do not wait for a package of BDDs.
    from symag.smv.certify.circuits.decision_diagrams import DecisionDiagrams

    context = DecisionDiagrams(question.encoder.circuit)
    context.declare(question.bits)
    inside = [context.of(signal) for signal in question.inside]
    now = [context.of(signal) for signal in question.now]
    unsafe = ~context.of(question.safe)
    if not question.on_transitions and context.is_satisfiable(context.true, [*inside, *now], unsafe, deadline):
        return _VIOLATES
    initial = [context.of(signal) for signal in question.initial]
    if any(context.is_satisfiable(context.true, [*initial, *now], ~condition, deadline) for condition in inside):
        return _NOT_INITIAL
    following = [context.of(signal) for signal in question.following]
    if question.on_transitions and context.is_satisfiable(context.true, [*inside, *now, *following], unsafe, deadline):
        return _VIOLATES_STEP
    for number, signal in enumerate(question.inside_next):
        rest = [*inside[:number], *inside[number + 1 :], *now, *following]
        if context.is_satisfiable(inside[number], rest, ~context.of(signal), deadline):
            return _LEAVES
    return None
