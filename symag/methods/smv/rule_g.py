"""The method ``rule-g``: n modules, one assumption each (paper, Sections 2.3 and 5.4).

Several partitions are tried. Each first gets the cheap attempt with one-state assumptions; then they
take turns in learning.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from symag.certificates import AssumeGuarantee
from symag.limits import Progress
from symag.methods.smv.ascv_g import AscvG, Proved, Refuted
from symag.methods.smv.decision import Subject, candidates, statistics, subject
from symag.methods.smv.evidence import assume_guarantee_certificate, holds, product_certificate, violated
from symag.methods.smv.falsification import EarlyFalsification
from symag.methods.smv.options import Options
from symag.methods.smv.simultaneous import simultaneous_sets
from symag.methods.smv.turns import Attempt, take_turns
from symag.partition import Partition
from symag.results import PropertyResult, Verdict
from symag.smv.flat import FlatSystem, Property

#: The numbers of parts that are tried when the user names none; the paper's tables use 2 to 4.
DEFAULT_PARTS = (2, 3, 4)

_Attempt = Attempt[AscvG, Proved | Refuted]


def decide(system: FlatSystem, target: Property, options: Options, progress: Progress) -> PropertyResult:
    """Decide an invariant by Rule-G.

    Raises UnsupportedError for other properties, UsageError for more parts than variables, InputError
    and MemoryExhausted. ``unknown`` if no partition is feasible.
    """
    started = time.process_time()
    prepared = subject(system, target, options)
    attempts: list[_Attempt] = []
    falsification: EarlyFalsification | None = None
    for count in DEFAULT_PARTS if options.parts is None else (options.parts,):
        for partition in candidates(prepared, options, count):
            modules = prepared.modules(partition)
            sets = simultaneous_sets(modules, progress) if options.one_state_first else None
            if sets is not None:
                figures = statistics(prepared, partition, started) | {"assumption_states": [1] * len(modules)}
                return holds(prepared, "rule-g", product_certificate(prepared, sets), figures)
            if options.early_falsification and falsification is None:
                falsification = EarlyFalsification(prepared.composition(modules), modules)
            attempts.extend(_attempts(prepared, partition, options, falsification, progress, len(attempts)))
    if not attempts:
        return PropertyResult(Verdict.UNKNOWN, "rule-g", reason="unsupported: no feasible partition")
    attempt, outcome = take_turns(attempts)
    figures = statistics(prepared, attempt.partition, started) | _learning_statistics(attempt, outcome)
    if isinstance(outcome, Proved):
        return holds(prepared, "rule-g", _certificate(prepared, attempt, outcome), figures)
    result = violated(prepared, "rule-g", attempt.modules, outcome.word, figures)
    return result or decide(system, target, replace(options, cone_of_influence=False), progress)


def _attempts(
    prepared: Subject,
    partition: Partition,
    options: Options,
    falsification: EarlyFalsification | None,
    progress: Progress,
    first: int,
) -> Iterator[_Attempt]:
    """Learning for one partition: over letters without the free inputs, if there are any, then over all."""
    modules = prepared.modules(partition)
    whole = prepared.composition(modules)
    hidden = prepared.free_inputs(partition) if options.small_alphabet_first else ()
    for number, alphabet in enumerate((hidden, ()) if hidden else ((),), first):
        shown = prepared.modules(partition, alphabet)
        run = AscvG(shown, whole, falsification, options.edge_deletion, progress, f"{number}.")
        yield Attempt(partition, modules, run, run.rounds())


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
    pairs = zip(attempt.run.sides, outcome.assumptions, outcome.explorations, strict=True)
    paired = [(side.bits, len(assumption.edges), exploration) for side, assumption, exploration in pairs]
    return assume_guarantee_certificate(prepared, "rule-g", attempt.modules, outcome.assumptions, paired)
