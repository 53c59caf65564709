"""Re-check of an inductive set of states, by SAT.

For S the set, p the invariant: Init & Invar -> S; S & Invar & Trans & Invar' -> S'; S & Invar -> p.
First with the constraints in the cone of influence of S and p only (fewer constraints allow more runs,
so success is success), then, if that fails, with all of them.
"""

from __future__ import annotations

from symag.certificates import InductiveSet
from symag.certify.bit_blasting import Encoder
from symag.certify.circuit import Circuit
from symag.certify.cnf import Deadline, Satisfiability
from symag.certify.constraints import Reading, Requirement, read_variables, relevant, requirements
from symag.certify.diagrams import Diagrams
from symag.errors import CertificationError
from symag.smv.flat import FlatSystem
from symag.smv.typed import Expression


def check_inductive_set(
    system: FlatSystem, expression: Expression, certificate: InductiveSet, deadline: Deadline
) -> None:
    """Accept an inductive set as a proof that a propositional expression is invariant.

    Raises CertificationError with the premise that fails, OutOfTimeError at the deadline.
    """
    reading = Reading(system)
    every = requirements(system, reading)
    encoder = Encoder(system, Circuit())
    diagrams = Diagrams(encoder, certificate.table)
    start = diagrams.support([certificate.root]) | reading.of(expression)[0]
    near = relevant(every, start)
    if _failure(encoder, diagrams, certificate, expression, near, start, deadline) is None:
        return
    failure = _failure(encoder, diagrams, certificate, expression, every, set(system.by_name), deadline)
    if failure is not None:
        raise CertificationError(f"the certificate is not accepted: {failure}")


def _failure(
    encoder: Encoder,
    diagrams: Diagrams,
    certificate: InductiveSet,
    expression: Expression,
    selected: list[Requirement],
    start: set[str],
    deadline: Deadline,
) -> str | None:
    circuit = encoder.circuit
    names = sorted(start.union(read_variables(selected)))
    inside = diagrams.signal(certificate.root)
    with Satisfiability(circuit, deadline) as solver:
        for name in names:
            solver.require(encoder.in_range(name, False))
        for item in selected:
            if item.moment == "state":
                solver.require(item.signal(encoder))
        if solver.is_satisfiable([inside, -encoder.truth(expression)]):
            return "a state of the set violates the property"
        initial = circuit.all(item.signal(encoder) for item in selected if item.moment == "initial")
        if solver.is_satisfiable([initial, -inside]):
            return "an initial state is not in the set"
        for name in names:
            solver.require(encoder.in_range(name, True))
        for item in selected:
            if item.moment == "state":
                solver.require(item.signal(encoder, primed=True))
            elif item.moment == "transition":
                solver.require(item.signal(encoder))
        if solver.is_satisfiable([inside, -diagrams.signal(certificate.root, primed=True)]):
            return "a transition leaves the set"
    return None
