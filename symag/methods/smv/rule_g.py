"""The method ``rule-g``: n modules, one assumption each (paper, Sections 2.3 and 5.4).

Several partitions are tried. Each first gets the cheap attempt with one-state assumptions; then they
take turns in learning.
"""

from __future__ import annotations

import time

from symag.certificates import AssumeGuarantee
from symag.limits import Progress
from symag.methods.smv.ascv_g import AscvG, Proved, Refuted
from symag.methods.smv.decision import (
    Subject,
    assume_guarantee_certificate,
    candidates,
    product_certificate,
    statistics,
    subject,
    violated,
)
from symag.methods.smv.options import Options
from symag.methods.smv.simultaneous import simultaneous_sets
from symag.methods.smv.turns import Attempt, take_turns
from symag.results import PropertyResult, Verdict
from symag.smv.flat import FlatSystem, Property

_Attempt = Attempt[AscvG, Proved | Refuted]


def decide(system: FlatSystem, target: Property, options: Options, progress: Progress) -> PropertyResult:
    """Decide an invariant by Rule-G.

    Raises UnsupportedError for other properties, UsageError for more parts than variables, InputError
    and MemoryExhausted. ``unknown`` if no partition is feasible.
    """
    started = time.process_time()
    prepared = subject(system, target, options)
    found = candidates(prepared, options)
    if not found:
        return PropertyResult(Verdict.UNKNOWN, "rule-g", reason="unsupported: no feasible partition")
    attempts: list[_Attempt] = []
    for number, partition in enumerate(found):
        modules = prepared.modules(partition)
        if options.one_state_first:
            sets = simultaneous_sets(modules, progress)
            if sets is not None:
                figures = statistics(prepared, partition, started) | {"assumption_states": [1] * len(modules)}
                certificate = product_certificate(prepared, sets)
                return PropertyResult(Verdict.HOLDS, "rule-g", certificate=certificate, statistics=figures)
        whole = prepared.composition(modules)
        hidden = prepared.free_inputs(partition) if options.small_alphabet_first else ()
        for alphabet in (hidden, ()) if hidden else ((),):
            name = f"{number}.{len(alphabet)}."
            run = AscvG(prepared.modules(partition, alphabet), whole, options, progress, name)
            attempts.append(Attempt(partition, modules, run, run.rounds()))
    attempt, outcome = take_turns(attempts)
    figures = statistics(prepared, attempt.partition, started) | _learning_statistics(attempt, outcome)
    if isinstance(outcome, Refuted):
        return violated(prepared, "rule-g", attempt.modules, outcome.word, figures)
    return PropertyResult(
        Verdict.HOLDS, "rule-g", certificate=_certificate(prepared, attempt, outcome), statistics=figures
    )


def _learning_statistics(attempt: _Attempt, outcome: Proved | Refuted) -> dict[str, object]:
    sides = attempt.run.sides
    return {
        "assumption_states": [side.table.states for side in sides],
        "membership_queries": sum(side.table.queries for side in sides),
        "equivalence_queries": attempt.run.equivalence_queries,
        "early_falsification": isinstance(outcome, Refuted) and outcome.by_early_falsification,
        "edge_deletion": isinstance(outcome, Proved) and outcome.by_edge_deletion,
    }


def _certificate(prepared: Subject, attempt: _Attempt, outcome: Proved) -> AssumeGuarantee:
    pairs = zip(attempt.run.sides, outcome.automata, outcome.explorations, strict=True)
    paired = [(side.bits, automaton.states, exploration) for side, automaton, exploration in pairs]
    return assume_guarantee_certificate(prepared, "rule-g", attempt.modules, outcome.assumptions, paired)
