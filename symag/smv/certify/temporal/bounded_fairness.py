"""Re-check of an LTL formula that k-liveness proves: no run of its negation is fair more than a number of times.

The monitor that counts is built here; ``monitors`` has the tableau and proves the premises.
"""

from __future__ import annotations

from symag.core.limits import Deadline
from symag.smv.certificates.temporal import COUNT, SEEN, BoundedFairness
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.properties import refused
from symag.smv.certify.temporal.monitors import MonitoredRuns, claim_of_runs
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import Property

CERTIFICATE = BoundedFairness


def check(property: Property, certificate: BoundedFairness, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``. Costs two questions to a SAT solver for each clause."""
    whole, claim = claim_of_runs(encoded.system, property, certificate, deadline)
    if certificate.bound < 0:
        raise refused("its bound is negative")
    with deep_recursion():
        runs = MonitoredRuns.of(whole, claim, certificate.observers, certificate.eventualities)
        _count(runs, certificate.bound)
        runs.keep(certificate.clauses)
        runs.prove(deadline)


def _count(runs: MonitoredRuns, bound: int) -> None:
    """Add the monitor, and that it never counts more than ``bound``."""
    circuit = runs.tableau.encoder.circuit
    seen = [runs.monitor_bit(SEEN, index) for index in range(len(runs.met))]
    since = [circuit.disjunction(now, signal) for (now, _), signal in zip(seen, runs.met, strict=True)]
    every = circuit.all(since)
    for (now, following), signal in zip(seen, since, strict=True):
        runs.begins.append(-now)
        runs.steps.append(circuit.equal(following, circuit.conjunction(-every, signal)))
    counted = every
    for index in range(bound + 1):
        counted = circuit.conjunction(every, runs.remembering(COUNT, index, counted))
    last = runs.state_bit(COUNT, bound)
    runs.keep_signal((-last[0], -last[1]), "the bound")
