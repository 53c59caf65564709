"""Re-check of an LTL formula by liveness to safety: no run of its negation closes a fair lasso.

The monitor that saves a state is built here from ``NoFairLasso``, without the circuits of the search;
``monitors`` has the tableau and proves the premises.
"""

from __future__ import annotations

from symag.core.limits import Deadline
from symag.smv.certificates.temporal import CONCLUSION, COPY, MET, PREMISE, SAVED, NoFairLasso
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.temporal.monitors import MonitoredRuns, claim_of_runs
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import Property

CERTIFICATE = NoFairLasso


def check(property: Property, certificate: NoFairLasso, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``. Costs two questions to a SAT solver for each clause, and one."""
    whole, claim = claim_of_runs(encoded.system, property, certificate, deadline)
    with deep_recursion():
        runs = MonitoredRuns.of(whole, claim, certificate.observers, certificate.eventualities)
        _search_for_lassos(runs, certificate.copied)
        runs.keep(certificate.clauses)
        runs.prove(deadline)


def _search_for_lassos(runs: MonitoredRuns, copied: tuple[tuple[str, int], ...]) -> None:
    """Add the monitor, and that it never closes a lasso."""
    encoder = runs.tableau.encoder
    circuit = encoder.circuit
    save = circuit.input()
    saved = runs.remembering(SAVED, 0, save)
    inside = circuit.disjunction(saved, save)
    closed = [saved]
    for number, signal in enumerate(runs.met):
        closed.append(runs.remembering(MET, number, circuit.conjunction(inside, signal)))
    for number, (premise, conclusion) in enumerate(runs.encoded.system.compassion):
        sides = ((PREMISE, encoder.truth(premise.expression)), (CONCLUSION, encoder.truth(conclusion.expression)))
        often, answered = (
            runs.remembering(name, number, circuit.conjunction(inside, signal)) for name, signal in sides
        )
        closed.append(circuit.disjunction(-often, answered))
    copying = circuit.conjunction(save, -saved)
    for name, index in copied:
        own, _ = runs.state_bit(name, index)
        now, following = runs.monitor_bit(COPY + name, index)
        kept = circuit.conjunction(-copying, now)
        runs.steps.append(circuit.equal(following, circuit.disjunction(circuit.conjunction(copying, own), kept)))
        closed.append(circuit.equal(own, now))
    runs.never.append((circuit.all(closed), "a state that closes a fair lasso"))
